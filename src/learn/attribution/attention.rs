//! What attention reads where a piece is predicted: each head, their mean, and attention rollout.

use crate::batch::Batch;
use crate::model::Maps;
use translucent::kernels::product::{Destination, Operand, product};

/// The weights of the last row of a pair, the one that predicts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttentionRow {
    /// Cross-attention of every head (N, h, source tokens).
    pub cross: Vec<f32>,
    /// The mean of all heads of cross-attention (source tokens).
    pub mean: Vec<f32>,
    /// Masked self-attention's mean over all heads (target tokens read).
    pub mean_input: Vec<f32>,
    /// Attention rollout (Abnar and Zuidema, 2020) over both stacks (source tokens), residual sums counted half.
    pub rollout: Vec<f32>,
    /// The rest of its row (target tokens read): with `rollout` it sums to one.
    pub rollout_input: Vec<f32>,
}

impl AttentionRow {
    /// The last row of `maps`, of the one pair of `batch`.
    pub fn new(maps: &Maps, batch: &Batch) -> Self {
        let (m, n) = (batch.source.tokens(), batch.input.tokens());
        let last = |layers: &[Vec<f32>], keys: usize| -> Vec<f32> {
            let heads = layers
                .iter()
                .flat_map(move |layer| layer.chunks_exact(n * keys));
            heads
                .flat_map(|head| &head[(n - 1) * keys..])
                .copied()
                .collect()
        };
        let cross = last(&maps.cross, m);
        let (rollout, rollout_input) = rollout(maps, (m, n));
        Self {
            mean: mean(&cross, m),
            mean_input: mean(&last(&maps.decoder_self, n), n),
            cross,
            rollout,
            rollout_input,
        }
    }
}

/// Mean of rows of that length.
fn mean(rows: &[f32], length: usize) -> Vec<f32> {
    let count = (rows.len() / length).max(1) as f32;
    let column = |i: usize| rows.iter().skip(i).step_by(length).sum::<f32>();
    (0..length).map(|i| column(i) / count).collect()
}

/// The last row of the decoder's rollout over source and target inputs. Each sub-layer's row is half itself, through the
/// residual sum, and half what its heads read on average.
fn rollout(maps: &Maps, (m, n): (usize, usize)) -> (Vec<f32>, Vec<f32>) {
    let mean_map = |layer: &[f32], rows: usize, keys: usize| -> Vec<f32> {
        debug_assert!(layer.len().is_multiple_of(rows * keys));
        mean(layer, rows * keys)
    };
    let identity = |size: usize| -> Vec<f32> {
        (0..size * size)
            .map(|at| if at % (size + 1) == 0 { 1.0 } else { 0.0 })
            .collect()
    };
    let times = |map: &[f32], (rows, keys): (usize, usize), x: &[f32]| -> Vec<f32> {
        let columns = x.len() / keys;
        let mut out = vec![0.0; rows * columns];
        let (map, x) = (
            Operand::new(map, rows, keys),
            Operand::new(x, keys, columns),
        );
        product(map, x, Destination::Replace, &mut out);
        out
    };
    let half =
        |a: &mut [f32], b: &[f32]| a.iter_mut().zip(b).for_each(|(a, b)| *a = (*a + b) / 2.0);

    let mut memory = identity(m);
    for layer in &maps.encoder_self {
        let read = times(&mean_map(layer, m, m), (m, m), &memory);
        half(&mut memory, &read);
    }
    let (mut source, mut input) = (vec![0.0; n * m], identity(n));
    for (own, cross) in maps.decoder_self.iter().zip(&maps.cross) {
        let own = mean_map(own, n, n);
        let read = times(&own, (n, n), &source);
        half(&mut source, &read);
        let read = times(&own, (n, n), &input);
        half(&mut input, &read);
        let read = times(&mean_map(cross, n, m), (n, m), &memory);
        half(&mut source, &read);
        input.iter_mut().for_each(|share| *share /= 2.0);
    }
    (
        source[(n - 1) * m..].to_vec(),
        input[(n - 1) * n..].to_vec(),
    )
}
