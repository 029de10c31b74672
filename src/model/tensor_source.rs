//! Where a model's tensors come from.

use crate::Result;

/// Something that holds a checkpoint's tensors.
pub trait TensorSource {
    /// Takes out a tensor, row-major.
    ///
    /// # Errors
    /// If there is none of that name ([`crate::Error::ModelFormat`], naming it) or it has another
    /// shape ([`crate::Error::ShapeMismatch`]).
    fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>>;

    /// Whether a tensor of that name is there.
    fn has(&self, name: &str) -> bool;
}
