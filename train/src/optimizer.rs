//! Adam with the paper's constants and schedule (§5.3), on plain tensors so that its moments can be saved.

use crate::model::{Weights, flatten};
use serde::{Deserialize, Serialize};
use tch::{Device, Tensor};

const BETA1: f64 = 0.9;
const BETA2: f64 = 0.98;
const EPSILON: f64 = 1e-9;
/// Numbers that a processor updates at a time, so that intermediate values stay in its cache.
const SHARE: i64 = 1 << 16;

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
    /// Both, with the numbers of all weights one after another.
    flat: [Tensor; 2],
}

impl Adam {
    /// Zero moments.
    pub fn new(weights: &Weights) -> Self {
        let zeros: Vec<Tensor> = weights
            .iter()
            .map(|(_, t)| t.zeros_like().detach())
            .collect();
        Self::with_moments(&zeros, &zeros)
    }

    /// Copies of these moments, in the weights' order.
    pub fn with_moments(first: &[Tensor], second: &[Tensor]) -> Self {
        let flat = |moments: &[Tensor]| flatten(&moments.iter().collect::<Vec<_>>());
        let ((flat_first, first), (flat_second, second)) = (flat(first), flat(second));
        Self {
            first,
            second,
            flat: [flat_first, flat_second],
        }
    }

    /// One update from the gradients that the weights have gathered, which are then cleared. False if a gradient is not
    /// finite: then nothing but that happens.
    pub fn step(&mut self, weights: &Weights, update: Update) -> bool {
        tch::no_grad(|| {
            let gradient = weights.flat_gradient();
            clear(weights);
            let norm = gradient.norm().double_value(&[]);
            if !norm.is_finite() {
                return false;
            }
            // As PyTorch's clip_grad_norm_.
            let shrink = update
                .clip
                .map_or(1.0, |limit| (limit / (norm + 1e-6)).min(1.0));
            let parts = self.parts(weights, &gradient);
            let share = parts.len().div_ceil(update.threads.max(1)).max(1);
            let mut parts = parts.into_iter();
            std::thread::scope(|scope| {
                loop {
                    let some: Vec<Part> = parts.by_ref().take(share).collect();
                    if some.is_empty() {
                        break;
                    }
                    scope.spawn(move || {
                        tch::no_grad(|| some.into_iter().for_each(|p| p.update(update, shrink)))
                    });
                }
            });
            true
        })
    }

    /// Everything that a step changes: in shares of a processor's cache, on a GPU in one.
    fn parts(&self, weights: &Weights, gradient: &Tensor) -> Vec<Part> {
        let numbers = gradient.numel() as i64;
        let share = match gradient.device() {
            Device::Cpu => SHARE,
            _ => numbers,
        };
        let [first, second] = &self.flat;
        let starts = (0..numbers).step_by(share as usize);
        let part = |start| {
            let part = |t: &Tensor| t.narrow(0, start, share.min(numbers - start));
            Part {
                weight: part(weights.flat()),
                gradient: part(gradient),
                first: part(first),
                second: part(second),
            }
        };
        starts.map(part).collect()
    }
}

/// What one update needs beside gradients.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    /// Number of this step, counted from 1.
    pub step: u64,
    /// Learning rate of this step.
    pub learning_rate: f64,
    /// Gradients whose norm over all weights exceeds this are scaled down to it.
    pub clip: Option<f64>,
    /// Threads that share the work; the result does not depend on them.
    pub threads: usize,
}

/// Some of the weights with what belongs to them.
struct Part {
    weight: Tensor,
    gradient: Tensor,
    first: Tensor,
    second: Tensor,
}

impl Part {
    /// θ −= lr/(1−β₁ᵗ) · m / (√(v/(1−β₂ᵗ)) + ε), with the factor moved into the denominator.
    fn update(mut self, update: Update, shrink: f64) {
        if update.learning_rate > 0.0 {
            if shrink < 1.0 {
                let _ = self.gradient.g_mul_scalar_(shrink);
            }
            let t = update.step as f64;
            let factor = -(1.0 - BETA1.powf(t)) / update.learning_rate;
            let root = (1.0 - BETA2.powf(t)).powf(-0.5);
            let _ = self.first.lerp_(&self.gradient, 1.0 - BETA1);
            let _ = self.second.lerp_(&self.gradient.square(), 1.0 - BETA2);
            let mut denominator = self.second.sqrt();
            let _ = denominator
                .g_mul_scalar_(root * factor)
                .g_add_scalar_(EPSILON * factor);
            let _ = self.weight.addcdiv_(&self.first, &denominator);
        }
    }
}

/// Sets all gradients to zero.
pub fn clear(weights: &Weights) {
    tch::no_grad(|| {
        for mut gradient in weights.gradients() {
            let _ = gradient.zero_();
        }
    });
}

/// An exponential moving average of the weights (as Marian's `exponential-smoothing`).
pub struct MovingAverage {
    /// The averages, in the weights' order.
    pub weights: Vec<Tensor>,
    rate: f64,
}

impl MovingAverage {
    /// An average that moves by `rate` of the difference a step, and begins at these weights.
    pub fn new(weights: &Weights, rate: f64) -> Self {
        let copies = weights.iter().map(|(_, t)| t.detach().copy());
        Self {
            weights: copies.collect(),
            rate,
        }
    }

    /// Moves towards the weights after a step, counted from 1; faster in the beginning, so that random weights are soon
    /// forgotten.
    pub fn update(&mut self, weights: &Weights, step: u64) {
        let rate = self.rate.max(9.0 / (step as f64 + 9.0));
        tch::no_grad(|| {
            for (average, (_, weight)) in self.weights.iter_mut().zip(weights.iter()) {
                let _ = average.lerp_(weight, rate);
            }
        });
    }

    /// Exchanges the averages with the weights, so that all that reads the weights sees the averages, until the next call.
    pub fn swap(&mut self, weights: &Weights) {
        tch::no_grad(|| {
            for (average, (_, weight)) in self.weights.iter_mut().zip(weights.iter()) {
                let (kept, mut weight) = (average.copy(), weight.shallow_clone());
                average.copy_(&weight);
                weight.copy_(&kept);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tch::Kind;
    use translucent::Config;

    fn values(weights: &Weights) -> Vec<Tensor> {
        weights.iter().map(|(_, t)| t.detach().copy()).collect()
    }

    #[test]
    fn a_gradient_that_is_not_finite_changes_nothing_and_is_cleared() {
        let weights = Weights::random(&Config::tiny(37), 1, Device::Cpu).trainable();
        let mut adam = Adam::new(&weights);
        let mut step = |factor: f64| {
            for (_, weight) in weights.iter() {
                (weight * factor).sum(Kind::Float).backward();
            }
            let update = Update {
                step: 1,
                learning_rate: 0.1,
                clip: None,
                threads: 2,
            };
            adam.step(&weights, update)
        };
        let before = values(&weights);
        assert!(!step(f64::INFINITY));
        assert!(
            before
                .iter()
                .zip(values(&weights))
                .all(|(a, b)| a.equal(&b))
        );
        // Nothing of it is left in the next step's gradient or in the moments.
        assert!(step(1.0));
        assert!(
            before
                .iter()
                .zip(values(&weights))
                .all(|(a, b)| !a.equal(&b))
        );
        assert!(
            values(&weights)
                .iter()
                .all(|t| t.isfinite().all().int64_value(&[]) == 1)
        );
    }

    #[test]
    fn a_moving_average_follows_the_weights_slowly() {
        let weights = Weights::random(&Config::tiny(37), 1, Device::Cpu);
        let mut average = MovingAverage::new(&weights, 0.25);
        for (_, weight) in weights.iter() {
            let _ = weight.shallow_clone().fill_(1.0);
        }
        let first = average.weights[0].copy();
        average.update(&weights, 1000);
        let expected = &first * 0.75 + 0.25;
        assert!(average.weights[0].allclose(&expected, 1e-5, 1e-6, false));
        // Weights of 1 and averages change places, and back.
        average.swap(&weights);
        let (_, weight) = weights.iter().next().unwrap();
        assert!(weight.allclose(&expected, 1e-5, 1e-6, false));
        assert_eq!(average.weights[0].min().double_value(&[]), 1.0);
        average.swap(&weights);
        // After the first step nine tenths are the new weights.
        average.update(&weights, 1);
        let expected = expected * 0.1 + 0.9;
        assert!(average.weights[0].allclose(&expected, 1e-5, 1e-6, false));
    }
}
