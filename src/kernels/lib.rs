//! The arithmetic under the layers of Translucent: one set of functions, chosen at compile time for the machine at hand.
//!
//! `scalar`, `scalar_int8` and `scalar_pack` are the reference that says what each function means; `simd128`, `wasm_matmul`,
//! `wasm_int8` (with `relaxed` or `fixed`) and `wasm_pack` are the same for WebAssembly, `native` and `native_int8` for everything else. All matrices
//! are row-major `f32`, weights are packed once at load: as `f32`, or as 8-bit integers (`int8`).

mod int8;
pub mod scalar;
#[cfg(test)]
mod scalar_int8;
mod scalar_pack;

pub use int8::{Epilogue, PackedInt8, QuantizedRows};

#[cfg(not(target_arch = "wasm32"))]
mod matrix;
#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(not(target_arch = "wasm32"))]
mod native_int8;
#[cfg(not(target_arch = "wasm32"))]
pub use {matrix::PackedMatrix, native::*, native_int8::*, scalar_pack::lowest};

#[cfg(all(target_arch = "wasm32", not(target_feature = "relaxed-simd")))]
mod fixed;
#[cfg(target_arch = "wasm32")]
mod panels;
#[cfg(target_feature = "relaxed-simd")]
mod relaxed;
#[cfg(target_arch = "wasm32")]
mod simd128;
#[cfg(target_arch = "wasm32")]
mod wasm_int8;
#[cfg(target_arch = "wasm32")]
mod wasm_matmul;
#[cfg(target_arch = "wasm32")]
mod wasm_pack;
#[cfg(target_arch = "wasm32")]
pub use {panels::PackedMatrix, simd128::*, wasm_int8::*, wasm_matmul::*, wasm_pack::lowest};

#[cfg(all(target_arch = "wasm32", not(target_feature = "simd128")))]
compile_error!(
    "build for WebAssembly with `-C target-feature=+simd128`, as .cargo/config.toml does"
);

#[cfg(test)]
mod tests;
