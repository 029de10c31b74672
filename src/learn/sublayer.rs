//! Sub-layers with their residual sum and norm, y = LayerNorm(x + Dropout(Sublayer(x))) (§3.1, §5.4), each with the state
//! that its backward pass needs.

use crate::attention::{Attention, AttentionMask, AttentionState, Sentences};
use crate::dropout::{Mask, Masks};
use crate::feed_forward::{FeedForward, FeedForwardState};
use crate::norm::{Norm, NormState};
use crate::parameters::Parameters;
use translucent::Config;
use translucent::model::Stack;

/// What every layer of a forward pass reads.
pub struct Forward<'a> {
    /// All weights.
    pub values: &'a [f32],
    /// Source of dropout masks.
    pub masks: &'a mut Masks,
    /// Working memory.
    pub scratch: &'a mut Vec<f32>,
}

/// What every layer of a backward pass reads, and the gradient of all weights, which it adds to.
pub struct Backward<'a> {
    /// All weights.
    pub values: &'a [f32],
    /// Gradient of all weights; none where only the inputs' is asked for.
    pub gradient: Option<&'a mut [f32]>,
    /// Working memory.
    pub scratch: &'a mut Vec<f32>,
}

/// Residual sum, dropout and norm around a sub-layer.
#[derive(Clone, Debug)]
struct Residual {
    norm: Norm,
    state: NormState,
    mask: Mask,
    /// y (rows, d_model), which the next sub-layer reads.
    output: Vec<f32>,
}

impl Residual {
    fn new(parameters: &Parameters, name: &str) -> Self {
        Self {
            norm: Norm::new(parameters, name),
            state: NormState::default(),
            mask: Mask::default(),
            output: Vec::new(),
        }
    }

    /// y of `x` (rows, d_model) and of the sub-layer's output in the working memory.
    fn forward(&mut self, pass: &mut Forward<'_>, x: &[f32]) {
        pass.masks.apply(pass.scratch, &mut self.mask);
        let (state, output) = (&mut self.state, &mut self.output);
        self.norm
            .forward(pass.values, x, pass.scratch, state, output);
    }

    /// Turns `dx`, the gradient of y, into that of the residual sum, which is x's first share; the working memory gets the
    /// sub-layer's.
    fn backward(&self, pass: &mut Backward<'_>, dx: &mut [f32]) {
        let gradient = pass.gradient.as_deref_mut();
        self.norm.backward(pass.values, &self.state, dx, gradient);
        pass.scratch.clear();
        pass.scratch.extend_from_slice(dx);
        self.mask.apply(pass.scratch);
    }
}

/// A multi-head attention sub-layer.
#[derive(Clone, Debug)]
pub struct AttentionSublayer {
    attention: Attention,
    state: AttentionState,
    residual: Residual,
}

impl AttentionSublayer {
    /// The sub-layer of that name, e.g. `model.encoder.layers.0.self_attn`.
    pub fn new(
        parameters: &Parameters,
        config: &Config,
        stack: Stack,
        name: &str,
        mask: AttentionMask,
    ) -> Self {
        Self {
            attention: Attention::new(parameters, config, stack, name, mask),
            state: AttentionState::default(),
            residual: Residual::new(parameters, &format!("{name}_layer_norm")),
        }
    }

    /// y (rows, d_model) of the last forward pass.
    ///
    /// # Shapes
    /// (rows, d_model).
    pub fn output(&self) -> &[f32] {
        &self.residual.output
    }

    /// Weights of the last forward pass: for each sentence (h, queries, keys).
    ///
    /// # Shapes
    /// For each sentence (h, queries, keys).
    pub fn weights(&self) -> &[f32] {
        &self.state.weights
    }

    /// Attends from `x` (queries, d_model) to `memory` (keys, d_model), which is x in self-attention.
    ///
    /// # Shapes
    /// `x`: (queries, d_model); `memory`: (keys, d_model).
    pub fn forward(
        &mut self,
        pass: &mut Forward<'_>,
        x: &[f32],
        memory: &[f32],
        sentences: Sentences<'_>,
    ) {
        let state = &mut self.state;
        self.attention
            .forward(pass.values, x, memory, sentences, state, pass.scratch);
        self.residual.forward(pass, x);
    }

    /// Self-attention: turns `dx`, the gradient of y, into that of x.
    ///
    /// # Shapes
    /// `x`, `dx`: (rows, d_model).
    pub fn backward_self(
        &mut self,
        pass: &mut Backward<'_>,
        x: &[f32],
        sentences: Sentences<'_>,
        dx: &mut Vec<f32>,
    ) {
        self.residual.backward(pass, dx);
        self.attention
            .backward_self(pass, x, sentences, &mut self.state, dx);
    }

    /// Cross-attention: turns `dx`, the gradient of y, into that of x, and adds to `d_memory` the memory's.
    ///
    /// # Shapes
    /// `x`, `dx`: (queries, d_model); `memory`, `d_memory`: (keys, d_model).
    pub fn backward_cross(
        &mut self,
        pass: &mut Backward<'_>,
        (x, memory): (&[f32], &[f32]),
        sentences: Sentences<'_>,
        dx: &mut Vec<f32>,
        d_memory: &mut Vec<f32>,
    ) {
        self.residual.backward(pass, dx);
        let state = &mut self.state;
        self.attention
            .backward_cross(pass, (x, memory), sentences, state, dx, d_memory);
    }
}

/// A feed-forward sub-layer.
#[derive(Clone, Debug)]
pub struct FeedForwardSublayer {
    network: FeedForward,
    state: FeedForwardState,
    residual: Residual,
}

impl FeedForwardSublayer {
    /// The sub-layer of the layer of that name, e.g. `model.encoder.layers.0`.
    pub fn new(parameters: &Parameters, layer: &str) -> Self {
        Self {
            network: FeedForward::new(parameters, layer),
            state: FeedForwardState::default(),
            residual: Residual::new(parameters, &format!("{layer}.final_layer_norm")),
        }
    }

    /// y (rows, d_model) of the last forward pass.
    ///
    /// # Shapes
    /// (rows, d_model).
    pub fn output(&self) -> &[f32] {
        &self.residual.output
    }

    /// y of `x` (rows, d_model).
    ///
    /// # Shapes
    /// `x`: (rows, d_model).
    pub fn forward(&mut self, pass: &mut Forward<'_>, x: &[f32]) {
        self.network
            .forward(pass.values, x, &mut self.state, pass.scratch);
        self.residual.forward(pass, x);
    }

    /// Turns `dx`, the gradient of y, into that of x.
    ///
    /// # Shapes
    /// `x`, `dx`: (rows, d_model).
    pub fn backward(&mut self, pass: &mut Backward<'_>, x: &[f32], dx: &mut Vec<f32>) {
        self.residual.backward(pass, dx);
        self.network.backward(pass, x, &mut self.state, dx);
    }
}
