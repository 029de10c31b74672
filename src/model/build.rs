//! Building a [`Transformer`] from named tensors. Names are Marian's, as `transformers` writes them.

use super::config::Widths;
use super::decoder::{Decoder, DecoderLayer};
use super::encoder::{Encoder, EncoderLayer};
use super::transformer::{InputLayer, Transformer};
use super::{Config, TensorSource};
use crate::Result;
use crate::layers::attention::Projections;
use crate::layers::comparison::{AdditiveAttention, Neighbourhood, learned_positions};
use crate::layers::position::Positions;
use crate::layers::{
    Compatibility, CompatibilityFunction, Embedding, FeedForward, LayerNorm, Linear,
    MultiHeadAttention, PositionTable, Residual, Stack, Weight,
};
use crate::trace::AttentionKind;
use std::sync::Arc;

impl Transformer {
    /// Takes the tensors of `config`. `lm_head.weight` may be missing where embeddings are
    /// not shared (the target embeddings project), and so may `final_logits_bias` (zeros).
    ///
    /// # Errors
    /// If the configuration is invalid, or a tensor is missing or has another shape; both name what.
    pub fn from_tensors(config: Config, tensors: &mut dyn TensorSource) -> Result<Self> {
        config.validate()?;
        let mut build = Build {
            config: &config,
            tensors,
        };
        let (source_table, target_table, projection_table) = build.embeddings()?;
        let projection = Linear::new(projection_table, build.final_logits_bias()?);
        let sinusoids = match config.positions {
            Positions::Learned => None,
            order => Some(Arc::new(PositionTable::sinusoidal(
                config.max_positions,
                config.d_model,
                order,
            ))),
        };
        let encoder_input = build.input("model.encoder", source_table, sinusoids.as_ref())?;
        let decoder_input = build.input("model.decoder", target_table, sinusoids.as_ref())?;
        let encoder = build.encoder()?;
        let decoder = build.decoder()?;
        Ok(Self {
            encoder_input,
            encoder,
            decoder_input,
            decoder,
            projection,
            config,
        })
    }
}

struct Build<'a> {
    config: &'a Config,
    tensors: &'a mut dyn TensorSource,
}

impl Build<'_> {
    /// The tables of source and target embeddings and of the pre-softmax projection (§3.4).
    fn embeddings(&mut self) -> Result<(Arc<Weight>, Arc<Weight>, Arc<Weight>)> {
        let (source, target) = (self.config.vocab_size, self.config.target_vocab());
        if self.config.share_embeddings {
            let shared =
                Arc::new(self.weight("model.shared.weight", source, self.config.d_model)?);
            return Ok((shared.clone(), shared.clone(), shared));
        }
        let encoder = self.weight(
            "model.encoder.embed_tokens.weight",
            source,
            self.config.d_model,
        )?;
        let decoder = Arc::new(self.weight(
            "model.decoder.embed_tokens.weight",
            target,
            self.config.d_model,
        )?);
        let projection = match self.tensors.has("lm_head.weight") {
            true => Arc::new(self.weight("lm_head.weight", target, self.config.d_model)?),
            false => decoder.clone(),
        };
        Ok((Arc::new(encoder), decoder, projection))
    }

    fn final_logits_bias(&mut self) -> Result<Vec<f32>> {
        let vocab = self.config.target_vocab();
        match self.tensors.has("final_logits_bias") {
            true => self.tensors.take("final_logits_bias", &[1, vocab]),
            false => Ok(vec![0.0; vocab]),
        }
    }

    fn input(
        &mut self,
        stack: &str,
        table: Arc<Weight>,
        sinusoids: Option<&Arc<PositionTable>>,
    ) -> Result<InputLayer> {
        let (rows, d_model) = (self.config.max_positions, self.config.d_model);
        let positions = match sinusoids {
            Some(shared) => shared.clone(),
            None => {
                let values = self
                    .tensors
                    .take(&format!("{stack}.embed_positions.weight"), &[rows, d_model])?;
                Arc::new(learned_positions(values, rows, d_model)?)
            }
        };
        let norm = match self.config.normalize_embedding {
            true => Some(self.norm(&format!("{stack}.layernorm_embedding"))?),
            false => None,
        };
        Ok(InputLayer {
            embedding: Embedding::new(table, self.config.scale_embedding),
            positions,
            norm,
        })
    }

    fn encoder(&mut self) -> Result<Encoder> {
        let mut layers = Vec::with_capacity(self.config.encoder_layers);
        for number in 0..self.config.encoder_layers {
            let name = format!("model.encoder.layers.{number}");
            layers.push(EncoderLayer {
                self_attention: self.attention(
                    &format!("{name}.self_attn"),
                    (AttentionKind::EncoderSelf, number),
                )?,
                self_attention_residual: self.residual(&format!("{name}.self_attn_layer_norm"))?,
                feed_forward: self.feed_forward(&name, Stack::Encoder)?,
                feed_forward_residual: self.residual(&format!("{name}.final_layer_norm"))?,
            });
        }
        Ok(Encoder {
            layers,
            final_norm: self.final_norm("model.encoder")?,
            neighbourhood: self.neighbourhood(),
        })
    }

    fn decoder(&mut self) -> Result<Decoder> {
        let mut layers = Vec::with_capacity(self.config.decoder_layers);
        for number in 0..self.config.decoder_layers {
            let name = format!("model.decoder.layers.{number}");
            layers.push(DecoderLayer {
                self_attention: self.attention(
                    &format!("{name}.self_attn"),
                    (AttentionKind::DecoderSelf, number),
                )?,
                self_attention_residual: self.residual(&format!("{name}.self_attn_layer_norm"))?,
                cross_attention: self.attention(
                    &format!("{name}.encoder_attn"),
                    (AttentionKind::Cross, number),
                )?,
                cross_attention_residual: self
                    .residual(&format!("{name}.encoder_attn_layer_norm"))?,
                feed_forward: self.feed_forward(&name, Stack::Decoder)?,
                feed_forward_residual: self.residual(&format!("{name}.final_layer_norm"))?,
            });
        }
        Ok(Decoder {
            layers,
            final_norm: self.final_norm("model.decoder")?,
            neighbourhood: self.neighbourhood(),
        })
    }

    fn attention(
        &mut self,
        name: &str,
        place: (AttentionKind, usize),
    ) -> Result<MultiHeadAttention> {
        let Config {
            d_model,
            compatibility,
            ..
        } = *self.config;
        let Widths {
            n_heads, d_k, d_v, ..
        } = self.config.widths(place.0.stack());
        let projections = Projections {
            query: self.linear(&format!("{name}.q_proj"), n_heads * d_k, d_model)?,
            key: self.linear(&format!("{name}.k_proj"), n_heads * d_k, d_model)?,
            value: self.linear(&format!("{name}.v_proj"), n_heads * d_v, d_model)?,
            output: self.linear(&format!("{name}.out_proj"), d_model, n_heads * d_v)?,
        };
        let compatibility = match compatibility {
            Compatibility::ScaledDotProduct => CompatibilityFunction::scaled(d_k),
            Compatibility::DotProduct => CompatibilityFunction::DotProduct { scale: 1.0 },
            Compatibility::Additive => {
                let weight = self
                    .tensors
                    .take(&format!("{name}.additive.weight"), &[n_heads, d_k])?;
                CompatibilityFunction::Additive(AdditiveAttention::new(weight))
            }
        };
        Ok(MultiHeadAttention::new(
            projections,
            n_heads,
            compatibility,
            place,
        ))
    }

    fn feed_forward(&mut self, layer: &str, stack: Stack) -> Result<FeedForward> {
        let Config {
            d_model,
            activation,
            ..
        } = *self.config;
        let d_ff = self.config.widths(stack).d_ff;
        let inner = self.linear(&format!("{layer}.fc1"), d_ff, d_model)?;
        let outer = self.linear(&format!("{layer}.fc2"), d_model, d_ff)?;
        Ok(FeedForward::new(inner, outer, activation))
    }

    fn residual(&mut self, name: &str) -> Result<Residual> {
        Ok(Residual::new(
            self.norm(name)?,
            self.config.normalize_before,
        ))
    }

    fn final_norm(&mut self, stack: &str) -> Result<Option<LayerNorm>> {
        match self.config.normalize_before {
            true => Ok(Some(self.norm(&format!("{stack}.layer_norm"))?)),
            false => Ok(None),
        }
    }

    fn neighbourhood(&self) -> Option<Neighbourhood> {
        self.config.neighbourhood.map(|r| Neighbourhood { r })
    }

    fn linear(&mut self, name: &str, outputs: usize, inputs: usize) -> Result<Linear> {
        let weight = self.weight(&format!("{name}.weight"), outputs, inputs)?;
        let bias = self.tensors.take(&format!("{name}.bias"), &[outputs])?;
        Ok(Linear::new(Arc::new(weight), bias))
    }

    fn norm(&mut self, name: &str) -> Result<LayerNorm> {
        let shape = [self.config.d_model];
        let gain = self.tensors.take(&format!("{name}.weight"), &shape)?;
        let bias = self.tensors.take(&format!("{name}.bias"), &shape)?;
        Ok(LayerNorm::new(gain, bias))
    }

    fn weight(&mut self, name: &str, outputs: usize, inputs: usize) -> Result<Weight> {
        self.tensors.take_weight(name, outputs, inputs)
    }
}
