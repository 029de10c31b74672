//! Adam with the paper's constants and schedule (§5.3).

use serde::Serialize;

/// β₁.
pub const BETA1: f64 = 0.9;
/// β₂.
pub const BETA2: f64 = 0.98;
/// ε.
pub const EPSILON: f64 = 1e-9;

/// The learning rate over steps (eq. 3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Steps of linear growth; 0 starts at the top.
    pub warmup_steps: u64,
    /// Factor on eq. 3.
    pub factor: f64,
}

impl Schedule {
    /// factor · d_model^−0.5 · min(step^−0.5, step · warmup_steps^−1.5); steps count from 1.
    pub fn learning_rate(&self, step: u64, d_model: usize) -> f64 {
        let step = step.max(1) as f64;
        let growth = match self.warmup_steps {
            0 => f64::INFINITY,
            warmup => step * (warmup as f64).powf(-1.5),
        };
        self.factor * (d_model as f64).powf(-0.5) * step.powf(-0.5).min(growth)
    }
}

/// First and second moments of every weight.
#[derive(Clone, Debug)]
pub struct Adam {
    /// m: moving mean of the gradients.
    pub first: Vec<f32>,
    /// v: moving mean of their squares.
    pub second: Vec<f32>,
    /// Updates so far.
    pub steps: u64,
}

/// One weight's update taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Update {
    /// The gradient.
    pub gradient: f32,
    /// m after this step.
    pub first: f32,
    /// v after this step.
    pub second: f32,
    /// m / (1 − β₁ᵗ).
    pub first_corrected: f64,
    /// v / (1 − β₂ᵗ).
    pub second_corrected: f64,
    /// Change of the weight.
    pub change: f64,
}

impl Adam {
    /// Zero moments of `weights` weights.
    pub fn new(weights: usize) -> Self {
        Self {
            first: vec![0.0; weights],
            second: vec![0.0; weights],
            steps: 0,
        }
    }

    /// One update: θ −= lr · m̂ / (√v̂ + ε).
    ///
    /// # Shapes
    /// `values`, `gradient`: all weights.
    pub fn step(&mut self, values: &mut [f32], gradient: &[f32], learning_rate: f64) {
        self.steps += 1;
        let (first_share, second_share) = self.corrections();
        let (new_first, new_second) = ((1.0 - BETA1) as f32, (1.0 - BETA2) as f32);
        let rate = (learning_rate / first_share) as f32;
        let root = (1.0 / second_share.sqrt()) as f32;
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((value, g), (m, v)) in values.iter_mut().zip(gradient).zip(moments) {
            *m += (g - *m) * new_first;
            *v += (g * g - *v) * new_second;
            *value -= rate * *m / (v.sqrt() * root + EPSILON as f32);
        }
    }

    /// The last step's update of one weight, given its gradient.
    pub fn explain(&self, weight: usize, gradient: f32, learning_rate: f64) -> Update {
        let (first_share, second_share) = self.corrections();
        let (first, second) = (self.first[weight], self.second[weight]);
        let first_corrected = f64::from(first) / first_share;
        let second_corrected = f64::from(second) / second_share;
        Update {
            gradient,
            first,
            second,
            first_corrected,
            second_corrected,
            change: -learning_rate * first_corrected / (second_corrected.sqrt() + EPSILON),
        }
    }

    /// 1 − β₁ᵗ and 1 − β₂ᵗ.
    fn corrections(&self) -> (f64, f64) {
        let t = self.steps.max(1) as f64;
        (1.0 - BETA1.powf(t), 1.0 - BETA2.powf(t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_peaks_at_the_end_of_the_warm_up() {
        let schedule = Schedule {
            warmup_steps: 4000,
            factor: 1.0,
        };
        // The paper's base model: 512^−0.5 · 4000^−0.5.
        assert!((schedule.learning_rate(4000, 512) - 6.987_712e-4).abs() < 1e-9);
        assert!(schedule.learning_rate(3999, 512) < schedule.learning_rate(4000, 512));
        assert!(schedule.learning_rate(4001, 512) < schedule.learning_rate(4000, 512));
    }

    #[test]
    fn an_explained_update_is_the_one_that_was_made() {
        let (mut values, gradient) = ([0.5f32, -1.0], [0.3f32, -0.002]);
        let mut adam = Adam::new(2);
        for _ in 0..3 {
            let before = values;
            adam.step(&mut values, &gradient, 0.01);
            for i in 0..2 {
                let change = adam.explain(i, gradient[i], 0.01).change;
                assert!((f64::from(values[i] - before[i]) - change).abs() < 1e-6);
            }
        }
    }
}
