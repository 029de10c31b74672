//! What this engine's self-attention costs, in parts that can be timed: Table 1 with a clock.

use crate::kernels::{QuantizedRows, Rows};
use crate::layers::attention::Query;
use crate::layers::{Hooks, Input, KeyValues};
use crate::model::{Transformer, Workspace};
use crate::random::SplitMix64;
use crate::{Error, Result};
use ndarray::Array2;

/// A part of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The four projections of one self-attention: 4·n·d².
    Projections,
    /// q·k, softmax and weighted sums of all heads: what grows with n².
    Attention,
    /// A chain of n products with one d × d matrix, each needing the one before: the least that a recurrent layer does.
    Recurrence,
}

impl Part {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Projections, Self::Attention, Self::Recurrence];
}

/// The first encoder layer's self-attention on made-up vectors of n positions.
pub struct SelfAttentionBench {
    /// (n, d_model)
    x: Array2<f32>,
    /// (n, h · d_k)
    queries: Array2<f32>,
    /// (n, h · d_k)
    keys: Array2<f32>,
    /// (n, h · d_v)
    values: Array2<f32>,
    /// (n, h · d_v)
    contexts: Array2<f32>,
    quantized: QuantizedRows,
    workspace: Workspace,
}

impl SelfAttentionBench {
    /// Longest sequence: 2048 positions.
    pub const LONGEST: usize = 2048;

    /// Of n positions.
    ///
    /// # Errors
    /// [`Error::RequestInvalid`] if n is not 1 to 2048.
    pub fn new(model: &Transformer, n: usize) -> Result<Self> {
        if !(1..=Self::LONGEST).contains(&n) {
            return Err(Error::RequestInvalid {
                field: "lengths",
                reason: format!("hold {n}, they must be 1 to {}", Self::LONGEST),
            });
        }
        let attention = &model.encoder.layers[0].self_attention;
        let mut random = SplitMix64::new(n as u64);
        let x = Array2::from_shape_fn((n, model.config.d_model), |_| random.normal() as f32);
        let mut bench = Self {
            queries: Array2::zeros((n, attention.key_width())),
            keys: Array2::zeros((n, attention.key_width())),
            values: Array2::zeros((n, attention.value_width())),
            contexts: Array2::zeros((n, attention.value_width())),
            x,
            quantized: QuantizedRows::default(),
            workspace: Workspace::default(),
        };
        bench.run(model, Part::Projections);
        Ok(bench)
    }

    /// Does a part of the work once.
    pub fn run(&mut self, model: &Transformer, part: Part) {
        match part {
            Part::Projections => self.project(model),
            Part::Attention => self.attend(model),
            Part::Recurrence => self.recur(model),
        }
    }

    fn project(&mut self, model: &Transformer) {
        let attention = &model.encoder.layers[0].self_attention;
        let [query, key, value, output] = attention.projections();
        let mut x = Input::new(self.x.view(), &mut self.quantized);
        query.forward(&mut x, self.queries.view_mut());
        key.forward(&mut x, self.keys.view_mut());
        value.forward(&mut x, self.values.view_mut());
        let mut out = self.workspace.x.view(self.x.nrows(), output.outputs());
        let mut contexts = Input::new(self.contexts.view(), &mut self.quantized);
        output.forward(&mut contexts, out.view_mut());
    }

    fn attend(&mut self, model: &Transformer) {
        let attention = &model.encoder.layers[0].self_attention;
        let n = self.x.nrows();
        let memory = KeyValues {
            keys: self.keys.as_slice().unwrap_or_default(),
            values: self.values.as_slice().unwrap_or_default(),
            positions: 0..n,
            rows: Rows::From(0),
        };
        let rows = self
            .queries
            .rows()
            .into_iter()
            .zip(self.contexts.rows_mut());
        for (row, (query, mut context)) in rows.enumerate() {
            let query = Query {
                row,
                vector: query.to_slice().unwrap_or_default(),
                context: context.as_slice_mut().unwrap_or_default(),
            };
            let weights = &mut self.workspace.attention.keys;
            attention.attend(query, &memory, 0..n, weights, &mut Hooks::default());
        }
    }

    fn recur(&mut self, model: &Transformer) {
        let [query, ..] = model.encoder.layers[0].self_attention.projections();
        let mut state = Array2::zeros((1, query.inputs()));
        state.row_mut(0).assign(&self.x.row(0));
        let mut next = Array2::zeros((1, query.outputs()));
        for _ in 0..self.x.nrows() {
            let mut input = Input::new(state.view(), &mut self.quantized);
            query.forward(&mut input, next.view_mut());
            // What every recurrent layer does one way or another: a bounded function. Widths differ in odd models.
            for (state, next) in state.iter_mut().zip(next.iter().cycle()) {
                *state = next.clamp(-1.0, 1.0);
            }
        }
        self.x.row_mut(0).assign(&state.row(0));
    }
}
