//! The arithmetic under the layers: one set of functions, chosen at compile time for the machine at hand.
//!
//! `scalar` is the reference that says what each function means; `simd128` (with `relaxed`) is the
//! same for WebAssembly, `native` for everything else. All matrices are row-major `f32`.

#[cfg(any(not(target_arch = "wasm32"), not(target_feature = "simd128")))]
mod matrix;
pub mod scalar;

#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(not(target_arch = "wasm32"))]
pub use native::{gather_dot, gather_sum, layer_norm, log_sum_exp, matmul, relu, softmax, swish};

#[cfg(any(not(target_arch = "wasm32"), not(target_feature = "simd128")))]
pub use matrix::PackedMatrix;
#[cfg(all(target_arch = "wasm32", not(target_feature = "simd128")))]
pub use scalar::{gather_dot, gather_sum, layer_norm, log_sum_exp, matmul, relu, softmax, swish};
