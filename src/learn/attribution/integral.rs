//! Integrated gradients by midpoints that stand closer where the log-probability changes quickly.
//!
//! Between no pieces and all of them log p often jumps within a few hundredths of the path: equal steps miss that. So the
//! path is cut in thirds where the midpoint's gradient explains the change of log p across it worst.

use super::{Attributor, Shares};

/// Gradients that are computed at least, and at most, where the shares do not add up well before.
pub const STEPS: usize = 32;
const MOST_STEPS: usize = 64;
/// The sum of shares may be off the difference of log-probabilities by this part of it.
pub const TOLERANCE: f64 = 0.05;
/// Equal parts of the path to begin with.
const PARTS: usize = 4;
/// Parts that are cut at a time.
const CUTS: usize = 2;

/// Integrated gradients (Sundararajan et al., 2017), as far as they have come.
#[derive(Clone, Debug, Default)]
pub struct Integral {
    /// Gradients computed.
    pub steps: usize,
    /// log p(piece) at the baseline: every embedding zero.
    pub baseline: f64,
    /// log p(piece) of the whole sentence, less that of the baseline: what the shares add up to but for their error.
    pub difference: f64,
    /// Integrated gradients of each piece.
    pub shares: Shares,
}

impl Integral {
    /// Sum of all shares.
    pub fn sum(&self) -> f64 {
        sum(&self.shares)
    }

    /// How far the sum is off the difference, as a part of it.
    pub fn error(&self) -> f64 {
        (self.sum() - self.difference).abs() / self.difference.abs().max(f64::MIN_POSITIVE)
    }

    /// Whether nothing is left to be computed.
    pub fn is_done(&self) -> bool {
        let enough = self.steps >= STEPS && self.error() <= TOLERANCE;
        enough || self.steps >= MOST_STEPS
    }
}

fn sum(shares: &Shares) -> f64 {
    let all = shares.source.iter().chain(&shares.input);
    all.map(|share| f64::from(*share)).sum()
}

/// A part of the path.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its ends, as shares of the embeddings, and log p there.
    from: (f32, f64),
    to: (f32, f64),
    /// Gradient × input at its middle.
    middle: Shares,
}

impl Part {
    fn width(&self) -> f32 {
        self.to.0 - self.from.0
    }

    /// How far its midpoint is off the change of log p.
    fn error(&self) -> f64 {
        (f64::from(self.width()) * sum(&self.middle) - (self.to.1 - self.from.1)).abs()
    }
}

impl Attributor {
    /// Goes on with the integrated gradients of the piece that was asked about, until [`Integral::is_done`].
    pub fn integrate(&mut self) -> Integral {
        let mut parts = std::mem::take(&mut self.parts);
        if parts.is_empty() {
            let ends: Vec<f32> = (0..PARTS).map(|i| i as f32 / PARTS as f32).collect();
            self.repeat(PARTS);
            let logprobs = self.logprobs(Some(&ends));
            let mut points: Vec<(f32, f64)> = ends.into_iter().zip(logprobs).collect();
            points.push((1.0, self.question.logprob));
            parts = self.halved(points.windows(2).map(|ends| (ends[0], ends[1])).collect());
        } else if !integral(&parts).is_done() {
            parts.sort_by(|a, b| a.error().total_cmp(&b.error()));
            let worst = parts.split_off(parts.len() - CUTS);
            let inner: Vec<f32> = worst
                .iter()
                .flat_map(|part| [1.0, 2.0].map(|i| part.from.0 + i / 3.0 * part.width()))
                .collect();
            self.repeat(inner.len());
            let logprobs = self.logprobs(Some(&inner));
            let inner: Vec<(f32, f64)> = inner.into_iter().zip(logprobs).collect();
            let mut outer = Vec::new();
            for (part, ends) in worst.into_iter().zip(inner.chunks_exact(2)) {
                outer.extend([(part.from, ends[0]), (ends[1], part.to)]);
                // The middle third has the midpoint of the whole.
                parts.push(Part {
                    from: ends[0],
                    to: ends[1],
                    ..part
                });
            }
            parts.append(&mut self.halved(outer));
        }
        let found = integral(&parts);
        self.parts = parts;
        found
    }

    /// Parts between those ends, with the gradients at their middles.
    fn halved(&mut self, ends: Vec<((f32, f64), (f32, f64))>) -> Vec<Part> {
        let middles: Vec<f32> = ends.iter().map(|(a, b)| (a.0 + b.0) / 2.0).collect();
        self.repeat(middles.len());
        self.logprobs(Some(&middles));
        let found = self.saliency();
        let (m, n) = (self.question.source.len(), self.question.input.len());
        let rows = found
            .source
            .chunks_exact(m)
            .zip(found.input.chunks_exact(n));
        ends.into_iter()
            .zip(rows)
            .map(|((from, to), (source, input))| Part {
                from,
                to,
                middle: Shares {
                    source: source.to_vec(),
                    input: input.to_vec(),
                },
            })
            .collect()
    }
}

fn integral(parts: &[Part]) -> Integral {
    let weighted = |of: fn(&Shares) -> &[f32]| -> Vec<f32> {
        let mut total = vec![0.0; parts.first().map_or(0, |part| of(&part.middle).len())];
        for part in parts {
            let pairs = total.iter_mut().zip(of(&part.middle));
            pairs.for_each(|(total, share)| *total += part.width() * share);
        }
        total
    };
    let at = |share: f32| {
        let mut ends = parts.iter().flat_map(|part| [part.from, part.to]);
        ends.find(|end| end.0 == share)
            .map_or(f64::NAN, |end| end.1)
    };
    Integral {
        steps: parts.len(),
        baseline: at(0.0),
        difference: at(1.0) - at(0.0),
        shares: Shares {
            source: weighted(|shares| &shares.source),
            input: weighted(|shares| &shares.input),
        },
    }
}
