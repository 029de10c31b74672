//! Positional encodings (§3.5).

use ndarray::{Array1, Array2, ArrayView1, ArrayViewMut2};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// How positions enter the model (§3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Positions {
    /// Sines in the even, cosines in the odd dimensions, as §3.5 prints them.
    SinusoidalInterleaved,
    /// The same values with all sines first, then all cosines: Marian's order, a fixed permutation
    /// of d_model. The order of every model folder that `transformers` opens.
    SinusoidalHalves,
    /// A learned table of `max_positions` rows for each stack (Table 3, row E).
    Learned,
    /// Nothing is added: without it attention knows no order.
    None,
}

/// One vector for each position, added to the embeddings.
pub struct PositionTable {
    rows: Rows,
}

enum Rows {
    /// (positions, d_model)
    Learned(Array2<f32>),
    /// Each row (d_model) is computed at its first use: a model has hundreds of positions, a sentence
    /// tens of pieces, and sines and cosines of them all would be a good part of the time that loading takes.
    Sinusoidal(Sinusoids, Vec<OnceLock<Array1<f32>>>),
}

impl PositionTable {
    /// A learned table.
    ///
    /// # Shapes
    /// table (positions, d_model).
    pub fn learned(table: Array2<f32>) -> Self {
        Self {
            rows: Rows::Learned(table),
        }
    }

    /// [`sinusoidal`] without computing it yet.
    pub fn sinusoidal(length: usize, d_model: usize, positions: Positions) -> Self {
        let rows = (0..length).map(|_| OnceLock::new()).collect();
        Self {
            rows: Rows::Sinusoidal(Sinusoids::new(d_model, positions), rows),
        }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        match &self.rows {
            Rows::Learned(table) => table.nrows(),
            Rows::Sinusoidal(_, rows) => rows.len(),
        }
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The table of a learned scheme.
    ///
    /// # Shapes
    /// (positions, d_model).
    pub fn as_learned(&self) -> Option<&Array2<f32>> {
        match &self.rows {
            Rows::Learned(table) => Some(table),
            Rows::Sinusoidal(..) => None,
        }
    }

    /// The vector of a position.
    ///
    /// # Shapes
    /// (d_model).
    ///
    /// # Panics
    /// If the position is not below [`Self::len`].
    pub fn row(&self, position: usize) -> ArrayView1<'_, f32> {
        match &self.rows {
            Rows::Learned(table) => table.row(position),
            Rows::Sinusoidal(sinusoids, rows) => {
                let row = rows[position].get_or_init(|| sinusoids.row(position));
                row.view()
            }
        }
    }

    /// Adds to row i of `x` the vector of the i-th of `positions`; `None` adds nothing.
    ///
    /// # Shapes
    /// x (rows, d_model).
    ///
    /// # Panics
    /// If a position is not below [`Self::len`].
    pub fn add(
        &self,
        positions: impl IntoIterator<Item = Option<usize>>,
        mut x: ArrayViewMut2<'_, f32>,
    ) {
        for (position, mut row) in positions.into_iter().zip(x.rows_mut()) {
            if let Some(position) = position {
                row += &self.row(position);
            }
        }
    }
}

/// PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos(same), in the order that `positions` names;
/// interleaved (the paper's order) for a learned scheme, zeros for none (§3.5).
///
/// # Shapes
/// (length, d_model).
pub fn sinusoidal(length: usize, d_model: usize, positions: Positions) -> Array2<f32> {
    let sinusoids = Sinusoids::new(d_model, positions);
    let mut table = Array2::zeros((length, d_model));
    for (position, mut row) in table.rows_mut().into_iter().enumerate() {
        row.assign(&sinusoids.row(position));
    }
    table
}

/// The rows of [`sinusoidal`], one at a time.
struct Sinusoids {
    wavelengths: Vec<f64>,
    halves: bool,
    /// 0 where a model has no positions.
    amplitude: f32,
}

impl Sinusoids {
    fn new(d_model: usize, positions: Positions) -> Self {
        Self {
            wavelengths: wavelengths(d_model),
            halves: positions == Positions::SinusoidalHalves,
            amplitude: f32::from(u8::from(positions != Positions::None)),
        }
    }

    /// (d_model)
    fn row(&self, position: usize) -> Array1<f32> {
        let d_model = self.wavelengths.len();
        Array1::from_shape_fn(d_model, |dimension| {
            // The dimension's place in the paper's order: sines stand in the even, cosines in the odd ones.
            let paper = match (self.halves, dimension < d_model.div_ceil(2)) {
                (false, _) => dimension,
                (true, true) => 2 * dimension,
                (true, false) => 2 * (dimension - d_model.div_ceil(2)) + 1,
            };
            let angle = position as f64 * std::f64::consts::TAU / self.wavelengths[paper];
            let value = if paper % 2 == 0 {
                angle.sin()
            } else {
                angle.cos()
            };
            self.amplitude * value as f32
        })
    }
}

/// The wavelength in positions of each dimension in the paper's order: 2π · 10000^(2i/d_model) for
/// dimensions 2i and 2i + 1, "a geometric progression from 2π to 10000 · 2π" (§3.5).
pub fn wavelengths(d_model: usize) -> Vec<f64> {
    (0..d_model)
        .map(|dimension| {
            let pair = (dimension / 2 * 2) as f64;
            std::f64::consts::TAU * 10000f64.powf(pair / d_model as f64)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_zero_is_all_sine_zero_and_cosine_one() {
        let table = sinusoidal(1, 6, Positions::SinusoidalInterleaved);
        assert_eq!(table.as_slice().unwrap(), [0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
    }

    #[test]
    fn a_row_asked_for_is_the_tables() {
        let order = Positions::SinusoidalHalves;
        let (table, whole) = (
            PositionTable::sinusoidal(9, 6, order),
            sinusoidal(9, 6, order),
        );
        for position in [8, 0, 8, 3] {
            assert_eq!(table.row(position), whole.row(position));
        }
    }

    #[test]
    fn halves_are_the_interleaved_values_with_sines_first() {
        let d_model = 10;
        let interleaved = sinusoidal(7, d_model, Positions::SinusoidalInterleaved);
        let halves = sinusoidal(7, d_model, Positions::SinusoidalHalves);
        for position in 0..7 {
            for i in 0..d_model / 2 {
                assert_eq!(halves[[position, i]], interleaved[[position, 2 * i]]);
                assert_eq!(
                    halves[[position, d_model / 2 + i]],
                    interleaved[[position, 2 * i + 1]]
                );
            }
        }
    }

    #[test]
    fn a_dimension_repeats_after_its_wavelength() {
        // d_model 4: wavelengths 2π, 2π, 200π, 200π.
        let lengths = wavelengths(4);
        assert!((lengths[0] - std::f64::consts::TAU).abs() < 1e-12);
        assert!((lengths[3] - 100.0 * std::f64::consts::TAU).abs() < 1e-9);
        let table = sinusoidal(629, 4, Positions::SinusoidalInterleaved);
        // 200π ≈ 628.32
        assert!((table[[628, 3]] - table[[0, 3]]).abs() < 1e-4);
        assert!((table[[314, 3]] + table[[0, 3]]).abs() < 1e-4);
    }
}
