//! What runs over every weight of an int8 matrix when it is packed, in vectors.
//!
//! Browsers run these once, in code that is not optimised yet; optimising it would take longer than loading. So they
//! take few instructions a vector, and are separate functions.

use crate::layout::{GROUP, INTERLEAVE, PANEL};
use crate::scalar;
use core::arch::wasm32::*;

/// Integers in a vector.
const LANES: usize = 16;

#[inline(always)]
fn load(from: &[i8; LANES]) -> v128 {
    // SAFETY: the reference covers 16 bytes; vectors may be loaded unaligned.
    unsafe { v128_load(from.as_ptr().cast()) }
}

/// See `scalar::pack::lowest`.
#[inline(never)]
pub fn lowest(values: &[i8]) -> i8 {
    let (chunks, rest) = values.as_chunks();
    let mut least = i8x16_splat(0);
    for chunk in chunks {
        least = i8x16_min(least, load(chunk));
    }
    let mut lanes = [0; LANES];
    // SAFETY: `lanes` has 16 bytes.
    unsafe { v128_store(lanes.as_mut_ptr().cast(), least) };
    scalar::pack::lowest(&lanes).min(scalar::pack::lowest(rest))
}

/// See `scalar::pack::sum`.
#[inline(never)]
pub fn sum(row: &[i8]) -> i32 {
    let (chunks, rest) = row.as_chunks();
    let mut sums = i32x4_splat(0);
    for chunk in chunks {
        let pairs = i16x8_extadd_pairwise_i8x16(load(chunk));
        sums = i32x4_add(sums, i32x4_extadd_pairwise_i16x8(pairs));
    }
    let [a, b, c, d] = [
        i32x4_extract_lane::<0>(sums),
        i32x4_extract_lane::<1>(sums),
        i32x4_extract_lane::<2>(sums),
        i32x4_extract_lane::<3>(sums),
    ];
    a + b + c + d + scalar::pack::sum(rest)
}

/// See `scalar::pack::interleave`: four groups of four rows at a time, which are four places in four groups of the panel.
#[inline(never)]
pub fn interleave(rows: &[i8], inputs: usize, panel: &mut [i8]) {
    if rows.len() != INTERLEAVE * inputs || !inputs.is_multiple_of(LANES) {
        return scalar::pack::interleave(rows, inputs, panel);
    }
    let (first, rest) = rows.split_at(inputs);
    let (second, rest) = rest.split_at(inputs);
    let (third, fourth) = rest.split_at(inputs);
    let chunks = [first, second, third, fourth].map(|row| row.as_chunks::<LANES>().0);
    for (i, places) in panel.chunks_mut(LANES / GROUP * PANEL * GROUP).enumerate() {
        let Some(chunk) = chunks[0].get(i) else { break };
        let [a, b, c, d] = [
            load(chunk),
            load(&chunks[1][i]),
            load(&chunks[2][i]),
            load(&chunks[3][i]),
        ];
        let (ab, cd) = (
            i32x4_shuffle::<0, 4, 1, 5>(a, b),
            i32x4_shuffle::<0, 4, 1, 5>(c, d),
        );
        store(i64x2_shuffle::<0, 2>(ab, cd), places);
        store(i64x2_shuffle::<1, 3>(ab, cd), &mut places[PANEL * GROUP..]);
        let (ab, cd) = (
            i32x4_shuffle::<2, 6, 3, 7>(a, b),
            i32x4_shuffle::<2, 6, 3, 7>(c, d),
        );
        store(
            i64x2_shuffle::<0, 2>(ab, cd),
            &mut places[2 * PANEL * GROUP..],
        );
        store(
            i64x2_shuffle::<1, 3>(ab, cd),
            &mut places[3 * PANEL * GROUP..],
        );
    }
}

#[inline(always)]
fn store(vector: v128, to: &mut [i8]) {
    let to = &mut to[..LANES];
    // SAFETY: `to` has 16 bytes; vectors may be stored unaligned.
    unsafe { v128_store(to.as_mut_ptr().cast(), vector) };
}
