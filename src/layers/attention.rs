//! Scaled dot-product attention and its multi-head form (§3.2).

use super::compatibility::CompatibilityFunction;
use super::{Buffer, Input, Linear};
use crate::kernels::{self, QuantizedRows};
use crate::trace::AttentionKind;
use ndarray::ArrayViewMut2;
use std::ops::Range;

/// The keys and values of consecutive positions, wherever they stand.
#[derive(Clone)]
pub struct KeyValues<'a, R: Fn(usize) -> usize> {
    /// (rows, h · d_k)
    pub keys: &'a [f32],
    /// (rows, h · d_v)
    pub values: &'a [f32],
    /// The positions.
    pub positions: Range<usize>,
    /// The row in which a position's key and value stand.
    pub row: R,
}

/// One query, and where its result goes.
pub struct Query<'a> {
    /// Number of its row in the pass.
    pub row: usize,
    /// (h · d_k)
    pub vector: &'a [f32],
    /// The concatenated heads (h · d_v), written by [`MultiHeadAttention::attend`].
    pub context: &'a mut [f32],
}

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
}

/// Told the weights of every query as they are computed; `None` costs nothing.
pub type Observer<'a> = Option<&'a mut dyn FnMut(RowWeights<'_>)>;

/// MultiHead(Q, K, V) = Concat(head₁, …, head_h)·W^O, head_i = Attention(Q·W_i^Q, K·W_i^K, V·W_i^V) (§3.2.2).
pub struct MultiHeadAttention {
    /// W^Q (h · d_k, d_model)
    query: Linear,
    /// W^K (h · d_k, d_model)
    key: Linear,
    /// W^V (h · d_v, d_model)
    value: Linear,
    /// W^O (d_model, h · d_v)
    output: Linear,
    n_heads: usize,
    compatibility: CompatibilityFunction,
    /// Which attention of the model this is.
    place: (AttentionKind, usize),
}

/// Working memory of an attention.
#[derive(Default)]
pub struct AttentionBuffers {
    /// (rows, h · d_k)
    query: Buffer,
    /// Concatenated heads (rows, h · d_v)
    context: Buffer,
    /// (h, keys) of one query
    weights: Buffer,
    quantized: QuantizedRows,
}

/// The four maps W^Q, W^K, W^V, W^O of [`MultiHeadAttention`].
pub struct Projections {
    /// (h · d_k, d_model)
    pub query: Linear,
    /// (h · d_k, d_model)
    pub key: Linear,
    /// (h · d_v, d_model)
    pub value: Linear,
    /// (d_model, h · d_v)
    pub output: Linear,
}

impl MultiHeadAttention {
    /// Of four maps, split into `n_heads` heads; `place` names it (which attention, which layer) to observers.
    ///
    /// # Panics
    /// If the widths of the maps are not multiples of `n_heads`, or differ where they must agree.
    pub fn new(
        projections: Projections,
        n_heads: usize,
        compatibility: CompatibilityFunction,
        place: (AttentionKind, usize),
    ) -> Self {
        let Projections {
            query,
            key,
            value,
            output,
        } = projections;
        assert_eq!(
            query.outputs(),
            key.outputs(),
            "queries and keys have one width"
        );
        assert_eq!(value.outputs(), output.inputs(), "W^O takes what W^V gives");
        assert!(query.outputs().is_multiple_of(n_heads) && value.outputs().is_multiple_of(n_heads));
        Self {
            query,
            key,
            value,
            output,
            n_heads,
            compatibility,
            place,
        }
    }

    /// h · d_k.
    pub fn key_width(&self) -> usize {
        self.key.outputs()
    }

    /// h · d_v.
    pub fn value_width(&self) -> usize {
        self.value.outputs()
    }

    /// Keys and values of `memory` (rows, d_model), to (rows, h · d_k) and (rows, h · d_v).
    pub fn project_memory(
        &self,
        memory: &mut Input<'_>,
        keys: ArrayViewMut2<'_, f32>,
        values: ArrayViewMut2<'_, f32>,
    ) {
        self.key.forward(memory, keys);
        self.value.forward(memory, values);
    }

    /// Projects x to queries, lets `attend` fill every query's context (by [`Self::attend`], with the
    /// working memory it is given), and applies W^O.
    ///
    /// # Shapes
    /// x and out (rows, d_model).
    pub fn forward(
        &self,
        x: &mut Input<'_>,
        buffers: &mut AttentionBuffers,
        out: ArrayViewMut2<'_, f32>,
        mut attend: impl FnMut(Query<'_>, &mut Buffer),
    ) {
        let rows = x.rows();
        let mut queries = buffers.query.view(rows, self.key_width());
        self.query.forward(x, queries.view_mut());
        let mut contexts = buffers.context.view(rows, self.value_width());
        for (row, (query, mut context)) in queries
            .rows()
            .into_iter()
            .zip(contexts.rows_mut())
            .enumerate()
        {
            let query = Query {
                row,
                vector: query.to_slice().expect("rows stand without gaps"),
                context: context.as_slice_mut().expect("rows stand without gaps"),
            };
            attend(query, &mut buffers.weights);
        }
        let mut contexts = Input::new(contexts.view(), &mut buffers.quantized);
        self.output.forward(&mut contexts, out);
    }

    /// Attention(q, K, V) = softmax(q·Kᵀ / √d_k)·V (eq. 1) of one query in every head. Positions
    /// outside `visible` are masked: their score is −∞ before the softmax and their weight exactly 0.
    ///
    /// # Panics
    /// If `visible` is not within the positions of `memory`.
    pub fn attend<R: Fn(usize) -> usize>(
        &self,
        query: Query<'_>,
        memory: &KeyValues<'_, R>,
        visible: Range<usize>,
        weights: &mut Buffer,
        observer: &mut Observer<'_>,
    ) {
        let (key_width, value_width) = (self.key_width(), self.value_width());
        let (d_k, d_v) = (key_width / self.n_heads, value_width / self.n_heads);
        let first_key = memory.positions.start;
        let weights = weights.slice(self.n_heads * memory.positions.len()); // (h, keys)
        let open = visible.start - first_key..visible.end - first_key;
        let row = |j: usize| (memory.row)(visible.start + j);
        let heads = query
            .vector
            .chunks_exact(d_k)
            .zip(weights.chunks_exact_mut(memory.positions.len()))
            .zip(query.context.chunks_exact_mut(d_v))
            .enumerate();
        for (head, ((vector, weights), context)) in heads {
            weights[..open.start].fill(f32::NEG_INFINITY);
            weights[open.end..].fill(f32::NEG_INFINITY);
            let key_offset = |j| row(j) * key_width + head * d_k;
            self.compatibility.scores(
                head,
                vector,
                memory.keys,
                key_offset,
                &mut weights[open.clone()],
            );
            kernels::softmax(weights);
            let value_offset = |j| row(j) * value_width + head * d_v;
            kernels::gather_sum(&weights[open.clone()], memory.values, value_offset, context);
        }
        if let Some(observer) = observer {
            let (kind, layer) = self.place;
            observer(RowWeights {
                kind,
                layer,
                row: query.row,
                first_key,
                weights,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::Weight;
    use crate::layers::comparison::Neighbourhood;
    use ndarray::Array2;
    use std::sync::Arc;

    const HEADS: usize = 2;
    const WIDTH: usize = 12;
    const POSITIONS: usize = 11;

    /// Values that follow no simple pattern.
    fn noise(len: usize, phase: f32) -> Vec<f32> {
        (0..len)
            .map(|i| (i as f32 * 1.7 + phase).sin() * 1.3)
            .collect()
    }

    fn attention() -> MultiHeadAttention {
        let map = |phase| {
            let weight = Weight::new(noise(WIDTH * WIDTH, phase), WIDTH, WIDTH);
            Linear::new(Arc::new(weight), noise(WIDTH, -phase))
        };
        let projections = Projections {
            query: map(0.1),
            key: map(0.2),
            value: map(0.3),
            output: map(0.4),
        };
        let compatibility = CompatibilityFunction::scaled(WIDTH / HEADS);
        MultiHeadAttention::new(
            projections,
            HEADS,
            compatibility,
            (AttentionKind::EncoderSelf, 0),
        )
    }

    /// Output (positions, width) and weights (positions, heads, positions) of self-attention, where
    /// query i is given the keys of `given(i)` and sees those of `visible(i)`.
    fn attend_each(
        given: impl Fn(usize) -> Range<usize>,
        visible: impl Fn(usize) -> Range<usize>,
    ) -> (Array2<f32>, Vec<f32>) {
        let attention = attention();
        let x = Array2::from_shape_vec((POSITIONS, WIDTH), noise(POSITIONS * WIDTH, 3.0)).unwrap();
        let mut keys = Array2::zeros(x.dim());
        let mut values = Array2::zeros(x.dim());
        let mut quantized = QuantizedRows::default();
        let mut input = Input::new(x.view(), &mut quantized);
        attention.project_memory(&mut input, keys.view_mut(), values.view_mut());
        let mut out = Array2::zeros(x.dim());
        let mut all = vec![0.0; POSITIONS * HEADS * POSITIONS];
        let mut observe = |row: RowWeights<'_>| {
            let covered = row.weights.len() / HEADS;
            for (head, weights) in row.weights.chunks_exact(covered).enumerate() {
                let start = (row.row * HEADS + head) * POSITIONS + row.first_key;
                all[start..start + covered].copy_from_slice(weights);
            }
        };
        let mut observer: Observer<'_> = Some(&mut observe);
        attention.forward(
            &mut input,
            &mut AttentionBuffers::default(),
            out.view_mut(),
            |query, buffer| {
                let memory = KeyValues {
                    keys: keys.as_slice().unwrap(),
                    values: values.as_slice().unwrap(),
                    positions: given(query.row),
                    row: |position: usize| position,
                };
                let visible = visible(query.row);
                attention.attend(query, &memory, visible, buffer, &mut observer);
            },
        );
        (out, all)
    }

    #[test]
    fn restricted_attention_equals_attention_masked_outside_the_neighbourhood() {
        let window = |i| Neighbourhood { r: 4 }.window(i, POSITIONS);
        let (restricted, restricted_weights) = attend_each(window, window);
        let (masked, masked_weights) = attend_each(|_| 0..POSITIONS, window);
        assert!(
            (&restricted - &masked)
                .iter()
                .all(|apart| apart.abs() < 1e-5)
        );
        let apart = restricted_weights
            .iter()
            .zip(&masked_weights)
            .map(|(a, b)| (a - b).abs());
        assert!(apart.fold(0.0, f32::max) < 1e-6);
        let (free, _) = attend_each(|_| 0..POSITIONS, |_| 0..POSITIONS);
        assert!(
            (&free - &masked).iter().any(|apart| apart.abs() > 1e-3),
            "the mask matters"
        );
    }

    #[test]
    fn masked_positions_get_zero_weight_and_the_others_sum_to_one() {
        let (_, weights) = attend_each(|_| 0..POSITIONS, |i| 0..i + 1);
        for (i, query) in weights.chunks_exact(HEADS * POSITIONS).enumerate() {
            for head in query.chunks_exact(POSITIONS) {
                assert!(head[i + 1..].iter().all(|weight| *weight == 0.0));
                assert!((head.iter().sum::<f32>() - 1.0).abs() < 1e-6);
            }
        }
    }
}
