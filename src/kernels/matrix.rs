//! The weight of a linear map as the reference and the native kernels read it: row-major, nothing rearranged.

/// The weight of x·Wᵀ, W (outputs, inputs).
pub struct PackedMatrix {
    /// (outputs, inputs)
    data: Vec<f32>,
    outputs: usize,
    inputs: usize,
}

impl PackedMatrix {
    /// Takes W (outputs, inputs), row-major.
    ///
    /// # Panics
    /// If `weight` has not outputs · inputs values.
    pub fn pack(weight: Vec<f32>, outputs: usize, inputs: usize) -> Self {
        assert_eq!(weight.len(), outputs * inputs, "W is (outputs, inputs)");
        Self {
            data: weight,
            outputs,
            inputs,
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

    /// Copies row `index` of W into `out` (inputs).
    pub fn copy_row(&self, index: usize, out: &mut [f32]) {
        out.copy_from_slice(&self.data[index * self.inputs..][..self.inputs]);
    }

    /// W (outputs, inputs), row-major.
    pub(super) fn rows(&self) -> &[f32] {
        &self.data
    }
}
