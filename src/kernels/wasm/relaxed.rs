//! Relaxed SIMD: products and sums in one instruction.

use core::arch::wasm32::*;

/// a · b + c, rounded once or twice as the machine prefers.
#[inline(always)]
pub fn madd(a: v128, b: v128, c: v128) -> v128 {
    f32x4_relaxed_madd(a, b, c)
}

/// Four sums of products of 8-bit weights with codes of 7 bits.
#[derive(Clone, Copy)]
pub struct Sums(v128);

impl Sums {
    /// Rows and vectors of a tile: 6 · 2 sums, two weights and a splat fill the registers of x86-64.
    pub const ROWS: usize = 6;
    pub const VECTORS: usize = 2;

    #[inline(always)]
    pub fn zero() -> Self {
        Self(i32x4_splat(0))
    }

    /// Four weights of each of four outputs.
    ///
    /// # Safety
    /// 16 weights are readable.
    #[inline(always)]
    pub unsafe fn load(weights: *const i8) -> v128 {
        // SAFETY: as this function's.
        unsafe { v128_load(weights.cast()) }
    }

    /// Four codes, for each of four outputs.
    ///
    /// # Safety
    /// Four codes are readable.
    #[inline(always)]
    pub unsafe fn splat(codes: *const u8) -> v128 {
        // SAFETY: as this function's.
        unsafe { v128_load32_splat(codes.cast()) }
    }

    #[inline(always)]
    pub fn add(self, weights: v128, codes: v128) -> Self {
        Self(i32x4_relaxed_dot_i8x16_i7x16_add(weights, codes, self.0))
    }

    #[inline(always)]
    pub fn finish(self) -> v128 {
        self.0
    }

    /// Writes 16 codes from two vectors of i16, clamped to 0..=127.
    #[inline(always)]
    pub fn store_codes(first: v128, second: v128, place: &mut [u8; 16]) {
        let codes = u8x16_min(u8x16_narrow_i16x8(first, second), u8x16_splat(127));
        // SAFETY: the reference covers 16 bytes.
        unsafe { v128_store(place.as_mut_ptr().cast(), codes) }
    }
}
