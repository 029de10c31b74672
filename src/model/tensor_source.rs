//! Where a model's tensors come from.

use crate::Result;

/// Something that holds a checkpoint's tensors.
pub trait TensorSource {
    /// Takes out a tensor, row-major.
    ///
    /// # Errors
    /// If there is none of that name ([`crate::Error::ModelFormat`], naming it) or it has another
    /// shape ([`crate::Error::ShapeMismatch`]).
    fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>>;

    /// Whether a tensor of that name is there.
    fn has(&self, name: &str) -> bool;
}

/// A source of random tensors, each a function of seed, name and shape alone: for tests and benchmarks.
pub struct RandomTensors {
    seed: u64,
}

impl RandomTensors {
    /// With this seed.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }
}

impl TensorSource for RandomTensors {
    /// Matrices uniform in ±√(6 / (inputs + outputs)) (Glorot and Bengio, 2010), embeddings with
    /// variance 1 / d_model, norm gains in 1 ± 0.1, everything else in ±0.1.
    fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let embedding = ["shared.", "embed_tokens.", "embed_positions.", "lm_head."];
        let (centre, reach) = match shape {
            [_] if name.ends_with("norm.weight")
                || name.ends_with("layernorm_embedding.weight") =>
            {
                (1.0, 0.1)
            }
            [_, width] if embedding.iter().any(|part| name.contains(part)) => {
                (0.0, (3.0 / *width as f32).sqrt())
            }
            [outputs, inputs] if name.ends_with(".weight") => {
                (0.0, (6.0 / (outputs + inputs) as f32).sqrt())
            }
            _ => (0.0, 0.1),
        };
        // FNV-1a of the name, then SplitMix64.
        let mut state = name
            .bytes()
            .fold(self.seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            });
        let uniform = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            let unit = ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 24) as f32;
            centre + reach * (2.0 * unit - 1.0)
        };
        Ok(std::iter::repeat_with(uniform)
            .take(shape.iter().product())
            .collect())
    }

    fn has(&self, _name: &str) -> bool {
        true
    }
}
