//! What visitors type and test sets lack: lines made here, and what a translation of them must keep.

mod checks;
mod lines;

pub use checks::{Report, check};
pub use lines::{Line, Must, make};
