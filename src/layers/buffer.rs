//! Working memory that is allocated once and reused.

use ndarray::{ArrayView2, ArrayViewMut2};

/// Grows to the largest (rows, columns) ever requested and lends views of its beginning.
#[derive(Default)]
pub struct Buffer(Vec<f32>);

impl Buffer {
    /// A view whose values are those of the last use.
    ///
    /// # Shapes
    /// (rows, columns).
    pub fn view(&mut self, rows: usize, columns: usize) -> ArrayViewMut2<'_, f32> {
        ArrayViewMut2::from_shape((rows, columns), self.slice(rows * columns))
            .expect("the slice has rows · columns values")
    }

    /// The first values of the last use.
    ///
    /// # Shapes
    /// (rows, columns).
    ///
    /// # Panics
    /// If it was never that large.
    pub fn read(&self, rows: usize, columns: usize) -> ArrayView2<'_, f32> {
        ArrayView2::from_shape((rows, columns), &self.0[..rows * columns])
            .expect("the slice has rows · columns values")
    }

    /// The first `len` values, those of the last use.
    pub fn slice(&mut self, len: usize) -> &mut [f32] {
        if self.0.len() < len {
            self.0.resize(len, 0.0);
        }
        &mut self.0[..len]
    }
}
