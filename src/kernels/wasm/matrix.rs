//! The weight of a linear map as the WebAssembly kernels read it: in panels of eight outputs.

/// The weight of x·Wᵀ, W (outputs, inputs), packed once at load.
///
/// A panel holds eight rows of W side by side, so that one step along the inputs reads two vectors and
/// the inner loop runs through memory in order: element (o, i) stands at
/// `data[o / 8 · 8 · inputs + i · 8 + o % 8]`. The last panel is filled up with zeros.
pub struct PackedMatrix {
    /// (panels, inputs, 8)
    data: Vec<f32>,
    outputs: usize,
    inputs: usize,
}

/// Outputs in a panel: two vectors.
pub(super) const WIDTH: usize = 8;

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
            data: vec![0.0; outputs.div_ceil(WIDTH) * WIDTH * inputs],
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
        let count = rows.len() / self.inputs;
        assert!(rows.len() == count * self.inputs && first + count <= self.outputs);
        for (o, row) in (first..).zip(rows.chunks_exact(self.inputs)) {
            let panel = &mut self.data[o / WIDTH * WIDTH * self.inputs..][..WIDTH * self.inputs];
            for (place, value) in panel[o % WIDTH..].iter_mut().step_by(WIDTH).zip(row) {
                *place = *value;
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
        let panel = &self.data[index / WIDTH * WIDTH * self.inputs..];
        for (out, value) in out
            .iter_mut()
            .zip(panel[index % WIDTH..].iter().step_by(WIDTH))
        {
            *out = *value;
        }
    }

    /// (panels, inputs, 8)
    pub(super) fn panels(&self) -> &[f32] {
        &self.data
    }
}
