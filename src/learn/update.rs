//! One weight's last update taken apart (§5.3).

use crate::adam::Update;
use crate::batch::Batch;
use crate::dropout::Masks;
use crate::run::Run;
use serde::Serialize;

/// What the last step did to one weight.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WeightUpdate {
    /// The weight before the step.
    pub before: f32,
    /// The weight after it.
    pub after: f32,
    /// Learning rate of the step (eq. 3).
    pub learning_rate: f64,
    /// t, the number of the step.
    pub step: u64,
    /// Adam's values.
    #[serde(flatten)]
    pub update: Update,
    /// Each pair's share of the gradient, in the batch's order; empty under dropout, whose masks belong to the batch.
    pub shares: Vec<Share>,
}

/// One pair's share of a gradient.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Share {
    /// The pair's source.
    pub source: String,
    /// Its target.
    pub target: String,
    /// Its share.
    pub gradient: f32,
}

impl Run {
    /// The last step's update of one weight, an index into [`crate::Parameters::values`]; none before the first step.
    ///
    /// # Panics
    /// If there is no such weight.
    pub fn last_update(&mut self, weight: usize) -> Option<WeightUpdate> {
        // A run that was read from its file has no gradient yet.
        if self.batch.gold.is_empty() {
            return None;
        }
        let shares = match self.regularization.masks {
            Masks::Off => self.shares(weight),
            _ => Vec::new(),
        };
        Some(WeightUpdate {
            before: self.before[weight],
            after: self.parameters.values[weight],
            learning_rate: self.learning_rate,
            step: self.adam.steps,
            update: self
                .adam
                .explain(weight, self.gradient[weight], self.learning_rate),
            shares,
        })
    }

    fn shares(&mut self, weight: usize) -> Vec<Share> {
        let mut parameters = self.parameters.clone();
        parameters.values.copy_from_slice(&self.before);
        let mut gradient = vec![0.0; self.before.len()];
        let tokens = self.batch.gold.len() as f32;
        let pairs = self
            .batch
            .source
            .sentences()
            .zip(self.batch.input.sentences());
        let mut shares = Vec::new();
        for (source, target) in pairs.collect::<Vec<_>>() {
            // Without the marks, which packing adds again.
            let source = &self.batch.source.ids[source.start..source.end - 1];
            let target = &self.batch.input.ids[target.start + 1..target.end];
            let mut pair = Batch::default();
            pair.pack([(source, target)], self.config());
            let texts = [source, target].map(|ids| self.vocabulary().decode(ids));
            self.model
                .forward(&parameters, &pair, &mut self.regularization, |_, _| {});
            self.model.backward(&parameters, &pair, &mut gradient);
            // The batch's loss is a mean over all its target tokens.
            let share = pair.gold.len() as f32 / tokens;
            let [source, target] = texts;
            shares.push(Share {
                source,
                target,
                gradient: gradient[weight] * share,
            });
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Settings, Task};

    #[test]
    fn shares_of_the_pairs_add_up_to_the_gradient_and_the_change_to_the_new_weight() {
        let settings = Settings {
            batch_size: 8,
            ..Settings::default()
        };
        let mut run = Run::new(Task::Reverse, settings).unwrap();
        for _ in 0..3 {
            run.step().unwrap();
        }
        let weights = run.parameters().values.len();
        for weight in [100, weights / 2, weights - 30_000] {
            let update = run.last_update(weight).unwrap();
            let sum: f32 = update.shares.iter().map(|share| share.gradient).sum();
            let gradient = update.update.gradient;
            assert_eq!(update.shares.len(), 8);
            assert!((sum - gradient).abs() <= 1e-4 * gradient.abs() + 1e-7);
            let change = f64::from(update.after - update.before);
            assert!((change - update.update.change).abs() < 1e-6);
            assert!(change != 0.0);
        }
    }
}
