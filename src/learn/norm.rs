//! Layer norm of a residual sum, and its backward pass (§3.1).

use crate::parameters::Parameters;
use std::ops::Range;

/// As in a Marian folder.
const EPSILON: f32 = 1e-5;

/// Where a layer norm's gain and bias (d_model) lie.
#[derive(Clone, Debug)]
pub struct Norm {
    gain: Range<usize>,
    bias: Range<usize>,
}

/// What the backward pass needs of a forward one.
#[derive(Clone, Debug, Default)]
pub struct NormState {
    /// (x − mean) / deviation (rows, d_model)
    normalized: Vec<f32>,
    /// 1 / deviation (rows)
    inverse: Vec<f32>,
}

impl Norm {
    /// The norm of that name.
    pub fn new(parameters: &Parameters, name: &str) -> Self {
        Self {
            gain: parameters.range(&format!("{name}.weight")),
            bias: parameters.range(&format!("{name}.bias")),
        }
    }

    /// LayerNorm(x + sublayer), both (rows, d_model), to `y`.
    ///
    /// # Shapes
    /// `values`: all weights; `x`, `sublayer`, `y`: (rows, d_model).
    pub fn forward(
        &self,
        values: &[f32],
        x: &[f32],
        sublayer: &[f32],
        state: &mut NormState,
        y: &mut Vec<f32>,
    ) {
        let (gain, bias) = (&values[self.gain.clone()], &values[self.bias.clone()]);
        let d = gain.len();
        state.normalized.resize(x.len(), 0.0);
        state.inverse.resize(x.len() / d, 0.0);
        y.resize(x.len(), 0.0);
        let rows = x.chunks_exact(d).zip(sublayer.chunks_exact(d));
        let state_rows = state.normalized.chunks_exact_mut(d).zip(&mut state.inverse);
        for (((x, sublayer), (normalized, inverse)), y) in
            rows.zip(state_rows).zip(y.chunks_exact_mut(d))
        {
            for ((sum, x), s) in normalized.iter_mut().zip(x).zip(sublayer) {
                *sum = x + s;
            }
            let mean = normalized.iter().sum::<f32>() / d as f32;
            let variance = normalized
                .iter()
                .map(|v| (v - mean) * (v - mean))
                .sum::<f32>()
                / d as f32;
            *inverse = 1.0 / (variance + EPSILON).sqrt();
            for (((v, y), gain), bias) in normalized.iter_mut().zip(y).zip(gain).zip(bias) {
                *v = (*v - mean) * *inverse;
                *y = *v * gain + bias;
            }
        }
    }

    /// The gradient of the residual sum in place of `dy` (rows, d_model): it reaches both x and the sub-layer.
    ///
    /// # Shapes
    /// `values`, `gradient`: all weights; `dy`: (rows, d_model).
    pub fn backward(
        &self,
        values: &[f32],
        state: &NormState,
        dy: &mut [f32],
        gradient: Option<&mut [f32]>,
    ) {
        let gain = &values[self.gain.clone()];
        let d = gain.len();
        if let Some(gradient) = gradient {
            for (dy, normalized) in dy.chunks_exact(d).zip(state.normalized.chunks_exact(d)) {
                let gains = gradient[self.gain.clone()].iter_mut();
                for ((g, dy), n) in gains.zip(dy).zip(normalized) {
                    *g += dy * n;
                }
                for (b, dy) in gradient[self.bias.clone()].iter_mut().zip(dy) {
                    *b += dy;
                }
            }
        }
        for ((dy, normalized), inverse) in dy
            .chunks_exact_mut(d)
            .zip(state.normalized.chunks_exact(d))
            .zip(&state.inverse)
        {
            let (mut mean, mut projected) = (0.0, 0.0);
            for ((dy, gain), n) in dy.iter_mut().zip(gain).zip(normalized) {
                *dy *= gain;
                mean += *dy;
                projected += *dy * n;
            }
            mean /= d as f32;
            projected /= d as f32;
            for (dy, n) in dy.iter_mut().zip(normalized) {
                *dy = (*dy - mean - n * projected) * inverse;
            }
        }
    }
}
