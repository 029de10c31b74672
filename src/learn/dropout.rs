//! Dropout (§5.4) with masks that are kept for the backward pass.

use translucent::random::SplitMix64;

/// Where masks come from.
#[derive(Clone, Debug)]
pub enum Masks {
    /// Nothing is dropped.
    Off,
    /// Drawn: the share dropped is a multiple of 1/256, so that one random byte decides each value.
    Drawn {
        /// Dropped where a byte is below this.
        threshold: u8,
        /// Source of the bytes.
        random: SplitMix64,
    },
    /// Given factors, taken in order; for tests.
    #[cfg(test)]
    Given(std::vec::IntoIter<f32>),
}

/// The factors of one place in the model: 0 where dropped, 1/(1 − P_drop) elsewhere; empty where nothing is dropped.
#[derive(Clone, Debug, Default)]
pub struct Mask(Vec<f32>);

impl Masks {
    /// P_drop, rounded to a multiple of 1/256, from a seed.
    pub fn new(p_drop: f32, seed: u64) -> Self {
        let threshold = (p_drop * 256.0).round().clamp(0.0, 255.0) as u8;
        match threshold {
            0 => Self::Off,
            _ => Self::Drawn {
                threshold,
                random: SplitMix64::new(seed),
            },
        }
    }

    /// Draws a mask and applies it to `x`.
    ///
    /// # Shapes
    /// `x`: (rows, d_model) of a sub-layer or an embedding.
    pub fn apply(&mut self, x: &mut [f32], mask: &mut Mask) {
        mask.0.clear();
        match self {
            Self::Off => return,
            Self::Drawn { threshold, random } => {
                let keep = 1.0 / (1.0 - f32::from(*threshold) / 256.0);
                while mask.0.len() < x.len() {
                    let bytes = random.next_u64().to_le_bytes();
                    let left = x.len() - mask.0.len();
                    let factors = bytes
                        .iter()
                        .map(|byte| if byte < threshold { 0.0 } else { keep });
                    mask.0.extend(factors.take(left));
                }
            }
            #[cfg(test)]
            Self::Given(factors) => mask.0.extend(factors.take(x.len())),
        }
        mask.apply(x);
    }
}

impl Mask {
    /// Multiplies `x` by the factors: the forward and the backward pass alike.
    ///
    /// # Shapes
    /// `x`: as it was when the mask was drawn.
    pub fn apply(&self, x: &mut [f32]) {
        for (x, factor) in x.iter_mut().zip(&self.0) {
            *x *= factor;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_dropped_is_p_and_the_mean_stays() {
        let mut masks = Masks::new(0.25, 3);
        let mut x = vec![1.0; 40_000];
        masks.apply(&mut x, &mut Mask::default());
        let dropped = x.iter().filter(|x| **x == 0.0).count() as f32 / x.len() as f32;
        let mean = x.iter().sum::<f32>() / x.len() as f32;
        assert!((dropped - 0.25).abs() < 0.01, "dropped {dropped}");
        assert!((mean - 1.0).abs() < 0.02, "mean {mean}");
    }

    #[test]
    fn without_dropout_nothing_changes() {
        let mut x = [1.0, -2.0];
        Masks::new(0.0, 1).apply(&mut x, &mut Mask::default());
        assert_eq!(x, [1.0, -2.0]);
    }
}
