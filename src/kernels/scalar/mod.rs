//! The reference: what each kernel computes, in plain loops.

#[cfg(test)]
pub(crate) mod int8;
pub(crate) mod pack;
mod rows;

pub use rows::*;
