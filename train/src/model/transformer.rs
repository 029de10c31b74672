//! The encoder-decoder of the paper's Figure 1, for training: dropout where §5.4 puts it.

use super::attention::Attention;
use super::dropout::DropoutMasks;
use super::loss::{Loss, OutputLoss, Targets};
use super::ops::{Linear, Norm};
use super::position::sinusoids;
use super::precision::Precision;
use super::weights::Weights;
use crate::data::batch::Batch;
use crate::error::{Error, Result};
use tch::{Device, Kind, Tensor};
use translucent::Config;
use translucent::model::config::Activation;

/// Attention weights of a forward pass, one tensor (n, n_heads, len_q, len_k) a layer.
#[derive(Default)]
pub struct Observed {
    /// Encoder self-attention.
    pub encoder_self: Vec<Tensor>,
    /// Masked decoder self-attention.
    pub decoder_self: Vec<Tensor>,
    /// Encoder–decoder attention.
    pub cross: Vec<Tensor>,
}

struct FeedForward {
    inner: Linear,
    outer: Linear,
    activation: Activation,
    dropout: f64,
}

struct Layer {
    self_attention: Attention,
    self_norm: Norm,
    cross: Option<(Attention, Norm)>,
    feed_forward: FeedForward,
    final_norm: Norm,
}

/// Encoder, decoder and the shared projection over a set of [`Weights`].
pub struct Transformer {
    config: Config,
    compute_dtype: Kind,
    device: Device,
    source_embedding: Tensor,
    target_embedding: Tensor,
    projection: Tensor,
    encoder_positions: Tensor,
    decoder_positions: Tensor,
    encoder: Vec<Layer>,
    decoder: Vec<Layer>,
}

impl Transformer {
    /// Builds the model over `weights`, which it shares.
    ///
    /// # Errors
    /// If the configuration is contradictory or asks for what is not the paper's and cannot be trained here.
    pub fn new(config: &Config, weights: &Weights, precision: Precision) -> Result<Self> {
        config.validate()?;
        if config.normalize_before || config.normalize_embedding {
            return Err(Error::Recipe(
                "normalize_before and normalize_embedding must be false: only the paper's post-norm model is trained".into(),
            ));
        }

        let embedding = |name: &str| {
            weights.get(if config.share_embeddings {
                "model.shared.weight"
            } else {
                name
            })
        };
        let source_embedding = embedding("model.encoder.embed_tokens.weight")?;
        let device = source_embedding.device();
        let compute_dtype = precision.compute_dtype(device);
        let positions = |stack: &str| match sinusoids(
            config.positions,
            config.max_positions,
            config.d_model,
            device,
        ) {
            Some(table) => Ok(table),
            None => weights.get(&format!("model.{stack}.embed_positions.weight")),
        };
        let stack = |stack: &str, layers: usize| -> Result<Vec<Layer>> {
            (0..layers)
                .map(|i| {
                    Layer::new(
                        weights,
                        &format!("model.{stack}.layers.{i}"),
                        config,
                        compute_dtype,
                        stack == "decoder",
                    )
                })
                .collect()
        };
        Ok(Self {
            compute_dtype,
            device,
            source_embedding,
            target_embedding: embedding("model.decoder.embed_tokens.weight")?,
            projection: embedding("lm_head.weight")?,
            encoder_positions: positions("encoder")?,
            decoder_positions: positions("decoder")?,
            encoder: stack("encoder", config.encoder_layers)?,
            decoder: stack("decoder", config.decoder_layers)?,
            config: config.clone(),
        })
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Device of its tensors.
    pub fn device(&self) -> Device {
        self.device
    }

    /// Decoder output (n, len_tgt, d_model) for a batch; with `masks`, dropout is on.
    pub fn hidden(
        &self,
        batch: &Batch,
        masks: Option<&DropoutMasks>,
        mut observed: Option<&mut Observed>,
    ) -> Tensor {
        let src_key_padding_mask = batch.src_key_padding_mask.as_ref();
        let encoder_bias = self.encoder_bias(&batch.source, src_key_padding_mask);
        let mut memory = self.embed(
            &self.source_embedding,
            &self.encoder_positions,
            &batch.source,
            masks,
        );
        for layer in &self.encoder {
            let (x, weights) = self.add_norm(&memory, &layer.self_norm, masks, |x| {
                layer
                    .self_attention
                    .forward(x, x, encoder_bias.as_ref(), masks)
            });
            memory = self.feed_forward(&x, layer, masks);
            if let Some(observed) = observed.as_deref_mut() {
                observed.encoder_self.push(weights);
            }
        }
        let decoder_bias = self.decoder_bias(batch.target_in.size()[1]);
        let mut x = self.embed(
            &self.target_embedding,
            &self.decoder_positions,
            &batch.target_in,
            masks,
        );
        for layer in &self.decoder {
            let (y, weights) = self.add_norm(&x, &layer.self_norm, masks, |x| {
                layer
                    .self_attention
                    .forward(x, x, Some(&decoder_bias), masks)
            });
            if let Some(observed) = observed.as_deref_mut() {
                observed.decoder_self.push(weights);
            }
            x = y;
            if let Some((cross, norm)) = &layer.cross {
                let (y, weights) = self.add_norm(&x, norm, masks, |x| {
                    cross.forward(x, &memory, src_key_padding_mask, masks)
                });
                if let Some(observed) = observed.as_deref_mut() {
                    observed.cross.push(weights);
                }
                x = y;
            }
            x = self.feed_forward(&x, layer, masks);
        }
        x
    }

    /// Loss of a batch; `normaliser` is the number of target tokens of the optimiser step.
    pub fn loss(&self, batch: &Batch, normaliser: f64, masks: Option<&DropoutMasks>) -> Loss {
        let hidden = self
            .hidden(batch, masks, None)
            .view([-1, self.config.d_model as i64]);
        let hidden = match &batch.rows {
            Some(rows) => hidden.index_select(0, rows),
            None => hidden,
        };
        let output = OutputLoss {
            smoothing: if masks.is_some() {
                f64::from(self.config.label_smoothing)
            } else {
                0.0
            },
            normaliser,
            compute_dtype: self.compute_dtype,
            train: masks.is_some(),
        };
        let targets = Targets {
            gold: &batch.target_out,
            loss_mask: &batch.loss_mask,
        };
        output.loss(&hidden, &self.projection, &targets)
    }

    /// Logits (…, vocab) of decoder outputs (…, d_model).
    pub fn logits(&self, hidden: &Tensor) -> Tensor {
        hidden
            .to_kind(self.compute_dtype)
            .matmul(&self.projection.to_kind(self.compute_dtype).tr())
            .to_kind(Kind::Float)
    }

    fn embed(
        &self,
        embedding: &Tensor,
        positions: &Tensor,
        ids: &Tensor,
        masks: Option<&DropoutMasks>,
    ) -> Tensor {
        let scale = if self.config.scale_embedding {
            (self.config.d_model as f64).sqrt()
        } else {
            1.0
        };
        let sum = Tensor::embedding(embedding, ids, -1, false, false) * scale
            + positions.narrow(0, 0, ids.size()[1]);
        let sum = sum.to_kind(self.compute_dtype);
        match masks {
            Some(masks) => masks.apply(sum, f64::from(self.config.dropout)),
            None => sum,
        }
    }

    /// LayerNorm(x + Dropout(Sublayer(x))) (§3.1, §5.4), and the sub-layer's attention weights.
    fn add_norm(
        &self,
        x: &Tensor,
        norm: &Norm,
        masks: Option<&DropoutMasks>,
        sublayer: impl Fn(&Tensor) -> (Tensor, Tensor),
    ) -> (Tensor, Tensor) {
        let (y, weights) = sublayer(x);
        (norm.forward(&self.add(x, &y, masks)), weights)
    }

    fn feed_forward(&self, x: &Tensor, layer: &Layer, masks: Option<&DropoutMasks>) -> Tensor {
        let y = layer.feed_forward.forward(x, masks);
        layer.final_norm.forward(&self.add(x, &y, masks))
    }

    /// x + Dropout(y).
    fn add(&self, x: &Tensor, y: &Tensor, masks: Option<&DropoutMasks>) -> Tensor {
        match masks {
            Some(masks) => masks.add(x, y, f64::from(self.config.dropout)),
            None => x + y,
        }
    }

    /// Padding mask, narrowed to the neighbourhood r of §4 where the configuration has one.
    fn encoder_bias(&self, source: &Tensor, padding: Option<&Tensor>) -> Option<Tensor> {
        let len = source.size()[1];
        let Some(r) = self.config.neighbourhood else {
            return padding.map(Tensor::shallow_clone);
        };
        let near = self.neighbourhood(len, r);
        Some(match padding {
            // A padded row far from every piece would have only −∞ and become NaN: it attends to itself.
            Some(padding) => {
                let own = Tensor::eye(len, (Kind::Bool, self.device));
                (near + padding).masked_fill(&own, 0.0)
            }
            None => near,
        })
    }

    /// −∞ above the diagonal (§3.2.3) and outside the neighbourhood. Padding needs no mask here: it is at the
    /// end, after every piece.
    fn decoder_bias(&self, len: i64) -> Tensor {
        let causal =
            Tensor::full([len, len], f64::NEG_INFINITY, (Kind::Float, self.device)).triu(1);
        match self.config.neighbourhood {
            Some(r) => causal + self.neighbourhood(len, r),
            None => causal,
        }
    }

    fn neighbourhood(&self, len: i64, r: usize) -> Tensor {
        let index = Tensor::arange(len, (Kind::Int64, self.device));
        let far = (index.unsqueeze(0) - index.unsqueeze(1))
            .abs()
            .gt((r / 2) as i64);
        Tensor::zeros([len, len], (Kind::Float, self.device)).masked_fill(&far, f64::NEG_INFINITY)
    }
}

impl Layer {
    fn new(
        weights: &Weights,
        name: &str,
        config: &Config,
        compute_dtype: Kind,
        decoder: bool,
    ) -> Result<Self> {
        let attention =
            |part: &str| Attention::new(weights, &format!("{name}.{part}"), config, compute_dtype);
        let norm = |part: &str| Norm::new(weights, &format!("{name}.{part}"));
        Ok(Self {
            self_attention: attention("self_attn")?,
            self_norm: norm("self_attn_layer_norm")?,
            cross: if decoder {
                Some((attention("encoder_attn")?, norm("encoder_attn_layer_norm")?))
            } else {
                None
            },
            feed_forward: FeedForward {
                inner: Linear::new(weights, &format!("{name}.fc1"), compute_dtype)?,
                outer: Linear::new(weights, &format!("{name}.fc2"), compute_dtype)?,
                activation: config.activation,
                dropout: f64::from(config.activation_dropout),
            },
            final_norm: norm("final_layer_norm")?,
        })
    }
}

impl FeedForward {
    /// max(0, x·W₁ + b₁)·W₂ + b₂ (§3.3, eq. 2).
    fn forward(&self, x: &Tensor, masks: Option<&DropoutMasks>) -> Tensor {
        let inner = self.inner.forward(x);
        let inner = match self.activation {
            Activation::Relu => inner.relu(),
            Activation::Swish => inner.silu(),
        };
        let inner = match masks {
            Some(masks) => masks.apply(inner, self.dropout),
            None => inner,
        };
        self.outer.forward(&inner)
    }
}
