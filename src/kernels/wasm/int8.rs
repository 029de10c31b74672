//! The 8-bit kernels of WebAssembly builds; [`Sums`] are the flavour's product instructions.

use super::flavour::{self, KERNELS};
use super::rows::{load, store};
use crate::int8::{Code, CodeRange, Epilogue, PackedInt8, QuantizedRows};
use crate::layout::{GROUP, PANEL};
use crate::scalar;
use core::arch::wasm32::*;

/// See `scalar::int8::quantize_row`.
pub fn quantize(x: &[f32], inputs: usize, rows: &mut QuantizedRows) {
    rows.refill(x, inputs, |row, codes| {
        let zero = f32x4_splat(0.0);
        let (mut low, mut high, mut taint) = (zero, zero, zero);
        let (chunks, rest) = row.as_chunks::<4>();
        let mut last = [0.0; 4];
        last[..rest.len()].copy_from_slice(rest);
        for chunk in chunks.iter().chain([&last]) {
            let x = load(chunk);
            low = f32x4_pmin(low, x);
            high = f32x4_pmax(high, x);
            taint = f32x4_add(taint, f32x4_mul(x, zero));
        }
        let lanes = |v| {
            let mut lanes = [0.0; 4];
            store(&mut lanes, v);
            lanes.into_iter()
        };
        let range = CodeRange::new(
            lanes(low).fold(0.0, f32::min),
            lanes(high).fold(0.0, f32::max),
            lanes(taint).sum(),
        );
        let inverse = f32x4_splat(range.inverse());
        let shift = f32x4_splat(scalar::EXP_SHIFT);
        let offset = i32x4_sub(i32x4_splat(range.zero), shift);
        let codes_of = |chunk: &[f32; 4]| {
            // No fused product: the codes must be those of every other kernel.
            let shifted = f32x4_add(f32x4_mul(load(chunk), inverse), shift);
            i32x4_add(shifted, offset)
        };
        let (places, rest_places) = codes.as_chunks_mut::<16>();
        let (whole, rest) = row.as_chunks::<16>();
        for (chunk, place) in whole.iter().zip(places) {
            let chunk = chunk.as_chunks::<4>().0;
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| codes_of(&chunk[i]));
            let (first, second) = (i16x8_narrow_i32x4(a, b), i16x8_narrow_i32x4(c, d));
            flavour::store_codes(first, second, place);
        }
        let mut place = [Default::default(); 16];
        for (chunk, places) in rest.chunks(4).zip(rest_places.chunks_mut(4)) {
            let mut values = [0.0; 4];
            values[..chunk.len()].copy_from_slice(chunk);
            let four = codes_of(&values);
            let narrow = i16x8_narrow_i32x4(four, four);
            flavour::store_codes(narrow, narrow, &mut place);
            places.copy_from_slice(&place[..places.len()]);
        }
        range
    });
}

/// See `scalar::int8::matmul_int8`.
///
/// # Panics
/// If `rows`, the bias or `out` has another length than the weight needs.
pub fn matmul_int8(
    rows: &QuantizedRows,
    weight: &PackedInt8,
    epilogue: Epilogue<'_>,
    out: &mut [f32],
) {
    matmul_int8_by(KERNELS[flavour::fastest()], rows, weight, epilogue, out);
}

/// [`matmul_int8`] with one of the flavour's kernels: all give the same bits.
pub(crate) fn matmul_int8_by(
    kernel: Kernel,
    rows: &QuantizedRows,
    weight: &PackedInt8,
    epilogue: Epilogue<'_>,
    out: &mut [f32],
) {
    assert_eq!(rows.stride(), weight.stride(), "x is (rows, inputs)");
    let count = rows.ranges().len();
    assert_eq!(
        out.len(),
        count * weight.outputs(),
        "out is (rows, outputs)"
    );
    assert_eq!(epilogue.bias.len(), weight.outputs(), "bias is (outputs)");
    let product = Product {
        rows,
        weight,
        epilogue,
    };
    kernel(&product, out);
}

/// Computes a whole product.
pub(crate) type Kernel = fn(&Product<'_>, &mut [f32]);

/// Four sums of products of 8-bit weights with codes.
pub(crate) trait Sums: Copy {
    /// Four weights of each of four outputs, as they are multiplied.
    type Weights: Copy;

    /// Rows of a tile at most.
    const ROWS: usize;
    /// Vectors of four outputs in a tile.
    const VECTORS: usize;

    fn zero() -> Self;

    /// Four weights of each of four outputs.
    ///
    /// # Safety
    /// 16 weights are readable.
    unsafe fn load(weights: *const i8) -> Self::Weights;

    /// Four codes, for each output of a vector.
    ///
    /// # Safety
    /// Four codes are readable.
    unsafe fn splat(codes: *const Code) -> v128;

    /// The sums and these products.
    fn add(self, weights: Self::Weights, codes: v128) -> Self;

    /// The four sums, one in each lane.
    fn finish(self) -> v128;
}

/// The operands of a [`matmul_int8`].
pub(crate) struct Product<'a> {
    rows: &'a QuantizedRows,
    weight: &'a PackedInt8,
    epilogue: Epilogue<'a>,
}

/// All panels of a product, with sums of the kind S: a [`Kernel`].
pub(super) fn compute<S: Sums>(product: &Product<'_>, out: &mut [f32]) {
    for panel in 0..product.weight.panels() {
        match product.rows.ranges().len() {
            0 => {}
            1 => product.single::<S>(panel, out),
            _ => product.panel::<S>(panel, out),
        }
    }
}

impl Product<'_> {
    /// A panel times a single row. Each vector's sums wait for themselves alone: with eight of them no product waits long.
    #[inline(never)]
    fn single<S: Sums>(&self, panel: usize, out: &mut [f32]) {
        let weights = self.weight.panel(panel);
        let codes = self.rows.codes();
        let mut sums = [S::zero(); PANEL / 4];
        for (weights, codes) in weights
            .as_chunks::<{ 2 * PANEL * GROUP }>()
            .0
            .iter()
            .zip(codes.as_chunks::<{ 2 * GROUP }>().0)
        {
            for group in 0..2 {
                // SAFETY: both hold two whole groups.
                unsafe {
                    let codes = S::splat(codes.as_ptr().add(group * GROUP));
                    let weights = weights.as_ptr().add(group * PANEL * GROUP);
                    for (v, sums) in sums.iter_mut().enumerate() {
                        *sums = sums.add(S::load(weights.add(v * 16)), codes);
                    }
                }
            }
        }
        self.write_outputs(panel * PANEL, 0, &[sums.map(S::finish)], out);
    }

    /// A panel times all rows, in blocks of nearly equal height, so that none is left with a single row.
    fn panel<S: Sums>(&self, panel: usize, out: &mut [f32]) {
        let rows = self.rows.ranges().len();
        let blocks = rows.div_ceil(S::ROWS);
        for block in 0..blocks {
            let row = block * rows / blocks;
            match (block + 1) * rows / blocks - row {
                6 => self.vectors::<S, 6>(panel, row, out),
                5 => self.vectors::<S, 5>(panel, row, out),
                4 => self.vectors::<S, 4>(panel, row, out),
                3 => self.vectors::<S, 3>(panel, row, out),
                2 => self.vectors::<S, 2>(panel, row, out),
                _ => self.vectors::<S, 1>(panel, row, out),
            }
        }
    }

    /// R rows times a panel, two vectors of it at a time.
    #[inline(never)]
    fn vectors<S: Sums, const R: usize>(&self, panel: usize, row: usize, out: &mut [f32]) {
        for first in (0..PANEL / 4).step_by(S::VECTORS) {
            match S::VECTORS {
                1 => self.tile::<S, R, 1>(panel, first, row, out),
                _ => self.tile::<S, R, 2>(panel, first, row, out),
            }
        }
    }

    /// R rows times V vectors of a panel, from vector `first` on.
    #[inline(always)]
    fn tile<S: Sums, const R: usize, const V: usize>(
        &self,
        panel: usize,
        first: usize,
        row: usize,
        out: &mut [f32],
    ) {
        let stride = self.rows.stride();
        let codes = &self.rows.codes()[row * stride..][..R * stride];
        let weights = self.weight.panel(panel);
        let mut sums = [[S::zero(); V]; R];
        let groups = stride / GROUP;
        let mut step = |group: usize| {
            // SAFETY: group < groups, so both lie in their slices: a panel holds 64 · groups weights, `codes`
            // R · stride codes.
            unsafe {
                let at = weights.as_ptr().add(group * PANEL * GROUP + first * 16);
                let weights: [_; V] = core::array::from_fn(|v| S::load(at.add(v * 16)));
                for (r, sums) in sums.iter_mut().enumerate() {
                    let codes = S::splat(codes.as_ptr().add(r * stride + group * GROUP));
                    for (sum, weights) in sums.iter_mut().zip(weights) {
                        *sum = sum.add(weights, codes);
                    }
                }
            }
        };
        // One group at a time: more would keep more in registers than there are.
        for group in 0..groups {
            step(group);
        }
        let sums = sums.map(|sums| sums.map(S::finish));
        self.write_outputs(panel * PANEL + first * 4, row, &sums, out);
    }

    /// Writes the 4 · V outputs from `first` on of R rows, as many of them as there are: [`Epilogue::output`], four at a time.
    #[inline(always)]
    fn write_outputs<const R: usize, const V: usize>(
        &self,
        first: usize,
        row: usize,
        sums: &[[v128; V]; R],
        out: &mut [f32],
    ) {
        let outputs = self.weight.outputs();
        let out = &mut out[row * outputs..][..R * outputs];
        let ranges = &self.rows.ranges()[row..][..R];
        let (scales, weights) = self.weight.scales::<4, V>(first);
        let output = |r: usize, v: usize, bias: v128| {
            let CodeRange { scale, zero } = ranges[r];
            let zeros = i32x4_mul(i32x4_splat(zero), load_i32(&weights[v]));
            let scales = f32x4_mul(load(&scales[v]), f32x4_splat(scale));
            let product = f32x4_convert_i32x4(i32x4_sub(sums[r][v], zeros));
            let y = f32x4_add(f32x4_mul(product, scales), bias);
            match self.epilogue.relu {
                true => v128_andnot(y, f32x4_lt(y, f32x4_splat(0.0))),
                false => y,
            }
        };
        if let Some(bias) = self.epilogue.bias.get(first..first + V * 4) {
            for (v, bias) in bias.as_chunks().0.iter().enumerate() {
                for r in 0..R {
                    let y = output(r, v, load(bias));
                    // SAFETY: `out` holds R rows of `outputs` values, first + V · 4 ≤ outputs.
                    unsafe {
                        let place = out.as_mut_ptr().add(r * outputs + first + v * 4);
                        v128_store(place.cast(), y);
                    }
                }
            }
            return;
        }
        // The last panel may have fewer outputs, and none at all in these vectors.
        let Some(bias) = self.epilogue.bias.get(first..) else {
            return;
        };
        for (v, bias) in bias.chunks(4).enumerate() {
            let mut padded = [0.0; 4];
            padded[..bias.len()].copy_from_slice(bias);
            for r in 0..R {
                let mut values = [0.0; 4];
                store(&mut values, output(r, v, load(&padded)));
                out[r * outputs + first + v * 4..][..bias.len()]
                    .copy_from_slice(&values[..bias.len()]);
            }
        }
    }
}

#[inline(always)]
fn load_i32(from: &[i32; 4]) -> v128 {
    // SAFETY: the reference covers 16 bytes; vectors may be loaded unaligned.
    unsafe { v128_load(from.as_ptr().cast()) }
}
