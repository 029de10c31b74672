//! Positional encodings (§3.5): sines and cosines in either order; learned tables are ordinary weights.

use tch::{Device, Kind, Tensor};
use translucent::model::config::Positions;

/// The fixed table (max_positions, d_model) of a sinusoidal scheme; `None` for learned positions.
pub fn sinusoids(
    scheme: Positions,
    max_positions: usize,
    d_model: usize,
    device: Device,
) -> Option<Tensor> {
    let halves = match scheme {
        Positions::Learned => return None,
        Positions::None => {
            let shape = [max_positions as i64, d_model as i64];
            return Some(Tensor::zeros(shape, (Kind::Float, device)));
        }
        Positions::SinusoidalHalves => true,
        Positions::SinusoidalInterleaved => false,
    };
    let mut table = vec![0f32; max_positions * d_model]; // (max_positions, d_model)
    for (position, row) in table.chunks_exact_mut(d_model).enumerate() {
        for i in 0..d_model / 2 {
            // PE(pos, 2i) = sin(pos / 10000^(2i / d_model)), PE(pos, 2i + 1) = cos of the same.
            let angle = position as f64 / 10_000f64.powf(2.0 * i as f64 / d_model as f64);
            let (sine, cosine) = if halves {
                (i, d_model / 2 + i)
            } else {
                (2 * i, 2 * i + 1)
            };
            row[sine] = angle.sin() as f32;
            row[cosine] = angle.cos() as f32;
        }
    }
    let shape = [max_positions as i64, d_model as i64];
    Some(
        Tensor::from_slice(&table)
            .view(shape)
            .to_kind(Kind::Float)
            .to(device),
    )
}
