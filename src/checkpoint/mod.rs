//! The folders in which models live: configuration, tensors and tokenizer, read and written.

pub mod layout;
pub mod tensors;

pub use layout::{Entry, Role, layout};
pub use tensors::{Tensor, Tensors, Values};
