//! Residual connections and layer normalisation: the "Add & Norm" boxes of Figure 1 (§3.1).

use super::Buffer;
use crate::kernels;
use ndarray::{ArrayView2, ArrayViewMut2};

/// Layer normalisation over d_model (Ba et al., 2016).
pub struct LayerNorm {
    /// (d_model)
    gain: Vec<f32>,
    /// (d_model)
    bias: Vec<f32>,
}

impl LayerNorm {
    /// ε of the variance, as in every framework the paper's models were trained with since.
    pub const EPSILON: f32 = 1e-5;

    /// A norm with this gain and bias (d_model each).
    pub fn new(gain: Vec<f32>, bias: Vec<f32>) -> Self {
        Self { gain, bias }
    }

    /// Normalises every row of x (rows, d_model) in place.
    pub fn forward(&self, mut x: ArrayViewMut2<'_, f32>) {
        for mut row in x.rows_mut() {
            let row = row.as_slice_mut().expect("rows stand without gaps");
            kernels::layer_norm(row, &self.gain, &self.bias, Self::EPSILON);
        }
    }
}

/// A sub-layer's surroundings: residual connection and norm.
pub struct Residual {
    norm: LayerNorm,
    normalize_before: bool,
}

/// Working memory of [`Residual::forward`].
#[derive(Default)]
pub struct ResidualBuffers {
    normed: Buffer,
    sublayer: Buffer,
}

impl Residual {
    /// Norm after the sum as in the paper, or before the sub-layer (`normalize_before`).
    pub fn new(norm: LayerNorm, normalize_before: bool) -> Self {
        Self {
            norm,
            normalize_before,
        }
    }

    /// x ← LayerNorm(x + Sublayer(x)) (§3.1), or x ← x + Sublayer(LayerNorm(x)) where the norm comes before.
    ///
    /// # Shapes
    /// x (rows, d_model); `sublayer` gets its argument and the place for its result, both of that shape.
    pub fn forward(
        &self,
        mut x: ArrayViewMut2<'_, f32>,
        buffers: &mut ResidualBuffers,
        sublayer: impl FnOnce(ArrayView2<'_, f32>, ArrayViewMut2<'_, f32>),
    ) {
        let (rows, d_model) = x.dim();
        let mut out = buffers.sublayer.view(rows, d_model);
        if self.normalize_before {
            let mut normed = buffers.normed.view(rows, d_model);
            normed.assign(&x);
            self.norm.forward(normed.view_mut());
            sublayer(normed.view(), out.view_mut());
            x += &out;
        } else {
            sublayer(x.view(), out.view_mut());
            x += &out;
            self.norm.forward(x);
        }
    }
}
