//! `pytorch_model.bin`: what `torch.save` makes of a state dict, in both of its formats.
//!
//! Such a file is a Python pickle, which could run any code. Here it is only read: storages and the
//! description of the tensors in them, nothing else (see [`pickle`]).

mod legacy;
mod pickle;
mod state_dict;
mod zip;

use super::Content;
use super::content::{Fault, part};
use super::stored::Stored;
use crate::Result;
use pickle::Pickle;
use state_dict::Storages;
use std::rc::Rc;

/// Name of the file in a model folder.
pub const PYTORCH_WEIGHTS: &str = "pytorch_model.bin";

/// Whether a file begins as `torch.save`'s do.
///
/// # Errors
/// If it cannot be read.
pub fn is_torch(content: &dyn Content) -> Result<bool> {
    let start = part(content, 0..content.len().min(legacy::MAGIC.len()))?;
    Ok(start.starts_with(&zip::LOCAL) || start.starts_with(&legacy::MAGIC))
}

/// The tensors of the file `name`, as they lie in it.
///
/// # Errors
/// [`crate::Error::ModelFormat`] naming the file, or the tensor, and what is wrong; if it cannot be read.
pub fn index<'a>(name: &str, file: &Rc<dyn Content + 'a>) -> Result<Vec<(String, Stored<'a>)>> {
    tensors(file).map_err(|fault| fault.of(name))
}

fn tensors<'a>(
    file: &Rc<dyn Content + 'a>,
) -> std::result::Result<Vec<(String, Stored<'a>)>, Fault> {
    let start = part(file.as_ref(), 0..file.len().min(legacy::MAGIC.len()))?;
    let tensors = if start.starts_with(&zip::LOCAL) {
        from_zip(file)?
    } else if start.starts_with(&legacy::MAGIC) {
        legacy::read(file)?
    } else {
        return Err(
            "is no file of torch.save: it begins neither as a zip archive nor as its older format"
                .into(),
        );
    };
    // Tensors may share a storage, and every matrix of embeddings may stand there four times; a small
    // file with far more values than that is made to exhaust the memory.
    let values = tensors
        .iter()
        .try_fold(0usize, |sum, (_, tensor)| sum.checked_add(tensor.len()));
    if values.is_none_or(|values| values > file.len().saturating_mul(2)) {
        return Err(Fault::Format(format!(
            "has far more values than its {} bytes can hold: its tensors overlap each other",
            file.len()
        )));
    }
    Ok(tensors)
}

fn from_zip<'a>(
    file: &Rc<dyn Content + 'a>,
) -> std::result::Result<Vec<(String, Stored<'a>)>, Fault> {
    let archive = zip::Archive::open(file.as_ref())?;
    let folder = archive
        .folder_of_pickle()
        .ok_or("is a zip archive without data.pkl, torch.save writes one")?;
    let content = |name: &str| {
        let range = archive.get(&format!("{folder}{name}"));
        range.map(|range| part(file.as_ref(), range)).transpose()
    };
    let pickle = content("data.pkl")?.unwrap_or_default();
    if content("byteorder")?.is_some_and(|order| order != b"little") {
        return Err(
            "was written on a big-endian machine, only little-endian files are read".into(),
        );
    }
    let storages = Storages {
        file,
        range: &|key| archive.get(&format!("{folder}data/{key}")),
    };
    Ok(state_dict::tensors(&Pickle::read(&pickle)?, &storages)?)
}
