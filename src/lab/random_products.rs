//! Why dot products are scaled: footnote 4 of the paper, on random vectors.

use crate::kernels;
use crate::random::SplitMix64;
use crate::{Error, Result};
use serde::Serialize;

/// q·k of vectors whose components are independent, of mean 0 and variance 1: "their dot product has mean 0 and
/// variance d_k" (§3.2.1, footnote 4).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RandomProducts {
    /// Components.
    pub d_k: usize,
    /// Pairs drawn.
    pub samples: usize,
    /// Mean of q·k.
    pub mean: f64,
    /// Variance of q·k.
    pub variance: f64,
    /// Variance of q·k / √d_k.
    pub scaled_variance: f64,
    /// Largest weight of a softmax over [`RandomProducts::KEYS`] products / √d_k, on average.
    pub largest_scaled: f64,
    /// The same without the division.
    pub largest_unscaled: f64,
}

impl RandomProducts {
    /// Products that each softmax compares.
    pub const KEYS: usize = 16;
    /// Softmaxes that are averaged.
    const ROWS: usize = 200;
    /// Most components and most samples.
    const MOST: (usize, usize) = (4096, 20_000);

    /// Draws that many pairs of vectors of d_k components; the same seed gives the same numbers everywhere.
    ///
    /// # Errors
    /// [`Error::RequestInvalid`] if d_k is not 1 to 4096, or `samples` not 2 to 20000.
    pub fn draw(d_k: usize, samples: usize, seed: u32) -> Result<Self> {
        for (field, found, least, most) in [
            ("dK", d_k, 1, Self::MOST.0),
            ("samples", samples, 2, Self::MOST.1),
        ] {
            if !(least..=most).contains(&found) {
                return Err(Error::RequestInvalid {
                    field,
                    reason: format!("is {found}, it must be {least} to {most}"),
                });
            }
        }
        let mut random = SplitMix64::new(u64::from(seed) << 32 | d_k as u64);
        let mut vector = || (0..d_k).map(|_| random.normal()).collect::<Vec<f64>>();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let dots: Vec<f64> = (0..samples).map(|_| dot(&vector(), &vector())).collect();
        let mean = dots.iter().sum::<f64>() / samples as f64;
        let squares = dots.iter().map(|dot| (dot - mean) * (dot - mean));
        let variance = squares.sum::<f64>() / samples as f64;
        let mut largest = [0.0; 2];
        for _ in 0..Self::ROWS {
            let query = vector();
            let dots: Vec<f64> = (0..Self::KEYS).map(|_| dot(&query, &vector())).collect();
            for (sum, divisor) in largest.iter_mut().zip([(d_k as f64).sqrt(), 1.0]) {
                let mut row: Vec<f32> = dots.iter().map(|dot| (dot / divisor) as f32).collect();
                kernels::softmax(&mut row);
                *sum += f64::from(row.into_iter().fold(0.0, f32::max)) / Self::ROWS as f64;
            }
        }
        Ok(Self {
            d_k,
            samples,
            mean,
            variance,
            scaled_variance: variance / d_k as f64,
            largest_scaled: largest[0],
            largest_unscaled: largest[1],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variance_is_d_k_and_scaling_keeps_the_softmax_soft() {
        for d_k in [1, 16, 64] {
            let found = RandomProducts::draw(d_k, 20_000, 1).unwrap();
            // Standard errors: √(d_k / samples) of the mean; of the variance about √(2 + 6 / d_k) · d_k / √samples.
            assert!(found.mean.abs() < 5.0 * (d_k as f64 / 20_000.0).sqrt());
            assert!((found.scaled_variance - 1.0).abs() < 5.0 * 3.0 / 20_000f64.sqrt());
        }
        let wide = RandomProducts::draw(512, 2, 1).unwrap();
        assert!(wide.largest_unscaled > 0.9, "saturated");
        assert!(wide.largest_scaled < 0.4, "not saturated");
        assert!(RandomProducts::draw(0, 9, 1).is_err());
    }
}
