//! `pytorch_model.bin`: what `torch.save` makes of a state dict, in both of its formats.
//!
//! Such a file is a Python pickle, which could run any code. Here it is only read: storages and the
//! description of the tensors in them, nothing else (see [`pickle`]).

mod legacy;
mod pickle;
mod state_dict;
mod zip;

use super::Content;
use super::stored::Stored;
use crate::{Error, Result};
use state_dict::Storages;

/// Name of the file in a model folder.
pub const PYTORCH_WEIGHTS: &str = "pytorch_model.bin";

/// Whether a file begins as `torch.save`'s do.
pub fn is_torch(content: &dyn Content) -> bool {
    let start = content.part(0..content.len().min(legacy::MAGIC.len()));
    start.starts_with(&zip::LOCAL) || start.starts_with(&legacy::MAGIC)
}

/// The tensors of the file `name`, as they lie in it.
///
/// # Errors
/// [`Error::ModelFormat`] naming the file, or the tensor, and what is wrong.
pub fn index<'a>(name: &str, bytes: &'a [u8]) -> Result<Vec<(String, Stored<'a>)>> {
    let bad = |reason: String| Error::ModelFormat {
        name: name.to_owned(),
        reason,
    };
    let (pickle, storages) = if bytes.starts_with(&zip::LOCAL) {
        from_zip(bytes)
    } else if bytes.starts_with(&legacy::MAGIC) {
        legacy::read(bytes)
    } else {
        Err(
            "is no file of torch.save: it begins neither as a zip archive nor as its older format"
                .into(),
        )
    }
    .map_err(bad)?;
    let tensors = state_dict::tensors(&pickle, &storages).map_err(bad)?;
    // Tensors may share a storage, and every matrix of embeddings may stand there four times; a small
    // file with far more values than that is made to exhaust the memory.
    let values = tensors
        .iter()
        .try_fold(0usize, |sum, (_, tensor)| sum.checked_add(tensor.len()));
    if values.is_none_or(|values| values > bytes.len().saturating_mul(2)) {
        return Err(bad(format!(
            "has far more values than its {} bytes can hold: its tensors overlap each other",
            bytes.len()
        )));
    }
    Ok(tensors)
}

fn from_zip(bytes: &[u8]) -> std::result::Result<(pickle::Pickle<'_>, Storages<'_>), String> {
    let archive = zip::Archive::open(bytes)?;
    let folder = archive
        .folder_of_pickle()
        .ok_or("is a zip archive without data.pkl, torch.save writes one")?;
    let pickle = archive
        .get(&format!("{folder}data.pkl"))
        .unwrap_or_default();
    if let Some(order) = archive.get(&format!("{folder}byteorder"))
        && order != b"little"
    {
        return Err(
            "was written on a big-endian machine, only little-endian files are read".into(),
        );
    }
    let storages = Box::new(move |key: &str| archive.get(&format!("{folder}data/{key}")));
    Ok((pickle::Pickle::read(pickle)?, storages))
}
