//! Wiring: how the layers make the paper's Figure 1.

mod arithmetic;
mod build;
mod cache;
pub mod config;
pub mod decoder;
pub mod encoder;
mod forced;
mod measure;
mod placing;
mod seam;
mod state;
mod tensor_source;
pub mod transformer;
mod workspace;

pub use arithmetic::{Arithmetic, ProductStatistics};
pub use config::Config;
pub use forced::Forced;
pub use measure::{Part, SelfAttentionBench};
pub use seam::{Row, Seq2Seq, Slot};
pub use state::State;
pub use tensor_source::TensorSource;
pub use transformer::{EmbeddingSteps, Transformer};
