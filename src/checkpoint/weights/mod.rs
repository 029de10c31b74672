//! Tensors as bytes: the files that hold a model's weights, read and written.

mod catalogue;
mod content;
mod prepared;
mod safetensors;
mod stored;
mod torch;

pub(super) use self::prepared::Reading;
pub(super) use self::safetensors::Blank;
pub use self::safetensors::{FloatType, write};
pub(super) use catalogue::Blocks;
pub use catalogue::Catalogue;
pub use content::Content;
pub use stored::{Dtype, Stored};
pub use torch::PYTORCH_WEIGHTS;

use super::Tensors;
use crate::Result;

/// Name of the weights' file in a model folder.
pub const WEIGHTS: &str = "model.safetensors";
/// Name of the index that maps tensors to files, where there are several.
pub const WEIGHTS_INDEX: &str = "model.safetensors.index.json";

/// A file of weights, in memory or elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WeightFile<C = Vec<u8>> {
    /// Its name in the folder; decides nothing but what errors say.
    pub name: String,
    /// Its content.
    pub bytes: C,
}

impl WeightFile {
    /// A `model.safetensors`.
    pub fn safetensors(bytes: Vec<u8>) -> Self {
        Self {
            name: WEIGHTS.to_owned(),
            bytes,
        }
    }
}

/// Reads all tensors of the file `name`, a safetensors file or one of `torch.save`: types F32, F16, BF16 (widened
/// to f32), and I8 matrices with their `…_scale` (rows) in F32.
///
/// # Errors
/// [`crate::Error::ModelFormat`] naming the file if it is damaged or cut short, or the tensor whose type, scales or
/// values cannot be used.
pub fn read(name: &str, bytes: &dyn Content) -> Result<Tensors> {
    Catalogue::of_file(name, bytes)?.read_all()
}
