//! Linear maps in 8-bit integers: the weight as the kernels read it, and rows quantised for it.
//!
//! A weight keeps its integers −127..=127 and one scale for each output. A row of x is quantised when it
//! arrives, to codes 0..=127 around a zero point of its own: x ≈ scale · (code − zero). One operand of every product
//! then has 7 bits and no sign, so that no instruction saturates and all machines give the same integers.

use crate::layout::{ALIGN, GROUP, INTERLEAVE, LINE, PANEL};
#[cfg(not(target_arch = "wasm32"))]
use crate::scalar::pack::{interleave, sum};
#[cfg(target_arch = "wasm32")]
use crate::wasm::pack::{interleave, sum};

/// A weight W (outputs, inputs) of integers with a scale for each output, packed once at load.
///
/// A panel holds P rows of W, four inputs of each side by side, as dot-product instructions take them: integer (o, i)
/// stands at place `o / P · P · stride + i / 4 · 4 · P + o % P · 4 + i % 4`. What is beyond the last output and input is
/// zero.
pub struct PackedInt8 {
    /// (panels, stride / 4, P, 4), from `start` on, where a line of the cache begins.
    data: Vec<i8>,
    start: usize,
    /// (panels · P)
    scales: Vec<f32>,
    /// Sum of each row's integers (panels · P): what a zero point takes off its products.
    sums: Vec<i32>,
    outputs: usize,
    inputs: usize,
}

impl PackedInt8 {
    /// Most columns of W: a sum of so many products of a weight −127..=127 and a code 0..=127 fits in 32 bits.
    pub const MAX_INPUTS: usize = (i32::MAX / (127 * LARGEST_CODE)) as usize;

    /// Rows that [`Self::set_rows`] may begin at are multiples of this.
    pub const BLOCK: usize = PANEL;

    /// Takes W (outputs, inputs), row-major, and the scale of each row.
    ///
    /// # Panics
    /// If `weight` has not outputs · inputs values, `scales` not one for each output, or W more than
    /// [`Self::MAX_INPUTS`] columns.
    pub fn pack(weight: &[i8], scales: Vec<f32>, inputs: usize) -> Self {
        assert_eq!(
            weight.len(),
            scales.len() * inputs,
            "W is (outputs, inputs)"
        );
        let mut matrix = Self::zeros(scales, inputs);
        matrix.set_rows(0, weight);
        matrix
    }

    /// W (outputs, inputs) of zeros with the scale of each row, to be filled by [`Self::set_rows`].
    ///
    /// # Panics
    /// If W has more than [`Self::MAX_INPUTS`] columns.
    pub fn zeros(mut scales: Vec<f32>, inputs: usize) -> Self {
        let outputs = scales.len();
        assert!(
            inputs <= Self::MAX_INPUTS,
            "sums of {inputs} products overflow"
        );
        let rows = outputs.next_multiple_of(PANEL);
        scales.resize(rows, 0.0);
        let data = vec![0; rows * inputs.next_multiple_of(ALIGN) + LINE - 1];
        Self {
            start: data.as_ptr().align_offset(LINE),
            data,
            scales,
            sums: vec![0; rows],
            outputs,
            inputs,
        }
    }

    /// Sets rows of W from row `first` on: a matrix that is read piece by piece is never in memory twice.
    ///
    /// # Shapes
    /// rows (n, inputs).
    ///
    /// # Panics
    /// If `first` is no multiple of [`Self::BLOCK`], W has not so many rows, or `rows` is no multiple of `inputs`.
    pub fn set_rows(&mut self, first: usize, rows: &[i8]) {
        let (inputs, stride) = (self.inputs, self.stride());
        let count = rows.len() / inputs;
        assert!(rows.len() == count * inputs && first + count <= self.outputs);
        assert!(first.is_multiple_of(Self::BLOCK), "panels are set whole");
        let panels = self.data[self.start + first * stride..].chunks_mut(PANEL * stride);
        let sums = self.sums[first..].chunks_mut(PANEL);
        for ((panel, sums), rows) in panels.zip(sums).zip(rows.chunks(PANEL * inputs)) {
            for (place, row) in sums.iter_mut().zip(rows.chunks_exact(inputs)) {
                *place = sum(row);
            }
            for (rows, place) in rows
                .chunks(INTERLEAVE * inputs)
                .zip((0..).step_by(INTERLEAVE))
            {
                interleave(rows, inputs, &mut panel[place * GROUP..]);
            }
        }
    }

    /// Rows of W.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Columns of W.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Copies row `index` of W, times its scale, into `out` (inputs).
    ///
    /// # Panics
    /// If W has no such row or `out` another length.
    pub fn copy_row(&self, index: usize, out: &mut [f32]) {
        assert!(index < self.outputs && out.len() == self.inputs);
        let scale = self.scales[index];
        let panel = self.panel(index / PANEL);
        let groups = panel.chunks_exact(PANEL * GROUP);
        for (out, group) in out.chunks_mut(GROUP).zip(groups) {
            for (out, value) in out.iter_mut().zip(&group[index % PANEL * GROUP..]) {
                *out = f32::from(*value) * scale;
            }
        }
    }

    /// Values of a packed row.
    pub(crate) fn stride(&self) -> usize {
        self.inputs.next_multiple_of(ALIGN)
    }

    /// Number of panels.
    pub(crate) fn panels(&self) -> usize {
        self.outputs.div_ceil(PANEL)
    }

    /// Panel `index`: (stride / 4, P, 4).
    pub(crate) fn panel(&self, index: usize) -> &[i8] {
        let size = PANEL * self.stride();
        &self.data[self.start + index * size..][..size]
    }

    /// Scales and sums of N · V outputs from `first` on, within a panel.
    #[inline(always)]
    pub(crate) fn scales<const N: usize, const V: usize>(
        &self,
        first: usize,
    ) -> (&[[f32; N]; V], &[[i32; N]; V]) {
        const PADDED: &str = "panels are whole";
        (
            self.scales[first..]
                .as_chunks()
                .0
                .first_chunk()
                .expect(PADDED),
            self.sums[first..]
                .as_chunks()
                .0
                .first_chunk()
                .expect(PADDED),
        )
    }
}

/// The integer type of quantised rows: what this build's product instruction takes.
#[cfg(not(all(target_arch = "wasm32", not(target_feature = "relaxed-simd"))))]
pub(crate) type Code = u8;
/// The integer type of quantised rows: what this build's product instruction takes.
#[cfg(all(target_arch = "wasm32", not(target_feature = "relaxed-simd")))]
pub(crate) type Code = i16;

/// Largest code.
pub(crate) const LARGEST_CODE: i32 = 127;

/// Rows of f32 as codes 0..=127, each with its scale and zero point. Kept and refilled: it allocates only to grow.
#[derive(Default)]
pub struct QuantizedRows {
    /// (rows, stride)
    codes: Vec<Code>,
    /// (rows)
    ranges: Vec<CodeRange>,
    stride: usize,
}

/// What the codes of a row stand for: x ≈ scale · (code − zero).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CodeRange {
    pub scale: f32,
    pub zero: i32,
}

impl CodeRange {
    /// Of a row whose values reach from `low` ≤ 0 to `high` ≥ 0. `taint` is 0, or NaN where a value of the row is
    /// not finite: then every product is NaN.
    #[inline]
    pub fn new(low: f32, high: f32, taint: f32) -> Self {
        let reach = high - low;
        let zero = if reach > 0.0 {
            // A ratio 0..=1; NaN becomes 0.
            (-low / reach * LARGEST_CODE as f32).round_ties_even() as i32
        } else {
            0
        };
        Self {
            scale: reach / LARGEST_CODE as f32 + taint,
            zero,
        }
    }

    /// What values are multiplied by on their way to codes.
    #[inline]
    pub fn inverse(self) -> f32 {
        if self.scale.is_normal() {
            1.0 / self.scale
        } else {
            0.0
        }
    }
}

impl QuantizedRows {
    /// Refills it with rows of x (rows, inputs): `fill` is given each row, the place of its codes and returns what
    /// they stand for.
    pub(crate) fn refill(
        &mut self,
        x: &[f32],
        inputs: usize,
        mut fill: impl FnMut(&[f32], &mut [Code]) -> CodeRange,
    ) {
        self.stride = inputs.next_multiple_of(ALIGN);
        let rows = x.len() / inputs;
        assert_eq!(x.len(), rows * inputs, "x is (rows, inputs)");
        if self.codes.len() < rows * self.stride {
            self.codes.resize(rows * self.stride, 0);
        }
        self.ranges.clear();
        let places = self.codes.chunks_exact_mut(self.stride);
        for (row, place) in x.chunks_exact(inputs).zip(places) {
            let (codes, beyond) = place.split_at_mut(inputs);
            beyond.fill(0);
            self.ranges.push(fill(row, codes));
        }
    }

    /// (rows, stride)
    pub(crate) fn codes(&self) -> &[Code] {
        &self.codes[..self.ranges.len() * self.stride]
    }

    /// By row.
    pub(crate) fn ranges(&self) -> &[CodeRange] {
        &self.ranges
    }

    pub(crate) fn stride(&self) -> usize {
        self.stride
    }
}

/// What a linear map adds to its product and does to the sum.
#[derive(Clone, Copy)]
pub struct Epilogue<'a> {
    /// (outputs)
    pub bias: &'a [f32],
    /// Whether max(0, ·) follows.
    pub relu: bool,
}

impl Epilogue<'_> {
    /// A whole output from its sum of integers: the one formula of all int8 kernels (in vectors for WebAssembly).
    #[cfg(any(test, not(target_arch = "wasm32")))]
    #[inline(always)]
    pub(crate) fn output(
        self,
        o: usize,
        sum: i32,
        row: CodeRange,
        scale: f32,
        weights: i32,
    ) -> f32 {
        let product = (sum - row.zero * weights) as f32 * (row.scale * scale);
        let y = product + self.bias[o];
        // NaN stays.
        if self.relu && y < 0.0 { 0.0 } else { y }
    }
}
