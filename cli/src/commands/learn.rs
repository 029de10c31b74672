//! `learn`: trains a small model on a task, from random weights.

use clap::ValueEnum;
use std::path::PathBuf;
use std::time::Instant;
use translucent::model::config::{Compatibility, Positions};
use translucent_cli::{Error, Result, files};
use translucent_learn::{Run, Settings, Task};

/// Position scheme (§3.5).
#[derive(Clone, Copy, ValueEnum)]
enum PositionScheme {
    /// Sines and cosines, as §3.5 prints them.
    Sinusoidal,
    /// A learned table (Table 3, row E).
    Learned,
    /// Nothing is added.
    None,
}

/// Compatibility function (§3.2.1).
#[derive(Clone, Copy, ValueEnum)]
enum Attention {
    /// q·k / √d_k.
    Scaled,
    /// q·k.
    Unscaled,
    /// w · tanh(q + k).
    Additive,
}

/// Trains a small model on a task and prints how it learns: a line of tab-separated values for each measurement.
#[derive(clap::Args)]
pub struct Learn {
    /// copy, reverse, sort, dates or addition; left out with --pairs.
    #[arg(required_unless_present = "pairs")]
    task: Option<String>,
    /// Your own pairs instead: source TAB target, a pair a line.
    #[arg(long, conflicts_with = "task", value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// Of --pairs: pieces are words instead of characters.
    #[arg(long, requires = "pairs")]
    words: bool,
    /// Seeds; each is a run of its own.
    #[arg(long, value_delimiter = ',', default_values_t = [Settings::default().seed])]
    seeds: Vec<u64>,
    /// Most steps of a run.
    #[arg(long, default_value_t = 4000)]
    steps: u64,
    /// End a run once this share of held-out pairs is answered exactly.
    #[arg(long, default_value_t = 0.99)]
    until: f64,
    /// Steps between measurements.
    #[arg(long, default_value_t = 100)]
    every: u64,
    /// Held-out pairs of a measurement.
    #[arg(long, default_value_t = 200)]
    held_out: usize,
    /// N, the layers of encoder and decoder.
    #[arg(long, default_value_t = Settings::default().layers)]
    layers: usize,
    /// Width of the residual stream.
    #[arg(long, default_value_t = Settings::default().d_model)]
    d_model: usize,
    /// Heads h of every attention.
    #[arg(long, default_value_t = Settings::default().n_heads)]
    heads: usize,
    /// Inner width of the feed-forward network.
    #[arg(long, default_value_t = Settings::default().d_ff)]
    d_ff: usize,
    /// Position scheme.
    #[arg(long, value_enum, default_value = "sinusoidal")]
    positions: PositionScheme,
    /// Compatibility function.
    #[arg(long, value_enum, default_value = "scaled")]
    attention: Attention,
    /// Let self-attention see only positions at most half of this away.
    #[arg(long, value_name = "R")]
    neighbourhood: Option<usize>,
    /// P_drop (§5.4).
    #[arg(long, default_value_t = Settings::default().dropout)]
    dropout: f32,
    /// ε_ls (§5.4).
    #[arg(long, default_value_t = Settings::default().label_smoothing)]
    label_smoothing: f32,
    /// warmup_steps of eq. 3.
    #[arg(long, default_value_t = Settings::default().warmup_steps)]
    warmup_steps: u64,
    /// Factor on eq. 3.
    #[arg(long, default_value_t = Settings::default().factor)]
    factor: f64,
    /// Pairs in a batch.
    #[arg(long, default_value_t = Settings::default().batch_size)]
    batch_size: usize,
}

/// Most memory of a run: what it is given is all taken at its start.
const MOST_GIBIBYTES: u64 = 64;

/// Names of the printed values.
const HEADER: &str =
    "seed\tstep\tlearning_rate\tloss\tnll\tgradient_norm\theld_out_nll\texact\tseconds";

impl Learn {
    /// Does it.
    ///
    /// # Errors
    /// A task or setting that cannot be used, or a loss that is no longer a number; the sentence names which.
    pub fn run(&self) -> Result<()> {
        let task = self.task()?;
        if self.every == 0 || self.held_out == 0 {
            return Err(Error::Argument(
                "--every and --held-out must be at least 1".into(),
            ));
        }
        crate::print(&format!("{HEADER}\n"))?;
        for seed in &self.seeds {
            self.train(task.clone(), *seed)?;
        }
        Ok(())
    }

    fn task(&self) -> Result<Task> {
        let Some(path) = &self.pairs else {
            return Ok(Task::named(self.task.as_deref().unwrap_or_default())?);
        };
        let text = files::text(path)?;
        Ok(Task::of_pairs(&text, self.words)?)
    }

    fn settings(&self, seed: u64) -> Settings {
        Settings {
            layers: self.layers,
            d_model: self.d_model,
            n_heads: self.heads,
            d_ff: self.d_ff,
            positions: match self.positions {
                PositionScheme::Sinusoidal => Positions::SinusoidalInterleaved,
                PositionScheme::Learned => Positions::Learned,
                PositionScheme::None => Positions::None,
            },
            compatibility: match self.attention {
                Attention::Scaled => Compatibility::ScaledDotProduct,
                Attention::Unscaled => Compatibility::DotProduct,
                Attention::Additive => Compatibility::Additive,
            },
            neighbourhood: self.neighbourhood,
            dropout: self.dropout,
            label_smoothing: self.label_smoothing,
            warmup_steps: self.warmup_steps,
            factor: self.factor,
            batch_size: self.batch_size,
            seed,
        }
    }

    /// One run; the seconds printed are those of its steps alone.
    fn train(&self, task: Task, seed: u64) -> Result<()> {
        let settings = self.settings(seed);
        let gibibytes = settings.memory(&task)? >> 30;
        if gibibytes > MOST_GIBIBYTES {
            return Err(Error::Argument(format!(
                "such a run would need {gibibytes} GiB of memory, it must be at most {MOST_GIBIBYTES}: fewer layers, smaller widths or batches"
            )));
        }
        let mut run = Run::new(task, settings)?;
        let mut seconds = 0.0;
        loop {
            let start = Instant::now();
            let step = run.step()?;
            seconds += start.elapsed().as_secs_f64();
            let last = step.step >= self.steps;
            if !last && !step.step.is_multiple_of(self.every) {
                continue;
            }
            let measured = run.measure(self.held_out)?;
            let exact = measured.exact as f64 / measured.pairs as f64;
            crate::print(&format!(
                "{seed}\t{}\t{:.3e}\t{:.6}\t{:.6}\t{:.3}\t{:.4}\t{exact:.3}\t{seconds:.2}\n",
                step.step,
                step.learning_rate,
                step.loss.mean_smoothed(),
                step.loss.mean_nll(),
                step.gradient_norm,
                measured.loss.mean_nll(),
            ))?;
            if last || exact >= self.until {
                return Ok(());
            }
        }
    }
}
