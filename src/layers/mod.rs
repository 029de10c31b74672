//! The paper's section 3, one file per concept; [`comparison`] holds what the paper compares it with.

pub mod attention;
mod buffer;
pub mod comparison;
pub mod compatibility;
pub mod embedding;
pub mod feed_forward;
mod hooks;
pub mod linear;
pub mod norm;
pub mod position;

pub use attention::{KeyValues, MultiHeadAttention};
pub use buffer::Buffer;
pub use compatibility::{Compatibility, CompatibilityFunction};
pub use embedding::Embedding;
pub use feed_forward::FeedForward;
pub use hooks::{HookEvent, HookPoint, Hooks, Observer, RowWeights, Stack};
pub use linear::{Input, Linear, Weight};
pub use norm::{LayerNorm, Residual};
pub use position::PositionTable;
