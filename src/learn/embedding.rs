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

    /// Vectors (tokens, d_model) of `tokens`.
    pub fn forward(&self, values: &[f32], tokens: &Packed, x: &mut Vec<f32>) {
        let d = self.d_model;
        let scale = (d as f32).sqrt();
        let positions = match &self.positions {
            Encoding::Learned(range) => &values[range.clone()],
            Encoding::Sinusoidal(table) => table,
        };
        x.resize(tokens.tokens() * d, 0.0);
        let rows = x
            .chunks_exact_mut(d)
            .zip(&tokens.ids)
            .zip(&tokens.positions);
        for ((row, id), position) in rows {
            let embedding = &values[self.table.clone()][*id as usize * d..][..d];
            let position = &positions[*position as usize * d..][..d];
            for ((x, e), p) in row.iter_mut().zip(embedding).zip(position) {
                *x = scale * e + p;
            }
        }
    }

    /// Adds the gradients of embeddings and learned positions, from `dx` (tokens, d_model).
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
