//! The small operations that layers share: linear maps in the product's precision, layer norm, cheap dropout.

use crate::error::Result;
use crate::model::weights::Weights;
use tch::Kind;
use tch::Tensor;

/// ε of all layer norms.
const EPSILON: f64 = 1e-5;

/// x·Wᵀ + b, with W of shape (out, in). The cast to the product's precision is differentiable,
/// so weights and their gradients stay f32.
pub struct Linear {
    weight: Tensor,
    bias: Tensor,
    compute_dtype: Kind,
}

impl Linear {
    /// Takes `name.weight` and `name.bias`.
    ///
    /// # Errors
    /// If the model has no such tensors.
    pub fn new(weights: &Weights, name: &str, compute_dtype: Kind) -> Result<Self> {
        Ok(Self {
            weight: weights.get(&format!("{name}.weight"))?,
            bias: weights.get(&format!("{name}.bias"))?,
            compute_dtype,
        })
    }

    /// Applies the map; the result is in the product's precision.
    pub fn forward(&self, x: &Tensor) -> Tensor {
        self.apply(x, &self.weight, &self.bias)
    }

    /// As [`Linear::forward`], times `scale`: scaling the weights is cheaper than scaling what they give.
    pub fn forward_scaled(&self, x: &Tensor, scale: f64) -> Tensor {
        if scale == 1.0 {
            return self.forward(x);
        }
        self.apply(x, &(&self.weight * scale), &(&self.bias * scale))
    }

    fn apply(&self, x: &Tensor, weight: &Tensor, bias: &Tensor) -> Tensor {
        x.to_kind(self.compute_dtype).linear(
            &weight.to_kind(self.compute_dtype),
            Some(bias.to_kind(self.compute_dtype)),
        )
    }
}

/// Layer normalisation with gain and bias.
pub struct Norm {
    weight: Tensor,
    bias: Tensor,
    width: i64,
}

impl Norm {
    /// Takes `name.weight` and `name.bias`.
    ///
    /// # Errors
    /// If the model has no such tensors.
    pub fn new(weights: &Weights, name: &str) -> Result<Self> {
        let weight = weights.get(&format!("{name}.weight"))?;
        Ok(Self {
            width: weight.size()[0],
            weight,
            bias: weights.get(&format!("{name}.bias"))?,
        })
    }

    /// Normalises the last dimension; statistics are f32.
    pub fn forward(&self, x: &Tensor) -> Tensor {
        if x.device().is_cuda() && x.kind() != self.weight.kind() {
            // The CPU's kernel takes bf16 rows with an f32 gain, the GPU's does not.
            return self
                .forward(&x.to_kind(self.weight.kind()))
                .to_kind(x.kind());
        }
        x.layer_norm(
            [self.width],
            Some(&self.weight),
            Some(&self.bias),
            EPSILON,
            true,
        )
    }
}
