//! Relaxed SIMD: products and sums in one instruction, where the machine has it.

use super::int8::{Kernel, Sums, compute};
use core::arch::wasm32::*;
use std::hint::black_box;

/// a · b + c, rounded once or twice as the machine prefers.
#[inline(always)]
pub fn madd(a: v128, b: v128, c: v128) -> v128 {
    f32x4_relaxed_madd(a, b, c)
}

/// The 8-bit products, each with sums of its own kind.
pub(crate) const KERNELS: [Kernel; 2] = [compute::<Quads>, compute::<Pairs>];

/// Which of [`KERNELS`] is faster here. A processor that sums four products in one instruction (VNNI, ARM) wants
/// [`Quads`]; an x86-64 processor without it sums them in steps, and [`Pairs`] has fewer.
pub(crate) fn fastest() -> usize {
    usize::from(sums_in_steps())
}

/// Whether the machine sums four products in two steps, the first of them in 16 bits. The instruction promises a result
/// for codes of 7 bits; with 8 bits set its ways differ: 127 · 255 twice saturates 16 bits, VNNI gives 4 · 127 · 255, and
/// ARM takes both operands as signed.
fn sums_in_steps() -> bool {
    let (weights, codes) = (i8x16_splat(black_box(127)), u8x16_splat(black_box(255)));
    let sums = i32x4_relaxed_dot_i8x16_i7x16_add(weights, codes, i32x4_splat(0));
    i32x4_extract_lane::<0>(sums) == 2 * i32::from(i16::MAX)
}

/// Sums of four products by the instruction for them.
#[derive(Clone, Copy)]
pub(super) struct Quads(v128);

impl Sums for Quads {
    type Weights = v128;

    // 6 · 2 sums, two weights and a splat fill the registers of x86-64.
    const ROWS: usize = 6;
    const VECTORS: usize = 2;

    #[inline(always)]
    fn zero() -> Self {
        Self(i32x4_splat(0))
    }

    #[inline(always)]
    unsafe fn load(weights: *const i8) -> v128 {
        // SAFETY: as this function's.
        unsafe { v128_load(weights.cast()) }
    }

    #[inline(always)]
    unsafe fn splat(codes: *const u8) -> v128 {
        // SAFETY: as this function's.
        unsafe { v128_load32_splat(codes.cast()) }
    }

    #[inline(always)]
    fn add(self, weights: v128, codes: v128) -> Self {
        Self(i32x4_relaxed_dot_i8x16_i7x16_add(weights, codes, self.0))
    }

    #[inline(always)]
    fn finish(self) -> v128 {
        self.0
    }
}

/// Sums of two products in 16 bits, then of two of these: what [`Quads`] is on a machine without an instruction for it, but
/// browsers make the vector of ones anew for each of those. 2 · 127 · 127 needs 16 bits.
#[derive(Clone, Copy)]
pub(super) struct Pairs(v128);

impl Sums for Pairs {
    type Weights = v128;

    const ROWS: usize = Quads::ROWS;
    const VECTORS: usize = Quads::VECTORS;

    #[inline(always)]
    fn zero() -> Self {
        Self(i32x4_splat(0))
    }

    #[inline(always)]
    unsafe fn load(weights: *const i8) -> v128 {
        // SAFETY: as this function's.
        unsafe { Quads::load(weights) }
    }

    #[inline(always)]
    unsafe fn splat(codes: *const u8) -> v128 {
        // SAFETY: as this function's.
        unsafe { Quads::splat(codes) }
    }

    #[inline(always)]
    fn add(self, weights: v128, codes: v128) -> Self {
        let pairs = i16x8_relaxed_dot_i8x16_i7x16(weights, codes);
        // Pairwise addition would say the same, but the compiler makes the instruction of `Quads` of it.
        Self(i32x4_add(self.0, i32x4_dot_i16x8(pairs, i16x8_splat(1))))
    }

    #[inline(always)]
    fn finish(self) -> v128 {
        self.0
    }
}

/// Writes 16 codes from two vectors of i16, clamped to 0..=127.
#[inline(always)]
pub fn store_codes(first: v128, second: v128, place: &mut [u8; 16]) {
    let codes = u8x16_min(u8x16_narrow_i16x8(first, second), u8x16_splat(127));
    // SAFETY: the reference covers 16 bytes.
    unsafe { v128_store(place.as_mut_ptr().cast(), codes) }
}
