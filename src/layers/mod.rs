//! layers.
