//! Writing a `config.json`.

use crate::Config;
use crate::checkpoint::{FORMAT_VERSION, FloatType, Precision, Tensors};
use crate::layers::Stack;
use crate::model::config::{Compatibility, Positions, Widths};
use serde_json::{Value, json};

/// How a folder stores what a configuration describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storage {
    /// How it stores the matrices.
    pub precision: Precision,
    /// The type of all that is no integer.
    pub floats: FloatType,
    /// Whether the target embeddings project, where they are not the source's too.
    pub tied_projection: bool,
}

impl Storage {
    /// How a folder stores these tensors, those that are no integers in the type given.
    pub fn of(tensors: &Tensors, floats: FloatType) -> Self {
        let int8 = tensors.iter().any(|(_, tensor)| tensor.is_int8());
        Self {
            precision: if int8 {
                Precision::Int8
            } else {
                Precision::F32
            },
            floats,
            tied_projection: tensors.get("lm_head.weight").is_none(),
        }
    }
}

impl From<Precision> for Storage {
    /// In 32 bits, and with a separate projection.
    fn from(precision: Precision) -> Self {
        Self {
            precision,
            floats: FloatType::F32,
            tied_projection: false,
        }
    }
}

/// Whether Marian, and so `transformers`, computes exactly this configuration.
pub fn is_marian(config: &Config, precision: Precision) -> bool {
    let is_split = |stack: Stack| {
        let Widths {
            n_heads, d_k, d_v, ..
        } = config.widths(stack);
        n_heads > 0 && n_heads * d_k == config.d_model && d_v == d_k
    };
    precision == Precision::F32
        && is_split(Stack::Encoder)
        && is_split(Stack::Decoder)
        && config.positions == Positions::SinusoidalHalves
        && config.compatibility == Compatibility::ScaledDotProduct
        && config.neighbourhood.is_none()
        && !config.normalize_before
        && !config.normalize_embedding
}

/// Writes a `config.json`: a Marian one where Marian can express the model, otherwise one of
/// `model_type` `translucent`, which `transformers` refuses instead of reading it wrongly.
pub fn write(config: &Config, storage: impl Into<Storage>) -> Vec<u8> {
    let Storage {
        precision,
        floats,
        tied_projection,
    } = storage.into();
    let marian = is_marian(config, precision);
    let decoder = config.widths(Stack::Decoder);
    let mut value = json!({
        "model_type": if marian { "marian" } else { "translucent" },
        "architectures": if marian { json!(["MarianMTModel"]) } else { json!(["Translucent"]) },
        "format_version": FORMAT_VERSION,
        "is_encoder_decoder": true,
        "d_model": config.d_model,
        "encoder_layers": config.encoder_layers,
        "decoder_layers": config.decoder_layers,
        "num_hidden_layers": config.encoder_layers,
        "encoder_attention_heads": config.n_heads,
        "decoder_attention_heads": decoder.n_heads,
        "encoder_ffn_dim": config.d_ff,
        "decoder_ffn_dim": decoder.d_ff,
        "activation_function": config.activation,
        "max_position_embeddings": config.max_positions,
        "static_position_embeddings": config.positions != Positions::Learned,
        "vocab_size": config.vocab_size,
        "decoder_vocab_size": config.target_vocab(),
        "share_encoder_decoder_embeddings": config.share_embeddings,
        "tie_word_embeddings": config.share_embeddings || tied_projection,
        "scale_embedding": config.scale_embedding,
        "pad_token_id": config.pad_id,
        "bos_token_id": config.eos_id,
        "eos_token_id": config.eos_id,
        "decoder_start_token_id": config.decoder_start_id,
        "forced_eos_token_id": config.forced_eos_id,
        "bad_words_ids": bad_words(config),
        "num_beams": 4,
        "dropout": decimal(config.dropout),
        "attention_dropout": decimal(config.attention_dropout),
        "activation_dropout": decimal(config.activation_dropout),
        "label_smoothing": decimal(config.label_smoothing),
        "torch_dtype": floats.name(),
    });
    if !marian {
        value["d_k"] = json!(config.d_k);
        value["d_v"] = json!(config.d_v);
        if config.decoder_widths.is_some() {
            value["decoder_d_k"] = json!(decoder.d_k);
            value["decoder_d_v"] = json!(decoder.d_v);
        }
        value["positions"] = json!(config.positions);
        value["compatibility"] = json!(config.compatibility);
        value["neighbourhood"] = json!(config.neighbourhood);
        value["normalize_before"] = json!(config.normalize_before);
        value["normalize_embedding"] = json!(config.normalize_embedding);
    }
    for (key, language) in [
        ("source_language", &config.source_language),
        ("target_language", &config.target_language),
    ] {
        if let Some(language) = language {
            value[key] = json!(language);
        }
    }
    if precision == Precision::Int8 {
        value["quantization"] = json!("int8");
    }
    crate::checkpoint::pretty(&value)
}

/// `bad_words_ids` as `transformers` has them: lists of one id; `null` if nothing is banned.
pub fn bad_words(config: &Config) -> Option<Vec<[u32; 1]>> {
    let lists: Vec<[u32; 1]> = config.banned_ids.iter().map(|id| [*id]).collect();
    Some(lists).filter(|lists| !lists.is_empty())
}

/// A number with the digits that print its f32, not those of the f64 it widens to.
pub fn decimal(value: f32) -> Value {
    json!(value.to_string().parse::<f64>().unwrap_or(value.into()))
}
