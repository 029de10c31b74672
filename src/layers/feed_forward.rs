//! The position-wise feed-forward network (§3.3).

use super::{Buffer, Linear};
use crate::kernels;
use ndarray::{ArrayView2, ArrayViewMut2};
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

    /// Writes FFN(x) to `out`; both (rows, d_model). `hidden` is working memory.
    pub fn forward(
        &self,
        x: ArrayView2<'_, f32>,
        hidden: &mut Buffer,
        out: ArrayViewMut2<'_, f32>,
    ) {
        let rows = x.nrows();
        let mut hidden = hidden.view(rows, self.inner.outputs()); // (rows, d_ff)
        self.inner.forward(x, hidden.view_mut());
        let inner = hidden.as_slice_mut().expect("a fresh view has no gaps");
        match self.activation {
            Activation::Relu => kernels::relu(inner),
            Activation::Swish => kernels::swish(inner),
        }
        self.outer.forward(hidden.view(), out);
    }
}
