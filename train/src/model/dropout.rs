//! Dropout (§5.4) with masks that are a function of one seed and cost little: libtorch's own Bernoulli
//! mask takes 40 % of a training step on a CPU.

use std::cell::Cell;
use tch::{Device, Kind, Tensor};
use translucent::random::SplitMix64;

/// A source of dropout masks for one batch.
pub struct DropoutMasks {
    state: Cell<u64>,
    device: Device,
}

impl DropoutMasks {
    /// Dropout masks that follow from `seed`.
    pub fn new(seed: u64, device: Device) -> Self {
        if device.is_cuda() {
            // One process-wide generator: on a GPU one batch is trained at a time.
            tch::manual_seed((seed >> 1) as i64);
        }
        Self {
            state: Cell::new(seed),
            device,
        }
    }

    /// Sets each cell of `x` to 0 with probability p and scales the others by 1 / (1 − p).
    pub fn apply(&self, x: Tensor, p: f64) -> Tensor {
        if self.device.is_cuda() {
            // libtorch's own is one kernel there.
            return if p > 0.0 { x.dropout(p, true) } else { x };
        }
        match self.mask(&x, p) {
            Some(mask) => x * mask,
            None => x,
        }
    }

    /// residual + dropout(x), on a CPU in one pass.
    pub fn add(&self, residual: &Tensor, x: &Tensor, p: f64) -> Tensor {
        if self.device.is_cuda() {
            return residual + self.apply(x.shallow_clone(), p);
        }
        match self.mask(x, p) {
            Some(mask) => residual.addcmul(x, &mask),
            None => residual + x,
        }
    }

    /// A mask of x's shape and kind; `None` if nothing is dropped. p is rounded to the next 1/256,
    /// eight cells share a random number, and the scale fits the rounded p.
    fn mask(&self, x: &Tensor, p: f64) -> Option<Tensor> {
        let threshold = (p * 256.0).round();
        if threshold == 0.0 {
            return None;
        }
        let scale = 256.0 / (256.0 - threshold);
        Some(match x.kind() {
            Kind::BFloat16 => {
                let kept = half::bf16::from_f64(scale).to_bits();
                self.draw(x, threshold as u8, kept.to_le_bytes())
            }
            _ => self.draw(x, threshold as u8, (scale as f32).to_le_bytes()),
        })
    }

    /// A mask of x's shape and kind whose kept cells hold the bytes `kept`.
    fn draw<const N: usize>(&self, x: &Tensor, threshold: u8, kept: [u8; N]) -> Tensor {
        let cells = x.numel();
        let mut bytes = vec![0u8; cells.next_multiple_of(8) * N];
        let mut random = SplitMix64::new(self.state.get());
        for eight in bytes.chunks_exact_mut(8 * N) {
            for (cell, byte) in eight
                .as_chunks_mut::<N>()
                .0
                .iter_mut()
                .zip(random.next_u64().to_le_bytes())
            {
                *cell = if byte >= threshold { kept } else { [0; N] };
            }
        }
        self.state.set(random.state());
        Tensor::from_data_size(&bytes[..cells * N], &x.size(), x.kind())
    }
}
