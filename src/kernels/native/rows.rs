//! Kernels of native builds: the `gemm` crate for matrix products, loops in independent lanes
//! (which the compiler may vectorise, where a single running sum forbids it) for the rest.

use super::PackedMatrix;
use crate::{Epilogue, scalar};

/// Independent partial sums of a reduction.
const LANES: usize = 16;

/// Lane-wise reduction of f over a row.
#[inline]
fn reduce(
    row: &[f32],
    start: f32,
    f: impl Fn(f32, f32) -> f32,
    join: impl Fn(f32, f32) -> f32,
) -> f32 {
    let mut lanes = [start; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = f(*lane, *x);
        }
    }
    for (lane, x) in lanes.iter_mut().zip(rest) {
        *lane = f(*lane, *x);
    }
    lanes.into_iter().reduce(join).unwrap_or(start)
}

/// See [`scalar::max`].
#[inline]
pub fn max(row: &[f32]) -> f32 {
    // Not f32::max: its care for NaN keeps the loop from vectorising.
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    reduce(row, f32::NEG_INFINITY, larger, larger)
}

/// See [`scalar::matmul`].
///
/// # Shapes
/// x (rows, inputs), out (rows, outputs).
///
/// # Panics
/// If `x` or `out` has another length.
pub fn matmul(x: &[f32], weight: &PackedMatrix, epilogue: Epilogue<'_>, out: &mut [f32]) {
    let (inputs, outputs) = (weight.inputs(), weight.outputs());
    let rows = x.len() / inputs;
    assert_eq!(x.len(), rows * inputs, "x is (rows, inputs)");
    assert_eq!(out.len(), rows * outputs, "out is (rows, outputs)");
    for out in out.chunks_exact_mut(outputs) {
        out.copy_from_slice(epilogue.bias);
    }
    // SAFETY: the three pointers cover (rows, outputs), (rows, inputs) and (inputs, outputs)
    // row-major elements, as asserted above and by `PackedMatrix`; `out` is borrowed mutably and so
    // overlaps neither of the others.
    unsafe {
        gemm::gemm(
            rows,
            outputs,
            inputs,
            out.as_mut_ptr(),
            1,
            outputs as isize,
            true,
            x.as_ptr(),
            1,
            inputs as isize,
            weight.transposed().as_ptr(),
            1,
            outputs as isize,
            1.0,
            1.0,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
    if epilogue.relu {
        relu(out);
    }
}

/// See [`scalar::gather_dot`].
pub fn gather_dot(
    query: &[f32],
    keys: &[f32],
    offset: impl Fn(usize) -> usize,
    scale: f32,
    out: &mut [f32],
) {
    const WIDTH: usize = 8;
    for (j, out) in out.iter_mut().enumerate() {
        let key = &keys[offset(j)..][..query.len()];
        let mut lanes = [0.0f32; WIDTH];
        let (q, k) = (query.chunks_exact(WIDTH), key.chunks_exact(WIDTH));
        let rest: f32 = q
            .remainder()
            .iter()
            .zip(k.remainder())
            .map(|(q, k)| q * k)
            .sum();
        for (q, k) in q.zip(k) {
            for lane in 0..WIDTH {
                lanes[lane] += q[lane] * k[lane];
            }
        }
        *out = scale * (lanes.iter().sum::<f32>() + rest);
    }
}

pub use scalar::gather_sum;

/// See [`scalar::softmax`].
pub fn softmax(row: &mut [f32]) {
    let max = max(row);
    if max == f32::NEG_INFINITY {
        row.fill(0.0);
        return;
    }
    for x in row.iter_mut() {
        *x = scalar::exp(*x - max);
    }
    let sum = reduce(row, 0.0, |a, x| a + x, |a, b| a + b);
    for x in row {
        *x /= sum;
    }
}

/// See [`scalar::log_sum_exp`].
pub fn log_sum_exp(row: &[f32]) -> f32 {
    let max = max(row);
    if max == f32::NEG_INFINITY {
        return max;
    }
    max + reduce(row, 0.0, |a, x| a + scalar::exp(x - max), |a, b| a + b).ln()
}

/// See [`scalar::layer_norm`].
pub fn layer_norm(row: &mut [f32], gain: &[f32], bias: &[f32], epsilon: f32) {
    let n = row.len() as f32;
    let mean = reduce(row, 0.0, |a, x| a + x, |a, b| a + b) / n;
    let variance = reduce(row, 0.0, |a, x| a + (x - mean) * (x - mean), |a, b| a + b) / n;
    let scale = 1.0 / (variance + epsilon).sqrt();
    for ((x, gain), bias) in row.iter_mut().zip(gain).zip(bias) {
        *x = (*x - mean) * scale * gain + bias;
    }
}

/// See [`scalar::add_layer_norm`].
pub fn add_layer_norm(x: &mut [f32], y: &[f32], gain: &[f32], bias: &[f32], epsilon: f32) {
    for (x, y) in x.iter_mut().zip(y) {
        *x += y;
    }
    layer_norm(x, gain, bias, epsilon);
}

pub use scalar::{relu, swish};
