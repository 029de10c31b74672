//! Learned positional embeddings instead of sinusoids (§3.5; Table 3, row E).

use crate::layers::PositionTable;
use crate::{Error, Result};
use ndarray::Array2;

/// A position table of learned values (positions, d_model), row-major.
///
/// # Errors
/// [`Error::ConfigInvalid`] if there are not positions · d_model values.
pub fn learned_positions(
    values: Vec<f32>,
    positions: usize,
    d_model: usize,
) -> Result<PositionTable> {
    let found = values.len();
    let table = Array2::from_shape_vec((positions, d_model), values).map_err(|_| {
        Error::ConfigInvalid(format!(
            "a learned position table of {positions} × {d_model} has {} values, not {found}",
            positions * d_model
        ))
    })?;
    Ok(PositionTable::learned(table))
}
