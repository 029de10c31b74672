//! Strided matrix products of WebAssembly builds.

use super::flavour::madd;
use super::rows::{load, store};
use crate::product::{Destination, Operand};
use core::arch::wasm32::*;
use std::cell::RefCell;

/// Columns of b that are packed side by side: two vectors.
const WIDTH: usize = 8;
/// Rows of a in a tile at most, as in `matmul`: 4 · 2 sums, two vectors of b, a product and a splat fill the sixteen
/// registers of x86-64; fused, there is no product to hold.
const ROWS: usize = if cfg!(target_feature = "relaxed-simd") {
    6
} else {
    4
};

thread_local! {
    /// A panel of b (inner, 8), reused from product to product.
    static PANEL: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
}

/// See [`crate::product::product`], which checks the shapes.
pub fn product(a: Operand<'_>, b: Operand<'_>, destination: Destination, out: &mut [f32]) {
    PANEL.with_borrow_mut(|panel| {
        for first in (0..b.columns).step_by(WIDTH) {
            pack(b, first, panel);
            // Blocks of nearly equal height, so that none is left with a single row.
            let blocks = a.rows.div_ceil(ROWS);
            for block in 0..blocks {
                let row = block * a.rows / blocks;
                let tile = Tile {
                    a,
                    panel,
                    row,
                    first,
                    columns: b.columns,
                    destination,
                };
                match (block + 1) * a.rows / blocks - row {
                    6 => tile.compute::<6>(out),
                    5 => tile.compute::<5>(out),
                    4 => tile.compute::<4>(out),
                    3 => tile.compute::<3>(out),
                    2 => tile.compute::<2>(out),
                    _ => tile.compute::<1>(out),
                }
            }
        }
    });
}

/// Packs the columns of b from `first` on. Where fewer than eight are left, the rest of the panel is any numbers: their
/// sums are not written.
fn pack(b: Operand<'_>, first: usize, panel: &mut Vec<f32>) {
    let width = WIDTH.min(b.columns - first);
    panel.resize(b.rows * WIDTH, 0.0);
    if b.column_stride == 1 {
        for (k, place) in panel.as_chunks_mut::<WIDTH>().0.iter_mut().enumerate() {
            let row = &b.data[k * b.row_stride + first..];
            // Eight at once are two vectors; a length that is not known is a call for each row.
            match row.first_chunk::<WIDTH>().filter(|_| width == WIDTH) {
                Some(row) => *place = *row,
                None => place[..width].copy_from_slice(&row[..width]),
            }
        }
        return;
    }
    for column in 0..width {
        let values = b.data[(first + column) * b.column_stride..]
            .iter()
            .step_by(b.row_stride);
        for (place, value) in panel[column..].iter_mut().step_by(WIDTH).zip(values) {
            *place = *value;
        }
    }
}

/// Rows of a times a panel of b.
struct Tile<'t> {
    a: Operand<'t>,
    /// (inner, 8)
    panel: &'t [f32],
    row: usize,
    first: usize,
    /// Of b and out.
    columns: usize,
    destination: Destination,
}

impl Tile<'_> {
    #[inline(never)]
    fn compute<const R: usize>(&self, out: &mut [f32]) {
        let Operand {
            data,
            row_stride,
            column_stride,
            columns: inner,
            ..
        } = self.a;
        let start = self.row * row_stride;
        assert!(
            inner == 0 || start + (R - 1) * row_stride + (inner - 1) * column_stride < data.len()
        );
        assert!(self.panel.len() >= inner * WIDTH);
        let mut sums = [[f32x4_splat(0.0); 2]; R];
        let (a, panel) = (data[start..].as_ptr(), self.panel.as_ptr());
        for k in 0..inner {
            // SAFETY: k < inner: both vectors lie in the panel, and each value of a in its data, as asserted above.
            // Vectors may be loaded unaligned.
            unsafe {
                let at = panel.add(k * WIDTH);
                let (low, high) = (v128_load(at.cast()), v128_load(at.add(4).cast()));
                for (r, sums) in sums.iter_mut().enumerate() {
                    let x = v128_load32_splat(a.add(r * row_stride + k * column_stride).cast());
                    sums[0] = madd(x, low, sums[0]);
                    sums[1] = madd(x, high, sums[1]);
                }
            }
        }
        for (r, [low, high]) in sums.into_iter().enumerate() {
            let out = &mut out[(self.row + r) * self.columns..][..self.columns][self.first..];
            // As in `pack`.
            if let Some(place) = out.first_chunk_mut::<WIDTH>() {
                self.write(place, low, high);
            } else {
                let mut place = [0.0; WIDTH];
                place[..out.len()].copy_from_slice(out);
                self.write(&mut place, low, high);
                out.copy_from_slice(&place[..out.len()]);
            }
        }
    }

    #[inline(always)]
    fn write(&self, place: &mut [f32; WIDTH], low: v128, high: v128) {
        let halves = place.as_chunks_mut::<4>().0;
        let sums = match self.destination {
            Destination::Replace => [low, high],
            Destination::Add => [
                f32x4_add(load(&halves[0]), low),
                f32x4_add(load(&halves[1]), high),
            ],
        };
        store(&mut halves[0], sums[0]);
        store(&mut halves[1], sums[1]);
    }
}
