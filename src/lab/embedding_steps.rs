//! How a piece enters a stack: embedding, scale and positional encoding (§3.4, §3.5).

use crate::layers::Stack;
use crate::layers::position::Positions;
use crate::model::Transformer;
use crate::{Error, Result};
use ndarray::{Array1, Array2, Axis};

/// How a piece enters a stack (§3.4, §3.5), each (d_model).
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddingSteps {
    /// Where the piece stands.
    pub position: usize,
    /// √d_model, or 1 where the model does not scale.
    pub scale: f32,
    /// The table's row.
    pub embedding: Array1<f32>,
    /// embedding · scale.
    pub scaled: Array1<f32>,
    /// The positional encoding that is added.
    pub encoding: Array1<f32>,
    /// scaled + encoding.
    pub sum: Array1<f32>,
}

impl EmbeddingSteps {
    /// Of one piece of a stack's vocabulary at a position; dimensions in the paper's order, unless the positions are
    /// learned.
    ///
    /// # Errors
    /// [`Error::RequestInvalid`] if the model has no such piece or position.
    pub fn new(model: &Transformer, stack: Stack, piece: u32, position: usize) -> Result<Self> {
        let (input, vocab) = match stack {
            Stack::Encoder => (&model.encoder_input, model.config.vocab_size),
            Stack::Decoder => (&model.decoder_input, model.config.target_vocab()),
        };
        model.check_ids("piece", &[piece], vocab)?;
        let table = &input.positions;
        if position >= table.len() {
            return Err(Error::RequestInvalid {
                field: "position",
                reason: format!("is {position}, the model has 0 to {}", table.len() - 1),
            });
        }
        let mut scaled = Array2::zeros((1, model.config.d_model));
        input.embedding.forward([piece], scaled.view_mut());
        let scaled = scaled.index_axis_move(Axis(0), 0);
        let scale = input.embedding.scale();
        let encoding = table.row(position).to_owned();
        let steps = Self {
            position,
            scale,
            embedding: &scaled / scale,
            sum: &scaled + &encoding,
            scaled,
            encoding,
        };
        Ok(match model.config.positions {
            Positions::SinusoidalHalves => steps.interleaved(),
            Positions::SinusoidalInterleaved | Positions::Learned | Positions::None => steps,
        })
    }

    /// The same with the dimensions in the paper's interleaved order, where they stand in halves.
    fn interleaved(self) -> Self {
        let order = |row: Array1<f32>| {
            let half = row.len().div_ceil(2);
            Array1::from_shape_fn(row.len(), |dimension| {
                row[dimension / 2 + dimension % 2 * half]
            })
        };
        Self {
            embedding: order(self.embedding),
            scaled: order(self.scaled),
            encoding: order(self.encoding),
            sum: order(self.sum),
            ..self
        }
    }
}
