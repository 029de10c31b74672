//! The f32 matrix product of WebAssembly builds.

use super::flavour::madd;
use super::matrix::{PackedMatrix, WIDTH};
use super::rows::{load, store};
use crate::{Epilogue, scalar};
use core::arch::wasm32::*;
use std::ops::Range;

/// Rows of x that a tile takes at most. 4 × 8 sums, two weights, a product and a splat fill the sixteen vector
/// registers of x86-64; with relaxed SIMD there is no product to hold, and 6 × 8 sums hide the longer wait for each.
const ROWS: usize = if cfg!(target_feature = "relaxed-simd") {
    6
} else {
    4
};

/// Inputs that a tile takes at most: so many of a panel and of [`ROWS`] rows stay in the nearest cache.
const DEPTH: usize = 512;

/// See [`scalar::matmul`]. Every sum runs over the inputs in order, whatever the number of
/// rows: a row gives the same bits alone and in company.
///
/// # Shapes
/// x (rows, inputs), out (rows, outputs).
///
/// # Panics
/// If `x`, the bias or `out` has another length.
pub fn matmul(x: &[f32], weight: &PackedMatrix, epilogue: Epilogue<'_>, out: &mut [f32]) {
    let (inputs, outputs) = (weight.inputs(), weight.outputs());
    let rows = x.len() / inputs;
    assert_eq!(x.len(), rows * inputs, "x is (rows, inputs)");
    assert_eq!(out.len(), rows * outputs, "out is (rows, outputs)");
    assert_eq!(epilogue.bias.len(), outputs, "bias is (outputs)");
    let product = Product {
        x,
        panels: weight.panels(),
        inputs,
        epilogue,
        outputs,
    };
    let (whole, panels) = (outputs / WIDTH, outputs.div_ceil(WIDTH));
    match rows {
        0 => {}
        1 => product.two_at_once::<1>(panels, out),
        2 => product.two_at_once::<2>(panels, out),
        _ => {
            for panel in 0..whole {
                for start in (0..inputs).step_by(DEPTH) {
                    let depth = start..inputs.min(start + DEPTH);
                    product.blocks(rows, panel, depth, out);
                }
            }
            if whole < panels {
                product.blocks(rows, whole, 0..inputs, out);
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
    epilogue: Epilogue<'a>,
    outputs: usize,
}

impl Product<'_> {
    /// All panels for R rows, so few that they wait for the weights: two panels at once keep enough sums under way. One is
    /// of each half of the matrix, so that both halves are read without a gap and processors fetch them ahead: two
    /// neighbours at a time, each read in jumps, took 1.5 to 2.2 times as long (S, one row, Zen 4).
    fn two_at_once<const R: usize>(&self, panels: usize, out: &mut [f32]) {
        let (half, depth) = (panels / 2, 0..self.inputs);
        for panel in 0..half {
            self.tile::<R, 2>(0, [panel, half + panel], depth.clone(), out);
        }
        if !panels.is_multiple_of(2) {
            self.tile::<R, 1>(0, [panels - 1], depth, out);
        }
    }

    /// A panel for all rows, in blocks of nearly equal height, so that none is left with a single row.
    fn blocks(&self, rows: usize, panel: usize, depth: Range<usize>, out: &mut [f32]) {
        let blocks = rows.div_ceil(ROWS);
        for block in 0..blocks {
            let (row, depth) = (block * rows / blocks, depth.clone());
            match (block + 1) * rows / blocks - row {
                6 => self.tile::<6, 1>(row, [panel], depth, out),
                5 => self.tile::<5, 1>(row, [panel], depth, out),
                4 => self.tile::<4, 1>(row, [panel], depth, out),
                3 => self.tile::<3, 1>(row, [panel], depth, out),
                2 => self.tile::<2, 1>(row, [panel], depth, out),
                _ => self.tile::<1, 1>(row, [panel], depth, out),
            }
        }
    }

    /// R rows from `row` on, times P panels: sums over the inputs `depth`. Beginnings of sums lie in `out` until they are
    /// whole; of a panel that is not whole, `depth` is everything.
    #[inline(never)]
    fn tile<const R: usize, const P: usize>(
        &self,
        row: usize,
        panels: [usize; P],
        depth: Range<usize>,
        out: &mut [f32],
    ) {
        let inputs = self.inputs;
        let x = &self.x[row * inputs..][..R * inputs];
        let weights = panels.map(|panel| &self.panels[panel * WIDTH * inputs..][..WIDTH * inputs]);
        let out = &mut out[row * self.outputs..][..R * self.outputs];
        assert!(depth.end <= inputs);
        let mut sums = [[[f32x4_splat(0.0); 2]; P]; R];
        if depth.start > 0 {
            for (r, sums) in sums.iter_mut().enumerate() {
                for (sums, panel) in sums.iter_mut().zip(panels) {
                    let begun = &out[r * self.outputs + panel * WIDTH..][..WIDTH];
                    let begun = begun.as_chunks::<4>().0;
                    *sums = [load(&begun[0]), load(&begun[1])];
                }
            }
        }
        let mut step = |i: usize| {
            for p in 0..P {
                // SAFETY: i < inputs, so both vectors lie in the panel, which holds 8 · inputs values. Vectors may be
                // loaded unaligned.
                let (low, high) = unsafe {
                    let at = weights[p].as_ptr().add(i * WIDTH);
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
        // One step at a time: more would keep more in registers than there are.
        for i in depth.clone() {
            step(i);
        }
        // By value: what is indexed below must not be what the loop keeps in registers.
        let sums = sums.map(|sums| sums);
        for (p, panel) in panels.into_iter().enumerate() {
            let first = panel * WIDTH;
            let whole = depth.end == inputs;
            for (r, sums) in sums.iter().enumerate() {
                let [low, high] = sums[p];
                let out = &mut out[r * self.outputs..][..self.outputs][first..];
                match out.first_chunk_mut::<WIDTH>() {
                    Some(out) => {
                        let (low_out, high_out) = out.split_at_mut(4);
                        if whole {
                            let bias = self.epilogue.bias[first..][..WIDTH].as_chunks::<4>().0;
                            store(low_out, self.end(low, load(&bias[0])));
                            store(high_out, self.end(high, load(&bias[1])));
                        } else {
                            store(low_out, low);
                            store(high_out, high);
                        }
                    }
                    None => {
                        let mut values = [0.0; WIDTH];
                        let (low_out, high_out) = values.split_at_mut(4);
                        store(low_out, low);
                        store(high_out, high);
                        let biased = values.iter().zip(&self.epilogue.bias[first..]);
                        for (out, (value, bias)) in out.iter_mut().zip(biased) {
                            *out = value + bias;
                        }
                        if self.epilogue.relu {
                            scalar::relu(out);
                        }
                    }
                }
            }
        }
    }

    /// What becomes of whole sums.
    #[inline(always)]
    fn end(&self, sums: v128, bias: v128) -> v128 {
        let y = f32x4_add(sums, bias);
        match self.epilogue.relu {
            // As the reference: what is not above 0 is 0.
            true => v128_and(y, f32x4_gt(y, f32x4_splat(0.0))),
            false => y,
        }
    }
}
