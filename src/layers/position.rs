//! Positional encodings (§3.5).

use ndarray::{Array2, ArrayViewMut2};
use serde::{Deserialize, Serialize};

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
}

/// One vector for each position, added to the embeddings.
pub struct PositionTable {
    /// (positions, d_model)
    table: Array2<f32>,
}

impl PositionTable {
    /// A given table (positions, d_model), e.g. a learned one.
    pub fn new(table: Array2<f32>) -> Self {
        Self { table }
    }

    /// The table (positions, d_model).
    pub fn table(&self) -> &Array2<f32> {
        &self.table
    }

    /// Adds to row i of `x` (rows, d_model) the vector of the i-th of `positions`; `None` adds nothing.
    ///
    /// # Panics
    /// If a position is not below the number of rows of the table.
    pub fn add(
        &self,
        positions: impl IntoIterator<Item = Option<usize>>,
        mut x: ArrayViewMut2<'_, f32>,
    ) {
        for (position, mut row) in positions.into_iter().zip(x.rows_mut()) {
            if let Some(position) = position {
                row += &self.table.row(position);
            }
        }
    }
}

/// PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos(same), as (length, d_model),
/// in the order that `positions` names; interleaved (the paper's order) for a learned scheme.
pub fn sinusoidal(length: usize, d_model: usize, positions: Positions) -> Array2<f32> {
    let halves = positions == Positions::SinusoidalHalves;
    let wavelengths = wavelengths(d_model);
    let mut table = Array2::zeros((length, d_model));
    for ((position, dimension), value) in table.indexed_iter_mut() {
        // The dimension's place in the paper's order: sines stand in the even, cosines in the odd ones.
        let paper = match (halves, dimension < d_model.div_ceil(2)) {
            (false, _) => dimension,
            (true, true) => 2 * dimension,
            (true, false) => 2 * (dimension - d_model.div_ceil(2)) + 1,
        };
        let angle = position as f64 * std::f64::consts::TAU / wavelengths[paper];
        *value = if paper % 2 == 0 {
            angle.sin()
        } else {
            angle.cos()
        } as f32;
    }
    table
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
