//! What a run continues from after a kill: weights, Adam's moments and the place in the data, in one file.

use crate::data::batches::Position;
use crate::error::{Error, Result};
use crate::model::Weights;
use crate::optimizer::Adam;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use tch::{Device, Kind, Tensor};
use translucent::Config;
use translucent::checkpoint::write_atomically;

/// Version of the file's layout.
const FORMAT: u32 = 1;

/// Counters of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Optimiser steps done.
    pub step: u64,
    /// Stage of the recipe.
    #[serde(default)]
    pub stage: usize,
    /// Place in the stage's data.
    pub position: Position,
    /// Target tokens trained on.
    pub target_tokens: u64,
    /// Seconds spent training, over all starts.
    pub seconds: f64,
    /// Sums since the last line of the metrics file.
    pub window: Window,
    /// The best validation so far.
    pub best: Option<Best>,
}

/// Sums over the target tokens of a stretch of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// Smoothed loss.
    pub smoothed: f64,
    /// Negative log-likelihood.
    pub nll: f64,
    /// Target tokens.
    pub tokens: u64,
}

/// The best validation of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// Step at which it was measured.
    pub step: u64,
    /// Mean over the development files of the loss per token.
    pub loss: f64,
}

/// What stands beside the tensors in every file that the trainer writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Layout version.
    pub format: u32,
    /// Shape of the model.
    pub config: Config,
    /// Counters at the time of writing.
    pub counters: Counters,
}

impl Header {
    /// A header of the present layout.
    pub fn new(config: &Config, counters: &Counters) -> Self {
        Self {
            format: FORMAT,
            config: config.clone(),
            counters: counters.clone(),
        }
    }
}

/// Saves weights alone.
///
/// # Errors
/// If the file cannot be written.
pub fn write_weights(path: &Path, header: &Header, weights: &Weights) -> Result<()> {
    write(path, header, weights.iter().map(|(n, t)| (n.to_owned(), t)))
}

/// Saves weights and moments.
///
/// # Errors
/// If the file cannot be written.
pub fn write_state(path: &Path, header: &Header, weights: &Weights, adam: &Adam) -> Result<()> {
    let moments = |prefix: &'static str, tensors| {
        weights
            .iter()
            .zip::<&Vec<Tensor>>(tensors)
            .map(move |((name, _), tensor)| (format!("{prefix}.{name}"), tensor))
    };
    let all = weights
        .iter()
        .map(|(n, t)| (n.to_owned(), t))
        .chain(moments("adam.first", &adam.first))
        .chain(moments("adam.second", &adam.second));
    write(path, header, all)
}

/// Reads the header and all tensors of a file that the trainer wrote.
///
/// # Errors
/// A missing or damaged file, or one of another layout.
pub fn read(path: &Path) -> Result<(Header, BTreeMap<String, Tensor>)> {
    let bytes = std::fs::read(path).map_err(|e| Error::file(path, e))?;
    let fault = |e: safetensors::SafeTensorError| Error::file(path, format!("no checkpoint: {e}"));
    let (_, metadata) = SafeTensors::read_metadata(&bytes).map_err(fault)?;
    let header = metadata
        .metadata()
        .as_ref()
        .and_then(|m| m.get("header"))
        .ok_or_else(|| Error::file(path, "no checkpoint of the trainer: it has no header"))?;
    let header: Header = serde_json::from_str(header)
        .map_err(|e| Error::file(path, format!("damaged header: {e}")))?;
    if header.format != FORMAT {
        return Err(Error::file(
            path,
            format!(
                "has layout {}, this trainer reads layout {FORMAT}",
                header.format
            ),
        ));
    }
    let file = SafeTensors::deserialize(&bytes).map_err(fault)?;
    let tensors = file
        .iter()
        .map(|(name, view)| {
            if view.dtype() != Dtype::F32 {
                return Err(Error::file(
                    path,
                    format!("tensor {name} is {:?}, not F32", view.dtype()),
                ));
            }
            let shape: Vec<i64> = view.shape().iter().map(|&n| n as i64).collect();
            Ok((
                name.to_owned(),
                Tensor::f_from_data_size(view.data(), &shape, Kind::Float)?,
            ))
        })
        .collect::<Result<_>>()?;
    Ok((header, tensors))
}

/// Takes the moments that [`write_state`] saved.
///
/// # Errors
/// If one is missing or has another shape.
pub fn moments(
    config: &Config,
    found: &BTreeMap<String, Tensor>,
    path: &Path,
    device: Device,
) -> Result<Adam> {
    let take = |prefix: &str| -> Result<Vec<Tensor>> {
        let of_prefix = found
            .iter()
            .filter_map(|(name, t)| {
                Some((name.strip_prefix(prefix)?.to_owned(), t.shallow_clone()))
            })
            .collect();
        let weights = Weights::from_map(config, &of_prefix, path, device)?;
        Ok(weights.iter().map(|(_, t)| t.shallow_clone()).collect())
    };
    Ok(Adam {
        first: take("adam.first.")?,
        second: take("adam.second.")?,
    })
}

fn write<'a>(
    path: &Path,
    header: &Header,
    tensors: impl Iterator<Item = (String, &'a Tensor)>,
) -> Result<()> {
    let blocks: Vec<(String, Vec<usize>, Vec<u8>)> = tensors
        .map(|(name, tensor)| {
            let tensor = tensor.detach().to(Device::Cpu).contiguous();
            let mut bytes = vec![0; 4 * tensor.numel()];
            tensor.f_copy_data_u8(&mut bytes, tensor.numel())?;
            Ok((
                name,
                tensor.size().iter().map(|&n| n as usize).collect(),
                bytes,
            ))
        })
        .collect::<Result<_>>()?;
    let views = blocks
        .iter()
        .map(|(name, shape, bytes)| Ok((name, TensorView::new(Dtype::F32, shape.clone(), bytes)?)))
        .collect::<std::result::Result<Vec<_>, safetensors::SafeTensorError>>()
        .map_err(|e| Error::file(path, e))?;
    let header = serde_json::to_string(header).map_err(|e| Error::file(path, e))?;
    let metadata = HashMap::from([
        ("header".to_owned(), header),
        ("format".to_owned(), "pt".to_owned()),
    ]);
    let bytes = safetensors::serialize(views, Some(metadata)).map_err(|e| Error::file(path, e))?;
    Ok(write_atomically(path, &bytes)?)
}
