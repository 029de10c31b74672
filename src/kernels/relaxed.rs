//! What relaxed SIMD adds to `simd128`: products and sums in one instruction.

use core::arch::wasm32::{f32x4_relaxed_madd, v128};

/// a · b + c, rounded once or twice as the machine prefers.
#[inline(always)]
pub fn madd(a: v128, b: v128, c: v128) -> v128 {
    f32x4_relaxed_madd(a, b, c)
}
