//! From text to pieces and back: splitting into sentences.

pub mod sentences;
