//! Scaled dot-product attention and its multi-head form (§3.2).

use super::compatibility::CompatibilityFunction;
use super::{Buffer, HookEvent, Hooks, Input, Linear, RowWeights};
use crate::kernels::{self, Gather, QuantizedRows, Rows};
use crate::trace::{AttentionKind, HeadEffect};
use ndarray::{Array2, ArrayView2, ArrayViewMut2};
use std::ops::Range;
use std::sync::OnceLock;

/// The keys and values of consecutive positions, in any rows.
#[derive(Clone)]
pub struct KeyValues<'a> {
    /// (rows, h · d_k)
    pub keys: &'a [f32],
    /// (rows, h · d_v)
    pub values: &'a [f32],
    /// The positions.
    pub positions: Range<usize>,
    /// The rows in which their keys and values stand, from position 0 on.
    pub rows: Rows<'a>,
}

/// One query, and the slice for its result.
pub struct Query<'a> {
    /// Number of its row in the pass.
    pub row: usize,
    /// (h · d_k)
    pub vector: &'a [f32],
    /// The concatenated heads (h · d_v), written by [`MultiHeadAttention::attend`].
    pub context: &'a mut [f32],
}

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
    id: (AttentionKind, usize),
    /// W_i^O·W_i^Oᵀ of each head (h, d_v, d_v), once value norms are requested.
    gram: OnceLock<Vec<f64>>,
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
    /// Of four maps, split into `n_heads` heads; `id` (which attention, which layer) identifies it to observers.
    ///
    /// # Panics
    /// If the widths of the maps are not multiples of `n_heads`, or differ where they must agree.
    pub fn new(
        projections: Projections,
        n_heads: usize,
        compatibility: CompatibilityFunction,
        id: (AttentionKind, usize),
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
            id,
            gram: OnceLock::new(),
        }
    }

    /// How queries and keys make scores.
    pub fn compatibility(&self) -> &CompatibilityFunction {
        &self.compatibility
    }

    /// h · d_k.
    pub fn key_width(&self) -> usize {
        self.key.outputs()
    }

    /// h · d_v.
    pub fn value_width(&self) -> usize {
        self.value.outputs()
    }

    /// Writes keys and values of `memory`.
    ///
    /// # Shapes
    /// memory (rows, d_model), keys (rows, h · d_k), values (rows, h · d_v).
    pub fn project_memory(
        &self,
        memory: &mut Input<'_>,
        keys: ArrayViewMut2<'_, f32>,
        mut values: ArrayViewMut2<'_, f32>,
        hooks: &mut Hooks<'_>,
    ) {
        self.key.forward(memory, keys);
        self.value.forward(memory, values.view_mut());
        if hooks.norms {
            let norms = self.value_norms(values.view());
            let (kind, layer) = self.id;
            hooks.emit(HookEvent::ValueNorms {
                kind,
                layer,
                norms: norms.view(),
            });
        }
    }

    /// The maps W^Q, W^K, W^V and W^O.
    pub fn projections(&self) -> [&Linear; 4] {
        [&self.query, &self.key, &self.value, &self.output]
    }

    /// ‖v·W_i^O‖ of each row and head i, W^O's bias left out.
    /// Computed as √(v·(W_i^O·W_i^Oᵀ)·vᵀ): d_v² operations a value instead of d_v · d_model.
    ///
    /// # Shapes
    /// values (rows, h · d_v); result (rows, h).
    pub fn value_norms(&self, values: ArrayView2<'_, f32>) -> Array2<f32> {
        let d_v = self.value_width() / self.n_heads;
        let gram = self.gram.get_or_init(|| self.output_gram());
        Array2::from_shape_fn((values.nrows(), self.n_heads), |(row, head)| {
            let value = |i: usize| f64::from(values[[row, head * d_v + i]]);
            let gram = &gram[head * d_v * d_v..][..d_v * d_v];
            let of_row = |(i, row): (usize, &[f64])| {
                let dot: f64 = row.iter().enumerate().map(|(j, g)| g * value(j)).sum();
                value(i) * dot
            };
            let square: f64 = gram.chunks_exact(d_v).enumerate().map(of_row).sum();
            square.max(0.0).sqrt() as f32
        })
    }

    /// W_i^O·W_i^Oᵀ of each head (h, d_v, d_v): the inner products of what unit vectors become.
    fn output_gram(&self) -> Vec<f64> {
        let (width, d_v) = (self.value_width(), self.value_width() / self.n_heads);
        // The last row is zero: it becomes the bias.
        let units = Array2::from_shape_fn((width + 1, width), |(i, j)| f32::from(i == j));
        let images = self.output.map(units.view());
        let bias = images.row(width);
        let image = |i: usize| {
            let row = images.row(i);
            row.iter()
                .zip(bias)
                .map(|(x, b)| f64::from(x - b))
                .collect()
        };
        let images: Vec<Vec<f64>> = (0..width).map(image).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        images
            .iter()
            .enumerate()
            .flat_map(|(i, a)| {
                let head = i / d_v * d_v;
                images[head..head + d_v].iter().map(move |b| dot(a, b))
            })
            .collect()
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
    pub fn attend(
        &self,
        query: Query<'_>,
        memory: &KeyValues<'_>,
        visible: Range<usize>,
        weights: &mut Buffer,
        hooks: &mut Hooks<'_>,
    ) {
        let (key_width, value_width) = (self.key_width(), self.value_width());
        let (d_k, d_v) = (key_width / self.n_heads, value_width / self.n_heads);
        let first_key = memory.positions.start;
        let weights = weights.slice(self.n_heads * memory.positions.len()); // (h, keys)
        let unmasked = visible.start - first_key..visible.end - first_key;
        let rows = memory.rows.skip(visible.start);
        let (kind, layer) = self.id;
        let effects = hooks.effects.map(|effects| effects.of(kind, layer));
        let heads = query
            .vector
            .chunks_exact(d_k)
            .zip(weights.chunks_exact_mut(memory.positions.len()))
            .zip(query.context.chunks_exact_mut(d_v))
            .enumerate();
        for (head, ((vector, weights), context)) in heads {
            let effect = effects.map_or(HeadEffect::AsTrained, |effects| effects[head]);
            match effect {
                HeadEffect::Off => {
                    weights.fill(0.0);
                    context.fill(0.0);
                    continue;
                }
                HeadEffect::Uniform => {
                    weights.fill(0.0);
                    weights[unmasked.clone()].fill(1.0 / unmasked.len() as f32);
                }
                HeadEffect::AsTrained | HeadEffect::Unscaled => {
                    weights[..unmasked.start].fill(f32::NEG_INFINITY);
                    weights[unmasked.end..].fill(f32::NEG_INFINITY);
                    let gather = Gather {
                        rows,
                        width: key_width,
                        column: head * d_k,
                    };
                    self.compatibility.scores(
                        head,
                        effect == HeadEffect::AsTrained,
                        vector,
                        memory.keys,
                        gather,
                        &mut weights[unmasked.clone()],
                    );
                    kernels::softmax(weights);
                }
            }
            let gather = Gather {
                rows,
                width: value_width,
                column: head * d_v,
            };
            kernels::gather_sum(&weights[unmasked.clone()], memory.values, gather, context);
        }
        hooks.emit(HookEvent::Weights(RowWeights {
            kind,
            layer,
            row: query.row,
            first_key,
            weights,
            context: query.context,
        }));
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
        let nothing = &mut Hooks::default();
        attention.project_memory(&mut input, keys.view_mut(), values.view_mut(), nothing);
        let mut out = Array2::zeros(x.dim());
        let mut all = vec![0.0; POSITIONS * HEADS * POSITIONS];
        let mut observe = |event: HookEvent<'_>| {
            let HookEvent::Weights(row) = event else {
                return;
            };
            let covered = row.weights.len() / HEADS;
            for (head, weights) in row.weights.chunks_exact(covered).enumerate() {
                let start = (row.row * HEADS + head) * POSITIONS + row.first_key;
                all[start..start + covered].copy_from_slice(weights);
            }
        };
        let mut hooks = Hooks {
            observer: Some(&mut observe),
            ..Hooks::default()
        };
        attention.forward(
            &mut input,
            &mut AttentionBuffers::default(),
            out.view_mut(),
            |query, buffer| {
                let memory = KeyValues {
                    keys: keys.as_slice().unwrap(),
                    values: values.as_slice().unwrap(),
                    positions: given(query.row),
                    rows: Rows::From(0),
                };
                let visible = visible(query.row);
                attention.attend(query, &memory, visible, buffer, &mut hooks);
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
    fn value_norms_are_the_lengths_of_what_values_become_through_their_head() {
        let attention = attention();
        let values = Array2::from_shape_vec((3, WIDTH), noise(3 * WIDTH, 5.0)).unwrap();
        let norms = attention.value_norms(values.view());
        let d_v = WIDTH / HEADS;
        for ((row, head), norm) in norms.indexed_iter() {
            // This head's part alone, and nothing: their difference is without the bias.
            let mut alone = Array2::zeros((2, WIDTH));
            let part = head * d_v..(head + 1) * d_v;
            let own = values.slice(ndarray::s![row, part.clone()]);
            alone.slice_mut(ndarray::s![0, part]).assign(&own);
            let [.., output] = attention.projections();
            let out = output.map(alone.view());
            let difference = &out.row(0) - &out.row(1);
            let squares = difference.iter().map(|x| x * x);
            let length = squares.sum::<f32>().sqrt();
            assert!((norm - length).abs() < 1e-5 * length, "{norm} {length}");
        }
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
