//! A linear map x·Wᵀ + b, for any storage of its weight.

use crate::kernels::{self, Epilogue, PackedInt8, PackedMatrix, QuantizedRows};
use ndarray::{Array2, ArrayView2, ArrayViewMut2};
use std::sync::Arc;

/// A weight W (outputs, inputs) as the kernels read it; embeddings and projection may share one (§3.4).
pub enum Weight {
    /// 32-bit floats, packed once at load.
    F32(PackedMatrix),
    /// 8-bit integers with a scale for each output, packed once at load and computed with as they are.
    Int8(PackedInt8),
}

impl Weight {
    /// Takes W (outputs, inputs), row-major.
    ///
    /// # Panics
    /// If `weight` has not outputs · inputs values.
    pub fn new(weight: Vec<f32>, outputs: usize, inputs: usize) -> Self {
        Self::F32(PackedMatrix::pack(weight, outputs, inputs))
    }

    /// Takes the integers −127..=127 of W (outputs, inputs), row-major, and the scale of each output.
    ///
    /// # Panics
    /// If `weight` has not outputs · inputs values.
    pub fn int8(weight: &[i8], scales: Vec<f32>, inputs: usize) -> Self {
        Self::Int8(PackedInt8::pack(weight, scales, inputs))
    }

    /// Rows of W.
    pub fn outputs(&self) -> usize {
        match self {
            Self::F32(matrix) => matrix.outputs(),
            Self::Int8(matrix) => matrix.outputs(),
        }
    }

    /// Columns of W.
    pub fn inputs(&self) -> usize {
        match self {
            Self::F32(matrix) => matrix.inputs(),
            Self::Int8(matrix) => matrix.inputs(),
        }
    }

    /// Copies row `index` of W into `out` (inputs).
    ///
    /// # Panics
    /// If W has no such row.
    pub fn copy_row(&self, index: usize, out: &mut [f32]) {
        match self {
            Self::F32(matrix) => matrix.copy_row(index, out),
            Self::Int8(matrix) => matrix.copy_row(index, out),
        }
    }
}

/// The argument of linear maps: rows that are quantised once, when the first map with an 8-bit weight reads them.
pub struct Input<'a> {
    /// (rows, inputs)
    rows: &'a [f32],
    inputs: usize,
    quantized: &'a mut QuantizedRows,
    is_quantized: bool,
}

impl<'a> Input<'a> {
    /// Rows to multiply; `quantized` is working memory.
    ///
    /// # Shapes
    /// x (rows, inputs).
    ///
    /// # Panics
    /// If rows of x do not follow one another without gaps.
    pub fn new(x: ArrayView2<'a, f32>, quantized: &'a mut QuantizedRows) -> Self {
        let inputs = x.ncols();
        Self {
            rows: x.to_slice().expect("rows stand without gaps"),
            inputs,
            quantized,
            is_quantized: false,
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows.len() / self.inputs
    }

    fn quantized(&mut self) -> &QuantizedRows {
        if !self.is_quantized {
            kernels::quantize(self.rows, self.inputs, self.quantized);
            self.is_quantized = true;
        }
        self.quantized
    }
}

/// x·Wᵀ + b.
pub struct Linear {
    weight: Arc<Weight>,
    /// (outputs)
    bias: Vec<f32>,
}

impl Linear {
    /// A map with the given weight and bias.
    ///
    /// # Panics
    /// If the bias has not one value for each output.
    pub fn new(weight: Arc<Weight>, bias: Vec<f32>) -> Self {
        assert_eq!(bias.len(), weight.outputs(), "one bias for each output");
        Self { weight, bias }
    }

    /// Width of the result.
    pub fn outputs(&self) -> usize {
        self.weight.outputs()
    }

    /// Width of the argument.
    pub fn inputs(&self) -> usize {
        self.weight.inputs()
    }

    /// out = x·Wᵀ + b.
    ///
    /// # Shapes
    /// x (rows, inputs), out (rows, outputs), both row-major.
    ///
    /// # Panics
    /// If a shape is another, or rows of out do not follow one another without gaps.
    pub fn forward(&self, x: &mut Input<'_>, out: ArrayViewMut2<'_, f32>) {
        self.apply(x, out, false);
    }

    /// out = max(0, x·Wᵀ + b).
    ///
    /// # Shapes
    /// As [`Self::forward`].
    ///
    /// # Panics
    /// As [`Self::forward`].
    pub fn forward_relu(&self, x: &mut Input<'_>, out: ArrayViewMut2<'_, f32>) {
        self.apply(x, out, true);
    }

    /// x·Wᵀ + b in new memory: for single look-ups; passes reuse theirs.
    ///
    /// # Shapes
    /// x (rows, inputs); result (rows, outputs).
    pub fn map(&self, x: ArrayView2<'_, f32>) -> Array2<f32> {
        let mut out = Array2::zeros((x.nrows(), self.outputs()));
        let x = x.as_standard_layout();
        let mut quantized = QuantizedRows::default();
        self.forward(&mut Input::new(x.view(), &mut quantized), out.view_mut());
        out
    }

    fn apply(&self, x: &mut Input<'_>, out: ArrayViewMut2<'_, f32>, relu: bool) {
        let out = out.into_slice().expect("rows stand without gaps");
        let epilogue = Epilogue {
            bias: &self.bias,
            relu,
        };
        match &*self.weight {
            Weight::F32(matrix) => kernels::matmul(x.rows, matrix, epilogue, out),
            Weight::Int8(matrix) => kernels::matmul_int8(x.quantized(), matrix, epilogue, out),
        }
    }
}
