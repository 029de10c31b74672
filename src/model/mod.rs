//! Wiring: how the layers make the paper's Figure 1.

pub mod config;
pub mod decoder;
pub mod encoder;
mod seam;
pub mod transformer;

pub use config::Config;
pub use seam::{Row, Seq2Seq, Slot};
pub use transformer::Transformer;
