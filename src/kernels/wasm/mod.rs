//! The kernels of WebAssembly builds: fixed SIMD, or relaxed SIMD where the build has it.

mod int8;
mod matmul;
mod matrix;
pub(crate) mod pack;
mod product;
mod rows;

#[cfg(not(target_feature = "relaxed-simd"))]
#[path = "fixed.rs"]
mod flavour;
#[cfg(target_feature = "relaxed-simd")]
#[path = "relaxed.rs"]
mod flavour;

#[cfg(test)]
pub(crate) use flavour::KERNELS;
#[cfg(test)]
pub(crate) use int8::matmul_int8_by;
pub use int8::{matmul_int8, quantize};
pub use matmul::*;
pub use matrix::PackedMatrix;
pub use pack::lowest;
pub(crate) use product::product;
pub use rows::*;
