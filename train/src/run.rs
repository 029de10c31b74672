//! A run: its stages one after another, from wherever the last save stands.

mod measure;
mod steps;

use crate::clock::Clock;
use crate::data::batches::{Batches, Position};
use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::init::from_model;
use crate::metrics::Metrics;
use crate::model::{Transformer, Weights};
use crate::optimizer::{Adam, MovingAverage};
use crate::probes::Probes;
use crate::ranks::Ranks;
use crate::recipe::Recipe;
use crate::setup::{Prepared, prepare};
use crate::state::{self, Counters, Header};
use crate::workers::Workers;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tch::Device;
use translucent::checkpoint::write_atomically;

/// What decides a run beside its recipe.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder below which data files are looked for.
    pub data: PathBuf,
    /// Folder of all runs.
    pub runs: PathBuf,
    /// Where to compute.
    pub device: Device,
    /// Workers that differentiate batches side by side, one core each.
    pub threads: usize,
    /// Stop after this long, with everything saved.
    pub max_minutes: Option<f64>,
    /// Let the learning rate descend to zero over the last of these minutes.
    pub cooldown_minutes: Option<f64>,
    /// The processes that train together.
    pub ranks: Ranks,
    /// A folder for vocabulary and ids that several runs on the same data share; else they lie in the run's own.
    pub shared: Option<PathBuf>,
}

/// Trains until the recipe's last step, the time is up or a stop is asked for. Returns the step reached.
///
/// # Errors
/// Any fault of recipe or data; a saved state of another shape; a loss that is no number; more ranks than batches.
pub fn run(recipe: &Recipe, options: &Options) -> Result<u64> {
    let clock = Clock::start(options.max_minutes, options.cooldown_minutes);
    let ranks = &options.ranks;
    recipe.check()?;
    check_ranks(recipe, ranks)?;
    let mut folder = Folder::open(&options.runs, &recipe.name)?;
    let _lock = ranks.is_root().then(|| folder.lock()).transpose()?;
    if let Some(shared) = &options.shared {
        folder = folder.sharing(shared)?;
    }
    let text = toml::to_string(recipe).map_err(|e| Error::Recipe(e.to_string()))?;
    let latest = ranks.root_first(|| state::latest(&folder))?;
    let mut number = match latest {
        Some((_, header, _)) => recipe.stage_at(header.counters.target_tokens),
        None => 0,
    };
    loop {
        let stage = recipe.of_stage(number)?;
        let prepared = ranks.root_first(|| prepare(&stage, &options.data, &folder))?;
        if ranks.is_root() {
            write_atomically(&folder.recipe(), text.as_bytes())?;
        }
        let mut run = Run::open(&stage, number, options, folder.clone(), prepared)?;
        run.train(&clock)?;
        let over = stage
            .training
            .max_tokens
            .is_some_and(|end| run.counters.target_tokens >= end);
        if !over || number == recipe.last_stage() {
            return Ok(run.counters.step);
        }
        number = recipe.stage_at(run.counters.target_tokens);
    }
}

struct Run<'r> {
    recipe: &'r Recipe,
    folder: Folder,
    data: Prepared,
    batches: Batches,
    weights: Weights,
    /// For validation and probes.
    model: Transformer,
    workers: Workers,
    threads: usize,
    adam: Adam,
    average: Option<MovingAverage>,
    counters: Counters,
    skipped_in_a_row: u64,
    /// What rank 0 writes down.
    record: Option<Record>,
    ranks: Ranks,
    /// Since when tokens per second are counted, and the target tokens before.
    window_start: (Instant, u64),
}

/// The files that a run adds lines to.
struct Record {
    metrics: Metrics,
    probes: Probes,
}

impl<'r> Run<'r> {
    fn open(
        recipe: &'r Recipe,
        stage: usize,
        options: &Options,
        folder: Folder,
        mut data: Prepared,
    ) -> Result<Self> {
        let config = &data.config;
        let (device, threads, ranks) = (options.device, options.threads, options.ranks.clone());
        let mut average = None;
        let (weights, adam, mut counters) =
            if let Some((path, header, tensors)) = state::latest(&folder)? {
                check_shape(&path, &header, config)?;
                let weights = Weights::from_map(config, &tensors, &path, device)?.trainable();
                let adam = state::moments(config, &tensors, &path, device)?;
                average = state::average(config, &tensors, &path, device)?;
                (weights, adam, header.counters)
            } else {
                let weights = match &recipe.init {
                    Some(model) => {
                        if ranks.is_root() {
                            folder.keep_earlier(model, recipe)?;
                        }
                        from_model(model, config, &data.pieces, device)?
                    }
                    None => Weights::random(config, recipe.seed, device),
                };
                let weights = weights.trainable();
                let adam = Adam::new(&weights);
                (weights, adam, Counters::default())
            };
        if counters.stage != stage {
            // Another mix: its passes begin anew, with random numbers of their own.
            counters.stage = stage;
            counters.position = Position {
                epoch: counters.position.epoch + 1,
                ..Position::default()
            };
        }
        let average = recipe
            .training
            .ema
            .map(|rate| MovingAverage::new(average.as_ref().unwrap_or(&weights), rate));
        let model = Transformer::new(config, &weights, recipe.precision)?;
        let workers = Workers::new(config, &weights, recipe.precision, threads)?;
        let batches = Batches::new(
            std::mem::take(&mut data.train),
            data.limits,
            recipe.seed,
            counters.position,
        )?;
        ranks.check_same(&weights, "at the start")?;
        let probes = std::mem::take(&mut data.probes);
        let record = || -> Result<Record> {
            Ok(Record {
                metrics: Metrics::open(&folder.metrics(), counters.step)?,
                probes: Probes::open(&folder.probes(), probes, counters.step)?,
            })
        };
        Ok(Self {
            record: ranks.is_root().then(record).transpose()?,
            ranks,
            window_start: (Instant::now(), counters.target_tokens),
            recipe,
            folder,
            data,
            batches,
            weights,
            model,
            workers,
            threads,
            adam,
            average,
            counters,
            skipped_in_a_row: 0,
        })
    }
}

fn check_ranks(recipe: &Recipe, ranks: &Ranks) -> Result<()> {
    let (batches, ranks) = (recipe.training.accumulation, ranks.size());
    if batches >= ranks {
        return Ok(());
    }
    Err(Error::Ranks(format!(
        "a step has {batches} batches (training.accumulation) for {ranks} ranks: start {batches} ranks at most, or set training.accumulation to {ranks} or more"
    )))
}

fn check_shape(path: &Path, header: &Header, config: &translucent::Config) -> Result<()> {
    if header.config == *config {
        return Ok(());
    }
    let fields = |config| serde_json::to_value(config).map_err(|e| Error::file(path, e));
    let (found, expected) = (fields(&header.config)?, fields(config)?);
    let differing: Vec<String> = expected
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, value)| found.get(name.as_str()) != Some(value))
        // Dropout and smoothing may change while a run stands still: no tensor depends on them.
        .filter(|(name, _)| !(name.ends_with("dropout") || *name == "label_smoothing"))
        .map(|(name, value)| {
            format!(
                "{name} is {}, the recipe says {value}",
                found[name.as_str()]
            )
        })
        .collect();
    if differing.is_empty() {
        return Ok(());
    }
    Err(Error::file(
        path,
        format!(
            "belongs to another model ({}): take the old recipe, or another name or --runs folder",
            differing.join("; ")
        ),
    ))
}
