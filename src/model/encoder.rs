//! The encoder: the left half of Figure 1 (§3.1).

use super::workspace::Workspace;
use crate::layers::comparison::Neighbourhood;
use crate::layers::{
    FeedForward, HookPoint, Hooks, KeyValues, LayerNorm, MultiHeadAttention, Residual, Stack,
};
use crate::trace::AttentionKind;
use ndarray::ArrayViewMut2;
use std::ops::Range;

/// One of N identical layers: self-attention and feed-forward network, each within add & norm.
pub(crate) struct EncoderLayer {
    pub self_attention: MultiHeadAttention,
    pub self_attention_residual: Residual,
    pub feed_forward: FeedForward,
    pub feed_forward_residual: Residual,
}

/// The stack of N layers.
pub struct Encoder {
    pub(crate) layers: Vec<EncoderLayer>,
    /// Only where norms come before the sub-layers: one more at the end.
    pub(crate) final_norm: Option<LayerNorm>,
    pub(crate) neighbourhood: Option<Neighbourhood>,
}

impl Encoder {
    /// Turns the sum of embeddings and positions into the memory, in place.
    ///
    /// # Shapes
    /// x (total tokens, d_model): the sentences one after the other without padding, `sentences`
    /// their rows. Attention stays within a sentence.
    pub(crate) fn forward(
        &self,
        mut x: ArrayViewMut2<'_, f32>,
        sentences: &[Range<usize>],
        workspace: &mut Workspace,
        hooks: &mut Hooks<'_>,
    ) {
        let changed = hooks.effects.and_then(|effects| effects.neighbourhood);
        let neighbourhood = changed.map(|r| Neighbourhood { r }).or(self.neighbourhood);
        for (number, layer) in self.layers.iter().enumerate() {
            layer.forward(
                number,
                x.view_mut(),
                sentences,
                neighbourhood,
                workspace,
                hooks,
            );
        }
        if let Some(norm) = &self.final_norm {
            norm.forward(x);
        }
    }
}

impl EncoderLayer {
    fn forward(
        &self,
        number: usize,
        mut x: ArrayViewMut2<'_, f32>,
        sentences: &[Range<usize>],
        neighbourhood: Option<Neighbourhood>,
        workspace: &mut Workspace,
        hooks: &mut Hooks<'_>,
    ) {
        let Workspace {
            residual,
            attention,
            key,
            value,
            feed_forward,
            ..
        } = workspace;
        let rows = x.nrows();

        hooks.stream(
            Stack::Encoder,
            number,
            HookPoint::BeforeAttention(AttentionKind::EncoderSelf),
            x.view(),
        );
        self.self_attention_residual
            .forward(x.view_mut(), residual, |x, out| {
                let mut keys = key.view(rows, self.self_attention.key_width());
                let mut values = value.view(rows, self.self_attention.value_width());
                self.self_attention
                    .project_memory(x, keys.view_mut(), values.view_mut(), hooks);
                let keys = keys.as_slice().expect("a fresh view has no gaps");
                let values = values.as_slice().expect("a fresh view has no gaps");
                let mut remaining = sentences.iter();
                let mut sentence = 0..0;
                self.self_attention
                    .forward(x, attention, out, |query, weights| {
                        while query.row >= sentence.end {
                            sentence = remaining
                                .next()
                                .expect("every row belongs to a sentence")
                                .clone();
                        }
                        let positions = match neighbourhood {
                            None => 0..sentence.len(),
                            Some(near) => near.window(query.row - sentence.start, sentence.len()),
                        };
                        let start = sentence.start;
                        let row = |position: usize| start + position;
                        let memory = KeyValues {
                            keys,
                            values,
                            positions: positions.clone(),
                            row,
                        };
                        self.self_attention
                            .attend(query, &memory, positions, weights, hooks);
                    });
            });

        hooks.stream(
            Stack::Encoder,
            number,
            HookPoint::BeforeFeedForward,
            x.view(),
        );
        self.feed_forward_residual
            .forward(x.view_mut(), residual, |x, out| {
                self.feed_forward.forward(x, feed_forward, out)
            });
        hooks.stream(Stack::Encoder, number, HookPoint::AfterLayer, x.view());
    }
}
