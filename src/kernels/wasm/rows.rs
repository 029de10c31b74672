//! Kernels over rows in WebAssembly builds: vectors of four f32.

use super::flavour::madd;
use crate::{Gather, scalar};
use core::arch::wasm32::*;

#[inline(always)]
pub(crate) fn load(from: &[f32; 4]) -> v128 {
    // SAFETY: the reference covers 16 bytes; vectors may be loaded unaligned.
    unsafe { v128_load(from.as_ptr().cast()) }
}

#[inline(always)]
pub(crate) fn store(to: &mut [f32], value: v128) {
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

/// See [`scalar::max`].
pub fn max(row: &[f32]) -> f32 {
    let (chunks, rest) = row.as_chunks::<16>();
    let mut lanes = [f32x4_splat(f32::NEG_INFINITY); 4];
    for chunk in chunks {
        for (lane, values) in lanes.iter_mut().zip(chunk.as_chunks::<4>().0) {
            *lane = f32x4_pmax(*lane, load(values));
        }
    }
    let [a, b, c, d] = lanes;
    let mut values = [0.0; 4];
    store(&mut values, f32x4_pmax(f32x4_pmax(a, b), f32x4_pmax(c, d)));
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

/// e^x for x ≤ 0, as 2^(x · log₂ e): two thirds of the work of [`exp`]. Its relative error of 3·10⁻⁷ grows with |x|, so it
/// is for the summands of a sum that has e^0 among them; e^0 is exactly 1, and what is below e^−87 about that.
#[inline(always)]
fn exp_in_sum(x: v128) -> v128 {
    /// 2^f for |f| ≤ ½, highest power first: least relative error, by the Remez algorithm.
    const POLYNOMIAL: [f32; 6] = [
        1.327_647_2e-3,
        9.675_541e-3,
        5.550_713_3e-2,
        2.402_212e-1,
        6.931_469_4e-1,
        1.0,
    ];
    let x = f32x4_pmax(x, f32x4_splat(scalar::EXP_MIN));
    let (log2_e, shift) = (
        f32x4_splat(std::f32::consts::LOG2_E),
        f32x4_splat(scalar::EXP_SHIFT),
    );
    let shifted = madd(x, log2_e, shift);
    let f = madd(x, log2_e, f32x4_sub(shift, shifted));
    let mut p = f32x4_splat(POLYNOMIAL[0]);
    for c in &POLYNOMIAL[1..] {
        p = madd(p, f, f32x4_splat(*c));
    }
    // Times 2^n: n stands in the low bits of `shifted`, and is added to the exponent.
    i32x4_add(p, i32x4_shl(shifted, 23))
}

/// See [`scalar::gather_dot`].
pub fn gather_dot(query: &[f32], keys: &[f32], gather: Gather<'_>, scale: f32, out: &mut [f32]) {
    let done = dots_of_four(query, keys, gather, scale, out);
    let (query_chunks, query_rest) = query.as_chunks::<4>();
    for (j, out) in out.iter_mut().enumerate().skip(done) {
        let (key_chunks, key_rest) = keys[gather.offset(j)..][..query.len()].as_chunks::<4>();
        let mut lanes = f32x4_splat(0.0);
        for (q, k) in query_chunks.iter().zip(key_chunks) {
            lanes = madd(load(q), load(k), lanes);
        }
        let rest = query_rest.iter().zip(key_rest).map(|(q, k)| q * k);
        *out = scale * (sum(lanes) + rest.sum::<f32>());
    }
}

/// 32 values of a row: loops over them have a known length.
type Part = [[f32; 4]; 8];

fn parts(row: &[f32]) -> &[Part] {
    row.as_chunks::<4>().0.as_chunks().0
}

/// The scores of four keys at a time where they have whole [`Part`]s, as keys of most models do; each is summed in the same order as
/// that of a single key. Gives how many it has written.
#[inline(always)]
fn dots_of_four(
    query: &[f32],
    keys: &[f32],
    gather: Gather<'_>,
    scale: f32,
    out: &mut [f32],
) -> usize {
    let width = query.len();
    if !width.is_multiple_of(size_of::<Part>() / size_of::<f32>()) {
        return 0;
    }
    let scale = f32x4_splat(scale);
    let (groups, _) = out.as_chunks_mut::<4>();
    for (group, out) in groups.iter_mut().enumerate() {
        let keys: [_; 4] =
            core::array::from_fn(|key| parts(&keys[gather.offset(group * 4 + key)..][..width]));
        let mut lanes = [f32x4_splat(0.0); 4];
        for (at, query) in parts(query).iter().enumerate() {
            let keys = keys.map(|key| &key[at]);
            for chunk in 0..query.len() {
                let q = load(&query[chunk]);
                for (lanes, key) in lanes.iter_mut().zip(keys) {
                    *lanes = madd(q, load(&key[chunk]), *lanes);
                }
            }
        }
        store(out, f32x4_mul(scale, sums(lanes)));
    }
    groups.len() * 4
}

/// Of each of four vectors the [`sum`].
#[inline(always)]
fn sums([a, b, c, d]: [v128; 4]) -> v128 {
    // The sums of lanes 0 and 2 of both, then those of lanes 1 and 3.
    let pairs = |a, b| {
        let low = i32x4_shuffle::<0, 4, 1, 5>(a, b);
        f32x4_add(low, i32x4_shuffle::<2, 6, 3, 7>(a, b))
    };
    let (ab, cd) = (pairs(a, b), pairs(c, d));
    let even = i32x4_shuffle::<0, 1, 4, 5>(ab, cd);
    f32x4_add(even, i32x4_shuffle::<2, 3, 6, 7>(ab, cd))
}

/// See [`scalar::gather_sum`].
pub fn gather_sum(weights: &[f32], values: &[f32], gather: Gather<'_>, out: &mut [f32]) {
    let (vectors, rest) = out.as_chunks_mut::<4>();
    // Eight sums side by side: each multiply-add waits for the one before it in its sum.
    let (blocks, vectors) = vectors.as_chunks_mut::<8>();
    let mut gather = gather;
    for block in blocks {
        gather.column += mix(weights, values, gather, block);
    }
    let (blocks, vectors) = vectors.as_chunks_mut::<4>();
    for block in blocks {
        gather.column += mix(weights, values, gather, block);
    }
    for vector in vectors {
        gather.column += mix(weights, values, gather, std::array::from_mut(vector));
    }
    scalar::gather_sum(weights, values, gather, rest);
}

/// The weighted sums of some columns; gives their number.
#[inline(always)]
fn mix<const VECTORS: usize>(
    weights: &[f32],
    values: &[f32],
    gather: Gather<'_>,
    out: &mut [[f32; 4]; VECTORS],
) -> usize {
    let mut sums = [f32x4_splat(0.0); VECTORS];
    for (j, weight) in weights.iter().enumerate() {
        let value = &values[gather.offset(j)..][..VECTORS * 4];
        let weight = f32x4_splat(*weight);
        for (sum, value) in sums.iter_mut().zip(value.as_chunks::<4>().0) {
            *sum = madd(weight, load(value), *sum);
        }
    }
    for (out, sum) in out.iter_mut().zip(sums) {
        store(out, sum);
    }
    VECTORS * 4
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
    let (chunks, tail) = row.as_chunks::<16>();
    let mut lanes = [f32x4_splat(0.0); 4];
    for chunk in chunks {
        let chunk = chunk.as_chunks::<4>().0;
        let values: [v128; 4] = core::array::from_fn(|i| f(load(&chunk[i])));
        for (lane, value) in lanes.iter_mut().zip(values) {
            *lane = f32x4_add(*lane, value);
        }
    }
    let [a, b, c, d] = lanes;
    sum(f32x4_add(f32x4_add(a, b), f32x4_add(c, d))) + tail.iter().map(|x| rest(*x)).sum::<f32>()
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
    let exp = |x| exp_in_sum(f32x4_sub(x, maxes));
    max + sum_of(row, exp, |x| scalar::exp(x - max)).ln()
}

/// See [`scalar::layer_norm`].
pub fn layer_norm(row: &mut [f32], gain: &[f32], bias: &[f32], epsilon: f32) {
    let sum = sum_of(row, |x| x, |x| x);
    normalise(row, sum, gain, bias, epsilon);
}

/// See [`scalar::add_layer_norm`].
pub fn add_layer_norm(x: &mut [f32], y: &[f32], gain: &[f32], bias: &[f32], epsilon: f32) {
    let (chunks, rest) = x.as_chunks_mut::<4>();
    let (y_chunks, y_rest) = y.as_chunks::<4>();
    let mut lanes = f32x4_splat(0.0);
    for (x, y) in chunks.iter_mut().zip(y_chunks) {
        let both = f32x4_add(load(x), load(y));
        lanes = f32x4_add(lanes, both);
        store(x, both);
    }
    let mut total = sum(lanes);
    for (x, y) in rest.iter_mut().zip(y_rest) {
        *x += y;
        total += *x;
    }
    normalise(x, total, gain, bias, epsilon);
}

/// Layer normalisation of a row with a known sum.
fn normalise(row: &mut [f32], sum: f32, gain: &[f32], bias: &[f32], epsilon: f32) {
    let n = row.len() as f32;
    let mean = sum / n;
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

pub use scalar::{all_finite, relu};

/// See [`scalar::swish`].
pub fn swish(row: &mut [f32]) {
    let one = f32x4_splat(1.0);
    map(
        row,
        |x| f32x4_div(x, f32x4_add(one, exp(f32x4_neg(x)))),
        scalar::swish,
    );
}
