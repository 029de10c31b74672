//! Options of a search.

use super::Sampling;
use crate::trace::Intervention;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// When a beam search of `transformers` stops (`early_stopping` in `generation_config.json`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EarlyStopping {
    /// `true`: as soon as `beam` hypotheses are finished.
    Yes,
    /// `false`: when the best open hypothesis, at its present length, cannot beat the worst finished one.
    No,
    /// `"never"`: when no open hypothesis can win at any length.
    Never,
}

/// How hypotheses of different length are compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    rename_all = "snake_case",
    rename_all_fields = "camelCase",
    tag = "kind"
)]
pub enum Scoring {
    /// log P / lp, lp = ((5 + length) / 6)^α (Wu et al., 2016, eq. 14; the paper's §6.1 with α = 0.6).
    Wu {
        /// α; 0 compares plain log-probabilities.
        alpha: f32,
    },
    /// log P / length^length_penalty, as `transformers` scores.
    Hf {
        /// Exponent of the length.
        length_penalty: f32,
        /// When to stop.
        early_stopping: EarlyStopping,
    },
}

/// Options of one search. `Default` is the paper's: beam 4, α = 0.6, at most input length + 50 (§6.1).
///
/// ```
/// use translucent::search::{Scoring, SearchOptions};
///
/// let mut search = SearchOptions::default().with_beam(6).with_n_best(3);
/// search.scoring = Scoring::Wu { alpha: 1.0 };
/// assert!(search.validate().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SearchOptions {
    /// Beam size: number of live hypotheses; 1 is greedy.
    pub beam: usize,
    /// Comparison of hypotheses.
    pub scoring: Scoring,
    /// Longest output is the input's length in pieces (with end mark) plus this.
    pub max_extra: usize,
    /// Number of hypotheses that `Done` returns, at most `beam`.
    pub n_best: usize,
    /// The target begins with these pieces, forced, and the search continues from there. A prefix that ends
    /// with the end mark is a whole translation: it is scored and observed, nothing is searched.
    pub prefix: Vec<u32>,
    /// No n-gram of this length may occur twice; 0: no guard.
    pub no_repeat_ngram: usize,
    /// Whether the pieces that may come next share all of the probability, as `renormalize_logits` of
    /// `generation_config.json` sets it: banned pieces are then left out of the softmax' sum.
    pub renormalize: bool,
    /// Draws pieces at random instead of searching; `beam` is 1.
    pub sampling: Option<Sampling>,
    /// How many alternatives [`super::Batch::alternatives`] gives for each piece.
    pub alternatives: usize,
    /// Changes to the model.
    pub intervention: Intervention,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            beam: 4,
            scoring: Scoring::Wu { alpha: 0.6 },
            max_extra: 50,
            n_best: 1,
            prefix: Vec::new(),
            no_repeat_ngram: 0,
            renormalize: false,
            sampling: None,
            alternatives: 0,
            intervention: Intervention::default(),
        }
    }
}

impl SearchOptions {
    /// Largest beam that is accepted.
    pub const MAX_BEAM: usize = 64;

    /// The same with this many live hypotheses.
    pub fn with_beam(self, beam: usize) -> Self {
        Self { beam, ..self }
    }

    /// The same that returns this many hypotheses, at most `beam`.
    pub fn with_n_best(self, n_best: usize) -> Self {
        Self { n_best, ..self }
    }

    /// The same with outputs of at most the input's length plus this.
    pub fn with_max_extra(self, max_extra: usize) -> Self {
        Self { max_extra, ..self }
    }

    /// The same that draws its pieces at random, one hypothesis alone.
    pub fn with_sampling(self, sampling: Sampling) -> Self {
        Self {
            sampling: Some(sampling),
            beam: 1,
            n_best: 1,
            ..self
        }
    }

    /// Checks every field's domain.
    ///
    /// # Errors
    /// [`Error::RequestInvalid`] naming the field and its domain.
    pub fn validate(&self) -> Result<()> {
        let fail = |field, reason| Err(Error::RequestInvalid { field, reason });
        if !(1..=Self::MAX_BEAM).contains(&self.beam) {
            return fail(
                "beam",
                format!("is {}, it must be 1 to {}", self.beam, Self::MAX_BEAM),
            );
        }
        if !(1..=self.beam).contains(&self.n_best) {
            return fail(
                "nBest",
                format!("is {}, it must be 1 to beam ({})", self.n_best, self.beam),
            );
        }
        if let Some(sampling) = &self.sampling {
            sampling.validate()?;
            if self.beam > 1 {
                return fail(
                    "beam",
                    format!("is {}, it must be 1 with `sampling`", self.beam),
                );
            }
        }
        let exponent = match self.scoring {
            Scoring::Wu { alpha } => alpha,
            Scoring::Hf { length_penalty, .. } => length_penalty,
        };
        if !exponent.is_finite() {
            return fail(
                "scoring",
                format!("exponent is {exponent}, it must be a finite number"),
            );
        }
        Ok(())
    }
}
