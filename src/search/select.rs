//! Choosing candidates: the log-softmax of a row of logits, and the best k continuations without a sort.

use crate::kernels;

/// One continuation of one live hypothesis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// Index of the hypothesis that it continues.
    pub hypothesis: usize,
    /// The piece.
    pub token: u32,
    /// ln P(token | prefix, source).
    pub logprob: f32,
    /// What candidates are ordered by.
    pub sum: f32,
}

/// The best k of all candidates pushed, best first; of equals, the one pushed first stays ahead.
#[derive(Debug, Default)]
pub(super) struct TopK {
    k: usize,
    candidates: Vec<Candidate>,
}

impl TopK {
    /// Empties the selection and sets its size.
    pub fn reset(&mut self, k: usize) {
        self.k = k;
        self.candidates.clear();
    }

    /// Replaces the candidates by others, in the order in which they are to be taken.
    pub fn set(&mut self, candidates: Vec<Candidate>) {
        self.k = candidates.len();
        self.candidates = candidates;
    }

    /// The candidates, best first.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Sum that a candidate must exceed to be among the best k.
    fn threshold(&self) -> f32 {
        match self.candidates.last() {
            Some(worst) if self.candidates.len() == self.k => worst.sum,
            _ => f32::NEG_INFINITY,
        }
    }

    /// Inserts a candidate if it is among the best k.
    pub fn push(&mut self, candidate: Candidate) {
        if candidate.sum > self.threshold() {
            if self.candidates.len() == self.k {
                self.candidates.pop();
            }
            let place = self.candidates.partition_point(|c| c.sum >= candidate.sum);
            self.candidates.insert(place, candidate);
        }
    }

    /// Pushes every piece of a row of logits for which `allowed` holds, as a continuation of a hypothesis (its index)
    /// whose log-probabilities so far add up to `sum`; `log_z` is the row's [`log_sum_exp`].
    pub fn push_row(
        &mut self,
        logits: &[f32],
        log_z: f32,
        hypothesis: usize,
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
                    self.push(Candidate {
                        hypothesis,
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
    let finite = kernels::all_finite(logits);
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
            let mut top = TopK::default();
            top.reset(k);
            top.push_row(&logits, log_z, 0, -1.0, |t| t % 3 != 0);
            top.push_row(&logits, log_z, 1, -1.5, |t| t % 3 != 0);
            let mut all: Vec<(f32, usize, u32)> = Vec::new();
            for (hypothesis, sum) in [(0, -1.0f32), (1, -1.5)] {
                all.extend(
                    (0..1000)
                        .filter(|t| t % 3 != 0)
                        .map(|t| (sum + (logits[t as usize] - log_z), hypothesis, t)),
                );
            }
            all.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
            let candidates: Vec<_> = top
                .candidates()
                .iter()
                .map(|c| (c.sum, c.hypothesis, c.token))
                .collect();
            assert_eq!(candidates, all[..k]);
        }
    }
}
