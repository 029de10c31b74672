//! Wiring: how the layers make the paper's Figure 1.

pub mod config;
pub mod decoder;
pub mod encoder;
pub mod transformer;

pub use config::Config;
pub use decoder::{DecoderState, Row};
pub use encoder::Memory;
pub use transformer::Transformer;
