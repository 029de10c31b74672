//! Target tokens a second of the whole trainer beside PyTorch on the same model and the same batches, in turns.

use crate::data::batches::Batches;
use crate::data::corpus::Corpus;
use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::metrics::{self, Measured};
use crate::model::Weights;
use crate::recipe::Recipe;
use crate::run::{Options, run};
use crate::setup::prepare;
use crate::state::{Counters, Header, write_weights};
use safetensors::tensor::{Dtype, TensorView};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use translucent::Config;
use translucent::checkpoint::write_atomically;

/// The first batches of a recipe with all that another program needs to train on them.
#[derive(Serialize)]
struct Plan<'c> {
    config: &'c Config,
    pad: u32,
    eos: u32,
    start: u32,
    accumulation: usize,
    clip: Option<f64>,
    /// Of every step.
    learning_rates: Vec<f64>,
    /// Index of the pair after each batch.
    ends: Vec<usize>,
}

/// Writes the batches of the first `steps` steps, in order, and the start weights into `output`: `plan.json`,
/// `batches.safetensors`, `weights.safetensors`.
///
/// # Errors
/// Any fault of recipe or data; a file that cannot be written.
pub fn write_batches(recipe: &Recipe, options: &Options, steps: u64, output: &Path) -> Result<()> {
    let recipe = &recipe.of_stage(0)?;
    let mut folder = Folder::open(&options.runs, &recipe.name)?;
    if let Some(shared) = &options.shared {
        folder = folder.sharing(shared)?;
    }
    let mut data = prepare(recipe, &options.data, &folder)?;
    let mut batches = Batches::new(
        std::mem::take(&mut data.train),
        data.limits,
        recipe.seed,
        Default::default(),
    )?;
    let training = &recipe.training;
    let mut pairs = Corpus::default();
    let mut ends = Vec::new();
    for _ in 0..steps * training.accumulation as u64 {
        let batch = batches.next_batch()?;
        for i in 0..batch.len() {
            pairs.push_from(&batch, i);
        }
        ends.push(pairs.len());
    }
    std::fs::create_dir_all(output).map_err(|e| Error::file(output, e))?;
    write_pairs(&output.join("batches.safetensors"), &pairs)?;
    let config = &data.config;
    let weights = Weights::random(config, recipe.seed, tch::Device::Cpu);
    let header = Header::new(config, &Counters::default());
    write_weights(&output.join("weights.safetensors"), &header, &weights)?;
    let plan = Plan {
        config,
        pad: data.special.pad,
        eos: data.special.eos,
        start: data.special.start,
        accumulation: training.accumulation,
        clip: training.clip,
        learning_rates: (1..=steps)
            .map(|step| training.schedule.learning_rate(step, config.d_model))
            .collect(),
        ends,
    };
    let path = output.join("plan.json");
    let text = serde_json::to_vec(&plan).map_err(|e| Error::file(&path, e))?;
    Ok(write_atomically(&path, &text)?)
}

/// Writes the ids of both sides (u16), and where in them each sentence ends (u32).
fn write_pairs(path: &Path, pairs: &Corpus) -> Result<()> {
    let sides = [("source", &pairs.source), ("target", &pairs.target)];
    let mut blocks: Vec<(String, Dtype, usize, Vec<u8>)> = Vec::new();
    for (name, side) in sides {
        let sentences = || (0..side.len()).map(|i| side.get(i));
        let ends = sentences().scan(0u32, |end, sentence| {
            *end += sentence.len() as u32;
            Some(*end)
        });
        let ids = sentences().flatten().flat_map(|id| id.to_le_bytes());
        let ends = ends.flat_map(u32::to_le_bytes);
        blocks.push((
            format!("{name}.ids"),
            Dtype::U16,
            side.pieces(),
            ids.collect(),
        ));
        blocks.push((
            format!("{name}.ends"),
            Dtype::U32,
            side.len(),
            ends.collect(),
        ));
    }
    let views = blocks
        .iter()
        .map(|(name, dtype, len, bytes)| Ok((name, TensorView::new(*dtype, vec![*len], bytes)?)))
        .collect::<std::result::Result<Vec<_>, safetensors::SafeTensorError>>()
        .map_err(|e| Error::file(path, e))?;
    let bytes = safetensors::serialize(views, None).map_err(|e| Error::file(path, e))?;
    Ok(write_atomically(path, &bytes)?)
}

/// What to compare.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Steps that are measured.
    pub steps: u64,
    /// Steps before them, which compile kernels.
    pub warmup: u64,
    /// How often all take their turn.
    pub rounds: usize,
    /// Folder for runs and batches.
    pub folder: PathBuf,
    /// PyTorch's side of the comparison (`train/bench/pytorch.py`).
    pub script: PathBuf,
}

/// What one program gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// Target tokens a second, padding not counted.
    pub tokens_per_second: f64,
    /// Largest resident memory in bytes.
    pub peak_memory: u64,
}

/// Measures in turns and returns the medians as a Markdown table.
///
/// # Errors
/// Any fault of a run; PyTorch's side not starting or failing.
pub fn compare(recipe: &Recipe, options: &Options, comparison: &Comparison) -> Result<String> {
    let mut recipe = recipe.clone();
    recipe.init = None;
    recipe.probes.clear();
    recipe.data.validation.clear();
    let training = &mut recipe.training;
    training.max_steps = comparison.warmup + comparison.steps;
    training.log_every = 10;
    training.snapshot_every = training.max_steps;
    training.bleu_every = 0;
    // At least one checkpoint falls into the measured steps.
    training.checkpoint_minutes = 0.25;
    let shared = comparison.folder.join("data");
    let options = Options {
        runs: comparison.folder.clone(),
        shared: Some(shared),
        ..options.clone()
    };
    let batches = comparison.folder.join("batches");
    recipe.name = "prepare".into();
    write_batches(&recipe, &options, recipe.training.max_steps, &batches)?;
    let mut measured: [Vec<Speed>; 3] = Default::default();
    for round in 0..comparison.rounds {
        recipe.name = format!("run-{round}");
        measured[0].push(own(&recipe, &options, comparison)?);
        for (i, precision) in ["bf16", "f32"].into_iter().enumerate() {
            measured[i + 1].push(pytorch(&batches, precision, &options, comparison)?);
        }
    }
    let medians = measured.map(median);
    let mut table = String::from(
        "| trainer | target tokens/s | ratio to PyTorch bf16 | peak memory |\n|---|--:|--:|--:|\n",
    );
    let names = [
        "this trainer, bf16",
        "PyTorch, bf16 autocast",
        "PyTorch, f32",
    ];
    for (name, speed) in names.iter().zip(&medians) {
        table += &format!(
            "| {name} | {:.0} | {:.2} | {:.0} MiB |\n",
            speed.tokens_per_second,
            speed.tokens_per_second / medians[1].tokens_per_second,
            speed.peak_memory as f64 / f64::from(1 << 20),
        );
    }
    Ok(table)
}

fn median(mut speeds: Vec<Speed>) -> Speed {
    speeds.sort_by(|a, b| a.tokens_per_second.total_cmp(&b.tokens_per_second));
    speeds.swap_remove(speeds.len() / 2)
}

/// The whole trainer, checkpoints and data pipeline included.
fn own(recipe: &Recipe, options: &Options, comparison: &Comparison) -> Result<Speed> {
    run(recipe, options)?;
    let folder = Folder::existing(&options.runs, &recipe.name)?;
    // Every line says how fast the steps since the line before were.
    let (mut tokens, mut seconds, mut last) = (0.0, 0.0, 0);
    for line in metrics::read(&folder.metrics())? {
        if let Measured::Training {
            tokens_per_second, ..
        } = line.measured
        {
            let new = (line.target_tokens - last) as f64;
            last = line.target_tokens;
            if line.step > comparison.warmup {
                tokens += new;
                seconds += new / tokens_per_second;
            }
        }
    }
    let path = folder.path().to_path_buf();
    std::fs::remove_dir_all(&path).map_err(|e| Error::file(&path, e))?;
    Ok(Speed {
        tokens_per_second: tokens / seconds,
        peak_memory: peak_memory(),
    })
}

fn pytorch(
    batches: &Path,
    precision: &str,
    options: &Options,
    comparison: &Comparison,
) -> Result<Speed> {
    let fault = |reason: String| Error::file(&comparison.script, reason);
    let output = Command::new("python3")
        .arg(&comparison.script)
        .arg(batches)
        .args(["--precision", precision])
        .args(["--measure-from", &comparison.warmup.to_string()])
        .args(["--threads", &options.threads.to_string()])
        // PyTorch as usually started: our allocator settings and single OpenMP thread are no part of it.
        .env_remove("OMP_NUM_THREADS")
        .env_remove("MALLOC_ARENA_MAX")
        .env_remove("MALLOC_MMAP_THRESHOLD_")
        .env_remove("MALLOC_TRIM_THRESHOLD_")
        .env_remove("MALLOC_TOP_PAD_")
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| fault(format!("python3 does not start: {e}")))?;
    if !output.status.success() {
        return Err(fault(format!("ended with {}", output.status)));
    }
    serde_json::from_slice(&output.stdout).map_err(|e| fault(format!("printed no result: {e}")))
}

/// Largest resident memory of this process so far, in bytes; 0 where the system does not tell (only Linux does).
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() * 1024
}
