//! From a run's folder to a model folder that the page, the commands and `transformers` read.

use crate::average::average;
use crate::curve::Curve;
use crate::error::{Error, Result};
use crate::folder::{Folder, PROBES, TRAINING};
use crate::metrics;
use crate::model::Weights;
use crate::pieces::Pieces;
use crate::recipe::Recipe;
use crate::state;
use crate::svg;
use std::path::{Path, PathBuf};
use tch::{Device, Kind, Tensor};
use translucent::Config;
use translucent::checkpoint::{self, FolderWriter, TokenizerFiles};
use translucent::search::SearchOptions;

/// Which weights of a run to export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Those of the last saved state.
    Latest,
    /// Those with the best validation.
    Best,
    /// The moving average of the last saved state.
    MovingAverage,
    /// The mean of so many snapshots, the last ones.
    Average(usize),
    /// Those of a file that the trainer wrote.
    File(PathBuf),
}

/// Writes a model folder: configuration, f32 tensors, tokenizer, `training.json`, its picture `curve.svg`, and `probes.bin`.
/// Returns the step of the weights.
///
/// # Errors
/// If the run lacks what is asked for, or the folder cannot be written.
pub fn export(folder: &Folder, choice: &Choice, output: &Path) -> Result<u64> {
    let recipe = Recipe::read(&folder.recipe())?;
    let pieces = Pieces::read(&folder.vocabulary())?;
    let (header, weights, averaged) = match choice {
        Choice::Average(count) => {
            let (header, weights) = average(folder, *count)?;
            let snapshots = folder.snapshots()?;
            let steps = snapshots[snapshots.len() - count..]
                .iter()
                .filter_map(|p| step_of(p));
            (header, weights, steps.collect())
        }
        Choice::MovingAverage => {
            let path = folder.state();
            let (header, tensors) = state::read(&path)?;
            let weights = state::average(&header.config, &tensors, &path, Device::Cpu)?
                .ok_or_else(|| {
                    Error::file(
                        &path,
                        "has no moving average: set training.ema in the recipe",
                    )
                })?;
            (header, weights, Vec::new())
        }
        Choice::Latest | Choice::Best | Choice::File(_) => {
            let path = match choice {
                Choice::Best => folder.best(),
                Choice::File(path) => path.clone(),
                _ => folder.state(),
            };
            let (header, tensors) = state::read(&path)?;
            let weights = Weights::from_map(&header.config, &tensors, &path, Device::Cpu)?;
            (header, weights, Vec::new())
        }
    };
    let config = &header.config;
    let files = checkpoint::folder_files(
        config,
        &core_tensors(config, &weights)?,
        &SearchOptions::default(),
        TokenizerFiles {
            spm: pieces.spm(),
            vocab: pieces.vocab(),
            source_language: &recipe.source_language,
            target_language: &recipe.target_language,
        },
    )?;
    let lines = metrics::read(&folder.metrics())?;
    let stage = recipe.of_stage(recipe.stage_at(header.counters.target_tokens))?;
    let curve = Curve::new(
        &stage,
        config,
        weights.parameters(),
        &header.counters,
        averaged,
        &lines,
    );
    let earlier = folder.earlier(TRAINING);
    let curve = match earlier.exists() {
        true => curve.after(Curve::read(&earlier)?),
        false => curve,
    };
    // With the weights in one folder: the curve of others would be no curve of these.
    let writer = FolderWriter::create(output)?;
    writer.write(TRAINING, &curve.to_json()?)?;
    writer.write("curve.svg", svg::curve(&curve).as_bytes())?;
    // Heads form from random weights: where there was an earlier training, in that.
    let earlier = folder.earlier(PROBES);
    let path = match earlier.exists() {
        true => earlier,
        false => folder.probes(),
    };
    if path.exists() {
        let probes = std::fs::read(&path).map_err(|e| Error::file(&path, e))?;
        writer.write(PROBES, &probes)?;
    }
    for (name, bytes) in files {
        writer.write(name, &bytes)?;
    }
    writer.commit()?;
    Ok(header.counters.step)
}

/// The weights as the core holds them, with the zero `final_logits_bias` that every folder carries.
///
/// # Errors
/// If libtorch cannot copy a tensor.
pub fn core_tensors(config: &Config, weights: &Weights) -> Result<checkpoint::Tensors> {
    let mut tensors = checkpoint::Tensors::new();
    for (name, tensor) in weights.iter() {
        let shape: Vec<usize> = tensor.size().iter().map(|&n| n as usize).collect();
        tensors.insert(name, checkpoint::Tensor::f32(shape, values(tensor)?));
    }
    let vocab = config.target_vocab();
    tensors.insert(
        "final_logits_bias",
        checkpoint::Tensor::f32([1, vocab], vec![0.0; vocab]),
    );
    Ok(tensors)
}

/// The numbers of a tensor as f32, row-major.
///
/// # Errors
/// If libtorch cannot copy it.
pub fn values(tensor: &Tensor) -> Result<Vec<f32>> {
    let tensor = tensor
        .detach()
        .to_kind(Kind::Float)
        .to(Device::Cpu)
        .contiguous();
    let mut values = vec![0.0; tensor.numel()];
    tensor.f_copy_data(&mut values, tensor.numel())?;
    Ok(values)
}

/// The step in a snapshot's name.
fn step_of(path: &Path) -> Option<u64> {
    path.file_stem()?.to_str()?.parse().ok()
}
