//! How a log-probability and a length make a score, and the best score that a hypothesis can still reach.

use super::Scoring;

impl Scoring {
    /// What the sum of log-probabilities of `length` pieces is divided by.
    pub(super) fn divisor(self, length: usize) -> f32 {
        let (base, exponent) = match self {
            Self::Wu { alpha } => ((5.0 + length as f64) / 6.0, alpha),
            Self::Hf { length_penalty, .. } => (length as f64, length_penalty),
        };
        base.powf(f64::from(exponent)) as f32
    }

    /// The highest score that a hypothesis with the log-probability `sum` can reach once it has one of
    /// the lengths `shortest..=longest`: no piece has a log-probability above 0, so `sum` only falls, and
    /// the divisor is monotone in the length, so one of the two ends is best.
    pub(super) fn bound(self, sum: f32, shortest: usize, longest: usize) -> f32 {
        (sum / self.divisor(shortest)).max(sum / self.divisor(longest))
    }
}
