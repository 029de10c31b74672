//! The paper's model for training: the same names, shapes and conventions as the core, on libtorch's tensors.

pub mod attention;
pub mod dropout;
pub mod layout;
pub mod loss;
pub mod ops;
pub mod position;
pub mod precision;
pub mod transformer;
pub mod weights;

pub use precision::Precision;
pub use transformer::{Observed, Transformer};
pub use weights::{Weights, flatten};
