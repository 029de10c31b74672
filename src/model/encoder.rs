//! The encoder: the left half of Figure 1 (§3.1).

use super::workspace::{AttentionWorkspace, Workspace};
use crate::kernels::Rows;
use crate::layers::comparison::Neighbourhood;
use crate::layers::{
    FeedForward, HookEvent, HookPoint, Hooks, Input, KeyValues, LayerNorm, MultiHeadAttention,
    Residual, Stack,
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

/// The positions that are visible to self-attention.
struct Scope<'a> {
    /// Rows of each sentence.
    sentences: &'a [Range<usize>],
    neighbourhood: Option<Neighbourhood>,
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
        let scope = Scope {
            sentences,
            neighbourhood: hooks.neighbourhood().or(self.neighbourhood),
        };
        for (number, layer) in self.layers.iter().enumerate() {
            layer.forward(number, x.view_mut(), &scope, workspace, hooks);
        }
        if let Some(norm) = &self.final_norm {
            norm.forward(x.view_mut());
        }
        hooks.emit(HookEvent::Output {
            stack: Stack::Encoder,
            x: x.view(),
        });
    }
}

impl EncoderLayer {
    /// x ← AddNorm(x, SelfAttention), x ← AddNorm(x, FFN) (§3.1); x is (total tokens, d_model).
    fn forward(
        &self,
        number: usize,
        mut x: ArrayViewMut2<'_, f32>,
        scope: &Scope<'_>,
        workspace: &mut Workspace,
        hooks: &mut Hooks<'_>,
    ) {
        let Workspace {
            residual,
            attention,
            feed_forward,
            ..
        } = workspace;
        let stack = Stack::Encoder;

        let point = HookPoint::BeforeAttention(AttentionKind::EncoderSelf);
        hooks.stream(stack, number, point, x.view());
        self.self_attention_residual
            .forward(x.view_mut(), residual, |x, out| {
                self.self_attend(x, out, scope, attention, hooks)
            });

        hooks.stream(stack, number, HookPoint::BeforeFeedForward, x.view());
        self.feed_forward_residual
            .forward(x.view_mut(), residual, |x, out| {
                self.feed_forward.forward(x, feed_forward, out)
            });
        hooks.stream(stack, number, HookPoint::AfterLayer, x.view());
    }

    /// Self-attention of every position over its sentence (§3.2.3); x and out are (total tokens, d_model).
    fn self_attend(
        &self,
        x: &mut Input<'_>,
        out: ArrayViewMut2<'_, f32>,
        scope: &Scope<'_>,
        workspace: &mut AttentionWorkspace,
        hooks: &mut Hooks<'_>,
    ) {
        let AttentionWorkspace {
            buffers,
            keys,
            values,
        } = workspace;
        let attention = &self.self_attention;
        let mut keys = keys.view(x.rows(), attention.key_width());
        let mut values = values.view(x.rows(), attention.value_width());
        attention.project_memory(x, keys.view_mut(), values.view_mut(), hooks);
        let keys = keys.as_slice().expect("a fresh view has no gaps");
        let values = values.as_slice().expect("a fresh view has no gaps");
        attention.forward(x, buffers, out, |query, weights| {
            let sentence = &scope.sentences[sentence_of(scope.sentences, query.row)];
            let start = sentence.start;
            let visible = match scope.neighbourhood {
                None => 0..sentence.len(),
                Some(near) => near.window(query.row - start, sentence.len()),
            };
            let memory = KeyValues {
                keys,
                values,
                positions: visible.clone(),
                rows: Rows::From(start),
            };
            attention.attend(query, &memory, visible, weights, hooks);
        });
    }
}

/// The sentence to which a row belongs; `sentences` are the rows of each, in order.
pub(super) fn sentence_of(sentences: &[Range<usize>], row: usize) -> usize {
    sentences.partition_point(|rows| rows.end <= row)
}
