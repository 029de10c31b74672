//! Fixed SIMD: the operations of `relaxed`: more instructions, the same integers.

use super::int8::{Kernel, Sums, compute};
use core::arch::wasm32::*;

/// a · b + c.
#[inline(always)]
pub fn madd(a: v128, b: v128, c: v128) -> v128 {
    f32x4_add(f32x4_mul(a, b), c)
}

/// The 8-bit products: one kind of sums.
pub(crate) const KERNELS: [Kernel; 1] = [compute::<Widened>];

/// Which of [`KERNELS`] is faster here.
pub(crate) fn fastest() -> usize {
    0
}

/// Four sums of products of 8-bit weights with codes, both widened to 16 bits; each in two halves.
#[derive(Clone, Copy)]
pub(super) struct Widened([v128; 2]);

impl Sums for Widened {
    type Weights = [v128; 2];

    // 3 · 2 sums of two halves, and what they wait for, fill the registers of x86-64.
    const ROWS: usize = 3;
    const VECTORS: usize = 2;

    #[inline(always)]
    fn zero() -> Self {
        Self([i32x4_splat(0); 2])
    }

    #[inline(always)]
    unsafe fn load(weights: *const i8) -> [v128; 2] {
        // SAFETY: as this function's.
        unsafe {
            [
                i16x8_load_extend_i8x8(weights),
                i16x8_load_extend_i8x8(weights.add(8)),
            ]
        }
    }

    #[inline(always)]
    unsafe fn splat(codes: *const i16) -> v128 {
        // SAFETY: as this function's.
        unsafe { v128_load64_splat(codes.cast()) }
    }

    #[inline(always)]
    fn add(self, weights: [v128; 2], codes: v128) -> Self {
        let Self([low, high]) = self;
        Self([
            i32x4_add(low, i32x4_dot_i16x8(weights[0], codes)),
            i32x4_add(high, i32x4_dot_i16x8(weights[1], codes)),
        ])
    }

    #[inline(always)]
    fn finish(self) -> v128 {
        // Each sum stands in two neighbouring lanes so far.
        let Self([low, high]) = self;
        i32x4_add(
            i32x4_shuffle::<0, 2, 4, 6>(low, high),
            i32x4_shuffle::<1, 3, 5, 7>(low, high),
        )
    }
}

/// Writes 16 codes from two vectors of i16, clamped to 0..=127.
#[inline(always)]
pub fn store_codes(first: v128, second: v128, place: &mut [i16; 16]) {
    let (zero, largest) = (i16x8_splat(0), i16x8_splat(127));
    for (at, codes) in [first, second].into_iter().enumerate() {
        let codes = i16x8_min(i16x8_max(codes, zero), largest);
        // SAFETY: the reference covers two vectors.
        unsafe { v128_store(place.as_mut_ptr().add(at * 8).cast(), codes) }
    }
}
