//! The position-wise feed-forward network (§3.3).

use super::{Buffer, Input, Linear};
use crate::kernels::{self, QuantizedRows};
use ndarray::{Array1, ArrayViewMut2, Axis};
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

/// The feed-forward network of one position (§3.3).
#[derive(Clone, Debug, PartialEq)]
pub struct FeedForwardSteps {
    /// (d_model)
    pub input: Array1<f32>,
    /// x·W₁ + b₁ (d_ff)
    pub inner: Array1<f32>,
    /// After the activation (d_ff).
    pub hidden: Array1<f32>,
    /// The activation.
    pub activation: Activation,
    /// (d_model)
    pub output: Array1<f32>,
}

impl FeedForwardSteps {
    /// How many of `hidden` are not 0.
    pub fn active(&self) -> usize {
        self.hidden.iter().filter(|x| **x != 0.0).count()
    }
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

    /// Writes FFN(x) to `out`; both (rows, d_model).
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

    /// FFN of one row (d_model), step by step.
    pub fn steps(&self, input: Array1<f32>) -> FeedForwardSteps {
        let map = |map: &Linear, x: &Array1<f32>| {
            let out = map.map(x.view().insert_axis(Axis(0)));
            out.index_axis_move(Axis(0), 0)
        };
        let inner = map(&self.inner, &input);
        let mut hidden = inner.to_vec();
        match self.activation {
            Activation::Relu => hidden.iter_mut().for_each(|x| *x = x.max(0.0)),
            Activation::Swish => kernels::swish(&mut hidden),
        }
        let hidden = Array1::from(hidden);
        FeedForwardSteps {
            output: map(&self.outer, &hidden),
            input,
            inner,
            hidden,
            activation: self.activation,
        }
    }
}
