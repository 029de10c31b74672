//! Averaging of checkpoints: the mean of the last k snapshots, as §6.1 does it.

use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::model::Weights;
use crate::state::{self, Header};
use std::path::PathBuf;
use tch::Device;

/// The mean of a run's last `count` snapshots, with the header of the newest.
///
/// # Errors
/// If there are fewer snapshots, or they are of different shapes.
pub fn average(folder: &Folder, count: usize) -> Result<(Header, Weights)> {
    let snapshots = folder.snapshots()?;
    if count == 0 || snapshots.len() < count {
        return Err(Error::Recipe(format!(
            "cannot average {count} snapshots: {} has {}",
            folder.path().display(),
            snapshots.len()
        )));
    }
    mean(&snapshots[snapshots.len() - count..])
}

/// The mean of the weights in `paths`, of which there must be one; the header is the last one's.
///
/// # Errors
/// If a file cannot be read, or its model has another shape than the last one's.
pub fn mean(paths: &[PathBuf]) -> Result<(Header, Weights)> {
    let (last, earlier) = paths
        .split_last()
        .ok_or_else(|| Error::Recipe("there is nothing to average".into()))?;
    let (header, tensors) = state::read(last)?;
    let sum = Weights::from_map(&header.config, &tensors, last, Device::Cpu)?;
    for path in earlier {
        let (_, tensors) = state::read(path)?;
        let weights = Weights::from_map(&header.config, &tensors, path, Device::Cpu)?;
        for ((_, sum), (_, tensor)) in sum.iter().zip(weights.iter()) {
            let _ = sum.shallow_clone().g_add_(tensor);
        }
    }
    for (_, sum) in sum.iter() {
        let _ = sum.shallow_clone().g_div_scalar_(paths.len() as f64);
    }
    Ok((header, sum))
}
