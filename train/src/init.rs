//! Starting from a model folder instead of from random weights: fine-tuning, or going on where no state is at hand.

use crate::error::{Error, Result};
use crate::model::Weights;
use std::collections::BTreeMap;
use std::path::Path;
use tch::{Device, Tensor};
use translucent::Config;
use translucent::checkpoint::{ModelFiles, layout};

/// The weights of a model folder; int8 matrices are widened.
///
/// # Errors
/// If the folder cannot be read, or its model has another shape than `config`; the message names the tensor.
pub fn from_model(folder: &Path, config: &Config, device: Device) -> Result<Weights> {
    let files = ModelFiles::from_dir(folder)?;
    let (described, _) = files.describe()?;
    let mut tensors = files.tensors(&described)?;
    let mut found = BTreeMap::new();
    for entry in layout(&described.config) {
        if tensors.get(&entry.name).is_none() {
            continue;
        }
        let values = tensors.take(&entry.name, &entry.shape)?;
        let shape: Vec<i64> = entry.shape.iter().map(|&n| n as i64).collect();
        found.insert(
            entry.name,
            Tensor::f_from_slice(&values)?.f_view(&shape[..])?,
        );
    }
    // Shapes alone do not tell these apart.
    let theirs = &described.config;
    for (field, same) in [
        ("n_heads", theirs.n_heads == config.n_heads),
        ("positions", theirs.positions == config.positions),
        (
            "compatibility",
            theirs.compatibility == config.compatibility,
        ),
        (
            "neighbourhood",
            theirs.neighbourhood == config.neighbourhood,
        ),
        ("activation", theirs.activation == config.activation),
        (
            "scale_embedding",
            theirs.scale_embedding == config.scale_embedding,
        ),
    ] {
        if !same {
            return Err(Error::file(
                folder,
                format!("has another {field} than the recipe's model"),
            ));
        }
    }
    Weights::from_map(config, &found, folder, device)
}
