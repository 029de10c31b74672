//! What a run writes: lines of the metrics file, validations, probes, snapshots and its state.

use super::Run;
use crate::bleu;
use crate::error::{Error, Result};
use crate::metrics::{Line, Measured};
use crate::probes::Checkpoint;
use crate::progress::Progress;
use crate::state::{self, Best, Header};
use crate::validation::validate;
use std::time::Instant;
use translucent::checkpoint::disk;

impl Run<'_> {
    pub(super) fn log(&mut self, tokens_per_second: f64, learning_rate: f64) -> Result<()> {
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
        let Some(record) = &mut self.record else {
            return Ok(());
        };
        record.metrics.push(&Line {
            step: self.counters.step,
            target_tokens: self.counters.target_tokens,
            seconds: self.counters.seconds,
            measured,
        })
    }

    /// Measures the development files, by the moving average of the weights if the run has one, and keeps the best so far.
    pub(super) fn validate(&mut self, progress: &Progress, with_bleu: bool) -> Result<()> {
        if self.data.validation.is_empty() || self.record.is_none() {
            return Ok(());
        }
        let begun = Instant::now();
        self.swap_average();
        let measured = self.measure(progress, with_bleu);
        self.swap_average();
        // Validation is no training time: keep it out of the tokens per second.
        self.window_start.0 += begun.elapsed();
        measured
    }

    fn swap_average(&mut self) {
        if let Some(average) = &mut self.average {
            average.swap(&self.weights);
        }
    }

    fn measure(&mut self, progress: &Progress, with_bleu: bool) -> Result<()> {
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
        Ok(())
    }

    pub(super) fn probe(&mut self) -> Result<()> {
        let now = Checkpoint {
            step: self.counters.step,
            target_tokens: self.counters.target_tokens,
        };
        let Some(record) = &mut self.record else {
            return Ok(());
        };
        record
            .probes
            .record(&self.folder.probes(), &self.model, self.data.special, now)
    }

    pub(super) fn snapshot(&self) -> Result<()> {
        if self.record.is_none() {
            return Ok(());
        }
        let path = self.folder.snapshot(self.counters.step);
        state::write_weights(&path, &self.header(), &self.weights)?;
        let snapshots = self.folder.snapshots()?;
        let surplus = snapshots
            .len()
            .saturating_sub(self.recipe.training.snapshots_kept.max(1));
        for old in &snapshots[..surplus] {
            disk::remove_file(old).map_err(|e| Error::file(old, e))?;
        }
        Ok(())
    }

    pub(super) fn save(&self) -> Result<()> {
        self.ranks
            .check_same(&self.weights, &format!("after step {}", self.counters.step))?;
        if self.record.is_none() {
            return Ok(());
        }
        state::save(
            &self.folder,
            &self.header(),
            &self.weights,
            &self.adam,
            self.average.as_ref(),
        )
    }

    fn header(&self) -> Header {
        Header::new(&self.data.config, &self.counters)
    }
}
