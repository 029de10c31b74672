//! The reference of the 8-bit kernels, in plain loops over row-major integers. The others give the same bits.

use crate::int8::{CodeRange, Epilogue, LARGEST_CODE};

/// Codes 0..=127 of a row and what they stand for.
pub(crate) fn quantize_row(x: &[f32], codes: &mut [u8]) -> CodeRange {
    let low = x.iter().copied().fold(0.0, f32::min);
    let high = x.iter().copied().fold(0.0, f32::max);
    // 0 · x is NaN where x is not finite.
    let taint = x.iter().map(|x| 0.0 * x).sum();
    let range = CodeRange::new(low, high, taint);
    let inverse = range.inverse();
    for (code, x) in codes.iter_mut().zip(x) {
        let nearest = (x * inverse).round_ties_even() as i32;
        *code = (nearest + range.zero).clamp(0, LARGEST_CODE) as u8;
    }
    range
}

/// out = x·Wᵀ + bias, and max(0, ·) of it if `relu` is set; x as codes (rows, inputs) with their ranges, W as integers
/// (outputs, inputs) with their scales, out (rows, outputs).
pub(crate) fn matmul_int8(
    (codes, ranges): (&[u8], &[CodeRange]),
    (weight, scales): (&[i8], &[f32]),
    inputs: usize,
    epilogue: Epilogue<'_>,
    out: &mut [f32],
) {
    let rows = codes.chunks_exact(inputs).zip(ranges);
    for ((codes, range), out) in rows.zip(out.chunks_exact_mut(scales.len())) {
        let outputs = weight.chunks_exact(inputs).zip(scales).enumerate();
        for ((o, (weight, scale)), out) in outputs.zip(out) {
            let product = |(w, c): (&i8, &u8)| i32::from(*w) * i32::from(*c);
            let sum = weight.iter().zip(codes).map(product).sum();
            let weights = weight.iter().map(|w| i32::from(*w)).sum();
            *out = epilogue.output(o, sum, *range, *scale, weights);
        }
    }
}
