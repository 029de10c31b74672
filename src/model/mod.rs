//! Wiring: how the layers make the paper's Figure 1.

mod arithmetic;
mod build;
mod cache;
pub mod config;
pub mod decoder;
pub mod encoder;
mod measure;
mod position_override;
mod seq2seq;
mod state;
mod teacher_force;
mod tensor_source;
pub mod transformer;
mod workspace;

pub use arithmetic::{Arithmetic, ProductStatistics};
pub use config::Config;
pub use measure::{Part, SelfAttentionBench};
pub use seq2seq::{Row, Seq2Seq, Slot};
pub use state::State;
pub use teacher_force::TeacherForced;
pub use tensor_source::TensorSource;
pub use transformer::{EmbeddingSteps, Transformer};
