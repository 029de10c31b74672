//! Kernels of WebAssembly builds: vectors of four f32.

use super::panels::{PackedMatrix, WIDTH};
use super::scalar;
use core::arch::wasm32::*;

#[cfg(target_feature = "relaxed-simd")]
use super::relaxed::madd;

/// a · b + c.
#[cfg(not(target_feature = "relaxed-simd"))]
#[inline(always)]
fn madd(a: v128, b: v128, c: v128) -> v128 {
    f32x4_add(f32x4_mul(a, b), c)
}

/// Rows of x that a tile of [`matmul`] takes at most. 4 × 8 sums, two weights, a product and a splat
/// fill the sixteen vector registers of x86-64; with relaxed SIMD there is no product to hold, and
/// 6 × 8 sums hide the longer wait for each.
const ROWS: usize = if cfg!(target_feature = "relaxed-simd") {
    6
} else {
    4
};

/// See [`scalar::matmul`]. Every sum runs over the inputs in order, whatever the number of
/// rows: a row gives the same bits alone and in company.
pub fn matmul(x: &[f32], weight: &PackedMatrix, bias: Option<&[f32]>, out: &mut [f32]) {
    let (inputs, outputs) = (weight.inputs(), weight.outputs());
    let rows = x.len() / inputs;
    assert_eq!(x.len(), rows * inputs, "x is (rows, inputs)");
    assert_eq!(out.len(), rows * outputs, "out is (rows, outputs)");
    if let Some(bias) = bias {
        assert_eq!(bias.len(), outputs, "bias is (outputs)");
    }
    let product = Product {
        x,
        panels: weight.panels(),
        inputs,
        bias,
        outputs,
    };
    let panels = outputs.div_ceil(WIDTH);
    match rows {
        0 => {}
        // Few rows wait for the weights: two panels at once keep enough sums under way.
        1 => product.pairs_of_panels::<1>(panels, out),
        2 => product.pairs_of_panels::<2>(panels, out),
        _ => {
            // Blocks of nearly equal height, so that none is left with a single row.
            let blocks = rows.div_ceil(ROWS);
            for panel in 0..panels {
                for block in 0..blocks {
                    let row = block * rows / blocks;
                    match (block + 1) * rows / blocks - row {
                        6 => product.tile::<6, 1>(row, panel, out),
                        5 => product.tile::<5, 1>(row, panel, out),
                        4 => product.tile::<4, 1>(row, panel, out),
                        3 => product.tile::<3, 1>(row, panel, out),
                        2 => product.tile::<2, 1>(row, panel, out),
                        _ => product.tile::<1, 1>(row, panel, out),
                    }
                }
            }
        }
    }
}

/// The operands of a [`matmul`].
struct Product<'a> {
    /// (rows, inputs)
    x: &'a [f32],
    /// (panels, inputs, 8)
    panels: &'a [f32],
    inputs: usize,
    /// (outputs)
    bias: Option<&'a [f32]>,
    outputs: usize,
}

impl Product<'_> {
    /// All panels for R rows.
    fn pairs_of_panels<const R: usize>(&self, panels: usize, out: &mut [f32]) {
        for panel in (0..panels / 2 * 2).step_by(2) {
            self.tile::<R, 2>(0, panel, out);
        }
        if !panels.is_multiple_of(2) {
            self.tile::<R, 1>(0, panels - 1, out);
        }
    }

    /// R rows from `row` on, times P panels from `panel` on.
    #[inline(always)]
    fn tile<const R: usize, const P: usize>(&self, row: usize, panel: usize, out: &mut [f32]) {
        let inputs = self.inputs;
        let x = &self.x[row * inputs..][..R * inputs];
        let weights = &self.panels[panel * WIDTH * inputs..][..P * WIDTH * inputs];
        let mut sums = [[[f32x4_splat(0.0); 2]; P]; R];
        let step = |sums: &mut [[[v128; 2]; P]; R], i: usize| {
            for p in 0..P {
                // SAFETY: i < inputs, so both vectors lie in panel p of `weights`, which holds
                // P · 8 · inputs values. Vectors may be loaded unaligned.
                let (low, high) = unsafe {
                    let at = weights.as_ptr().add((p * inputs + i) * WIDTH);
                    (v128_load(at.cast()), v128_load(at.add(4).cast()))
                };
                for (r, sums) in sums.iter_mut().enumerate() {
                    // SAFETY: i < inputs, so this is a value of row r of `x`, which holds R · inputs.
                    let x = unsafe { v128_load32_splat(x.as_ptr().add(r * inputs + i).cast()) };
                    sums[p][0] = madd(x, low, sums[p][0]);
                    sums[p][1] = madd(x, high, sums[p][1]);
                }
            }
        };
        let unrolled = inputs / 4 * 4;
        for i in (0..unrolled).step_by(4) {
            step(&mut sums, i);
            step(&mut sums, i + 1);
            step(&mut sums, i + 2);
            step(&mut sums, i + 3);
        }
        for i in unrolled..inputs {
            step(&mut sums, i);
        }
        for (r, sums) in sums.iter().enumerate() {
            let out = &mut out[(row + r) * self.outputs..][..self.outputs];
            for (p, [low, high]) in sums.iter().enumerate() {
                let first = (panel + p) * WIDTH;
                let mut values = [0.0; WIDTH];
                let (low_out, high_out) = values.split_at_mut(4);
                store(low_out, *low);
                store(high_out, *high);
                let out = &mut out[first..];
                match self.bias {
                    None => out
                        .iter_mut()
                        .zip(values)
                        .for_each(|(out, value)| *out = value),
                    Some(bias) => {
                        let biased = values.iter().zip(&bias[first..]);
                        for (out, (value, bias)) in out.iter_mut().zip(biased) {
                            *out = value + bias;
                        }
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn load(from: &[f32; 4]) -> v128 {
    // SAFETY: the reference covers 16 bytes; vectors may be loaded unaligned.
    unsafe { v128_load(from.as_ptr().cast()) }
}

#[inline(always)]
fn store(to: &mut [f32], value: v128) {
    let to = &mut to[..4];
    // SAFETY: the slice covers 16 bytes; vectors may be stored unaligned.
    unsafe { v128_store(to.as_mut_ptr().cast(), value) }
}

/// Sum of the four lanes.
#[inline(always)]
fn sum(v: v128) -> f32 {
    let pairs = f32x4_add(v, i32x4_shuffle::<2, 3, 0, 1>(v, v));
    f32x4_extract_lane::<0>(pairs) + f32x4_extract_lane::<1>(pairs)
}

/// Largest value of a row.
fn max(row: &[f32]) -> f32 {
    let (chunks, rest) = row.as_chunks::<4>();
    let mut lanes = f32x4_splat(f32::NEG_INFINITY);
    for chunk in chunks {
        lanes = f32x4_pmax(lanes, load(chunk));
    }
    let mut values = [0.0; 4];
    store(&mut values, lanes);
    let larger = |a: f32, b: &f32| if *b > a { *b } else { a };
    values.iter().chain(rest).fold(f32::NEG_INFINITY, larger)
}

/// See [`scalar::exp`].
#[inline(always)]
fn exp(x: v128) -> v128 {
    let low = f32x4_splat(scalar::EXP_MIN);
    let clamped = f32x4_pmin(f32x4_pmax(x, low), f32x4_splat(scalar::EXP_MAX));
    let shift = f32x4_splat(scalar::EXP_SHIFT);
    let shifted = madd(clamped, f32x4_splat(std::f32::consts::LOG2_E), shift);
    let n = f32x4_sub(shifted, shift);
    let r = madd(n, f32x4_splat(-scalar::LN2_HIGH), clamped);
    let r = madd(n, f32x4_splat(-scalar::LN2_LOW), r);
    let mut p = f32x4_splat(scalar::EXP_POLYNOMIAL[0]);
    for c in &scalar::EXP_POLYNOMIAL[1..] {
        p = madd(p, r, f32x4_splat(*c));
    }
    let y = f32x4_add(madd(p, f32x4_mul(r, r), r), f32x4_splat(1.0));
    let power = i32x4_add(i32x4_shl(shifted, 23), i32x4_splat(127 << 23));
    v128_andnot(f32x4_mul(y, power), f32x4_lt(x, low))
}

/// See [`scalar::gather_dot`].
pub fn gather_dot(
    query: &[f32],
    keys: &[f32],
    offset: impl Fn(usize) -> usize,
    scale: f32,
    out: &mut [f32],
) {
    let (query_chunks, query_rest) = query.as_chunks::<4>();
    for (j, out) in out.iter_mut().enumerate() {
        let (key_chunks, key_rest) = keys[offset(j)..][..query.len()].as_chunks::<4>();
        let mut lanes = f32x4_splat(0.0);
        for (q, k) in query_chunks.iter().zip(key_chunks) {
            lanes = madd(load(q), load(k), lanes);
        }
        let rest = query_rest.iter().zip(key_rest).map(|(q, k)| q * k);
        *out = scale * (sum(lanes) + rest.sum::<f32>());
    }
}

/// See [`scalar::gather_sum`].
pub fn gather_sum(
    weights: &[f32],
    values: &[f32],
    offset: impl Fn(usize) -> usize,
    out: &mut [f32],
) {
    const BLOCK: usize = 16;
    let (blocks, rest) = out.as_chunks_mut::<BLOCK>();
    for (block, out) in blocks.iter_mut().enumerate() {
        let mut sums = [f32x4_splat(0.0); BLOCK / 4];
        for (j, weight) in weights.iter().enumerate() {
            let (value, _) = values[offset(j) + block * BLOCK..][..BLOCK].as_chunks::<4>();
            let weight = f32x4_splat(*weight);
            for (sum, value) in sums.iter_mut().zip(value) {
                *sum = madd(weight, load(value), *sum);
            }
        }
        for (out, sum) in out.as_chunks_mut::<4>().0.iter_mut().zip(sums) {
            store(out, sum);
        }
    }
    let first = blocks.len() * BLOCK;
    scalar::gather_sum(weights, values, |j| offset(j) + first, rest);
}

/// Replaces every value by f of it, four at a time; `rest` does the same for the last few.
#[inline(always)]
fn map(row: &mut [f32], f: impl Fn(v128) -> v128, rest: impl FnOnce(&mut [f32])) {
    let (chunks, tail) = row.as_chunks_mut::<4>();
    for chunk in chunks {
        let value = f(load(chunk));
        store(chunk, value);
    }
    rest(tail);
}

/// Sum of f over a row, four at a time; `rest` is the same for a single value.
#[inline(always)]
fn sum_of(row: &[f32], f: impl Fn(v128) -> v128, rest: impl Fn(f32) -> f32) -> f32 {
    let (chunks, tail) = row.as_chunks::<8>();
    let mut lanes = [f32x4_splat(0.0); 2];
    for chunk in chunks {
        for (lane, values) in lanes.iter_mut().zip(chunk.as_chunks::<4>().0) {
            *lane = f32x4_add(*lane, f(load(values)));
        }
    }
    sum(f32x4_add(lanes[0], lanes[1])) + tail.iter().map(|x| rest(*x)).sum::<f32>()
}

/// See [`scalar::softmax`].
pub fn softmax(row: &mut [f32]) {
    let max = max(row);
    if max == f32::NEG_INFINITY {
        row.fill(0.0);
        return;
    }
    let maxes = f32x4_splat(max);
    map(
        row,
        |x| exp(f32x4_sub(x, maxes)),
        |rest| rest.iter_mut().for_each(|x| *x = scalar::exp(*x - max)),
    );
    let sum = sum_of(row, |x| x, |x| x);
    let sums = f32x4_splat(sum);
    map(
        row,
        |x| f32x4_div(x, sums),
        |rest| rest.iter_mut().for_each(|x| *x /= sum),
    );
}

/// See [`scalar::log_sum_exp`].
pub fn log_sum_exp(row: &[f32]) -> f32 {
    let max = max(row);
    if max == f32::NEG_INFINITY {
        return max;
    }
    let maxes = f32x4_splat(max);
    max + sum_of(row, |x| exp(f32x4_sub(x, maxes)), |x| scalar::exp(x - max)).ln()
}

/// See [`scalar::layer_norm`].
pub fn layer_norm(row: &mut [f32], gain: &[f32], bias: &[f32], epsilon: f32) {
    let n = row.len() as f32;
    let mean = sum_of(row, |x| x, |x| x) / n;
    let means = f32x4_splat(mean);
    let square = |x: f32| (x - mean) * (x - mean);
    let squares = |x| {
        let apart = f32x4_sub(x, means);
        f32x4_mul(apart, apart)
    };
    let variance = sum_of(row, squares, square) / n;
    let scale = 1.0 / (variance + epsilon).sqrt();
    // Independent lanes: the compiler vectorises this by itself.
    for ((x, gain), bias) in row.iter_mut().zip(gain).zip(bias) {
        *x = (*x - mean) * scale * gain + bias;
    }
}

pub use scalar::relu;

/// See [`scalar::swish`].
pub fn swish(row: &mut [f32]) {
    let one = f32x4_splat(1.0);
    map(
        row,
        |x| f32x4_div(x, f32x4_add(one, exp(f32x4_neg(x)))),
        scalar::swish,
    );
}
