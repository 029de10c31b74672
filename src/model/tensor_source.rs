//! Where a model's tensors come from.

use crate::Result;
use crate::layers::Weight;

/// Something that holds a checkpoint's tensors.
pub trait TensorSource {
    /// Takes out a tensor, row-major.
    ///
    /// # Errors
    /// If there is none of that name ([`crate::Error::ModelFormat`], naming it) or it has another
    /// shape ([`crate::Error::ShapeMismatch`]).
    fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>>;

    /// Takes out the weight W (outputs, inputs) of a linear map, in the precision in which it is held.
    ///
    /// # Errors
    /// As [`Self::take`].
    fn take_weight(&mut self, name: &str, outputs: usize, inputs: usize) -> Result<Weight> {
        let values = self.take(name, &[outputs, inputs])?;
        Ok(Weight::new(values, outputs, inputs))
    }

    /// Whether a tensor of that name is there.
    fn has(&self, name: &str) -> bool;
}
