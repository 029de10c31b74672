//! Hooks of a pass: an observer of what is computed, and the effects of an intervention.

use super::comparison::Neighbourhood;
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

/// What an observer receives, as it is computed.
#[non_exhaustive]
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
    /// The scaled embeddings that enter a stack, before positions are added (§3.4).
    Embedding {
        /// Of which stack.
        stack: Stack,
        /// (rows, d_model)
        x: ArrayView2<'a, f32>,
    },
    /// The output of a stack.
    Output {
        /// Of which stack.
        stack: Stack,
        /// (rows, d_model)
        x: ArrayView2<'a, f32>,
    },
    /// The residual stream at one point of one layer.
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

/// Receives the events of a pass.
pub trait Observer {
    /// Handles one event.
    fn on_event(&mut self, event: HookEvent<'_>);
}

impl<F: FnMut(HookEvent<'_>)> Observer for F {
    fn on_event(&mut self, event: HookEvent<'_>) {
        self(event);
    }
}

/// Hooks of a pass; the default is none.
#[derive(Default)]
pub struct Hooks<'a> {
    /// The observer; `None` costs nothing.
    pub observer: Option<&'a mut dyn Observer>,
    /// Whether value norms are computed and emitted.
    pub norms: bool,
    /// Effects of an intervention.
    pub effects: Option<&'a Effects>,
}

impl Hooks<'_> {
    /// Passes an event to the observer, if there is one.
    pub fn emit(&mut self, event: HookEvent<'_>) {
        if let Some(observer) = &mut self.observer {
            observer.on_event(event);
        }
    }

    /// The neighbourhood to which an intervention restricts self-attention (§4).
    pub fn neighbourhood(&self) -> Option<Neighbourhood> {
        let r = self.effects?.neighbourhood?;
        Some(Neighbourhood { r })
    }

    /// Emits the residual stream.
    ///
    /// # Shapes
    /// x (rows, d_model).
    pub fn stream(&mut self, stack: Stack, layer: usize, point: HookPoint, x: ArrayView2<'_, f32>) {
        self.emit(HookEvent::Stream {
            stack,
            layer,
            point,
            x,
        });
    }
}
