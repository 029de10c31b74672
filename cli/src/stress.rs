//! What visitors type and test sets lack: lines made here, and what a translation of them must keep.

mod checks;
mod lines;
mod texts;

pub use checks::{Report, check};
pub use lines::{Line, Must, make};
pub use texts::Texts;
