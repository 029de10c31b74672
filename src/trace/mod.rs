//! Requests for observations, and traces. Observation changes no token and no score, and costs nothing when off.

pub mod aggregate;
mod collect;
mod intervene;

pub use collect::{AttentionBlock, KeyNorms, Selection};
pub use intervene::{
    Change, Effects, HeadChange, HeadEffect, Intervention, PositionChange, Stacks,
};

use ndarray::{Array2, Array4};
use serde::{Deserialize, Serialize};

/// The three applications of attention in the model (§3.2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AttentionKind {
    /// Encoder self-attention.
    EncoderSelf,
    /// Masked decoder self-attention.
    DecoderSelf,
    /// Encoder–decoder attention.
    Cross,
}

impl AttentionKind {
    /// All three.
    pub const ALL: [Self; 3] = [Self::EncoderSelf, Self::DecoderSelf, Self::Cross];
}

/// One weight of the model. All numbers count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cell {
    /// Which of the three attentions.
    pub kind: AttentionKind,
    /// The layer.
    pub layer: usize,
    /// The head.
    pub head: usize,
    /// The query's position: source piece, or decoding step.
    pub query: usize,
    /// The key's position: source piece, or target position that was read; it may be masked.
    pub key: usize,
}

/// Which attentions to record. Layers and heads are counted from 0; `None` means all.
///
/// ```
/// use translucent::trace::{AttentionKind, TraceRequest};
///
/// let request = TraceRequest::of(&[AttentionKind::Cross]).with_layers([2]).with_heads([0, 3]);
/// assert_eq!(request.heads, Some(vec![0, 3]));
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TraceRequest {
    /// Record encoder self-attention.
    pub encoder_self: bool,
    /// Record masked decoder self-attention.
    pub decoder_self: bool,
    /// Record encoder–decoder attention.
    pub cross: bool,
    /// Only these layers.
    pub layers: Option<Vec<usize>>,
    /// Only these heads.
    pub heads: Option<Vec<usize>>,
    /// Record the encoder's and the decoder's embedding + position sums and final outputs.
    pub hidden: bool,
    /// Record the value-weighted norms of every recorded attention.
    pub norms: bool,
    /// Record encoder–decoder attention as a mean over all layers and heads, whatever `layers` and `heads` say: what a search
    /// needs to know of it where a translation must hold phrases.
    pub alignment: bool,
}

impl TraceRequest {
    /// These attentions, every layer and head.
    pub fn of(kinds: &[AttentionKind]) -> Self {
        Self {
            encoder_self: kinds.contains(&AttentionKind::EncoderSelf),
            decoder_self: kinds.contains(&AttentionKind::DecoderSelf),
            cross: kinds.contains(&AttentionKind::Cross),
            ..Self::default()
        }
    }

    /// All three attentions, every layer and head.
    pub fn attention() -> Self {
        Self::of(&AttentionKind::ALL)
    }

    /// The same, of these layers only.
    pub fn with_layers(self, layers: impl Into<Vec<usize>>) -> Self {
        let layers = Some(layers.into());
        Self { layers, ..self }
    }

    /// The same, of these heads only.
    pub fn with_heads(self, heads: impl Into<Vec<usize>>) -> Self {
        let heads = Some(heads.into());
        Self { heads, ..self }
    }

    /// The same with embeddings and final outputs of both stacks.
    pub fn with_hidden(self) -> Self {
        Self {
            hidden: true,
            ..self
        }
    }

    /// The same with the value-weighted norms of every recorded attention.
    pub fn with_norms(self) -> Self {
        Self {
            norms: true,
            ..self
        }
    }

    /// Whether anything at all is observed.
    pub fn is_off(&self) -> bool {
        !(self.encoder_self || self.decoder_self || self.cross || self.hidden || self.alignment)
    }
}

/// Observations of one sentence and one hypothesis, each a contiguous f32 block.
/// Blocks that were not requested are `None`. Masked cells hold exactly 0.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Trace {
    /// Attention weights (layers, heads, len_src, len_src).
    pub encoder_self: Option<Array4<f32>>,
    /// Attention weights (layers, heads, len_tgt, len_tgt), zero above the diagonal.
    pub decoder_self: Option<Array4<f32>>,
    /// Attention weights (layers, heads, len_tgt, len_src).
    pub cross: Option<Array4<f32>>,
    /// ‖α·v·W^O‖ of every weight of `encoder_self`: what its key adds through its head; the bias, which no key adds,
    /// is left out.
    pub encoder_self_norms: Option<Array4<f32>>,
    /// The same of `decoder_self`.
    pub decoder_self_norms: Option<Array4<f32>>,
    /// The same of `cross`.
    pub cross_norms: Option<Array4<f32>>,
    /// Source embedding × √d_model (len_src, d_model), before the positions are added.
    pub source_embedding: Option<Array2<f32>>,
    /// Target embedding × √d_model (len_tgt, d_model), before the positions are added.
    pub target_embedding: Option<Array2<f32>>,
    /// Encoder output, the memory (len_src, d_model).
    pub memory: Option<Array2<f32>>,
    /// Decoder output before the projection (len_tgt, d_model).
    pub decoder_output: Option<Array2<f32>>,
    /// Mean over layers and heads of encoder–decoder attention (len_tgt, len_src).
    pub alignment: Option<Array2<f32>>,
}
