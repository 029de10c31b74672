//! The arithmetic under the layers of Translucent: one set of functions, chosen at compile time for the machine at hand.
//!
//! [`scalar`] is the reference that defines each function; `wasm` and `native` hold the same functions for WebAssembly
//! and for everything else. All matrices are row-major `f32`; weights are packed once at load, as `f32` or as 8-bit
//! integers (`int8`).
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod gather;
mod int8;
mod layout;
pub mod product;
pub mod scalar;

pub use gather::{Gather, Rows};
pub use int8::{Epilogue, PackedInt8, QuantizedRows};

#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(not(target_arch = "wasm32"))]
pub use native::*;

#[cfg(target_arch = "wasm32")]
mod wasm;
#[cfg(target_arch = "wasm32")]
pub use wasm::*;

#[cfg(all(target_arch = "wasm32", not(target_feature = "simd128")))]
compile_error!(
    "build for WebAssembly with `-C target-feature=+simd128`, as .cargo/config.toml does"
);

#[cfg(test)]
mod tests;
