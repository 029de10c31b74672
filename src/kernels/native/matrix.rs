//! The weight of a linear map as the native kernels read it: transposed.

/// The weight of x·Wᵀ, W (outputs, inputs), transposed once at load: with its outputs side by side, the
/// `gemm` crate reads it in place, where it would otherwise rearrange it for every product
/// (four times slower for a handful of rows).
pub struct PackedMatrix {
    /// (inputs, outputs)
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
        let mut matrix = Self::zeros(outputs, inputs);
        matrix.set_rows(0, &weight);
        matrix
    }

    /// W (outputs, inputs) of zeros, to be filled by [`Self::set_rows`].
    pub fn zeros(outputs: usize, inputs: usize) -> Self {
        Self {
            data: vec![0.0; outputs * inputs],
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
    /// If W has not so many rows, or `rows` is no multiple of `inputs`.
    pub fn set_rows(&mut self, first: usize, rows: &[f32]) {
        /// Rows that go together, so that a cache line is filled before it is left.
        const BLOCK: usize = 16;
        let (inputs, outputs) = (self.inputs, self.outputs);
        let count = rows.len() / inputs;
        assert!(rows.len() == count * inputs && first + count <= outputs);
        for (block, rows) in rows.chunks(BLOCK * inputs).enumerate() {
            for i in 0..inputs {
                let column = rows.iter().skip(i).step_by(inputs);
                let places = self.data[i * outputs + first + block * BLOCK..].iter_mut();
                for (place, value) in places.zip(column) {
                    *place = *value;
                }
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

    /// Copies row `index` of W into `out` (inputs).
    ///
    /// # Panics
    /// If W has no such row or `out` another length.
    pub fn copy_row(&self, index: usize, out: &mut [f32]) {
        assert!(index < self.outputs && out.len() == self.inputs);
        let row = self.data.iter().skip(index).step_by(self.outputs);
        for (out, value) in out.iter_mut().zip(row) {
            *out = *value;
        }
    }

    /// (inputs, outputs)
    pub(super) fn transposed(&self) -> &[f32] {
        &self.data
    }
}
