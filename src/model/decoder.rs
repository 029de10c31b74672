//! The decoder: the right half of Figure 1 (§3.1).

use super::cache::{KeyValueRows, PassSlots};
use super::workspace::Workspace;
use crate::layers::attention::Query;
use crate::layers::comparison::Neighbourhood;
use crate::layers::{
    Buffer, FeedForward, HookPoint, Hooks, Input, KeyValues, LayerNorm, MultiHeadAttention,
    Residual, Stack,
};
use crate::trace::AttentionKind;
use ndarray::ArrayViewMut2;

/// One of N identical layers: masked self-attention, encoder–decoder attention and feed-forward
/// network, each within add & norm.
pub(crate) struct DecoderLayer {
    pub self_attention: MultiHeadAttention,
    pub self_attention_residual: Residual,
    pub cross_attention: MultiHeadAttention,
    pub cross_attention_residual: Residual,
    pub feed_forward: FeedForward,
    pub feed_forward_residual: Residual,
}

/// The stack of N layers.
pub struct Decoder {
    pub(crate) layers: Vec<DecoderLayer>,
    /// Only where norms come before the sub-layers: one more at the end.
    pub(crate) final_norm: Option<LayerNorm>,
    pub(crate) neighbourhood: Option<Neighbourhood>,
}

/// What each row of a pass sees of the target.
#[derive(Clone, Copy)]
pub(crate) enum Past<'a> {
    /// The rows are one target from its beginning: row i sees rows 0..=i, the rest is masked (§3.2.3).
    Causal,
    /// Each row sees the path to its slot; the keys and values before it are in the cache.
    Paths(&'a PassSlots),
}

/// Keys and values of one sentence's memory, computed once per layer.
pub(crate) struct CrossMemory {
    /// Number of source pieces.
    pub len: usize,
    /// One for each decoder layer; empty once released.
    pub layers: Vec<KeyValueRows>,
}

/// Whose memory a row reads.
pub(crate) struct Memories<'a> {
    /// By sentence.
    pub memories: &'a [CrossMemory],
    /// By row.
    pub sentences: &'a [usize],
}

impl Decoder {
    /// Turns the sum of embeddings and positions into the decoder's output, in place, adding the
    /// rows' keys and values to `cache` (one entry for each layer).
    ///
    /// # Shapes
    /// x (rows, d_model).
    pub(crate) fn forward(
        &self,
        mut x: ArrayViewMut2<'_, f32>,
        past: Past<'_>,
        cache: &mut [KeyValueRows],
        memories: &Memories<'_>,
        workspace: &mut Workspace,
        hooks: &mut Hooks<'_>,
    ) {
        let changed = hooks.effects.and_then(|effects| effects.neighbourhood);
        let neighbourhood = changed.map(|r| Neighbourhood { r }).or(self.neighbourhood);
        for (number, (layer, cache)) in self.layers.iter().zip(cache).enumerate() {
            let Workspace {
                residual,
                attention,
                key,
                value,
                feed_forward,
                ..
            } = &mut *workspace;

            hooks.stream(
                Stack::Decoder,
                number,
                HookPoint::BeforeAttention(AttentionKind::DecoderSelf),
                x.view(),
            );
            layer
                .self_attention_residual
                .forward(x.view_mut(), residual, |x, out| {
                    store(&layer.self_attention, x, past, cache, (key, value), hooks);
                    layer
                        .self_attention
                        .forward(x, attention, out, |query, weights| {
                            let target = Target {
                                past,
                                neighbourhood,
                                cache,
                            };
                            target.attend(&layer.self_attention, query, weights, hooks);
                        });
                });

            hooks.stream(
                Stack::Decoder,
                number,
                HookPoint::BeforeAttention(AttentionKind::Cross),
                x.view(),
            );
            layer
                .cross_attention_residual
                .forward(x.view_mut(), residual, |x, out| {
                    layer
                        .cross_attention
                        .forward(x, attention, out, |query, weights| {
                            let memory = &memories.memories[memories.sentences[query.row]];
                            let KeyValueRows { keys, values } = &memory.layers[number];
                            let row = |position: usize| position;
                            let memory = KeyValues {
                                keys,
                                values,
                                positions: 0..memory.len,
                                row,
                            };
                            let all = memory.positions.clone();
                            layer
                                .cross_attention
                                .attend(query, &memory, all, weights, hooks);
                        });
                });

            hooks.stream(
                Stack::Decoder,
                number,
                HookPoint::BeforeFeedForward,
                x.view(),
            );
            layer
                .feed_forward_residual
                .forward(x.view_mut(), residual, |x, out| {
                    layer.feed_forward.forward(x, feed_forward, out)
                });
            hooks.stream(Stack::Decoder, number, HookPoint::AfterLayer, x.view());
        }
        if let Some(norm) = &self.final_norm {
            norm.forward(x);
        }
    }
}

/// What masked self-attention reads.
struct Target<'a> {
    past: Past<'a>,
    neighbourhood: Option<Neighbourhood>,
    cache: &'a KeyValueRows,
}

impl Target<'_> {
    /// Masked self-attention of one query over what it sees of the target.
    fn attend(
        &self,
        attention: &MultiHeadAttention,
        query: Query<'_>,
        weights: &mut Buffer,
        hooks: &mut Hooks<'_>,
    ) {
        let KeyValueRows { keys, values } = self.cache;
        // A neighbourhood reaches back by r / 2 and, under the mask, not ahead.
        let window = |seen: usize| match self.neighbourhood {
            None => 0..seen,
            Some(near) => near.window(seen - 1, seen),
        };
        match self.past {
            Past::Causal => {
                let visible = window(query.row + 1);
                let positions = match self.neighbourhood {
                    None => 0..keys.len() / attention.key_width(),
                    Some(_) => visible.clone(),
                };
                let memory = KeyValues {
                    keys,
                    values,
                    positions,
                    row: |position: usize| position,
                };
                attention.attend(query, &memory, visible, weights, hooks);
            }
            Past::Paths(slots) => {
                let path = slots.path(query.row);
                let positions = window(path.len());
                let row = |position: usize| path[position] as usize;
                let memory = KeyValues {
                    keys,
                    values,
                    positions: positions.clone(),
                    row,
                };
                attention.attend(query, &memory, positions, weights, hooks);
            }
        }
    }
}

/// Projects the rows' keys and values and adds them to the cache.
fn store(
    attention: &MultiHeadAttention,
    x: &mut Input<'_>,
    past: Past<'_>,
    cache: &mut KeyValueRows,
    (key, value): (&mut Buffer, &mut Buffer),
    hooks: &mut Hooks<'_>,
) {
    let rows = x.rows();
    match past {
        Past::Causal => {
            cache.keys.resize(rows * attention.key_width(), 0.0);
            cache.values.resize(rows * attention.value_width(), 0.0);
            let KeyValueRows { keys, values } = cache;
            attention.project_memory(x, view(keys, rows), view(values, rows), hooks);
        }
        Past::Paths(slots) => {
            let mut keys = key.view(rows, attention.key_width());
            let mut values = value.view(rows, attention.value_width());
            attention.project_memory(x, keys.view_mut(), values.view_mut(), hooks);
            let keys = keys.as_slice().expect("a fresh view has no gaps");
            let values = values.as_slice().expect("a fresh view has no gaps");
            cache.store(&slots.places, keys, values);
        }
    }
}

/// All of `data` as (rows, its length / rows).
fn view(data: &mut [f32], rows: usize) -> ArrayViewMut2<'_, f32> {
    let columns = data.len() / rows;
    ArrayViewMut2::from_shape((rows, columns), data).expect("the slice was sized for it")
}
