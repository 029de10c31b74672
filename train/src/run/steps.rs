//! The loop: batches, step, and when to measure and save.

use super::Run;
use crate::clock::{Clock, minutes};
use crate::data::batch::{Batch, target_tokens};
use crate::data::corpus::Corpus;
use crate::error::{Error, Result};
use crate::optimizer::{Update, clear};
use crate::progress::Progress;
use crate::ranks::shares;
use crate::state::Window;
use crate::stop;
use std::time::Instant;
use translucent::random;

/// Steps in a row that may be left out because their loss or gradient is not finite.
const MOST_SKIPPED: u64 = 10;

/// What all ranks do before the next step.
struct Agreement {
    stopped: bool,
    time_is_up: bool,
    save: bool,
    /// On the learning rate.
    factor: f64,
}

impl Run<'_> {
    pub(super) fn train(&mut self, clock: &Clock) -> Result<()> {
        let training = &self.recipe.training;
        let mut progress = Progress::new(&self.recipe.name, training.max_steps, self.counters.step)
            .shown(self.ranks.is_root());
        progress.note(&format!(
            "{}: {} parameters, products in {}, {} pairs a pass, step {} of {}",
            self.recipe.name,
            self.weights.parameters(),
            self.recipe.precision.describe(self.model.device()),
            self.batches.pairs_per_epoch(),
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
        let mut stopped = false;
        while !self.is_done() {
            let agreed = self.agree(clock, saved.elapsed() >= interval);
            stopped = agreed.stopped;
            if stopped || agreed.time_is_up {
                break;
            }
            let begun = Instant::now();
            let learning_rate = self.learning_rate() * agreed.factor;
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
            if agreed.save && !self.is_done() {
                self.save()?;
                saved = Instant::now();
            }
        }
        if self.counters.step > begun_at && !stopped {
            self.validate(&progress, training.bleu_every > 0)?;
        }
        self.save()?;
        self.note_traffic(&progress);
        progress.finish();
        Ok(())
    }

    /// What all ranks do next: a stop asked of any of them stops all, and rank 0 has the clock.
    fn agree(&self, clock: &Clock, save: bool) -> Agreement {
        let of_root = |number: f64| if self.ranks.is_root() { number } else { 0.0 };
        let flag = |set: bool| f64::from(u8::from(set));
        let [stopped, time_is_up, save, factor] = self.ranks.max([
            flag(stop::asked()),
            of_root(flag(clock.is_up())),
            of_root(flag(save)),
            of_root(clock.factor()),
        ]);
        Agreement {
            stopped: stopped > 0.0,
            time_is_up: time_is_up > 0.0,
            save: save > 0.0,
            factor,
        }
    }

    /// Notes what adding gradients over the ranks has cost.
    fn note_traffic(&self, progress: &Progress) {
        let traffic = self.ranks.traffic();
        if traffic.steps > 0 {
            let steps = traffic.steps as f64;
            progress.note(&format!(
                "{} ranks: gradients of {:.1} MB and {:.1} ms a step in adding them",
                self.ranks.size(),
                traffic.bytes as f64 / steps / 1e6,
                traffic.spent.as_secs_f64() * 1e3 / steps
            ));
        }
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
        let (batches, tokens) = self.batches_of_step(step)?;
        let sums = self.ranks.sum(self.workers.gradients(batches, tokens)?);
        let update = Update {
            step,
            learning_rate,
            clip: self.recipe.training.clip,
            threads: self.threads,
        };
        let stepped = match sums.smoothed.is_finite() {
            true => {
                let format = self.recipe.training.gradients;
                self.ranks.sum_gradients(&self.weights, format)?;
                self.adam.step(&self.weights, update)
            }
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

    /// This rank's share of a step's batches, each with its seed, and the target tokens of all of them.
    fn batches_of_step(&mut self, step: u64) -> Result<(Vec<(Batch, u64)>, usize)> {
        let batches = (0..self.recipe.training.accumulation)
            .map(|_| self.batches.next_batch())
            .collect::<Result<Vec<_>>>()?;
        let pairs: Vec<_> = batches.iter().map(Corpus::pairs).collect();
        let tokens: Vec<usize> = pairs.iter().map(|pairs| target_tokens(pairs)).collect();
        let shares = shares(&tokens, self.ranks.size());
        let own = (0..pairs.len()).filter(|i| shares[*i] == self.ranks.rank());
        let batch = |i: usize| {
            let batch = Batch::new(&pairs[i], self.data.special, self.model.device());
            // Every batch has its own seed: a run that continues draws the same masks without a saved generator.
            (batch, mix(self.recipe.seed, step, i as u64))
        };
        Ok((own.map(batch).collect(), tokens.iter().sum()))
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
