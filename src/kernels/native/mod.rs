//! The kernels of native builds.

mod int8;
mod matrix;
mod product;
mod rows;
mod widest;

pub use crate::scalar::pack::lowest;
pub use int8::*;
pub use matrix::PackedMatrix;
pub(crate) use product::product;
pub use rows::*;
