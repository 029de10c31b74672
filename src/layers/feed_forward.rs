//! The position-wise feed-forward network (§3.3).

use super::{Buffer, Input, Linear};
use crate::kernels::{self, QuantizedRows};
use ndarray::ArrayViewMut2;
use serde::{Deserialize, Serialize};

/// The activation between the two linear maps of the feed-forward network (§3.3, eq. 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// max(0, x): the paper's.
    Relu,
    /// x · sigmoid(x): opus-mt's (`swish` or `silu`).
    #[serde(alias = "silu")]
    Swish,
}

/// Working memory of a feed-forward network.
#[derive(Default)]
pub struct FeedForwardBuffers {
    /// Inner layer (rows, d_ff)
    hidden: Buffer,
    quantized: QuantizedRows,
}

/// FFN(x) = max(0, x·W₁ + b₁)·W₂ + b₂ (eq. 2), or with swish in place of max(0, ·).
pub struct FeedForward {
    inner: Linear,
    outer: Linear,
    activation: Activation,
}

impl FeedForward {
    /// Of the inner map (d_ff, d_model) and the outer map (d_model, d_ff).
    pub fn new(inner: Linear, outer: Linear, activation: Activation) -> Self {
        Self {
            inner,
            outer,
            activation,
        }
    }

    /// Writes FFN(x) to `out`.
    ///
    /// # Shapes
    /// x and out (rows, d_model).
    pub fn forward(
        &self,
        x: &mut Input<'_>,
        buffers: &mut FeedForwardBuffers,
        out: ArrayViewMut2<'_, f32>,
    ) {
        let mut hidden = buffers.hidden.view(x.rows(), self.inner.outputs()); // (rows, d_ff)
        match self.activation {
            Activation::Relu => self.inner.forward_relu(x, hidden.view_mut()),
            Activation::Swish => {
                self.inner.forward(x, hidden.view_mut());
                kernels::swish(hidden.as_slice_mut().expect("a fresh view has no gaps"));
            }
        }
        let mut hidden = Input::new(hidden.view(), &mut buffers.quantized);
        self.outer.forward(&mut hidden, out);
    }

    /// The inner map (d_ff, d_model), the outer map (d_model, d_ff), and the activation between them.
    pub(crate) fn parts(&self) -> (&Linear, &Linear, Activation) {
        (&self.inner, &self.outer, self.activation)
    }
}
