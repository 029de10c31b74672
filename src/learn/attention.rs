//! Multi-head attention (§3.2) in its four forms, and its backward pass.

use crate::batch::Packed;
use crate::linear::Linear;
use crate::parameters::Parameters;
use crate::sublayer::Backward;
use std::ops::Range;
use translucent::Config;
use translucent::kernels::product::Destination;
use translucent::model::Stack;
use translucent::model::config::{Compatibility, Widths};

/// One attention of a layer: its four maps and its score function.
#[derive(Clone, Debug)]
pub struct Attention {
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    n_heads: usize,
    score: ScoreFunction,
    mask: AttentionMask,
}

/// The compatibility function (§3.2.1).
#[derive(Clone, Debug)]
enum ScoreFunction {
    /// factor · q·k
    Product(f32),
    /// w · tanh(q + k), w of each head (n_heads, d_k)
    Additive(Range<usize>),
}

/// The keys that a query at position i of n keys attends to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttentionMask {
    /// All.
    None,
    /// Those with |i − j| ≤ r / 2 (§4).
    Neighbourhood(usize),
    /// Those with j ≤ i (§3.1).
    Causal,
    /// Both.
    CausalNeighbourhood(usize),
}

impl AttentionMask {
    fn keys(self, i: usize, n: usize) -> Range<usize> {
        let from = |r: usize| i.saturating_sub(r / 2);
        match self {
            AttentionMask::None => 0..n,
            AttentionMask::Neighbourhood(r) => from(r)..(i + r / 2 + 1).min(n),
            AttentionMask::Causal => 0..i + 1,
            AttentionMask::CausalNeighbourhood(r) => from(r)..i + 1,
        }
    }
}

/// What the backward pass needs of a forward one, and its own working memory.
#[derive(Clone, Debug, Default)]
pub struct AttentionState {
    /// (queries, h · d_k)
    query: Vec<f32>,
    /// (keys, h · d_k)
    key: Vec<f32>,
    /// (keys, h · d_v)
    value: Vec<f32>,
    /// Weights: for each sentence (h, queries, keys), 0 where a key is masked.
    pub(crate) weights: Vec<f32>,
    /// Concatenated heads (queries, h · d_v)
    context: Vec<f32>,
    d_query: Vec<f32>,
    d_key: Vec<f32>,
    d_value: Vec<f32>,
    d_context: Vec<f32>,
    /// Gradient of one query's scores (keys)
    d_scores: Vec<f32>,
}

/// Queries and keys of a batch: the same sentences on both sides.
#[derive(Clone, Copy)]
pub struct Sentences<'a> {
    /// Where queries come from.
    pub queries: &'a Packed,
    /// Where keys and values come from.
    pub keys: &'a Packed,
}

impl Sentences<'_> {
    /// Each sentence's queries and keys, and where its weights (h, queries, keys) begin.
    fn each(self, n_heads: usize) -> impl Iterator<Item = (Range<usize>, Range<usize>, usize)> {
        let starts = |packed: &Packed| packed.starts.clone();
        let (queries, keys) = (starts(self.queries), starts(self.keys));
        let mut weights = 0;
        (0..queries.len() - 1).map(move |s| {
            let (q, k) = (queries[s]..queries[s + 1], keys[s]..keys[s + 1]);
            let at = weights;
            weights += n_heads * q.len() * k.len();
            (q, k, at)
        })
    }

    fn weights(self, n_heads: usize) -> usize {
        let lengths = self.queries.sentences().zip(self.keys.sentences());
        n_heads * lengths.map(|(q, k)| q.len() * k.len()).sum::<usize>()
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    // Four sums at a time: a single one could not be vectorised without changing its rounding.
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let mut sums = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// y += factor · x
fn add_scaled(factor: f32, x: &[f32], y: &mut [f32]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += factor * x);
}

impl Attention {
    /// The attention of that name in a stack.
    pub fn new(
        parameters: &Parameters,
        config: &Config,
        stack: Stack,
        name: &str,
        mask: AttentionMask,
    ) -> Self {
        let Widths { n_heads, d_k, .. } = config.widths(stack);
        let linear = |part: &str| Linear::new(parameters, &format!("{name}.{part}_proj"));
        let score = match config.compatibility {
            Compatibility::ScaledDotProduct => ScoreFunction::Product(1.0 / (d_k as f32).sqrt()),
            Compatibility::DotProduct => ScoreFunction::Product(1.0),
            Compatibility::Additive => {
                ScoreFunction::Additive(parameters.range(&format!("{name}.additive.weight")))
            }
        };
        Self {
            query: linear("q"),
            key: linear("k"),
            value: linear("v"),
            output: linear("out"),
            n_heads,
            score,
            mask,
        }
    }

    /// MultiHead(Q, K, V) (§3.2.2) of `x` (queries, d_model) and `memory` (keys, d_model), to `y` (queries, d_model).
    ///
    /// # Shapes
    /// `values`: all weights; `x`, `y`: (queries, d_model); `memory`: (keys, d_model).
    pub fn forward(
        &self,
        values: &[f32],
        x: &[f32],
        memory: &[f32],
        sentences: Sentences<'_>,
        state: &mut AttentionState,
        y: &mut Vec<f32>,
    ) {
        self.query.forward(values, x, &mut state.query);
        self.key.forward(values, memory, &mut state.key);
        self.value.forward(values, memory, &mut state.value);
        let (keys_width, values_width) = (self.query.outputs(), self.value.outputs());
        let (d_k, d_v) = (keys_width / self.n_heads, values_width / self.n_heads);
        state.weights.resize(sentences.weights(self.n_heads), 0.0);
        state.weights.fill(0.0);
        state
            .context
            .resize(sentences.queries.tokens() * values_width, 0.0);
        state.context.fill(0.0);
        for (queries, keys, at) in sentences.each(self.n_heads) {
            for head in 0..self.n_heads {
                for i in 0..queries.len() {
                    let row = queries.start + i;
                    let query = &state.query[row * keys_width + head * d_k..][..d_k];
                    let attended = self.mask.keys(i, keys.len());
                    let weights = at + (head * queries.len() + i) * keys.len();
                    let weights = &mut state.weights[weights..][..keys.len()][attended.clone()];
                    for (score, j) in weights.iter_mut().zip(attended.clone()) {
                        let key = &state.key[(keys.start + j) * keys_width + head * d_k..][..d_k];
                        *score = self.score(values, head, query, key);
                    }
                    translucent::kernels::softmax(weights);
                    let context = &mut state.context[row * values_width + head * d_v..][..d_v];
                    for (weight, j) in weights.iter().zip(attended) {
                        let value =
                            &state.value[(keys.start + j) * values_width + head * d_v..][..d_v];
                        add_scaled(*weight, value, context);
                    }
                }
            }
        }
        self.output.forward(values, &state.context, y);
    }

    fn score(&self, values: &[f32], head: usize, query: &[f32], key: &[f32]) -> f32 {
        match &self.score {
            ScoreFunction::Product(factor) => factor * dot(query, key),
            ScoreFunction::Additive(range) => {
                let w = &values[range.clone()][head * query.len()..];
                let sums = query.iter().zip(key).zip(w);
                sums.map(|((q, k), w)| w * (q + k).tanh()).sum()
            }
        }
    }

    /// The backward pass of cross-attention: the gradient of [`Attention::forward`]'s output in the working memory is
    /// carried back to `dx` and `d_memory`, which are added to.
    ///
    /// # Shapes
    /// `x`, `dx`: (queries, d_model); `memory`, `d_memory`: (keys, d_model).
    pub fn backward_cross(
        &self,
        pass: &mut Backward<'_>,
        (x, memory): (&[f32], &[f32]),
        sentences: Sentences<'_>,
        state: &mut AttentionState,
        dx: &mut Vec<f32>,
        d_memory: &mut Vec<f32>,
    ) {
        self.backward_heads(pass, sentences, state);
        self.query.backward(pass, x, &state.d_query, dx);
        self.key.backward(pass, memory, &state.d_key, d_memory);
        self.value.backward(pass, memory, &state.d_value, d_memory);
    }

    /// The same for self-attention: queries, keys and values all come from `x`.
    ///
    /// # Shapes
    /// `x`, `dx`: (rows, d_model).
    pub fn backward_self(
        &self,
        pass: &mut Backward<'_>,
        x: &[f32],
        sentences: Sentences<'_>,
        state: &mut AttentionState,
        dx: &mut Vec<f32>,
    ) {
        self.backward_heads(pass, sentences, state);
        self.query.backward(pass, x, &state.d_query, dx);
        self.key.backward(pass, x, &state.d_key, dx);
        self.value.backward(pass, x, &state.d_value, dx);
    }

    /// Gradients of queries, keys and values; those of the output map and of w are added to the weights' gradient.
    fn backward_heads(
        &self,
        pass: &mut Backward<'_>,
        sentences: Sentences<'_>,
        state: &mut AttentionState,
    ) {
        let Backward {
            values,
            gradient,
            scratch: dy,
        } = pass;
        if let Some(gradient) = gradient.as_deref_mut() {
            self.output.backward_weight(&state.context, dy, gradient);
        }
        self.output
            .backward_input(values, dy, Destination::Replace, &mut state.d_context);
        let (keys_width, values_width) = (self.query.outputs(), self.value.outputs());
        let (d_k, d_v) = (keys_width / self.n_heads, values_width / self.n_heads);
        for (d, like) in [
            (&mut state.d_query, &state.query),
            (&mut state.d_key, &state.key),
            (&mut state.d_value, &state.value),
        ] {
            d.clear();
            d.resize(like.len(), 0.0);
        }
        for (queries, keys, at) in sentences.each(self.n_heads) {
            for head in 0..self.n_heads {
                for i in 0..queries.len() {
                    let row = queries.start + i;
                    let attended = self.mask.keys(i, keys.len());
                    let weights = at + (head * queries.len() + i) * keys.len();
                    let weights = &state.weights[weights..][..keys.len()][attended.clone()];
                    let d_context = &state.d_context[row * values_width + head * d_v..][..d_v];
                    // d weight = d context · v; d value += weight · d context.
                    state.d_scores.clear();
                    let mut mean = 0.0;
                    for (weight, j) in weights.iter().zip(attended.clone()) {
                        let at = (keys.start + j) * values_width + head * d_v;
                        let d_weight = dot(d_context, &state.value[at..][..d_v]);
                        add_scaled(*weight, d_context, &mut state.d_value[at..][..d_v]);
                        mean += weight * d_weight;
                        state.d_scores.push(d_weight);
                    }
                    // Softmax: d score = weight · (d weight − Σ weight · d weight).
                    for (d, weight) in state.d_scores.iter_mut().zip(weights) {
                        *d = weight * (*d - mean);
                    }
                    let at = row * keys_width + head * d_k;
                    let query = &state.query[at..][..d_k];
                    let d_query = &mut state.d_query[at..][..d_k];
                    for (d_score, j) in state.d_scores.iter().zip(attended) {
                        let at = (keys.start + j) * keys_width + head * d_k;
                        let (key, d_key) = (&state.key[at..][..d_k], &mut state.d_key[at..][..d_k]);
                        match &self.score {
                            ScoreFunction::Product(factor) => {
                                add_scaled(factor * d_score, key, d_query);
                                add_scaled(factor * d_score, query, d_key);
                            }
                            ScoreFunction::Additive(range) => {
                                let at = range.start + head * d_k;
                                for n in 0..d_k {
                                    let hidden = (query[n] + key[n]).tanh();
                                    if let Some(gradient) = gradient.as_deref_mut() {
                                        gradient[at + n] += d_score * hidden;
                                    }
                                    let d = d_score * values[at + n] * (1.0 - hidden * hidden);
                                    d_query[n] += d;
                                    d_key[n] += d;
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
