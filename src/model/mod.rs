//! Wiring: how the layers make the paper's Figure 1.

mod build;
mod cache;
pub mod config;
mod decoder;
mod encoder;
mod observed;
mod position_override;
mod seq2seq;
mod state;
mod teacher_force;
mod tensor_source;
mod transformer;
mod workspace;

pub use crate::layers::Stack;
pub use crate::layers::position::{PositionTable, sinusoidal};
pub use config::Config;
pub(crate) use position_override::PositionOverride;
pub use seq2seq::{Row, Seq2Seq, Slot};
pub use state::State;
pub use teacher_force::TeacherForced;
pub use tensor_source::TensorSource;
pub use transformer::Transformer;
pub(crate) use workspace::Workspace;
