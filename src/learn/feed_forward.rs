//! FFN(x) = max(0, x·W₁ + b₁)·W₂ + b₂ (§3.3, eq. 2) and its backward pass.

use crate::linear::Linear;
use crate::parameters::Parameters;
use translucent::kernels::product::Into;

/// The two maps of a layer's feed-forward network.
#[derive(Clone, Debug)]
pub struct FeedForward {
    inner: Linear,
    outer: Linear,
}

/// What the backward pass needs of a forward one, and its own working memory.
#[derive(Clone, Debug, Default)]
pub struct FeedForwardState {
    /// max(0, x·W₁ + b₁) (rows, d_ff)
    hidden: Vec<f32>,
    d_hidden: Vec<f32>,
}

impl FeedForward {
    /// The network of the layer of that name.
    pub fn new(parameters: &Parameters, layer: &str) -> Self {
        Self {
            inner: Linear::new(parameters, &format!("{layer}.fc1")),
            outer: Linear::new(parameters, &format!("{layer}.fc2")),
        }
    }

    /// y (rows, d_model) of `x` (rows, d_model).
    pub fn forward(
        &self,
        values: &[f32],
        x: &[f32],
        state: &mut FeedForwardState,
        y: &mut Vec<f32>,
    ) {
        self.inner.forward(values, x, &mut state.hidden);
        translucent::kernels::relu(&mut state.hidden);
        self.outer.forward(values, &state.hidden, y);
    }

    /// Adds to `dx` the gradient of x.
    pub fn backward(
        &self,
        values: &[f32],
        x: &[f32],
        state: &mut FeedForwardState,
        dy: &[f32],
        gradient: &mut [f32],
        dx: &mut Vec<f32>,
    ) {
        self.outer.backward_weight(&state.hidden, dy, gradient);
        self.outer
            .backward_input(values, dy, Into::Replace, &mut state.d_hidden);
        for (d, hidden) in state.d_hidden.iter_mut().zip(&state.hidden) {
            if *hidden <= 0.0 {
                *d = 0.0;
            }
        }
        self.inner.backward_weight(x, &state.d_hidden, gradient);
        self.inner
            .backward_input(values, &state.d_hidden, Into::Add, dx);
    }
}
