//! The loop: batches, step, and when to measure and save.

use super::Run;
use crate::clock::{Clock, minutes};
use crate::data::batches::Batch;
use crate::error::{Error, Result};
use crate::optimizer::{Update, clear};
use crate::progress::Progress;
use crate::state::Window;
use crate::stop;
use std::time::Instant;
use translucent::random;

/// Steps in a row that may be left out because their loss or gradient is not finite.
const MOST_SKIPPED: u64 = 10;

impl Run<'_> {
    pub(super) fn train(&mut self, clock: &Clock) -> Result<()> {
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
            let Some(loss) = self.step(learning_rate)? else {
                continue;
            };
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
            // The last step is saved after its validation: a run that resumed there would not validate any more.
            if saved.elapsed() >= interval && !self.is_done() {
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

    /// One step of the optimiser at this learning rate; returns its loss, or `None` if the step was skipped.
    fn step(&mut self, learning_rate: f64) -> Result<Option<Window>> {
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
        let update = Update {
            step,
            learning_rate,
            clip: self.recipe.training.clip,
            threads: self.threads,
        };
        let stepped = match sums.smoothed.is_finite() {
            true => self.adam.step(&self.weights, update),
            false => {
                clear(&self.weights);
                false
            }
        };
        if !stepped {
            return self.skip(sums.smoothed).map(|()| None);
        }
        self.skipped_in_a_row = 0;
        if let Some(average) = &mut self.average {
            average.update(&self.weights, step);
        }
        let counters = &mut self.counters;
        counters.step = step;
        counters.position = self.batches.position();
        counters.target_tokens += sums.tokens;
        counters.window.smoothed += sums.smoothed;
        counters.window.nll += sums.nll;
        counters.window.tokens += sums.tokens;
        Ok(Some(sums))
    }

    /// Counts a step whose loss or gradient is not finite: its batches are left out.
    fn skip(&mut self, loss: f64) -> Result<()> {
        self.counters.skipped += 1;
        self.skipped_in_a_row += 1;
        let step = self.counters.step + 1;
        if self.skipped_in_a_row < MOST_SKIPPED {
            eprintln!(
                "step {step}: loss {loss} or its gradient is not finite; its batches are left out ({} so far)",
                self.counters.skipped
            );
            return Ok(());
        }
        Err(Error::Diverged {
            step,
            loss,
            hint: format!(
                "so were loss or gradient {MOST_SKIPPED} times in a row; take a longer warm-up, a smaller lr_scale or clip = 1.0; the last good state is {}",
                self.folder.state().display()
            ),
        })
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
}

/// A seed for one batch of one step.
fn mix(seed: u64, step: u64, batch: u64) -> u64 {
    random::mix(random::mix(random::mix(seed) ^ step) ^ batch)
}
