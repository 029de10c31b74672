//! FFN(x) = max(0, x·W₁ + b₁)·W₂ + b₂ (§3.3, eq. 2) and its backward pass.

use crate::linear::Linear;
use crate::parameters::Parameters;
use crate::sublayer::Backward;
use translucent::kernels::product::Destination;

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
    ///
    /// # Shapes
    /// `values`: all weights; `x`, `y`: (rows, d_model).
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

    /// Carries the gradient of y, in the working memory, back to `dx`, which is added to.
    ///
    /// # Shapes
    /// `x`, `dx`: (rows, d_model).
    pub fn backward(
        &self,
        pass: &mut Backward<'_>,
        x: &[f32],
        state: &mut FeedForwardState,
        dx: &mut Vec<f32>,
    ) {
        let (dy, d_hidden) = (&*pass.scratch, &mut state.d_hidden);
        if let Some(gradient) = pass.gradient.as_deref_mut() {
            self.outer.backward_weight(&state.hidden, dy, gradient);
        }
        self.outer
            .backward_input(pass.values, dy, Destination::Replace, d_hidden);
        for (d, hidden) in d_hidden.iter_mut().zip(&state.hidden) {
            if *hidden <= 0.0 {
                *d = 0.0;
            }
        }
        self.inner.backward(pass, x, d_hidden, dx);
    }
}
