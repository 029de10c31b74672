//! checkpoint.
