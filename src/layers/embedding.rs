//! Embeddings (§3.4). The pre-softmax projection is a [`super::Linear`] over the same weight.

use super::Weight;
use ndarray::ArrayViewMut2;
use std::sync::Arc;

/// A table of piece vectors, multiplied by √d_model on the way out (§3.4).
pub struct Embedding {
    /// (vocab, d_model)
    table: Arc<Weight>,
    scale: f32,
}

impl Embedding {
    /// Of a table (vocab, d_model); `scaled` multiplies by √d_model.
    pub fn new(table: Arc<Weight>, scaled: bool) -> Self {
        let scale = if scaled {
            (table.inputs() as f32).sqrt()
        } else {
            1.0
        };
        Self { table, scale }
    }

    /// √d_model, or 1.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Writes one row for each id to `out`.
    ///
    /// # Shapes
    /// out (ids, d_model).
    ///
    /// # Panics
    /// If an id is not below the table's number of rows.
    pub fn forward(&self, ids: impl IntoIterator<Item = u32>, mut out: ArrayViewMut2<'_, f32>) {
        for (id, mut row) in ids.into_iter().zip(out.rows_mut()) {
            let row = row.as_slice_mut().expect("rows stand without gaps");
            self.table.copy_row(id as usize, row);
            for x in row {
                *x *= self.scale;
            }
        }
    }
}
