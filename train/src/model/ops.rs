//! The small operations that layers share: linear maps in the product's precision, layer norm, cheap dropout.

use crate::error::Result;
use crate::model::weights::Weights;
use tch::{Kind, Tensor};

/// ε of all layer norms.
const EPSILON: f64 = 1e-5;

/// x·Wᵀ + b, with W of shape (out, in). The cast to the product's precision is differentiable,
/// so weights and their gradients stay f32.
pub struct Linear {
    weight: Tensor,
    bias: Tensor,
    products: Kind,
}

impl Linear {
    /// Takes `name.weight` and `name.bias`.
    ///
    /// # Errors
    /// If the model has no such tensors.
    pub fn new(weights: &Weights, name: &str, products: Kind) -> Result<Self> {
        Ok(Self {
            weight: weights.get(&format!("{name}.weight"))?,
            bias: weights.get(&format!("{name}.bias"))?,
            products,
        })
    }

    /// Applies the map; the result is in the product's precision.
    pub fn forward(&self, x: &Tensor) -> Tensor {
        x.to_kind(self.products).linear(
            &self.weight.to_kind(self.products),
            Some(self.bias.to_kind(self.products)),
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
        x.layer_norm(
            [self.width],
            Some(&self.weight),
            Some(&self.bias),
            EPSILON,
            true,
        )
    }
}

/// Dropout whose mask costs eight bytes of randomness for eight cells: libtorch's own Bernoulli mask
/// takes 40 % of a training step on a CPU. p is rounded to the next 1/256, and the scale fits the rounded p.
pub fn dropout(x: Tensor, p: f64) -> Tensor {
    let threshold = (p * 256.0).round();
    if threshold == 0.0 {
        return x;
    }
    let mask = tch::no_grad(|| {
        let n = x.numel() as i64;
        let random = Tensor::empty([(n + 7) / 8], (Kind::Int64, x.device()))
            .random_()
            .view_dtype(Kind::Uint8)
            .narrow(0, 0, n)
            .view(x.size().as_slice());
        random.ge(threshold).to_kind(x.kind()) * (256.0 / (256.0 - threshold))
    });
    x * mask
}
