//! The reference: what each kernel means, in plain loops. Every other kernel is tested against this file.

use crate::{Epilogue, Gather};

/// out = x·Wᵀ + bias, and max(0, ·) of it if `relu` is set.
///
/// # Shapes
/// x (rows, inputs), W (outputs, inputs), out (rows, outputs).
pub fn matmul(x: &[f32], weight: &[f32], inputs: usize, epilogue: Epilogue<'_>, out: &mut [f32]) {
    let outputs = weight.len() / inputs;
    for (x, out) in x.chunks_exact(inputs).zip(out.chunks_exact_mut(outputs)) {
        for (o, (w, y)) in weight.chunks_exact(inputs).zip(&mut *out).enumerate() {
            let sum: f32 = x.iter().zip(w).map(|(x, w)| x * w).sum();
            *y = sum + epilogue.bias[o];
        }
        if epilogue.relu {
            relu(out);
        }
    }
}

/// out\[j\] = scale · (query · key j), key j standing at `keys[gather.offset(j)..]`.
pub fn gather_dot(query: &[f32], keys: &[f32], gather: Gather<'_>, scale: f32, out: &mut [f32]) {
    for (j, out) in out.iter_mut().enumerate() {
        let key = &keys[gather.offset(j)..][..query.len()];
        *out = scale * query.iter().zip(key).map(|(q, k)| q * k).sum::<f32>();
    }
}

/// out = Σ_j weights\[j\] · value j, value j standing at `values[gather.offset(j)..]`.
pub fn gather_sum(weights: &[f32], values: &[f32], gather: Gather<'_>, out: &mut [f32]) {
    out.fill(0.0);
    for (j, weight) in weights.iter().enumerate() {
        let value = &values[gather.offset(j)..][..out.len()];
        for (out, value) in out.iter_mut().zip(value) {
            *out += weight * value;
        }
    }
}

/// e^x within 2 units in the last place, without a branch, so that loops over it vectorise.
/// Below −87.3 (where f32 leaves its normal range) it is exactly 0, so e^(−∞) = 0.
#[inline]
pub fn exp(x: f32) -> f32 {
    // x = n·ln 2 + r with |r| ≤ ln 2 / 2; ln 2 in two parts keeps r exact (Cody and Waite).
    let clamped = x.clamp(EXP_MIN, EXP_MAX);
    let shifted = clamped * std::f32::consts::LOG2_E + EXP_SHIFT;
    let n = shifted - EXP_SHIFT;
    let r = clamped - n * LN2_HIGH - n * LN2_LOW;
    // The polynomial of Cephes' expf.
    let mut p = EXP_POLYNOMIAL[0];
    for &c in &EXP_POLYNOMIAL[1..] {
        p = p * r + c;
    }
    let y = p * (r * r) + r + 1.0;
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23));
    if x < EXP_MIN { 0.0 } else { y * power }
}

/// Smallest argument of [`exp`] whose result is not 0.
pub(crate) const EXP_MIN: f32 = -87.3;
/// Largest argument of [`exp`]: larger ones give e^88.
pub(crate) const EXP_MAX: f32 = 88.0;
/// 1.5 · 2²³: adding it leaves the nearest integer in the low bits of the mantissa.
pub(crate) const EXP_SHIFT: f32 = 12_582_912.0;
/// High part of ln 2.
pub(crate) const LN2_HIGH: f32 = 0.693_359_4;
/// ln 2 − [`LN2_HIGH`].
pub(crate) const LN2_LOW: f32 = -2.121_944_4e-4;
/// (e^r − 1 − r) / r², highest power first.
pub(crate) const EXP_POLYNOMIAL: [f32; 6] = [
    1.987_569_1e-4,
    1.398_199_9e-3,
    8.333_452e-3,
    4.166_579_6e-2,
    1.666_666_5e-1,
    5e-1,
];

/// Largest value of a row without NaN; −∞ of an empty one.
pub fn max(row: &[f32]) -> f32 {
    row.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

/// Softmax of a row in place. Cells of −∞ become exactly 0; a row of nothing else becomes all 0.
pub fn softmax(row: &mut [f32]) {
    let max = max(row);
    if max == f32::NEG_INFINITY {
        row.fill(0.0);
        return;
    }
    let mut sum = 0.0;
    for x in row.iter_mut() {
        *x = exp(*x - max);
        sum += *x;
    }
    for x in row {
        *x /= sum;
    }
}

/// Whether every value is a finite number.
pub fn all_finite(row: &[f32]) -> bool {
    /// Independent sums, so that the additions can run in vector lanes.
    const LANES: usize = 8;
    // 0 · x is 0 for a finite x and NaN for every other.
    let mut zeros = [0f32; LANES];
    let (whole, rest) = row.as_chunks::<LANES>();
    for chunk in whole {
        for (zero, x) in zeros.iter_mut().zip(chunk) {
            *zero += 0.0 * x;
        }
    }
    zeros.iter().all(|zero| *zero == 0.0) && rest.iter().all(|x| x.is_finite())
}

/// ln Σ e^x of a row: what separates logits from log-probabilities.
pub fn log_sum_exp(row: &[f32]) -> f32 {
    let max = max(row);
    if max == f32::NEG_INFINITY {
        return max;
    }
    max + row.iter().map(|x| exp(x - max)).sum::<f32>().ln()
}

/// Layer normalisation of one row in place: gain · (x − mean) / √(variance + ε) + bias (Ba et al., 2016).
pub fn layer_norm(row: &mut [f32], gain: &[f32], bias: &[f32], epsilon: f32) {
    let n = row.len() as f32;
    let mean = row.iter().sum::<f32>() / n;
    let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / n;
    let scale = 1.0 / (variance + epsilon).sqrt();
    for ((x, gain), bias) in row.iter_mut().zip(gain).zip(bias) {
        *x = (*x - mean) * scale * gain + bias;
    }
}

/// x ← LayerNorm(x + y): the residual connection and its norm (§3.1).
pub fn add_layer_norm(x: &mut [f32], y: &[f32], gain: &[f32], bias: &[f32], epsilon: f32) {
    for (x, y) in x.iter_mut().zip(y) {
        *x += y;
    }
    layer_norm(x, gain, bias, epsilon);
}

/// max(0, x) in place.
pub fn relu(row: &mut [f32]) {
    for x in row {
        *x = if *x > 0.0 { *x } else { 0.0 };
    }
}

/// x · sigmoid(x) in place.
pub fn swish(row: &mut [f32]) {
    for x in row {
        *x /= 1.0 + exp(-*x);
    }
}
