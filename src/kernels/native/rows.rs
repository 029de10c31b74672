//! Kernels of native builds: the `gemm` crate for matrix products, loops in independent lanes
//! (which the compiler may vectorise, where a single running sum forbids it) for the rest.

use super::PackedMatrix;
use super::widest::widest;
use crate::{Epilogue, Gather, scalar};

/// Independent partial sums of a reduction.
const LANES: usize = 16;

/// Lane-wise reduction of f over a row.
#[inline(always)]
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
    join_lanes(lanes, join)
}

/// All lanes joined, in halves: one after another they would wait for each other.
#[inline(always)]
fn join_lanes(lanes: [f32; LANES], join: impl Fn(f32, f32) -> f32) -> f32 {
    let (mut eight, mut four) = ([0.0; 8], [0.0; 4]);
    for i in 0..8 {
        eight[i] = join(lanes[i], lanes[i + 8]);
    }
    for i in 0..4 {
        four[i] = join(eight[i], eight[i + 4]);
    }
    join(join(four[0], four[2]), join(four[1], four[3]))
}

#[inline(always)]
fn largest(row: &[f32]) -> f32 {
    // Not f32::max: its care for NaN keeps the loop from vectorising.
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    reduce(row, f32::NEG_INFINITY, larger, larger)
}

widest! {
    /// See [`scalar::max`].
    pub fn max(row: &[f32]) -> f32 {
        largest(row)
    }
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

widest! {
    /// See [`scalar::gather_dot`].
    pub fn gather_dot(
        query: &[f32],
        keys: &[f32],
        gather: Gather<'_>,
        scale: f32,
        out: &mut [f32],
    ) {
        let (query_chunks, query_rest) = query.as_chunks::<LANES>();
        for (j, out) in out.iter_mut().enumerate() {
            let (key_chunks, key_rest) = keys[gather.offset(j)..][..query.len()].as_chunks::<LANES>();
            let mut lanes = [0.0f32; LANES];
            for (q, k) in query_chunks.iter().zip(key_chunks) {
                for lane in 0..LANES {
                    lanes[lane] += q[lane] * k[lane];
                }
            }
            let rest: f32 = query_rest.iter().zip(key_rest).map(|(q, k)| q * k).sum();
            *out = scale * (join_lanes(lanes, |a, b| a + b) + rest);
        }
    }
}

widest! {
    /// See [`scalar::gather_sum`].
    pub fn gather_sum(
        weights: &[f32],
        values: &[f32],
        gather: Gather<'_>,
        out: &mut [f32],
    ) {
        /// Sums that stay in registers.
        const BLOCK: usize = 32;
        let (blocks, rest) = out.as_chunks_mut::<BLOCK>();
        let tail = blocks.len() * BLOCK;
        for (block, out) in blocks.iter_mut().enumerate() {
            let mut sums = [0.0f32; BLOCK];
            for (j, weight) in weights.iter().enumerate() {
                let value = &values[gather.offset(j) + block * BLOCK..][..BLOCK];
                for (sum, value) in sums.iter_mut().zip(value) {
                    *sum += weight * value;
                }
            }
            *out = sums;
        }
        if !rest.is_empty() {
            let column = gather.column + tail;
            scalar::gather_sum(weights, values, Gather { column, ..gather }, rest);
        }
    }
}

widest! {
    /// See [`scalar::softmax`].
    pub fn softmax(row: &mut [f32]) {
        let max = largest(row);
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
}

widest! {
    /// See [`scalar::log_sum_exp`].
    pub fn log_sum_exp(row: &[f32]) -> f32 {
        let max = largest(row);
        if max == f32::NEG_INFINITY {
            return max;
        }
        max + reduce(row, 0.0, |a, x| a + scalar::exp(x - max), |a, b| a + b).ln()
    }
}

/// See [`scalar::layer_norm`].
#[inline(always)]
fn normalize(row: &mut [f32], gain: &[f32], bias: &[f32], epsilon: f32) {
    let n = row.len() as f32;
    let mean = reduce(row, 0.0, |a, x| a + x, |a, b| a + b) / n;
    let variance = reduce(row, 0.0, |a, x| a + (x - mean) * (x - mean), |a, b| a + b) / n;
    let scale = 1.0 / (variance + epsilon).sqrt();
    for ((x, gain), bias) in row.iter_mut().zip(gain).zip(bias) {
        *x = (*x - mean) * scale * gain + bias;
    }
}

widest! {
    /// See [`scalar::layer_norm`].
    pub fn layer_norm(row: &mut [f32], gain: &[f32], bias: &[f32], epsilon: f32) {
        normalize(row, gain, bias, epsilon)
    }
}

widest! {
    /// See [`scalar::add_layer_norm`].
    pub fn add_layer_norm(x: &mut [f32], y: &[f32], gain: &[f32], bias: &[f32], epsilon: f32) {
        for (x, y) in x.iter_mut().zip(y) {
            *x += y;
        }
        normalize(x, gain, bias, epsilon)
    }
}

pub use scalar::{all_finite, relu, swish};
