//! What reaches into a pass from outside: an observer that is told, and an intervention that changes.

use crate::trace::{AttentionKind, Effects};
use ndarray::ArrayView2;

/// The attention weights of one query, for whoever observes.
pub struct RowWeights<'a> {
    /// Which of the model's three attentions.
    pub kind: AttentionKind,
    /// In which layer, counted from 0.
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

/// A place in a layer at which the residual stream can be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// It is about to enter an attention.
    Attention(AttentionKind),
    /// It is about to enter the feed-forward network.
    FeedForward,
    /// It leaves the layer.
    End,
}

/// What an observer is told.
pub enum Seen<'a> {
    /// One query's weights.
    Weights(RowWeights<'a>),
    /// How long the values of one attention are after W^O. Only with [`Hooks::norms`].
    ValueNorms {
        /// Which of the model's three attentions.
        kind: AttentionKind,
        /// In which layer, counted from 0.
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
        /// The place.
        before: Before,
        /// (rows, d_model)
        x: ArrayView2<'a, f32>,
    },
}

/// Told what happens as it is computed; `None` costs nothing.
pub type Observer<'a> = Option<&'a mut dyn FnMut(Seen<'_>)>;

/// What reaches into a pass; the default is nothing.
#[derive(Default)]
pub struct Hooks<'a> {
    /// Who is told.
    pub observer: Observer<'a>,
    /// Whether value norms are computed and told.
    pub norms: bool,
    /// What is changed.
    pub effects: Option<&'a Effects>,
}

impl Hooks<'_> {
    /// Tells the observer, if there is one.
    pub fn tell(&mut self, seen: Seen<'_>) {
        if let Some(observer) = &mut self.observer {
            observer(seen);
        }
    }

    /// Tells the observer of the residual stream (rows, d_model).
    pub fn stream(&mut self, stack: Stack, layer: usize, before: Before, x: ArrayView2<'_, f32>) {
        self.tell(Seen::Stream {
            stack,
            layer,
            before,
            x,
        });
    }
}
