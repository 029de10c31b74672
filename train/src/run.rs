//! The training loop: step, log, validate, snapshot, save; continues wherever the last save stands.

use crate::bleu;
use crate::clock::{Clock, minutes};
use crate::data::batches::{Batch, Batches, Position};
use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::init::from_model;
use crate::metrics::{Line, Measured, Metrics};
use crate::model::{Transformer, Weights};
use crate::optimizer::{Adam, Update};
use crate::probes::{Checkpoint, Probes};
use crate::progress::Progress;
use crate::recipe::Recipe;
use crate::setup::{Prepared, prepare};
use crate::state::{self, Best, Counters, Header, Window};
use crate::stop;
use crate::validation::validate;
use crate::workers::Workers;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tch::Device;
use translucent::checkpoint::write_atomically;
use translucent::random;

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
    /// A folder for vocabulary and ids that several runs on the same data share; else they lie in the run's own.
    pub shared: Option<PathBuf>,
}

/// Trains until the recipe's last step, the time is up or a stop is asked for. Returns the step reached.
///
/// # Errors
/// Any fault of recipe or data; a saved state of another shape; a loss that is no number.
pub fn run(recipe: &Recipe, options: &Options) -> Result<u64> {
    let clock = Clock::start(options.max_minutes, options.cooldown_minutes);
    recipe.check()?;
    let mut folder = Folder::open(&options.runs, &recipe.name)?;
    if let Some(shared) = &options.shared {
        folder = folder.sharing(shared)?;
    }
    let text = toml::to_string(recipe).map_err(|e| Error::Recipe(e.to_string()))?;
    let mut number = match folder.state().exists() {
        true => recipe.stage_at(state::read(&folder.state())?.0.counters.target_tokens),
        false => 0,
    };
    loop {
        let stage = recipe.of_stage(number)?;
        let prepared = prepare(&stage, &options.data, &folder)?;
        write_atomically(&folder.recipe(), text.as_bytes())?;
        let (device, threads) = (options.device, options.threads);
        let mut run = Run::open(&stage, number, device, threads, folder.clone(), prepared)?;
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
    counters: Counters,
    metrics: Metrics,
    probes: Probes,
    /// Since when tokens per second are counted, and the target tokens before.
    window_start: (Instant, u64),
}

impl<'r> Run<'r> {
    fn open(
        recipe: &'r Recipe,
        stage: usize,
        device: Device,
        threads: usize,
        folder: Folder,
        mut data: Prepared,
    ) -> Result<Self> {
        let config = &data.config;
        let path = folder.state();
        let (weights, adam, mut counters) = if path.exists() {
            let (header, tensors) = state::read(&path)?;
            check_shape(&path, &header, config)?;
            let weights = Weights::from_map(config, &tensors, &path, device)?.trainable();
            let adam = state::moments(config, &tensors, &path, device)?;
            (weights, adam, header.counters)
        } else {
            let weights = match &recipe.init {
                Some(model) => {
                    folder.keep_earlier(model, recipe)?;
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
                batch: 0,
            };
        }
        let model = Transformer::new(config, &weights, recipe.precision)?;
        let workers = Workers::new(config, &weights, recipe.precision, threads)?;
        let batches = Batches::new(
            std::mem::take(&mut data.train),
            data.limits,
            recipe.seed,
            counters.position,
        );
        if batches.batches_per_epoch() == 0 {
            return Err(Error::Recipe(format!(
                "no training pair is within data.max_length {}",
                data.limits.max_length
            )));
        }
        Ok(Self {
            metrics: Metrics::open(&folder.metrics(), counters.step)?,
            probes: Probes::open(
                &folder.probes(),
                std::mem::take(&mut data.probes),
                counters.step,
            )?,
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
            counters,
        })
    }

    fn train(&mut self, clock: &Clock) -> Result<()> {
        let training = &self.recipe.training;
        let mut progress = Progress::new(&self.recipe.name, training.max_steps, self.counters.step);
        progress.note(&format!(
            "{}: {} parameters, products in {}, {} batches a pass, step {} of {}",
            self.recipe.name,
            self.weights.parameters(),
            self.recipe.precision.describe(self.model.device()),
            self.batches.batches_per_epoch(),
            self.counters.step,
            training.max_steps
        ));
        if self.counters.step == 0 {
            self.probe()?;
            self.validate(&progress, false)?;
        }
        let begun_at = self.counters.step;
        let mut saved = Instant::now();
        let interval = minutes(training.checkpoint_minutes);
        self.window_start = (Instant::now(), self.counters.target_tokens);
        while !self.is_done() && !clock.is_up() && !stop::asked() {
            let begun = Instant::now();
            let learning_rate = self.learning_rate() * clock.factor();
            let loss = self.step(learning_rate)?;
            self.counters.seconds += begun.elapsed().as_secs_f64();
            let step = self.counters.step;
            let rate = self.tokens_per_second();
            progress.update(step, || {
                format!(
                    "loss {:.3} ppl {:.2} {rate:.0} tok/s lr {learning_rate:.2e}",
                    loss.smoothed / loss.tokens as f64,
                    (loss.nll / loss.tokens as f64).exp()
                )
            });
            if step.is_multiple_of(training.log_every) {
                self.log(rate, learning_rate)?;
            }
            if training.probe_steps.contains(&step) {
                self.probe()?;
            }
            if step.is_multiple_of(training.validate_every) && !self.is_done() {
                let every = training.bleu_every;
                self.validate(&progress, every > 0 && step.is_multiple_of(every))?;
            }
            if step.is_multiple_of(training.snapshot_every) {
                self.snapshot()?;
            }
            if saved.elapsed() >= interval {
                self.save()?;
                saved = Instant::now();
            }
        }
        if self.counters.step > begun_at && !stop::asked() {
            self.validate(&progress, training.bleu_every > 0)?;
        }
        self.save()?;
        progress.finish();
        Ok(())
    }

    fn is_done(&self) -> bool {
        let training = &self.recipe.training;
        self.counters.step >= training.max_steps
            || training
                .max_tokens
                .is_some_and(|most| self.counters.target_tokens >= most)
    }

    /// One step of the optimiser at this learning rate; gives its loss.
    fn step(&mut self, learning_rate: f64) -> Result<Window> {
        let step = self.counters.step + 1;
        let mut batches = Vec::new();
        for _ in 0..self.recipe.training.accumulation {
            // Never empty: the plan was checked not to be.
            let Some(pairs) = self.batches.next_pairs() else {
                break;
            };
            let batch = Batch::new(&pairs, self.data.special, self.model.device());
            // Every batch has its own seed: a run that continues draws the same masks without a saved generator.
            batches.push((batch, mix(self.recipe.seed, step, batches.len() as u64)));
        }
        let sums = self.workers.gradients(batches)?;
        if !sums.smoothed.is_finite() {
            return Err(Error::Diverged {
                step,
                loss: sums.smoothed,
                hint: format!(
                    "take a longer warm-up, a smaller lr_scale or clip = 1.0; the last good state is {}",
                    self.folder.state().display()
                ),
            });
        }
        let update = Update {
            step,
            learning_rate,
            clip: self.recipe.training.clip,
            threads: self.threads,
        };
        self.adam.step(&self.weights, update);
        let counters = &mut self.counters;
        counters.step = step;
        counters.position = self.batches.position();
        counters.target_tokens += sums.tokens;
        counters.window.smoothed += sums.smoothed;
        counters.window.nll += sums.nll;
        counters.window.tokens += sums.tokens;
        Ok(sums)
    }

    fn tokens_per_second(&self) -> f64 {
        let (since, before) = self.window_start;
        (self.counters.target_tokens - before) as f64 / since.elapsed().as_secs_f64()
    }

    /// Of the next step.
    fn learning_rate(&self) -> f64 {
        let training = &self.recipe.training;
        let rate = training
            .schedule
            .learning_rate(self.counters.step + 1, self.data.config.d_model);
        match (training.max_tokens, training.cooldown_tokens) {
            (Some(most), Some(cooldown)) if cooldown > 0 => {
                let left = most.saturating_sub(self.counters.target_tokens);
                rate * (left as f64 / cooldown as f64).min(1.0)
            }
            _ => rate,
        }
    }

    fn log(&mut self, tokens_per_second: f64, learning_rate: f64) -> Result<()> {
        let window = std::mem::take(&mut self.counters.window);
        self.window_start = (Instant::now(), self.counters.target_tokens);
        let tokens = window.tokens.max(1) as f64;
        self.push(Measured::Training {
            loss: window.smoothed / tokens,
            perplexity: (window.nll / tokens).exp(),
            learning_rate,
            tokens_per_second,
        })
    }

    fn push(&mut self, measured: Measured) -> Result<()> {
        self.metrics.push(&Line {
            step: self.counters.step,
            target_tokens: self.counters.target_tokens,
            seconds: self.counters.seconds,
            measured,
        })
    }

    fn validate(&mut self, progress: &Progress, with_bleu: bool) -> Result<()> {
        if self.data.validation.is_empty() {
            return Ok(());
        }
        let begun = Instant::now();
        let mut scores = validate(
            &self.model,
            &self.data.validation,
            self.data.limits,
            self.data.special,
        );
        if with_bleu {
            bleu::measure(
                &self.data.config,
                &self.weights,
                self.data.pieces.tokenizer(),
                &self.data.validation,
                self.threads,
                &mut scores,
            )?;
        }
        let shown: Vec<String> = scores
            .iter()
            .map(|(name, s)| {
                let bleu = s.bleu.map_or_else(String::new, |b| format!(" BLEU {b:.1}"));
                format!("{name} loss {:.4} ppl {:.2}{bleu}", s.loss, s.perplexity)
            })
            .collect();
        progress.note(&format!(
            "step {}: {}",
            self.counters.step,
            shown.join(", ")
        ));
        let loss = scores.values().map(|s| s.loss).sum::<f64>() / scores.len() as f64;
        self.push(Measured::Validation { validation: scores })?;
        if self.counters.best.is_none_or(|best| loss < best.loss) {
            self.counters.best = Some(Best {
                step: self.counters.step,
                loss,
            });
            state::write_weights(&self.folder.best(), &self.header(), &self.weights)?;
        }
        // Validation is no training time: keep it out of the tokens per second.
        self.window_start.0 += begun.elapsed();
        Ok(())
    }

    fn probe(&mut self) -> Result<()> {
        let now = Checkpoint {
            step: self.counters.step,
            target_tokens: self.counters.target_tokens,
        };
        self.probes
            .record(&self.folder.probes(), &self.model, self.data.special, now)
    }

    fn snapshot(&self) -> Result<()> {
        let path = self.folder.snapshot(self.counters.step);
        state::write_weights(&path, &self.header(), &self.weights)?;
        let snapshots = self.folder.snapshots()?;
        let surplus = snapshots
            .len()
            .saturating_sub(self.recipe.training.snapshots_kept.max(1));
        for old in &snapshots[..surplus] {
            std::fs::remove_file(old).map_err(|e| Error::file(old, e))?;
        }
        Ok(())
    }

    fn save(&self) -> Result<()> {
        state::write_state(
            &self.folder.state(),
            &self.header(),
            &self.weights,
            &self.adam,
        )
    }

    fn header(&self) -> Header {
        Header::new(&self.data.config, &self.counters)
    }
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

/// A seed for one batch of one step.
fn mix(seed: u64, step: u64, batch: u64) -> u64 {
    random::mix(random::mix(random::mix(seed) ^ step) ^ batch)
}
