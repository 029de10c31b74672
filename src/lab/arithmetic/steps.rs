//! The steps from a layer's input to one weight and to the layer's output.

use super::sublayers::{FeedForwardSteps, NormSteps, map_row};
use super::{Arithmetic, ProductStatistics, Recorded};
use crate::Config;
use crate::layers::comparison::Neighbourhood;
use crate::layers::{CompatibilityFunction, FeedForward, Linear, MultiHeadAttention, Residual};
use crate::model::config::Widths;
use crate::trace::{AttentionKind, Cell, HeadEffect};
use ndarray::{Array1, ArrayView1, ArrayView2, Axis, s};

/// The parts of a layer that a cell's arithmetic passes through.
pub(super) struct LayerParts<'a> {
    pub attention: &'a MultiHeadAttention,
    pub residual: &'a Residual,
    pub feed_forward: &'a FeedForward,
    pub feed_forward_residual: &'a Residual,
}

/// What the steps are computed from.
pub(super) struct Steps<'a> {
    pub config: &'a Config,
    pub cell: Cell,
    pub effect: HeadEffect,
    pub neighbourhood: Option<usize>,
    pub recorded: Recorded,
    pub layer: LayerParts<'a>,
}

impl Steps<'_> {
    pub fn arithmetic(self) -> Arithmetic {
        let Self {
            config,
            cell,
            effect,
            ref recorded,
            ref layer,
            ..
        } = self;
        let attention = layer.attention;
        // What the projections read: the stream, or its norm where norms come before.
        let read = match config.normalize_before {
            true => layer.residual.normed(recorded.before_attention.view()),
            false => recorded.before_attention.clone(),
        };
        let memory = match cell.kind {
            AttentionKind::Cross => recorded.memory.view(),
            _ => read.view(),
        };
        let keys = memory.nrows();
        let head = |width: usize| cell.head * width..(cell.head + 1) * width;
        let Widths { d_k, d_v, .. } = config.widths(cell.kind.stack());
        let [w_query, w_key, w_value, w_output] = attention.projections();
        let all_values = w_value.map(memory);
        let value_norms = attention.value_norms(all_values.view());
        let queries = w_query.map(read.view()).slice_move(s![.., head(d_k)]);
        let keys_of_head = w_key.map(memory).slice_move(s![.., head(d_k)]);
        let values = all_values.slice_move(s![.., head(d_v)]);
        let (query, key) = (queries.row(cell.query), keys_of_head.row(cell.key));

        let dots = self.scores(query, keys_of_head.view());
        let (additive_hidden, products) = self.products(query, key);
        let root = (d_k as f32).sqrt();
        let divisor = match attention.compatibility().scale() {
            Some(scale) if scale != 1.0 && effect != HeadEffect::Unscaled => root,
            _ => 1.0,
        };
        let scores = &dots / divisor;
        let mask = Array1::from_shape_fn(keys, |j| f32::from(self.sees(cell.query, j)));
        let (maximum, exponentials) = exponentials(&scores, &mask);
        let exponential_sum = exponentials.sum();
        let softmax = |scores: &Array1<f32>| {
            let (_, exponentials) = self::exponentials(scores, &mask);
            let sum = exponentials.sum();
            exponentials / sum
        };
        let weights_unscaled = softmax(&dots);
        let weights_scaled = match attention.compatibility().scale() {
            Some(_) => softmax(&(&dots / root)),
            None => weights_unscaled.clone(),
        };
        let weights = match effect {
            HeadEffect::Off => Array1::zeros(keys),
            HeadEffect::Uniform => &mask / mask.sum(),
            HeadEffect::AsTrained | HeadEffect::Unscaled => &exponentials / exponential_sum,
        };
        let contributions = &values * &weights.view().insert_axis(Axis(1));
        let output_of = |concatenation: &Array1<f32>| map_row(w_output, concatenation);
        let concatenation = recorded.concatenation.clone();
        let mut alone = Array1::zeros(concatenation.len());
        let own = concatenation.slice(s![head(d_v)]);
        alone.slice_mut(s![head(d_v)]).assign(&own);
        let bias = output_of(&Array1::zeros(concatenation.len()));
        let output = output_of(&concatenation);
        let residual = recorded.before_attention.row(cell.query).to_owned();
        let residual_sum = &residual + &output;
        let around = &recorded.before_feed_forward;
        let feed_forward_input = match config.normalize_before {
            true => layer
                .feed_forward_residual
                .normed(around.view().insert_axis(Axis(0)))
                .row(0)
                .to_owned(),
            false => around.clone(),
        };
        let feed_forward = FeedForwardSteps::new(layer.feed_forward, feed_forward_input);
        let feed_forward_sum = around + &feed_forward.output;
        let normed = |before: &Array1<f32>, after: &Array1<f32>| match config.normalize_before {
            true => before.clone(),
            false => after.clone(),
        };
        let bias_of = |map: &Linear, inputs: usize, width: usize| {
            map_row(map, &Array1::zeros(inputs)).slice_move(s![head(width)])
        };
        let (d_query, d_memory) = (read.ncols(), memory.ncols());
        Arithmetic {
            cell,
            query_bias: bias_of(w_query, d_query, d_k),
            key_bias: bias_of(w_key, d_memory, d_k),
            value_bias: bias_of(w_value, d_memory, d_v),
            x_query: read.row(cell.query).to_owned(),
            x_key: memory.row(cell.key).to_owned(),
            query: query.to_owned(),
            key: key.to_owned(),
            value: values.row(cell.key).to_owned(),
            additive_hidden,
            sum: products.sum(),
            products,
            divisor,
            maximum,
            exponentials,
            exponential_sum,
            entropy_scaled: entropy(&weights_scaled),
            entropy_unscaled: entropy(&weights_unscaled),
            weights_scaled,
            weights_unscaled,
            mask,
            scores,
            norms: &value_norms.column(cell.head) * &weights,
            weights,
            head: contributions.sum_axis(Axis(0)),
            contributions,
            values,
            head_output: output_of(&alone) - &bias,
            concatenation,
            output_bias: bias,
            output,
            norm_before: config.normalize_before,
            norm: NormSteps::new(layer.residual.norm(), normed(&residual, &residual_sum)),
            residual,
            residual_sum,
            feed_forward_norm: NormSteps::new(
                layer.feed_forward_residual.norm(),
                normed(around, &feed_forward_sum),
            ),
            feed_forward,
            feed_forward_residual: around.clone(),
            feed_forward_sum,
            layer_output: recorded.output.clone(),
            statistics: attention
                .compatibility()
                .scale()
                .map(|_| self.statistics(queries.view(), keys_of_head.view())),
        }
    }

    /// Whether a query may attend to a key.
    fn sees(&self, query: usize, key: usize) -> bool {
        let near = |n: usize| match self.neighbourhood {
            None => true,
            Some(r) => Neighbourhood { r }.window(query, n).contains(&key),
        };
        match self.cell.kind {
            AttentionKind::EncoderSelf => near(usize::MAX / 2),
            AttentionKind::DecoderSelf => key <= query && near(query + 1),
            AttentionKind::Cross => true,
        }
    }

    /// One query's scores of all keys (keys, d_k), neither divided nor masked.
    fn scores(&self, query: ArrayView1<'_, f32>, keys: ArrayView2<'_, f32>) -> Array1<f32> {
        let key_sums = keys.rows().into_iter();
        key_sums
            .map(|key| self.products(query, key).1.sum())
            .collect()
    }

    /// The terms whose sum is a score, and an additive model's hidden layer.
    fn products(
        &self,
        query: ArrayView1<'_, f32>,
        key: ArrayView1<'_, f32>,
    ) -> (Option<Array1<f32>>, Array1<f32>) {
        match self.layer.attention.compatibility() {
            CompatibilityFunction::DotProduct { .. } => (None, &query * &key),
            CompatibilityFunction::Additive(additive) => {
                let hidden = (&query + &key).mapv(f32::tanh);
                let weight = Array1::from(additive.weight(self.cell.head, query.len()).to_vec());
                let products = &hidden * &weight;
                (Some(hidden), products)
            }
        }
    }

    /// q·k over all pairs of a query and a key that it may see.
    fn statistics(
        &self,
        queries: ArrayView2<'_, f32>,
        keys: ArrayView2<'_, f32>,
    ) -> ProductStatistics {
        let mut dots = Vec::new();
        for (i, query) in queries.rows().into_iter().enumerate() {
            let seen = keys.rows().into_iter().enumerate();
            let seen = seen.filter(|(j, _)| self.sees(i, *j));
            dots.extend(seen.map(|(_, key)| f64::from(query.dot(&key))));
        }
        let pairs = dots.len();
        let mean = dots.iter().sum::<f64>() / pairs as f64;
        let squares = dots.iter().map(|dot| (dot - mean) * (dot - mean));
        let variance = squares.sum::<f64>() / pairs as f64;
        ProductStatistics {
            pairs,
            mean,
            variance,
            scaled_variance: variance / queries.ncols() as f64,
        }
    }
}

/// The largest score that is not masked, and e^(score − it), 0 where masked.
fn exponentials(scores: &Array1<f32>, mask: &Array1<f32>) -> (f32, Array1<f32>) {
    let seen = scores.iter().zip(mask).filter(|(_, seen)| **seen > 0.0);
    let maximum = seen
        .map(|(score, _)| *score)
        .fold(f32::NEG_INFINITY, f32::max);
    let exponentials = scores.iter().zip(mask);
    let exponentials = exponentials.map(|(score, seen)| match *seen > 0.0 {
        true => (score - maximum).exp(),
        false => 0.0,
    });
    (maximum, exponentials.collect())
}

/// The entropy of a distribution, bits.
fn entropy(weights: &Array1<f32>) -> f32 {
    let terms = weights.iter().filter(|p| **p > 0.0).map(|p| -p * p.log2());
    terms.sum()
}
