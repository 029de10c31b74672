//! From a pickled state dict to the tensors that it describes.

use super::super::Content;
use super::super::stored::{Dtype, Place, Stored};
use super::pickle::{Object, Pickle, Ref};
use std::ops::Range;
use std::rc::Rc;

/// Where storages lie.
pub struct Storages<'s, 'a> {
    pub file: &'s Rc<dyn Content + 'a>,
    /// The bytes of a storage by its key.
    pub range: &'s dyn Fn(&str) -> Option<Range<usize>>,
}

const REBUILD_TENSOR: (&str, &str) = ("torch._utils", "_rebuild_tensor_v2");
const REBUILD_PARAMETER: (&str, &str) = ("torch._utils", "_rebuild_parameter");

/// A storage as a pickle describes it: `('storage', type, key, location, number of values)`, in the older format
/// with the description of a view at the end.
pub struct Storage<'a> {
    pub dtype: Dtype,
    pub key: &'a str,
    pub count: usize,
}

impl<'a> Storage<'a> {
    /// Reads the tuple of a persistent object.
    pub fn read(pickle: &Pickle<'a>, tuple: Ref) -> Result<Self, String> {
        let damaged = || {
            "describes a storage as torch.save does not: it is damaged, fetch it again".to_owned()
        };
        let fields = pickle.tuple(tuple).ok_or_else(damaged)?;
        let (&[tag, kind, key, _, count], view) =
            fields.split_first_chunk::<5>().ok_or_else(damaged)?;
        if view.iter().any(|view| *pickle.get(*view) != Object::None) {
            return Err("has a storage that is a part of another, which torch.save has not written since 0.4".into());
        }
        let Object::Global("torch", kind) = *pickle.get(kind) else {
            return Err(damaged());
        };
        if pickle.text(tag) != Some("storage") {
            return Err(damaged());
        }
        Ok(Self {
            dtype: Dtype::of_storage(kind).ok_or_else(damaged)?,
            key: pickle.text(key).ok_or_else(damaged)?,
            count: pickle.count(count).ok_or_else(damaged)?,
        })
    }
}

/// The tensors of a state dict by name.
pub fn tensors<'a>(
    pickle: &Pickle<'_>,
    storages: &Storages<'_, 'a>,
) -> Result<Vec<(String, Stored<'a>)>, String> {
    let Object::Dict(entries) = pickle.root() else {
        return Err("holds no dictionary of tensors: save the model's state_dict()".into());
    };
    let mut tensors: Vec<(String, Stored<'a>)> = Vec::with_capacity(entries.len());
    let mut names = std::collections::HashSet::new();
    for (name, value) in entries {
        let name = pickle
            .text(*name)
            .ok_or("holds a tensor whose name is no text: save the model's state_dict()")?;
        if !names.insert(name) {
            return Err(format!("has the tensor {name} twice"));
        }
        let tensor = tensor(pickle, *value, storages);
        tensors.push((
            name.to_owned(),
            tensor.map_err(|reason| format!("has {name}, which {reason}"))?,
        ));
    }
    Ok(tensors)
}

fn tensor<'a>(
    pickle: &Pickle<'_>,
    value: Ref,
    storages: &Storages<'_, 'a>,
) -> Result<Stored<'a>, String> {
    let value = match pickle.call(value, REBUILD_PARAMETER) {
        Some([data, ..]) => *data,
        _ => value,
    };
    let Some(&[storage, offset, shape, strides, ..]) = pickle.call(value, REBUILD_TENSOR) else {
        return Err("is no tensor: save the model's state_dict()".into());
    };
    let damaged =
        || "is described as torch.save does not: the file is damaged, fetch it again".to_owned();
    let Object::Persistent(storage) = *pickle.get(storage) else {
        return Err(damaged());
    };
    let storage = Storage::read(pickle, storage)?;
    let range = (storages.range)(storage.key).ok_or_else(|| {
        format!(
            "lies in storage {}, which the file lacks: fetch it again",
            storage.key
        )
    })?;
    if storage.count.checked_mul(storage.dtype.size()) != Some(range.len()) {
        return Err(format!(
            "lies in storage {} of {} values, but that has {} bytes: the file is cut short or damaged, fetch it again",
            storage.key,
            storage.count,
            range.len()
        ));
    }
    let offset = pickle.count(offset).ok_or_else(damaged)?;
    let shape = pickle.counts(shape).ok_or_else(damaged)?;
    let strides = pickle.counts(strides).ok_or_else(damaged)?;
    let place = Place {
        file: storages.file.clone(),
        range,
    };
    Stored::strided(storage.dtype, shape, strides, offset, &place)
}
