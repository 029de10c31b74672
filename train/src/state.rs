//! What a run continues from after a kill: weights, Adam's moments and the place in the data, in one file.

use crate::data::batches::Position;
use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::model::Weights;
use crate::optimizer::{Adam, MovingAverage};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use tch::{Device, Kind, Tensor};
use translucent::Config;
use translucent::checkpoint::write_atomically;
use translucent::random;

/// Version of the file's layout.
const FORMAT: u32 = 1;

/// Prefixes of the tensors beside the weights.
const FIRST: &str = "adam.first.";
const SECOND: &str = "adam.second.";
const AVERAGE: &str = "ema.";

/// Name of the checksum among the metadata.
const CHECKSUM: &str = "checksum";

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
    /// Steps left out because their loss or gradient was not finite.
    #[serde(default)]
    pub skipped: u64,
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

/// Saves weights, moments and the moving average of the weights, if there is one.
///
/// # Errors
/// If the file cannot be written.
pub fn write_state(
    path: &Path,
    header: &Header,
    weights: &Weights,
    adam: &Adam,
    average: Option<&MovingAverage>,
) -> Result<()> {
    let named = |prefix: &'static str, tensors| {
        weights
            .iter()
            .zip::<&Vec<Tensor>>(tensors)
            .map(move |((name, _), tensor)| (format!("{prefix}{name}"), tensor))
    };
    let all = weights
        .iter()
        .map(|(n, t)| (n.to_owned(), t))
        .chain(named(FIRST, &adam.first))
        .chain(named(SECOND, &adam.second))
        .chain(average.into_iter().flat_map(|a| named(AVERAGE, &a.weights)));
    write(path, header, all)
}

/// Saves the state of a run, and keeps the one before it.
///
/// # Errors
/// If a file cannot be written.
pub fn save(
    folder: &Folder,
    header: &Header,
    weights: &Weights,
    adam: &Adam,
    average: Option<&MovingAverage>,
) -> Result<()> {
    let (path, previous) = (folder.state(), folder.previous_state());
    if path.exists() {
        // A kill between the two leaves the previous state alone, from which the run goes on.
        std::fs::rename(&path, &previous).map_err(|e| Error::file(&path, e))?;
    }
    write_state(&path, header, weights, adam, average)
}

/// A state with the file that it was read from.
pub type Found = (PathBuf, Header, BTreeMap<String, Tensor>);

/// Reads the last state of a run, or the one before it where the last one is missing or damaged; `None` if nothing was
/// saved.
///
/// # Errors
/// If what was saved is damaged.
pub fn latest(folder: &Folder) -> Result<Option<Found>> {
    let (path, previous) = (folder.state(), folder.previous_state());
    let found = |path: PathBuf| read(&path).map(|(header, tensors)| Some((path, header, tensors)));
    match (path.exists(), previous.exists()) {
        (false, false) => Ok(None),
        (false, true) => found(previous),
        (true, false) => found(path),
        (true, true) => found(path).or_else(|damage| {
            let earlier = found(previous).map_err(|_| damage.to_string());
            match earlier {
                Ok(earlier) => {
                    eprintln!("{damage}: going on from the state before it");
                    Ok(earlier)
                }
                Err(_) => Err(damage),
            }
        }),
    }
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
    let told = metadata.metadata().as_ref().and_then(|m| m.get(CHECKSUM));
    let views = file.iter();
    // States of older trainers have none.
    if told.is_some_and(|told| *told != checksum(views.map(|(name, view)| (name, view.data())))) {
        return Err(Error::file(path, "damaged: its checksum is another"));
    }
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
    let take = |prefix| -> Result<Vec<Tensor>> {
        let weights = prefixed(prefix, config, found, path, device)?;
        Ok(weights.iter().map(|(_, t)| t.shallow_clone()).collect())
    };
    Ok(Adam {
        first: take(FIRST)?,
        second: take(SECOND)?,
    })
}

/// Takes the moving average of the weights that [`write_state`] saved; `None` if there was none.
///
/// # Errors
/// If a part of it is missing or has another shape.
pub fn average(
    config: &Config,
    found: &BTreeMap<String, Tensor>,
    path: &Path,
    device: Device,
) -> Result<Option<Weights>> {
    if !found.keys().any(|name| name.starts_with(AVERAGE)) {
        return Ok(None);
    }
    prefixed(AVERAGE, config, found, path, device).map(Some)
}

fn prefixed(
    prefix: &str,
    config: &Config,
    found: &BTreeMap<String, Tensor>,
    path: &Path,
    device: Device,
) -> Result<Weights> {
    let of_prefix = found
        .iter()
        .filter_map(|(name, t)| Some((name.strip_prefix(prefix)?.to_owned(), t.shallow_clone())))
        .collect();
    Weights::from_map(config, &of_prefix, path, device)
}

/// A sum of all names and bytes in which the order of the tensors does not matter.
fn checksum<'a>(tensors: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let sum = |bytes: &[u8]| {
        bytes
            .chunks(8)
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                (hash ^ u64::from_le_bytes(word))
                    .wrapping_mul(0x0100_0000_01b3)
                    .rotate_left(29)
            })
    };
    let all = tensors.fold(0u64, |all, (name, bytes)| {
        all.wrapping_add(random::mix(sum(name.as_bytes()) ^ sum(bytes)))
    });
    format!("{all:016x}")
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
        (
            CHECKSUM.to_owned(),
            checksum(blocks.iter().map(|(name, _, bytes)| (&**name, &**bytes))),
        ),
    ]);
    let bytes = safetensors::serialize(views, Some(metadata)).map_err(|e| Error::file(path, e))?;
    Ok(write_atomically(path, &bytes)?)
}
