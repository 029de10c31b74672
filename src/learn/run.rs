//! One training run: data, model, optimiser and settings, a step at a time.

use crate::adam::{Adam, Schedule, Update};
use crate::batch::Batch;
use crate::dropout::Masks;
use crate::error::{Error, Result};
use crate::loss::Loss;
use crate::model::{Model, Regularization};
use crate::parameters::Parameters;
use crate::task::{Task, Vocabulary};
use serde::{Deserialize, Serialize};
use translucent::Config;
use translucent::model::config::{Compatibility, Positions};
use translucent::random::SplitMix64;

/// Settings of a run beside its task, under the paper's names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Settings {
    /// N of encoder and decoder.
    pub layers: usize,
    /// Width of the residual stream.
    pub d_model: usize,
    /// h.
    pub n_heads: usize,
    /// Inner width of the feed-forward network.
    pub d_ff: usize,
    /// Position scheme.
    pub positions: Positions,
    /// Compatibility function.
    pub compatibility: Compatibility,
    /// r of §4; none: unrestricted.
    pub neighbourhood: Option<usize>,
    /// P_drop.
    pub dropout: f32,
    /// ε_ls.
    pub label_smoothing: f32,
    /// warmup_steps of eq. 3.
    pub warmup_steps: u64,
    /// Factor on eq. 3.
    pub factor: f64,
    /// Pairs in a batch.
    pub batch_size: usize,
    /// Seed of weights, data and masks.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            layers: 2,
            d_model: 64,
            n_heads: 4,
            d_ff: 128,
            positions: Positions::SinusoidalInterleaved,
            compatibility: Compatibility::ScaledDotProduct,
            neighbourhood: None,
            dropout: 0.0,
            label_smoothing: 0.1,
            warmup_steps: 400,
            factor: 0.5,
            batch_size: 64,
            seed: 1,
        }
    }
}

/// Longest sentence of a task, in pieces with its mark.
const MAX_POSITIONS: usize = 64;

impl Settings {
    /// The core's configuration for `vocabulary`.
    ///
    /// # Errors
    /// [`Error::Setting`] or [`Error::Core`] naming the setting.
    pub fn config(&self, vocabulary: &Vocabulary) -> Result<Config> {
        if self.n_heads == 0 || !self.d_model.is_multiple_of(self.n_heads) {
            let (d_model, h) = (self.d_model, self.n_heads);
            return Err(Error::Setting(format!(
                "d_model {d_model} is no multiple of h = {h}: every head gets d_model / h"
            )));
        }
        if self.batch_size == 0 {
            return Err(Error::Setting(
                "batch size is 0, it must be at least 1".into(),
            ));
        }
        let d_k = self.d_model / self.n_heads;
        let config = Config {
            d_model: self.d_model,
            n_heads: self.n_heads,
            d_k,
            d_v: d_k,
            d_ff: self.d_ff,
            encoder_layers: self.layers,
            decoder_layers: self.layers,
            dropout: self.dropout,
            label_smoothing: self.label_smoothing,
            positions: self.positions,
            max_positions: MAX_POSITIONS,
            compatibility: self.compatibility,
            neighbourhood: self.neighbourhood,
            eos_id: Vocabulary::END,
            decoder_start_id: vocabulary.start(),
            pad_id: vocabulary.start(),
            ..Config::base(vocabulary.len())
        };
        config.validate()?;
        Ok(config)
    }
}

/// One training step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Its number, counted from 1.
    pub step: u64,
    /// Its learning rate (eq. 3).
    pub learning_rate: f64,
    /// Loss of its batch.
    pub loss: Loss,
    /// Norm of the gradient over all weights.
    pub gradient_norm: f64,
}

/// Quality on held-out inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Loss, without dropout.
    pub loss: Loss,
    /// Pairs whose greedy answer is the target, to the last piece.
    pub exact: usize,
    /// Pairs measured.
    pub pairs: usize,
}

/// A run.
pub struct Run {
    task: Task,
    vocabulary: Vocabulary,
    config: Config,
    settings: Settings,
    parameters: Parameters,
    gradient: Vec<f32>,
    adam: Adam,
    model: Model,
    regularization: Regularization,
    data: SplitMix64,
    batch: Batch,
    learning_rate: f64,
}

impl Run {
    /// A run at its first step.
    ///
    /// # Errors
    /// As [`Settings::config`].
    pub fn new(task: Task, settings: Settings) -> Result<Self> {
        let vocabulary = task.vocabulary();
        let config = settings.config(&vocabulary)?;
        let mut seeds = SplitMix64::new(settings.seed);
        let parameters = Parameters::random(&config, seeds.next_u64())?;
        let weights = parameters.values.len();
        Ok(Self {
            model: Model::new(&config, &parameters),
            gradient: vec![0.0; weights],
            adam: Adam::new(weights),
            regularization: Regularization {
                masks: Masks::new(settings.dropout, seeds.next_u64()),
                label_smoothing: settings.label_smoothing,
            },
            data: SplitMix64::new(seeds.next_u64()),
            batch: Batch::default(),
            learning_rate: 0.0,
            task,
            vocabulary,
            config,
            settings,
            parameters,
        })
    }

    /// Trains on one batch.
    ///
    /// # Errors
    /// [`Error::Diverged`] if the loss is no number; the weights are then as before the step.
    pub fn step(&mut self) -> Result<Step> {
        let step = self.adam.steps + 1;
        let schedule = Schedule {
            warmup_steps: self.settings.warmup_steps,
            factor: self.settings.factor,
        };
        let learning_rate = schedule.learning_rate(step, self.config.d_model);
        let pairs = self.settings.batch_size;
        draw(
            &self.task,
            &self.vocabulary,
            &self.config,
            &mut self.data,
            false,
            pairs,
            &mut self.batch,
        )?;
        self.model.check(&self.batch)?;
        let loss = self.model.forward(
            &self.parameters,
            &self.batch,
            &mut self.regularization,
            |_, _| {},
        );
        self.model
            .backward(&self.parameters, &self.batch, &mut self.gradient);
        let square: f64 = self
            .gradient
            .iter()
            .map(|g| f64::from(*g) * f64::from(*g))
            .sum();
        if !loss.smoothed.is_finite() || !square.is_finite() {
            return Err(Error::Diverged {
                step,
                learning_rate,
            });
        }
        self.adam
            .step(&mut self.parameters.values, &self.gradient, learning_rate);
        self.learning_rate = learning_rate;
        Ok(Step {
            step,
            learning_rate,
            loss,
            gradient_norm: square.sqrt(),
        })
    }

    /// Measures on `pairs` held-out pairs, the same ones at every call.
    ///
    /// # Errors
    /// [`Error::Setting`] if a pair of the reader's is longer than the model's positions.
    pub fn measure(&mut self, pairs: usize) -> Result<Measured> {
        let mut random = SplitMix64::new(0);
        let mut batch = Batch::default();
        draw(
            &self.task,
            &self.vocabulary,
            &self.config,
            &mut random,
            true,
            pairs,
            &mut batch,
        )?;
        self.model.check(&batch)?;
        let mut off = Regularization {
            masks: Masks::Off,
            label_smoothing: self.settings.label_smoothing,
        };
        let mut right = vec![true; batch.gold.len()];
        let loss = self
            .model
            .forward(&self.parameters, &batch, &mut off, |row, correct| {
                right[row] = correct
            });
        let exact = batch
            .input
            .sentences()
            .filter(|rows| right[rows.clone()].iter().all(|right| *right));
        Ok(Measured {
            loss,
            exact: exact.count(),
            pairs,
        })
    }

    /// The last step's update of one weight (§5.3).
    ///
    /// # Panics
    /// If there is no such weight.
    pub fn last_update(&self, weight: usize) -> Update {
        self.adam
            .explain(weight, self.gradient[weight], self.learning_rate)
    }

    /// The weights.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The model's configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The pieces.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.adam.steps
    }
}

/// Draws pairs of a task into a batch.
fn draw(
    task: &Task,
    vocabulary: &Vocabulary,
    config: &Config,
    random: &mut SplitMix64,
    held_out: bool,
    pairs: usize,
    batch: &mut Batch,
) -> Result<()> {
    let mut ids = Vec::with_capacity(pairs);
    for _ in 0..pairs {
        let (source, target) = task.draw(random, held_out);
        ids.push((vocabulary.encode(&source)?, vocabulary.encode(&target)?));
    }
    batch.pack(
        ids.iter()
            .map(|(source, target)| (&source[..], &target[..])),
        config,
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn losses(settings: Settings, steps: usize) -> Vec<f64> {
        let mut run = Run::new(Task::Reverse, settings).unwrap();
        (0..steps)
            .map(|_| run.step().unwrap().loss.smoothed)
            .collect()
    }

    #[test]
    fn a_seed_decides_a_run() {
        let settings = Settings {
            dropout: 0.1,
            batch_size: 8,
            ..Settings::default()
        };
        let other = Settings {
            seed: 2,
            ..settings.clone()
        };
        let first = losses(settings.clone(), 4);
        assert_eq!(losses(settings, 4), first);
        assert_ne!(losses(other, 4), first);
    }

    #[test]
    fn copying_is_learnt() {
        let settings = Settings {
            layers: 1,
            d_model: 32,
            d_ff: 64,
            batch_size: 32,
            warmup_steps: 100,
            ..Settings::default()
        };
        let mut run = Run::new(Task::Copy, settings).unwrap();
        let before = run.measure(50).unwrap();
        for _ in 0..600 {
            run.step().unwrap();
        }
        let after = run.measure(50).unwrap();
        assert_eq!(before.exact, 0);
        assert!(after.exact >= 25, "{after:?}");
    }

    #[test]
    fn a_rate_that_is_too_large_is_named_and_spoils_nothing() {
        let settings = Settings {
            factor: 1e12,
            warmup_steps: 0,
            ..Settings::default()
        };
        let mut run = Run::new(Task::Copy, settings).unwrap();
        let failed = (0..50).find_map(|_| run.step().err());
        assert!(matches!(failed, Some(Error::Diverged { .. })), "{failed:?}");
    }
}
