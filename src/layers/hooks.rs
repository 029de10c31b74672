//! Hooks of a pass: an observer of what is computed, and the effects of an intervention.

use crate::trace::{AttentionKind, Effects};
use ndarray::ArrayView2;

/// The attention weights of one query.
pub struct RowWeights<'a> {
    /// Which of the model's three attentions.
    pub kind: AttentionKind,
    /// The layer, counted from 0.
    pub layer: usize,
    /// Number of the query's row in the pass.
    pub row: usize,
    /// Position of the first key that `weights` covers; keys beyond those covered have weight 0.
    pub first_key: usize,
    /// (h, keys covered)
    pub weights: &'a [f32],
    /// The concatenated heads (h · d_v).
    pub context: &'a [f32],
}

impl AttentionKind {
    /// The stack in which it is.
    pub fn stack(self) -> Stack {
        match self {
            Self::EncoderSelf => Stack::Encoder,
            Self::DecoderSelf | Self::Cross => Stack::Decoder,
        }
    }
}

/// One of the two halves of Figure 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stack {
    /// The left one.
    Encoder,
    /// The right one.
    Decoder,
}

/// A point of a layer at which the residual stream is observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookPoint {
    /// Input of an attention sub-layer.
    BeforeAttention(AttentionKind),
    /// Input of the feed-forward sub-layer.
    BeforeFeedForward,
    /// Output of the layer.
    AfterLayer,
}

/// What an observer receives.
pub enum HookEvent<'a> {
    /// One query's weights.
    Weights(RowWeights<'a>),
    /// Lengths of the values of one attention after W^O. Only with [`Hooks::norms`].
    ValueNorms {
        /// Which of the model's three attentions.
        kind: AttentionKind,
        /// The layer, counted from 0.
        layer: usize,
        /// ‖v·W^O‖ of each head (rows of the pass, h).
        norms: ArrayView2<'a, f32>,
    },
    /// The residual stream at one place of one layer.
    Stream {
        /// Of which stack.
        stack: Stack,
        /// Counted from 0.
        layer: usize,
        /// The point of the layer.
        point: HookPoint,
        /// (rows, d_model)
        x: ArrayView2<'a, f32>,
    },
}

/// Receives events as they are computed; `None` costs nothing.
pub type Observer<'a> = Option<&'a mut dyn FnMut(HookEvent<'_>)>;

/// Hooks of a pass; the default is none.
#[derive(Default)]
pub struct Hooks<'a> {
    /// The observer.
    pub observer: Observer<'a>,
    /// Whether value norms are computed and emitted.
    pub norms: bool,
    /// Effects of an intervention.
    pub effects: Option<&'a Effects>,
}

impl Hooks<'_> {
    /// Passes an event to the observer, if there is one.
    pub fn emit(&mut self, event: HookEvent<'_>) {
        if let Some(observer) = &mut self.observer {
            observer(event);
        }
    }

    /// Emits the residual stream (rows, d_model).
    pub fn stream(&mut self, stack: Stack, layer: usize, point: HookPoint, x: ArrayView2<'_, f32>) {
        self.emit(HookEvent::Stream {
            stack,
            layer,
            point,
            x,
        });
    }
}
