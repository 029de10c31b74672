//! Sampling: the next piece is drawn at random instead of being the likeliest. A temperature sharpens or flattens the
//! distribution, top-k (Fan et al., 2018) and top-p (Holtzman et al., 2020) cut its tail off.

use crate::random::{SplitMix64, mix};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// How pieces are drawn. `Default` draws from the model's own distribution.
///
/// ```
/// use translucent::search::{Sampling, SearchOptions};
///
/// let mut sampling = Sampling::default();
/// sampling.temperature = 0.8;
/// sampling.top_k = 40;
/// let search = SearchOptions::default().with_sampling(sampling);
/// assert!(search.validate().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Sampling {
    /// What logits are divided by before the softmax: below 1 likely pieces become likelier, above 1 less likely.
    pub temperature: f32,
    /// Only the k likeliest pieces are drawn; 0: all.
    pub top_k: usize,
    /// Of these, only the likeliest whose probabilities add up to at least this; 1: all.
    pub top_p: f32,
    /// With the same seed a sentence is drawn alike, on every machine and in every batch.
    pub seed: u32,
}

impl Default for Sampling {
    fn default() -> Self {
        Self {
            temperature: 1.0,
            top_k: 0,
            top_p: 1.0,
            seed: 0,
        }
    }
}

/// Why a piece could not be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    /// It may not follow at all: a special piece, or one that would repeat an n-gram.
    Banned,
    /// It is none of the k likeliest.
    TopK,
    /// The likelier ones add up to p without it.
    TopP,
}

/// A piece's probability before and after the cuts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Odds {
    /// At the temperature, among all pieces that may follow.
    pub tempered: f32,
    /// Of being drawn; 0 where it is cut off.
    pub share: f32,
    /// What cut it off.
    pub cut: Option<Cut>,
}

/// How one piece was drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Draw {
    /// The random number, in [0, 1). The shares, likeliest piece first, were added up until they exceeded it.
    pub uniform: f32,
    /// Number of pieces that could be drawn.
    pub kept: usize,
    /// Place of the drawn piece among them, 1 the likeliest.
    pub rank: usize,
    /// Probability with which it was drawn.
    pub share: f32,
    /// The odds of each alternative of the step.
    pub odds: Vec<Odds>,
}

impl Sampling {
    /// Checks every field's domain.
    pub(super) fn validate(&self) -> Result<()> {
        let fail = |field, reason| Err(Error::RequestInvalid { field, reason });
        if !(self.temperature > 0.0 && self.temperature.is_finite()) {
            return fail(
                "temperature",
                format!(
                    "is {}, it must be a finite number above 0; `beam` 1 without sampling takes the likeliest piece",
                    self.temperature
                ),
            );
        }
        if !(self.top_p > 0.0 && self.top_p <= 1.0) {
            return fail(
                "topP",
                format!("is {}, it must be above 0 and at most 1", self.top_p),
            );
        }
        Ok(())
    }

    /// State from which a sentence's random numbers come.
    pub(super) fn stream(&self, source: &[u32]) -> u64 {
        let start = mix(u64::from(self.seed));
        source
            .iter()
            .fold(start, |state, id| mix(state ^ u64::from(*id)))
    }
}

/// The random number of a step, in [0, 1).
pub(super) fn uniform(stream: u64, step: usize) -> f64 {
    SplitMix64::new(stream ^ mix(step as u64)).next_f64()
}

/// The pieces that may follow, likeliest first, with their probabilities at a temperature.
#[derive(Debug)]
pub(super) struct Ranked {
    /// Piece and probability.
    pieces: Vec<(u32, f64)>,
    /// How many top-k leaves, and how many of those top-p leaves.
    left_by: [usize; 2],
    /// Probability of what is left.
    mass: f64,
}

impl Ranked {
    /// Ranks the pieces of a row of logits but the `excluded` ones. `raised` is a piece that may follow all the same, with
    /// its logit. At least the first `listed` pieces are kept, whatever is cut.
    pub fn new(
        sampling: &Sampling,
        logits: &[f32],
        excluded: &[u32],
        raised: Option<(u32, f32)>,
        listed: usize,
    ) -> Self {
        let mut allowed = vec![true; logits.len()];
        for id in excluded {
            if let Some(allowed) = allowed.get_mut(*id as usize) {
                *allowed = false;
            }
        }
        let row = logits.iter().zip(&allowed).enumerate();
        let row = row.filter(|(_, (_, allowed))| **allowed);
        let mut pieces: Vec<(u32, f64)> = row
            .map(|(id, (logit, _))| (id as u32, f64::from(*logit)))
            .collect();
        pieces.extend(raised.map(|(id, logit)| (id, f64::from(logit))));
        let max = pieces.iter().map(|(_, x)| *x).fold(f64::MIN, f64::max);
        let mut sum = 0.0;
        for (_, x) in &mut pieces {
            *x = ((*x - max) / f64::from(sampling.temperature)).exp();
            sum += *x;
        }
        // Of equals, the one that stands first in the vocabulary.
        let order = |a: &(u32, f64), b: &(u32, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        let by_k = match sampling.top_k {
            0 => pieces.len(),
            k => k.min(pieces.len()),
        };
        let ranked = by_k.max(listed.min(pieces.len()));
        if ranked < pieces.len() {
            pieces.select_nth_unstable_by(ranked, order);
            pieces.truncate(ranked);
        }
        pieces.sort_unstable_by(order);
        for (_, p) in &mut pieces {
            *p /= sum;
        }
        let total: f64 = pieces[..by_k].iter().map(|(_, p)| p).sum();
        let (mut by_p, mut mass) = (by_k, total);
        if sampling.top_p < 1.0 {
            (by_p, mass) = (0, 0.0);
            while by_p < by_k && mass < f64::from(sampling.top_p) * total {
                mass += pieces[by_p].1;
                by_p += 1;
            }
        }
        Self {
            pieces,
            left_by: [by_k, by_p],
            mass,
        }
    }

    /// The pieces that can be drawn, likeliest first, each with its share.
    pub fn shares(&self) -> impl Iterator<Item = (u32, f64)> {
        let left = self.pieces[..self.left_by[1]].iter();
        left.map(|(id, p)| (*id, p / self.mass))
    }

    /// The piece that a random number in [0, 1) stands for, with its place and share; `None` if no piece may follow.
    pub fn draw(&self, uniform: f64) -> Option<(u32, usize, f64)> {
        let mut sum = 0.0;
        let mut last = None;
        for (at, (id, share)) in self.shares().enumerate() {
            last = Some((id, at + 1, share));
            sum += share;
            // Rounding may leave the whole sum below `uniform`: then it is the last piece.
            if sum > uniform {
                break;
            }
        }
        last
    }

    /// How a random number chose, with the odds of these pieces.
    pub fn report(&self, uniform: f64, alternatives: &[(u32, f32)]) -> Option<Draw> {
        let (_, rank, share) = self.draw(uniform)?;
        Some(Draw {
            uniform: uniform as f32,
            kept: self.left_by[1],
            rank,
            share: share as f32,
            odds: alternatives.iter().map(|(id, _)| self.odds(*id)).collect(),
        })
    }

    /// The odds of one piece.
    fn odds(&self, id: u32) -> Odds {
        let Some(at) = self.pieces.iter().position(|(other, _)| *other == id) else {
            return Odds {
                tempered: 0.0,
                share: 0.0,
                cut: Some(Cut::Banned),
            };
        };
        let tempered = self.pieces[at].1;
        let [by_k, by_p] = self.left_by;
        let (share, cut) = match at {
            at if at < by_p => (tempered / self.mass, None),
            at if at < by_k => (0.0, Some(Cut::TopP)),
            _ => (0.0, Some(Cut::TopK)),
        };
        Odds {
            tempered: tempered as f32,
            share: share as f32,
            cut,
        }
    }
}

#[cfg(test)]
mod tests;
