//! **Translucent**: the encoder-decoder Transformer of "Attention Is All You Need"
//! (Vaswani et al., 2017), written to be looked into.
//!
//! The rooms follow the walk of a sentence: [`text`] makes ids, [`model`] wires the
//! layers of the paper's section 3 (`src/layers`) over the [`kernels`], [`search`] drives the
//! decoder one token at a time, [`trace`] says what was observed on the way, and
//! [`checkpoint`] reads and writes the folders in which models live. [`translator`]
//! is the whole walk for a document; `wasm` (built for WebAssembly only) is the same for JavaScript.
//! [`lab`] is what only teaches; the engine does not use it.
#![warn(missing_docs, clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod checkpoint;
pub mod error;
pub mod lab;
mod layers;
pub mod model;
pub mod random;
pub mod search;
pub mod text;
pub mod trace;
pub mod translator;
#[cfg(all(target_arch = "wasm32", feature = "javascript"))]
pub mod wasm;

pub use error::{Error, Result};
pub use model::config::Config;
pub use translucent_kernels as kernels;
