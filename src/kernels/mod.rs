//! The arithmetic under the layers: one set of functions, chosen at compile time for the machine at hand.
//!
//! `scalar` is the reference that says what each function means; `simd128` (with `relaxed`) is the
//! same for WebAssembly, `native` for everything else. All matrices are row-major `f32`.

pub mod scalar;

#[cfg(not(target_arch = "wasm32"))]
mod matrix;
#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(not(target_arch = "wasm32"))]
pub use {matrix::PackedMatrix, native::*};

#[cfg(target_arch = "wasm32")]
mod panels;
#[cfg(target_feature = "relaxed-simd")]
mod relaxed;
#[cfg(target_arch = "wasm32")]
mod simd128;
#[cfg(target_arch = "wasm32")]
pub use {panels::PackedMatrix, simd128::*};

#[cfg(all(target_arch = "wasm32", not(target_feature = "simd128")))]
compile_error!(
    "build for WebAssembly with `-C target-feature=+simd128`, as .cargo/config.toml does"
);

#[cfg(test)]
mod tests;
