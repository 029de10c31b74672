//! The state that a run resumes from: weights, Adam's moments and the position in the data, in one file.

use crate::data::batches::Position;
mod file;

pub use file::read;

use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::model::Weights;
use crate::optimizer::{Adam, MovingAverage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tch::{Device, Tensor};
use translucent::Config;
use translucent::checkpoint::disk;

/// Prefixes of the tensors beside the weights.
const FIRST: &str = "adam.first.";
const SECOND: &str = "adam.second.";
const AVERAGE: &str = "ema.";

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

/// Metadata of every tensor file that the trainer writes.
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
            format: file::FORMAT,
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
    file::write(path, header, weights.iter().map(|(n, t)| (n.to_owned(), t)))
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
    file::write(path, header, all)
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
        // A kill between the two leaves the previous state alone, from which the run resumes.
        disk::rename(&path, &previous).map_err(|e| Error::file(&path, e))?;
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
                    // Set aside, so that the next save does not put it in the good one's place.
                    let damaged = folder.damaged_state();
                    disk::rename(&folder.state(), &damaged)
                        .map_err(|e| Error::file(&damaged, e))?;
                    eprintln!("{damage}: resuming from the state before it");
                    Ok(earlier)
                }
                Err(_) => Err(damage),
            }
        }),
    }
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
    Ok(Adam::with_moments(&take(FIRST)?, &take(SECOND)?))
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
