//! One training run: data, model, optimiser and settings, a step at a time.

use crate::adam::{Adam, Schedule};
use crate::batch::Batch;
use crate::dropout::Masks;
use crate::error::{Error, Result};
use crate::loss::Loss;
use crate::model::{Model, Regularization};
use crate::parameters::Parameters;
use crate::settings::Settings;
use crate::task::Task;
use crate::vocabulary::Vocabulary;
use serde::Serialize;
use translucent::Config;
use translucent::random::SplitMix64;

/// One training step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
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
    pub(crate) parameters: Parameters,
    /// Weights before the last step.
    pub(crate) before: Vec<f32>,
    pub(crate) gradient: Vec<f32>,
    pub(crate) adam: Adam,
    pub(crate) model: Model,
    pub(crate) regularization: Regularization,
    pub(crate) data: SplitMix64,
    pub(crate) batch: Batch,
    pub(crate) learning_rate: f64,
}

impl Run {
    /// A run at its first step.
    ///
    /// # Errors
    /// As [`Settings::config`].
    pub fn new(task: Task, settings: Settings) -> Result<Self> {
        let vocabulary = task.vocabulary();
        let config = settings.config(&task)?;
        let mut seeds = SplitMix64::new(settings.seed);
        let parameters = Parameters::random(&config, seeds.next_u64())?;
        let weights = parameters.values.len();
        Ok(Self {
            model: Model::new(&config, &parameters),
            before: parameters.values.clone(),
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
        self.before.copy_from_slice(&self.parameters.values);
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

    /// The weights.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The model's configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The task.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
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
