//! Embedding · √d_model plus position (§3.4, §3.5) and its backward pass.

use crate::batch::Packed;
use crate::parameters::Parameters;
use std::ops::Range;
use translucent::Config;
use translucent::model::config::Positions;
use translucent::model::sinusoidal;

/// The input of a stack: the shared embedding matrix and the stack's positions.
#[derive(Clone, Debug)]
pub struct Embedding {
    table: Range<usize>,
    d_model: usize,
    positions: Encoding,
}

#[derive(Clone, Debug)]
enum Encoding {
    /// (max_positions, d_model), among the weights.
    Learned(Range<usize>),
    /// (max_positions, d_model), fixed.
    Sinusoidal(Vec<f32>),
}

impl Embedding {
    /// The input of `encoder` or `decoder`.
    pub fn new(parameters: &Parameters, config: &Config, stack: &str) -> Self {
        let positions = match config.positions {
            Positions::Learned => Encoding::Learned(
                parameters.range(&format!("model.{stack}.embed_positions.weight")),
            ),
            order => {
                let table = sinusoidal(config.max_positions, config.d_model, order);
                Encoding::Sinusoidal(table.into_raw_vec_and_offset().0)
            }
        };
        Self {
            table: parameters.range("model.shared.weight"),
            d_model: config.d_model,
            positions,
        }
    }

    /// Vectors (tokens, d_model) of `tokens`; `shares` multiply each sentence's embeddings, and not its positions.
    ///
    /// # Shapes
    /// `values`: all weights; `shares`: one of each sentence; `x`: (tokens, d_model).
    pub fn forward(
        &self,
        values: &[f32],
        tokens: &Packed,
        shares: Option<&[f32]>,
        x: &mut Vec<f32>,
    ) {
        let d = self.d_model;
        let positions = match &self.positions {
            Encoding::Learned(range) => &values[range.clone()],
            Encoding::Sinusoidal(table) => table,
        };
        x.resize(tokens.tokens() * d, 0.0);
        for (sentence, range) in tokens.sentences().enumerate() {
            let scale = (d as f32).sqrt() * shares.map_or(1.0, |shares| shares[sentence]);
            for token in range {
                let embedding = self.vector(values, tokens.ids[token]);
                let position = &positions[tokens.positions[token] as usize * d..][..d];
                let row = &mut x[token * d..][..d];
                for ((x, e), p) in row.iter_mut().zip(embedding).zip(position) {
                    *x = scale * e + p;
                }
            }
        }
    }

    /// Row of the embedding matrix (d_model).
    fn vector<'v>(&self, values: &'v [f32], id: u32) -> &'v [f32] {
        &values[self.table.clone()][id as usize * self.d_model..][..self.d_model]
    }

    /// Σ over d_model of `dx` (tokens, d_model) times embedding · √d_model: each token's share in a linear model.
    ///
    /// # Shapes
    /// `values`: all weights; `dx`: (tokens, d_model); gives (tokens).
    pub fn times_input(&self, values: &[f32], tokens: &Packed, dx: &[f32]) -> Vec<f32> {
        let scale = (self.d_model as f32).sqrt();
        let rows = dx.chunks_exact(self.d_model).zip(&tokens.ids);
        let product = |(row, id): (&[f32], &u32)| {
            let pairs = row.iter().zip(self.vector(values, *id));
            scale * pairs.map(|(d, e)| d * e).sum::<f32>()
        };
        rows.map(product).collect()
    }

    /// Adds the gradients of embeddings and learned positions, from `dx` (tokens, d_model).
    ///
    /// # Shapes
    /// `dx`: (tokens, d_model); `gradient`: all weights.
    pub fn backward(&self, tokens: &Packed, dx: &[f32], gradient: &mut [f32]) {
        let d = self.d_model;
        let scale = (d as f32).sqrt();
        let mut add = |at: usize, factor: f32, row: &[f32]| {
            gradient[at..][..d]
                .iter_mut()
                .zip(row)
                .for_each(|(g, d)| *g += factor * d);
        };
        for ((row, id), position) in dx.chunks_exact(d).zip(&tokens.ids).zip(&tokens.positions) {
            add(self.table.start + *id as usize * d, scale, row);
            if let Encoding::Learned(range) = &self.positions {
                add(range.start + *position as usize * d, 1.0, row);
            }
        }
    }
}
