//! Residual connections and layer normalisation: the "Add & Norm" boxes of Figure 1 (§3.1).

use super::{Buffer, Input};
use crate::kernels::{self, QuantizedRows};
use ndarray::{Array2, ArrayView2, ArrayViewMut2};

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

    /// Gain and bias (d_model each).
    pub(crate) fn parameters(&self) -> (&[f32], &[f32]) {
        (&self.gain, &self.bias)
    }

    /// x ← LayerNorm(x + y).
    ///
    /// # Shapes
    /// x and y (rows, d_model).
    pub fn forward_sum(&self, mut x: ArrayViewMut2<'_, f32>, y: ArrayView2<'_, f32>) {
        for (mut x, y) in x.rows_mut().into_iter().zip(y.rows()) {
            let x = x.as_slice_mut().expect("rows stand without gaps");
            let y = y.to_slice().expect("rows stand without gaps");
            kernels::add_layer_norm(x, y, &self.gain, &self.bias, Self::EPSILON);
        }
    }

    /// Normalises every row of x in place.
    ///
    /// # Shapes
    /// x (rows, d_model).
    pub fn forward(&self, mut x: ArrayViewMut2<'_, f32>) {
        for mut row in x.rows_mut() {
            let row = row.as_slice_mut().expect("rows stand without gaps");
            kernels::layer_norm(row, &self.gain, &self.bias, Self::EPSILON);
        }
    }
}

/// The residual connection and norm around a sub-layer.
pub struct Residual {
    norm: LayerNorm,
    normalize_before: bool,
}

/// Working memory of [`Residual::forward`].
#[derive(Default)]
pub struct ResidualBuffers {
    normed: Buffer,
    sublayer: Buffer,
    quantized: QuantizedRows,
}

impl Residual {
    /// Norm after the sum as in the paper, or before the sub-layer (`normalize_before`).
    pub fn new(norm: LayerNorm, normalize_before: bool) -> Self {
        Self {
            norm,
            normalize_before,
        }
    }

    /// The norm of x.
    ///
    /// # Shapes
    /// x and result (rows, d_model).
    pub fn normed(&self, x: ArrayView2<'_, f32>) -> Array2<f32> {
        let mut normed = x.to_owned();
        self.norm.forward(normed.view_mut());
        normed
    }

    /// Its norm.
    pub(crate) fn norm(&self) -> &LayerNorm {
        &self.norm
    }

    /// x ← LayerNorm(x + Sublayer(x)) (§3.1), or x ← x + Sublayer(LayerNorm(x)) where the norm comes before.
    ///
    /// # Shapes
    /// x (rows, d_model); `sublayer` gets its argument and the view for its result, both of that shape.
    pub fn forward(
        &self,
        mut x: ArrayViewMut2<'_, f32>,
        buffers: &mut ResidualBuffers,
        sublayer: impl FnOnce(&mut Input<'_>, ArrayViewMut2<'_, f32>),
    ) {
        let (rows, d_model) = x.dim();
        let mut out = buffers.sublayer.view(rows, d_model);
        let quantized = &mut buffers.quantized;
        if self.normalize_before {
            let mut normed = buffers.normed.view(rows, d_model);
            normed.assign(&x);
            self.norm.forward(normed.view_mut());
            sublayer(&mut Input::new(normed.view(), quantized), out.view_mut());
            x += &out;
        } else {
            sublayer(&mut Input::new(x.view(), quantized), out.view_mut());
            self.norm.forward_sum(x, out.view());
        }
    }
}
