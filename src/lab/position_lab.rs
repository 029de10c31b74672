//! The claims of §3.5 about sinusoids, checked with numbers.

use crate::layers::position::{Positions, sinusoidal, wavelengths};
use crate::{Config, Error, Result};
use ndarray::{Array1, Array2, Array3, ArrayView1};
use std::f64::consts::{PI, TAU};

/// Longest table of positions that is computed at once.
pub const MAX_POSITIONS: usize = 10_000;

/// One position and one offset k; dimensions in the paper's interleaved order.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionLab {
    /// PE_position · PE_j of every position j (length).
    pub products: Array1<f32>,
    /// ω_i · k in (−π, π]: by how much M_k turns each pair of dimensions (d_model / 2).
    pub angles: Array1<f32>,
    /// The 2 × 2 blocks of M_k: PE_{pos+k} = M_k · PE_pos for every pos (d_model / 2, 2, 2).
    pub rotations: Array3<f32>,
    /// PE_position (d_model).
    pub encoding: Array1<f32>,
    /// M_k · PE_position (d_model).
    pub rotated: Array1<f32>,
    /// PE_{position+k} by its own formula (d_model).
    pub shifted: Array1<f32>,
    /// Largest |M_k · PE_pos − PE_{pos+k}| over all dimensions and positions below `checked`.
    pub error: f32,
    /// Positions that were checked.
    pub checked: usize,
}

impl PositionLab {
    /// Of the first `length` positions at an even width d_model; position + k may be any number.
    ///
    /// # Errors
    /// [`Error::RequestInvalid`] if `length` is above [`MAX_POSITIONS`], the position is not below it, or the width
    /// is odd.
    pub fn new(length: usize, d_model: usize, position: usize, k: i64) -> Result<Self> {
        if !d_model.is_multiple_of(2) {
            return Err(Error::RequestInvalid {
                field: "positions",
                reason: format!(
                    "need an even d_model for pairs of sine and cosine, it is {d_model}"
                ),
            });
        }
        let table = encodings(length, d_model)?;
        if position >= length {
            return Err(Error::RequestInvalid {
                field: "position",
                reason: format!("is {position}, it must be below the length {length}"),
            });
        }
        let frequencies: Vec<f64> = wavelengths(d_model)
            .into_iter()
            .step_by(2)
            .map(|wavelength| TAU / wavelength)
            .collect();
        let angle = |frequency: &f64| {
            let turned = (frequency * k as f64).rem_euclid(TAU);
            if turned > PI { turned - TAU } else { turned }
        };
        let angles: Vec<f64> = frequencies.iter().map(angle).collect();
        // sin(θ + φ) = cos φ · sin θ + sin φ · cos θ;  cos(θ + φ) = −sin φ · sin θ + cos φ · cos θ.
        let rotations = Array3::from_shape_fn((angles.len(), 2, 2), |(pair, row, column)| {
            let (sine, cosine) = angles[pair].sin_cos();
            let cell = match (row, column) {
                (0, 1) => sine,
                (1, 0) => -sine,
                _ => cosine,
            };
            cell as f32
        });
        let shifted = |position: usize| -> Array1<f32> {
            let at = position as f64 + k as f64;
            let pairs = frequencies
                .iter()
                .map(|frequency| (at * frequency).sin_cos());
            pairs
                .flat_map(|(sine, cosine)| [sine as f32, cosine as f32])
                .collect()
        };
        let mut error = 0f32;
        for (position, encoding) in table.rows().into_iter().enumerate() {
            let apart = rotated(&rotations, encoding) - shifted(position);
            error = apart.iter().fold(error, |error, x| error.max(x.abs()));
        }
        let encoding = table.row(position);
        Ok(Self {
            products: products(&table, position),
            angles: angles.iter().map(|angle| *angle as f32).collect(),
            rotated: rotated(&rotations, encoding),
            shifted: shifted(position),
            encoding: encoding.to_owned(),
            rotations,
            error,
            checked: length,
        })
    }
}

/// The sinusoidal encodings of the first positions, in the paper's interleaved order.
///
/// # Shapes
/// (length, d_model).
///
/// # Errors
/// [`Error::RequestInvalid`] if `length` is above [`MAX_POSITIONS`], or less where the model is so wide that the table
/// would be larger than [`Config::MAX_POSITION_CELLS`].
pub fn encodings(length: usize, d_model: usize) -> Result<Array2<f32>> {
    let most = MAX_POSITIONS.min(Config::MAX_POSITION_CELLS / d_model.max(1));
    if length > most {
        return Err(Error::RequestInvalid {
            field: "length",
            reason: format!("is {length}, it must be at most {most}"),
        });
    }
    Ok(sinusoidal(
        length,
        d_model,
        Positions::SinusoidalInterleaved,
    ))
}

/// The inner product of one row of a table with every row.
///
/// # Shapes
/// table (positions, d_model); result (positions).
pub fn products(table: &Array2<f32>, position: usize) -> Array1<f32> {
    let one = table.row(position);
    let dot = |row: ArrayView1<'_, f32>| {
        let terms = row
            .iter()
            .zip(&one)
            .map(|(a, b)| f64::from(*a) * f64::from(*b));
        terms.sum::<f64>() as f32
    };
    table.rows().into_iter().map(dot).collect()
}

/// M_k · PE, block by block.
fn rotated(rotations: &Array3<f32>, encoding: ArrayView1<'_, f32>) -> Array1<f32> {
    let pairs = rotations.outer_iter().enumerate();
    pairs
        .flat_map(|(pair, block)| {
            let (sine, cosine) = (encoding[2 * pair], encoding[2 * pair + 1]);
            [0, 1].map(|row| block[[row, 0]] * sine + block[[row, 1]] * cosine)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_leads_from_every_position_to_the_one_k_further() {
        for k in [-7, 0, 1, 40] {
            let lab = PositionLab::new(60, 32, 20, k).unwrap();
            assert!(lab.error < 1e-5, "{k}: {}", lab.error);
            let table = sinusoidal(100, 32, Positions::SinusoidalInterleaved);
            let there = table.row((20 + k) as usize);
            assert!((&lab.shifted - &there).iter().all(|x| x.abs() < 1e-6));
            assert!((&lab.rotated - &there).iter().all(|x| x.abs() < 1e-5));
        }
    }

    #[test]
    fn a_table_that_would_not_fit_into_memory_is_refused() {
        for length in [MAX_POSITIONS + 1, 1_000_000_000, usize::MAX] {
            let error = encodings(length, 256).unwrap_err();
            assert!(error.to_string().contains("length"), "{error}");
            assert!(PositionLab::new(length, 256, 0, 1).is_err());
        }
        assert!(PositionLab::new(9, 8, 9, 1).is_err());
        assert!(encodings(MAX_POSITIONS, 1 << 17).is_err());
    }

    #[test]
    fn an_odd_width_is_refused() {
        let error = PositionLab::new(9, 7, 0, 1).unwrap_err().to_string();
        assert!(error.contains("even d_model"), "{error}");
    }

    #[test]
    fn products_depend_on_the_distance_alone() {
        // sin a · sin b + cos a · cos b = cos(a − b), summed over the pairs.
        let near = PositionLab::new(50, 16, 10, 0).unwrap().products;
        let far = PositionLab::new(50, 16, 30, 0).unwrap().products;
        assert!((near[10] - 8.0).abs() < 1e-5);
        for distance in 0..10 {
            assert!((near[10 + distance] - far[30 + distance]).abs() < 1e-5);
            assert!((near[10 + distance] - near[10 - distance]).abs() < 1e-5);
        }
    }
}
