//! Multi-head attention (§3.2.2) with every compatibility function of the configuration.

use super::dropout::DropoutMasks;
use super::ops::Linear;
use super::weights::Weights;
use crate::error::Result;
use tch::{Kind, Tensor};
use translucent::Config;
use translucent::model::config::Compatibility;

/// One attention block: three input maps, heads side by side, one output map.
pub struct Attention {
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    /// w of the additive compatibility (n_heads, d_k).
    additive: Option<Tensor>,
    scale: f64,
    n_heads: i64,
    dropout: f64,
    compute_dtype: Kind,
}

impl Attention {
    /// Takes the tensors below `name`.
    ///
    /// # Errors
    /// If the model has no such tensors.
    pub fn new(
        weights: &Weights,
        name: &str,
        config: &Config,
        compute_dtype: Kind,
    ) -> Result<Self> {
        let linear = |part: &str| Linear::new(weights, &format!("{name}.{part}"), compute_dtype);
        Ok(Self {
            query: linear("q_proj")?,
            key: linear("k_proj")?,
            value: linear("v_proj")?,
            output: linear("out_proj")?,
            additive: match config.compatibility {
                Compatibility::Additive => Some(weights.get(&format!("{name}.additive.weight"))?),
                _ => None,
            },
            scale: match config.compatibility {
                Compatibility::ScaledDotProduct => (config.d_k as f64).powf(-0.5),
                _ => 1.0,
            },
            n_heads: config.n_heads as i64,
            dropout: f64::from(config.attention_dropout),
            compute_dtype,
        })
    }

    /// Attends from `x` to `memory`; `bias` is added before the softmax (0 or −∞).
    ///
    /// # Shapes
    /// x (n, len_q, d_model), memory (n, len_k, d_model), bias broadcasts to (n, n_heads, len_q, len_k);
    /// gives the output (n, len_q, d_model) and the weights (n, n_heads, len_q, len_k).
    pub fn forward(
        &self,
        x: &Tensor,
        memory: &Tensor,
        bias: Option<&Tensor>,
        masks: Option<&DropoutMasks>,
    ) -> (Tensor, Tensor) {
        let (n, len_q) = (x.size()[0], x.size()[1]);
        let query = self.split(&self.query.forward_scaled(x, self.scale)); // (n, h, len_q, d_k)
        let key = self.split(&self.key.forward(memory)); // (n, h, len_k, d_k)
        let value = self.split(&self.value.forward(memory)); // (n, h, len_k, d_v)
        let scores = self.scores(&query, &key); // (n, h, len_q, len_k)
        let scores = match bias {
            Some(bias) => scores + bias.to_kind(self.compute_dtype),
            None => scores,
        };
        // libtorch sums the softmax in f32 whatever the kind of its input.
        let weights = scores.softmax(-1, None::<Kind>);
        let used = match masks {
            Some(masks) => masks.apply(weights.shallow_clone(), self.dropout),
            None => weights.shallow_clone(),
        };
        let heads = used.matmul(&value).transpose(1, 2).reshape([n, len_q, -1]);
        (self.output.forward(&heads), weights)
    }

    fn scores(&self, query: &Tensor, key: &Tensor) -> Tensor {
        match &self.additive {
            None => query.matmul(&key.transpose(-1, -2)),
            Some(w) => {
                // w · tanh(q + k) over d_k: one hidden layer whose input maps are W^Q and W^K.
                let hidden = (query.unsqueeze(3) + key.unsqueeze(2)).tanh(); // (n, h, len_q, len_k, d_k)
                let w = w.to_kind(self.compute_dtype).unsqueeze(1).unsqueeze(-1); // (h, 1, d_k, 1)
                hidden.matmul(&w).squeeze_dim(-1)
            }
        }
    }

    fn split(&self, x: &Tensor) -> Tensor {
        let (n, len) = (x.size()[0], x.size()[1]);
        x.view([n, len, self.n_heads, -1]).transpose(1, 2)
    }
}
