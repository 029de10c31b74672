//! A linear map x·Wᵀ + b, whatever its weight is stored as.

use crate::kernels::{self, PackedMatrix};
use ndarray::{ArrayView2, ArrayViewMut2};
use std::sync::Arc;

/// A weight W (outputs, inputs) as the kernels read it; embeddings and projection may share one (§3.4).
pub enum Weight {
    /// 32-bit floats, packed once at load.
    F32(PackedMatrix),
}

impl Weight {
    /// Takes W (outputs, inputs), row-major.
    ///
    /// # Panics
    /// If `weight` has not outputs · inputs values.
    pub fn new(weight: Vec<f32>, outputs: usize, inputs: usize) -> Self {
        Self::F32(PackedMatrix::pack(weight, outputs, inputs))
    }

    /// Rows of W.
    pub fn outputs(&self) -> usize {
        match self {
            Self::F32(matrix) => matrix.outputs(),
        }
    }

    /// Columns of W.
    pub fn inputs(&self) -> usize {
        match self {
            Self::F32(matrix) => matrix.inputs(),
        }
    }

    /// Copies row `index` of W into `out` (inputs).
    ///
    /// # Panics
    /// If W has no such row.
    pub fn copy_row(&self, index: usize, out: &mut [f32]) {
        match self {
            Self::F32(matrix) => matrix.copy_row(index, out),
        }
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
    /// If a shape is another, or rows of x or out do not follow one another without gaps.
    pub fn forward(&self, x: ArrayView2<'_, f32>, out: ArrayViewMut2<'_, f32>) {
        let x = x.to_slice().expect("rows stand without gaps");
        let out = out.into_slice().expect("rows stand without gaps");
        match &*self.weight {
            Weight::F32(matrix) => kernels::matmul(x, matrix, Some(&self.bias), out),
        }
    }
}
