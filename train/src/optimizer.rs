//! Adam with the paper's constants and schedule (§5.3), on plain tensors so that its moments can be saved.

use crate::model::Weights;
use serde::{Deserialize, Serialize};
use tch::Tensor;

const BETA1: f64 = 0.9;
const BETA2: f64 = 0.98;
const EPSILON: f64 = 1e-9;
/// Rows updated at a time, so that a large embedding's intermediate values stay in the processor's cache.
const ROWS: i64 = 512;

/// The learning rate over steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// Steps of linear growth; the paper has 4000.
    pub warmup_steps: u64,
    /// Factor on eq. 3; the paper has 1.
    #[serde(default = "one")]
    pub lr_scale: f64,
    /// Last step of a linear descent to zero that starts at `cooldown_start` (not the paper's).
    #[serde(default)]
    pub cooldown: Option<Cooldown>,
}

/// A linear descent of the learning rate to zero.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cooldown {
    /// First step of the descent.
    pub start: u64,
    /// Step at which the rate would be zero.
    pub end: u64,
}

fn one() -> f64 {
    1.0
}

impl Schedule {
    /// d_model^−0.5 · min(step^−0.5, step · warmup^−1.5) (eq. 3), scaled and cooled down. Steps count from 1.
    pub fn learning_rate(&self, step: u64, d_model: usize) -> f64 {
        let (s, w) = (step.max(1) as f64, self.warmup_steps.max(1) as f64);
        let rate = (d_model as f64).powf(-0.5) * s.powf(-0.5).min(s * w.powf(-1.5));
        let cooled = match self.cooldown {
            Some(Cooldown { start, end }) if step > start => (end.saturating_sub(step) as f64
                / (end.saturating_sub(start)).max(1) as f64)
                .max(0.0),
            _ => 1.0,
        };
        rate * self.lr_scale * cooled
    }
}

/// First and second moments of every weight, in the weights' order.
pub struct Adam {
    /// Moving mean of the gradients.
    pub first: Vec<Tensor>,
    /// Moving mean of their squares.
    pub second: Vec<Tensor>,
}

impl Adam {
    /// Zero moments.
    pub fn new(weights: &Weights) -> Self {
        let zeros = || {
            weights
                .iter()
                .map(|(_, t)| t.zeros_like().detach())
                .collect()
        };
        Self {
            first: zeros(),
            second: zeros(),
        }
    }

    /// One update from the gradients that the weights have gathered, which are then cleared; `step` counts from 1.
    /// Gradients whose norm over all weights exceeds `clip` are scaled down to it.
    pub fn step(&mut self, weights: &Weights, step: u64, learning_rate: f64, clip: Option<f64>) {
        tch::no_grad(|| {
            let scale = clip.map(|limit| {
                let norms: Vec<Tensor> = weights
                    .iter()
                    .map(|(_, w)| w.grad())
                    .filter(Tensor::defined)
                    .map(|g| g.norm())
                    .collect();
                let norm = Tensor::stack(&norms, 0).norm().double_value(&[]);
                // As PyTorch's clip_grad_norm_.
                (limit / (norm + 1e-6)).min(1.0)
            });
            // θ −= lr/(1−β₁ᵗ) · m / (√(v/(1−β₂ᵗ)) + ε), with the factor moved into the denominator.
            let t = step as f64;
            let factor = -(1.0 - BETA1.powf(t)) / learning_rate;
            let root = (1.0 - BETA2.powf(t)).powf(-0.5);
            for ((_, weight), (first, second)) in
                weights.iter().zip(self.first.iter().zip(&self.second))
            {
                let mut gradient = weight.grad();
                if !gradient.defined() {
                    continue;
                }
                if let Some(scale) = scale.filter(|&s| s < 1.0) {
                    let _ = gradient.g_mul_scalar_(scale);
                }
                if learning_rate > 0.0 {
                    let rows = weight.size()[0];
                    for start in (0..rows).step_by(ROWS as usize) {
                        let part = |t: &Tensor| t.narrow(0, start, ROWS.min(rows - start));
                        let (mut w, g, mut m, mut v) =
                            (part(weight), part(&gradient), part(first), part(second));
                        let _ = m.lerp_(&g, 1.0 - BETA1);
                        let _ = v.lerp_(&g.square(), 1.0 - BETA2);
                        let denominator = v
                            .sqrt()
                            .g_mul_scalar_(root * factor)
                            .g_add_scalar_(EPSILON * factor);
                        let _ = w.addcdiv_(&m, &denominator);
                    }
                }
                let _ = gradient.zero_();
            }
        });
    }
}
