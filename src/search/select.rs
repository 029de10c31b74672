//! Choosing candidates: the log-softmax of a row of logits, and the best k continuations without a sort.

use crate::kernels;

/// One continuation of one open hypothesis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// Index of the hypothesis that it continues.
    pub open: usize,
    /// The piece.
    pub token: u32,
    /// ln P(token | prefix, source).
    pub logprob: f32,
    /// What candidates are ordered by.
    pub sum: f32,
}

/// The best k of all candidates offered, best first; of equals the one offered first stays ahead.
#[derive(Debug, Default)]
pub(super) struct Best {
    k: usize,
    kept: Vec<Candidate>,
}

impl Best {
    /// Empties the selection and sets its size.
    pub fn reset(&mut self, k: usize) {
        self.k = k;
        self.kept.clear();
    }

    /// The candidates, best first.
    pub fn kept(&self) -> &[Candidate] {
        &self.kept
    }

    /// A sum that a candidate has to exceed to be kept.
    fn threshold(&self) -> f32 {
        match self.kept.last() {
            Some(worst) if self.kept.len() == self.k => worst.sum,
            _ => f32::NEG_INFINITY,
        }
    }

    /// Keeps a candidate if it is among the best.
    pub fn offer(&mut self, candidate: Candidate) {
        if candidate.sum > self.threshold() {
            if self.kept.len() == self.k {
                self.kept.pop();
            }
            let place = self.kept.partition_point(|c| c.sum >= candidate.sum);
            self.kept.insert(place, candidate);
        }
    }

    /// Offers every piece of a row of logits that `allowed` lets pass, as a continuation of hypothesis
    /// `open` whose pieces so far sum to `sum`; `log_z` is the row's [`log_sum_exp`].
    pub fn offer_row(
        &mut self,
        logits: &[f32],
        log_z: f32,
        open: usize,
        sum: f32,
        allowed: impl Fn(u32) -> bool,
    ) {
        /// Logits compared at once: one maximum of so many rules nearly all of them out.
        const CHUNK: usize = 64;
        for (i, chunk) in logits.chunks(CHUNK).enumerate() {
            if sum + (kernels::max(chunk) - log_z) <= self.threshold() {
                continue;
            }
            for (j, &logit) in chunk.iter().enumerate() {
                let logprob = logit - log_z;
                let token = (i * CHUNK + j) as u32;
                if sum + logprob > self.threshold() && allowed(token) {
                    self.offer(Candidate {
                        open,
                        token,
                        logprob,
                        sum: sum + logprob,
                    });
                }
            }
        }
    }
}

/// ln Σ e^logit of a row, or `None` if one of the logits is not a finite number.
pub(super) fn log_sum_exp(logits: &[f32]) -> Option<f32> {
    /// Sums kept side by side, so that the additions can run in vector lanes.
    const LANES: usize = 8;
    // 0 · x is 0 for a finite x and NaN for every other.
    let mut zeros = [0f32; LANES];
    let (whole, rest) = logits.as_chunks::<LANES>();
    for chunk in whole {
        for (zero, x) in zeros.iter_mut().zip(chunk) {
            *zero += 0.0 * x;
        }
    }
    let finite = zeros.iter().all(|zero| *zero == 0.0) && rest.iter().all(|x| x.is_finite());
    (finite && !logits.is_empty()).then(|| kernels::log_sum_exp(logits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_sum_exp_is_stable_and_refuses_what_is_not_finite() {
        let row: Vec<f32> = (0..19).map(|i| 900.0 + (i as f32) * 0.3).collect();
        let exact = 900.0
            + row
                .iter()
                .map(|x| f64::from(x - 900.0).exp())
                .sum::<f64>()
                .ln();
        assert!((f64::from(log_sum_exp(&row).unwrap()) - exact).abs() < 1e-3);
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for place in [0, 8, 18] {
                let mut row = row.clone();
                row[place] = bad;
                assert_eq!(log_sum_exp(&row), None);
            }
        }
        assert_eq!(log_sum_exp(&[]), None);
    }

    #[test]
    fn selection_equals_a_full_sort() {
        let logits: Vec<f32> = (0..1000u32)
            .map(|i| ((i.wrapping_mul(2_654_435_761)) >> 20) as f32 / 500.0)
            .collect();
        let log_z = log_sum_exp(&logits).unwrap();
        for k in [1, 2, 7, 128] {
            let mut best = Best::default();
            best.reset(k);
            best.offer_row(&logits, log_z, 0, -1.0, |t| t % 3 != 0);
            best.offer_row(&logits, log_z, 1, -1.5, |t| t % 3 != 0);
            let mut all: Vec<(f32, usize, u32)> = Vec::new();
            for (open, sum) in [(0, -1.0f32), (1, -1.5)] {
                all.extend(
                    (0..1000)
                        .filter(|t| t % 3 != 0)
                        .map(|t| (sum + (logits[t as usize] - log_z), open, t)),
                );
            }
            all.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
            let kept: Vec<_> = best
                .kept()
                .iter()
                .map(|c| (c.sum, c.open, c.token))
                .collect();
            assert_eq!(kept, all[..k]);
        }
    }
}
