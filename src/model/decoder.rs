//! The decoder: the right half of Figure 1 (§3.1).

use super::cache::{KeyValueRows, PassSlots};
use super::workspace::{AttentionWorkspace, Workspace};
use crate::kernels::Rows;
use crate::layers::attention::Query;
use crate::layers::comparison::Neighbourhood;
use crate::layers::{
    Buffer, FeedForward, HookEvent, HookPoint, Hooks, Input, KeyValues, LayerNorm,
    MultiHeadAttention, Residual, Stack,
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

/// The target positions that are visible to each row of a pass.
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

/// The memory that each row attends to.
pub(crate) struct Memories<'a> {
    /// By sentence.
    pub memories: &'a [CrossMemory],
    /// By row.
    pub sentences: &'a [usize],
}

/// Target and source positions that are visible to the rows of a pass.
struct Scope<'a> {
    past: Past<'a>,
    neighbourhood: Option<Neighbourhood>,
    memories: &'a Memories<'a>,
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
        let scope = Scope {
            past,
            neighbourhood: hooks.neighbourhood().or(self.neighbourhood),
            memories,
        };
        for (number, (layer, cache)) in self.layers.iter().zip(cache).enumerate() {
            layer.forward(number, x.view_mut(), &scope, cache, workspace, hooks);
        }
        if let Some(norm) = &self.final_norm {
            norm.forward(x.view_mut());
        }
        hooks.emit(HookEvent::Output {
            stack: Stack::Decoder,
            x: x.view(),
        });
    }
}

impl DecoderLayer {
    /// x ← AddNorm(x, MaskedSelfAttention), x ← AddNorm(x, CrossAttention), x ← AddNorm(x, FFN) (§3.1); x is
    /// (rows, d_model).
    fn forward(
        &self,
        number: usize,
        mut x: ArrayViewMut2<'_, f32>,
        scope: &Scope<'_>,
        cache: &mut KeyValueRows,
        workspace: &mut Workspace,
        hooks: &mut Hooks<'_>,
    ) {
        let Workspace {
            residual,
            attention,
            feed_forward,
            ..
        } = workspace;
        let stack = Stack::Decoder;

        let point = HookPoint::BeforeAttention(AttentionKind::DecoderSelf);
        hooks.stream(stack, number, point, x.view());
        self.self_attention_residual
            .forward(x.view_mut(), residual, |x, out| {
                self.self_attend(x, out, scope, cache, attention, hooks)
            });

        let point = HookPoint::BeforeAttention(AttentionKind::Cross);
        hooks.stream(stack, number, point, x.view());
        self.cross_attention_residual
            .forward(x.view_mut(), residual, |x, out| {
                self.cross_attend(x, out, number, scope.memories, attention, hooks)
            });

        hooks.stream(stack, number, HookPoint::BeforeFeedForward, x.view());
        self.feed_forward_residual
            .forward(x.view_mut(), residual, |x, out| {
                self.feed_forward.forward(x, feed_forward, out)
            });
        hooks.stream(stack, number, HookPoint::AfterLayer, x.view());
    }

    /// Masked self-attention (§3.2.3) after adding the rows' keys and values to the cache; x and out are
    /// (rows, d_model).
    fn self_attend(
        &self,
        x: &mut Input<'_>,
        out: ArrayViewMut2<'_, f32>,
        scope: &Scope<'_>,
        cache: &mut KeyValueRows,
        workspace: &mut AttentionWorkspace,
        hooks: &mut Hooks<'_>,
    ) {
        let AttentionWorkspace {
            buffers,
            keys,
            values,
        } = workspace;
        let attention = &self.self_attention;
        store(attention, x, scope.past, cache, (keys, values), hooks);
        let target = Target {
            past: scope.past,
            neighbourhood: scope.neighbourhood,
            cache,
        };
        attention.forward(x, buffers, out, |query, weights| {
            target.attend(attention, query, weights, hooks)
        });
    }

    /// Encoder–decoder attention (§3.2.3) over the memory of each row's sentence; x and out are (rows, d_model).
    fn cross_attend(
        &self,
        x: &mut Input<'_>,
        out: ArrayViewMut2<'_, f32>,
        number: usize,
        memories: &Memories<'_>,
        workspace: &mut AttentionWorkspace,
        hooks: &mut Hooks<'_>,
    ) {
        let attention = &self.cross_attention;
        attention.forward(x, &mut workspace.buffers, out, |query, weights| {
            let memory = &memories.memories[memories.sentences[query.row]];
            let KeyValueRows { keys, values } = &memory.layers[number];
            let visible = 0..memory.len;
            let memory = KeyValues {
                keys,
                values,
                positions: visible.clone(),
                rows: Rows::From(0),
            };
            attention.attend(query, &memory, visible, weights, hooks);
        });
    }
}

/// Keys and values of the target, and which of them are visible.
struct Target<'a> {
    past: Past<'a>,
    neighbourhood: Option<Neighbourhood>,
    cache: &'a KeyValueRows,
}

impl Target<'_> {
    /// Masked self-attention of one query over its visible target positions.
    fn attend(
        &self,
        attention: &MultiHeadAttention,
        query: Query<'_>,
        weights: &mut Buffer,
        hooks: &mut Hooks<'_>,
    ) {
        let KeyValueRows { keys, values } = self.cache;
        // A neighbourhood reaches back by r / 2 and, under the mask, not ahead.
        let window = |visible: usize| match self.neighbourhood {
            None => 0..visible,
            Some(near) => near.window(visible - 1, visible),
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
                    rows: Rows::From(0),
                };
                attention.attend(query, &memory, visible, weights, hooks);
            }
            Past::Paths(slots) => {
                let path = slots.path(query.row);
                let positions = window(path.len());
                let memory = KeyValues {
                    keys,
                    values,
                    positions: positions.clone(),
                    rows: Rows::These(path),
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
            cache.store(&slots.entries, keys, values);
        }
    }
}

/// All of `data` as (rows, its length / rows).
fn view(data: &mut [f32], rows: usize) -> ArrayViewMut2<'_, f32> {
    let columns = data.len() / rows;
    ArrayViewMut2::from_shape((rows, columns), data).expect("the slice was sized for it")
}
