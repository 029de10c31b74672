//! `config.json` of a Hugging Face Marian folder, and what of ours Marian cannot express.

use super::{FORMAT_VERSION, Precision};
use crate::model::config::{Activation, Compatibility, Positions};
use crate::{Config, Error, Result};
use serde_json::{Map, Value, json};

/// Name of the file in a model folder.
pub const CONFIG: &str = "config.json";

/// Keys of ours beside Marian's. `transformers` ignores keys that it does not know.
const OWN_KEYS: [&str; 10] = [
    "d_k",
    "d_v",
    "positions",
    "compatibility",
    "neighbourhood",
    "normalize_before",
    "normalize_embedding",
    "label_smoothing",
    "format_version",
    "quantization",
];

/// Marian's keys that say something about the model; `translucent` folders may have no others.
const MARIAN_KEYS: [&str; 38] = [
    "model_type",
    "architectures",
    "d_model",
    "encoder_layers",
    "decoder_layers",
    "num_hidden_layers",
    "encoder_attention_heads",
    "decoder_attention_heads",
    "encoder_ffn_dim",
    "decoder_ffn_dim",
    "activation_function",
    "max_position_embeddings",
    "vocab_size",
    "decoder_vocab_size",
    "share_encoder_decoder_embeddings",
    "tie_word_embeddings",
    "scale_embedding",
    "static_position_embeddings",
    "add_final_layer_norm",
    "add_bias_logits",
    "bos_token_id",
    "pad_token_id",
    "eos_token_id",
    "decoder_start_token_id",
    "forced_eos_token_id",
    "bad_words_ids",
    "num_beams",
    "max_length",
    "dropout",
    "attention_dropout",
    "activation_dropout",
    "encoder_layerdrop",
    "decoder_layerdrop",
    "init_std",
    "is_encoder_decoder",
    "use_cache",
    "torch_dtype",
    "dtype",
];

/// A larger position table or more layers than any model has: refused before memory is asked for.
const MOST_POSITIONS: usize = 1 << 14;
const MOST_LAYERS: usize = 256;

/// What a `config.json` says.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// The model's shape and conventions, checked.
    pub config: Config,
    /// How the folder stores its matrices.
    pub precision: Precision,
    /// Whether the folder is one of ours (it has a `format_version`), and not one that `transformers` wrote.
    pub ours: bool,
    /// Whether the target embeddings project where they are not the source's too (`tie_word_embeddings`).
    pub tied_projection: bool,
    /// Beam width that the file suggests.
    pub num_beams: Option<usize>,
}

/// Reads a `config.json`.
///
/// # Errors
/// [`Error::ConfigInvalid`] naming the key that is missing, unknown or contradicts another, and what it should be.
pub fn read(bytes: &[u8]) -> Result<Described> {
    let keys = Keys::parse(CONFIG, bytes)?;
    let own = match keys.text("model_type")? {
        Some("marian") => false,
        Some("translucent") => true,
        Some(other) => {
            return keys.fail(
                "model_type",
                format!("is \"{other}\", it must be \"marian\" or \"translucent\""),
            );
        }
        None => {
            return keys.fail(
                "model_type",
                "is missing, it must be \"marian\" or \"translucent\"",
            );
        }
    };
    if own {
        keys.refuse_unknown()?;
    }
    let ours = match keys.count("format_version")? {
        None if own => {
            return keys.fail(
                "format_version",
                format!("is missing, it must be {FORMAT_VERSION}"),
            );
        }
        None => false,
        Some(FORMAT_VERSION) => true,
        Some(other) => {
            return keys.fail(
                "format_version",
                format!("is {other}, this program reads {FORMAT_VERSION}"),
            );
        }
    };
    if !own {
        keys.refuse_in_marian()?;
    }

    let d_model = keys.needed("d_model")?;
    let n_heads = keys.same("encoder_attention_heads", "decoder_attention_heads")?;
    let (d_k, d_v) = (keys.count("d_k")?, keys.count("d_v")?);
    if (d_k.is_none() || d_v.is_none()) && (n_heads == 0 || !d_model.is_multiple_of(n_heads)) {
        let reason = format!("is {n_heads}, it must divide d_model ({d_model})");
        return keys.fail("encoder_attention_heads", reason);
    }
    let vocab_size = keys.needed("vocab_size")?;
    let share_embeddings = keys.flag("share_encoder_decoder_embeddings", true)?;
    let decoder_vocab = keys
        .count("decoder_vocab_size")?
        .filter(|size| *size != vocab_size);
    if share_embeddings && decoder_vocab.is_some() {
        return keys.fail(
            "decoder_vocab_size",
            "differs from vocab_size, but share_encoder_decoder_embeddings is true",
        );
    }
    let tied_projection = keys.flag("tie_word_embeddings", true)?;
    if share_embeddings && !tied_projection {
        return keys.fail(
            "tie_word_embeddings",
            "is false, but share_encoder_decoder_embeddings is true: one matrix serves all three or none",
        );
    }
    let pad_id = keys.id("pad_token_id")?;
    let config = Config {
        vocab_size,
        target_vocab_size: decoder_vocab,
        d_model,
        n_heads,
        d_k: d_k.unwrap_or(d_model / n_heads.max(1)),
        d_v: d_v.unwrap_or(d_model / n_heads.max(1)),
        d_ff: keys.same("encoder_ffn_dim", "decoder_ffn_dim")?,
        encoder_layers: keys.needed("encoder_layers")?,
        decoder_layers: keys.needed("decoder_layers")?,
        dropout: keys.number("dropout")?,
        attention_dropout: keys.number("attention_dropout")?,
        activation_dropout: keys.number("activation_dropout")?,
        label_smoothing: keys.number("label_smoothing")?,
        activation: match keys.text("activation_function")? {
            Some("relu") => Activation::Relu,
            Some("swish" | "silu") => Activation::Swish,
            other => {
                let found =
                    other.map_or("is missing".to_owned(), |other| format!("is \"{other}\""));
                return keys.fail(
                    "activation_function",
                    format!("{found}, it must be \"relu\", \"swish\" or \"silu\""),
                );
            }
        },
        positions: keys
            .variant("positions")?
            .unwrap_or(Positions::SinusoidalHalves),
        max_positions: keys.needed("max_position_embeddings")?,
        compatibility: keys
            .variant("compatibility")?
            .unwrap_or(Compatibility::ScaledDotProduct),
        neighbourhood: keys.count("neighbourhood")?,
        scale_embedding: keys.flag("scale_embedding", false)?,
        share_embeddings,
        normalize_before: keys.flag("normalize_before", false)?,
        normalize_embedding: keys.flag("normalize_embedding", false)?,
        pad_id: pad_id.unwrap_or(vocab_size.saturating_sub(1) as u32),
        eos_id: keys.id("eos_token_id")?.unwrap_or(0),
        decoder_start_id: match keys.id("decoder_start_token_id")?.or(pad_id) {
            Some(id) => id,
            None => {
                return keys.fail(
                    "decoder_start_token_id",
                    "is missing, it must be the id that the decoder reads first",
                );
            }
        },
        forced_eos_id: keys.id("forced_eos_token_id")?,
        banned_ids: keys.banned()?.unwrap_or_default(),
    };
    if config.max_positions > MOST_POSITIONS {
        let reason = format!(
            "is {}, at most {MOST_POSITIONS} are supported",
            config.max_positions
        );
        return keys.fail("max_position_embeddings", reason);
    }
    for (name, layers) in [
        ("encoder_layers", config.encoder_layers),
        ("decoder_layers", config.decoder_layers),
    ] {
        if layers > MOST_LAYERS {
            return keys.fail(
                name,
                format!("is {layers}, at most {MOST_LAYERS} are supported"),
            );
        }
    }
    config.validate()?;
    let precision = match keys.text("quantization")? {
        None => Precision::F32,
        Some("int8") => Precision::Int8,
        Some(other) => {
            return keys.fail(
                "quantization",
                format!("is \"{other}\", it must be \"int8\" or left out"),
            );
        }
    };
    let num_beams = keys.count("num_beams")?;
    Ok(Described {
        config,
        precision,
        ours,
        tied_projection,
        num_beams,
    })
}

/// Whether Marian, and so `transformers`, computes exactly what this configuration asks for.
pub fn is_marian(config: &Config, precision: Precision) -> bool {
    let per_head = config.d_model / config.n_heads.max(1);
    precision == Precision::F32
        && config.d_model.is_multiple_of(config.n_heads)
        && config.d_k == per_head
        && config.d_v == per_head
        && config.positions == Positions::SinusoidalHalves
        && config.compatibility == Compatibility::ScaledDotProduct
        && config.neighbourhood.is_none()
        && !config.normalize_before
        && !config.normalize_embedding
}

/// Writes a `config.json`: a Marian one where Marian can express the model, otherwise one of
/// `model_type` `translucent`, which `transformers` refuses instead of reading it wrongly.
pub fn write(config: &Config, precision: Precision) -> Vec<u8> {
    let marian = is_marian(config, precision);
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
        "decoder_attention_heads": config.n_heads,
        "encoder_ffn_dim": config.d_ff,
        "decoder_ffn_dim": config.d_ff,
        "activation_function": config.activation,
        "max_position_embeddings": config.max_positions,
        "static_position_embeddings": config.positions != Positions::Learned,
        "vocab_size": config.vocab_size,
        "decoder_vocab_size": config.target_vocab(),
        "share_encoder_decoder_embeddings": config.share_embeddings,
        "tie_word_embeddings": config.share_embeddings,
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
        "torch_dtype": "float32",
    });
    if !marian {
        value["d_k"] = json!(config.d_k);
        value["d_v"] = json!(config.d_v);
        value["positions"] = json!(config.positions);
        value["compatibility"] = json!(config.compatibility);
        value["neighbourhood"] = json!(config.neighbourhood);
        value["normalize_before"] = json!(config.normalize_before);
        value["normalize_embedding"] = json!(config.normalize_embedding);
    }
    if precision == Precision::Int8 {
        value["quantization"] = json!("int8");
    }
    super::pretty(&value)
}

/// `bad_words_ids` as `transformers` has them: lists of one id; `null` if nothing is banned.
pub(super) fn bad_words(config: &Config) -> Option<Vec<[u32; 1]>> {
    let lists: Vec<[u32; 1]> = config.banned_ids.iter().map(|id| [*id]).collect();
    Some(lists).filter(|lists| !lists.is_empty())
}

/// A number with the digits that print its f32, not those of the f64 it widens to.
pub(super) fn decimal(value: f32) -> Value {
    json!(value.to_string().parse::<f64>().unwrap_or(value.into()))
}

/// The keys of a JSON object, read with errors that name file and key.
pub(super) struct Keys {
    file: &'static str,
    map: Map<String, Value>,
}

impl Keys {
    pub fn parse(file: &'static str, bytes: &[u8]) -> Result<Self> {
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(map)) => Ok(Self { file, map }),
            Ok(_) => Err(Error::ConfigInvalid(format!(
                "{file} is JSON, but no object {{…}}"
            ))),
            Err(error) => Err(Error::ConfigInvalid(format!("{file} is no JSON: {error}"))),
        }
    }

    pub fn fail<T>(&self, key: &str, reason: impl AsRef<str>) -> Result<T> {
        Err(Error::ConfigInvalid(format!(
            "{}: {key} {}",
            self.file,
            reason.as_ref()
        )))
    }

    /// The value of a key; `null` counts as absent.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    fn wrong<T>(&self, key: &str, value: &Value, wanted: &str) -> Result<T> {
        self.fail(key, format!("is {value}, it must be {wanted}"))
    }

    pub fn count(&self, key: &str) -> Result<Option<usize>> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match value
            .as_u64()
            .and_then(|number| usize::try_from(number).ok())
        {
            Some(number) => Ok(Some(number)),
            None => self.wrong(key, value, "a whole number, 0 or more"),
        }
    }

    fn needed(&self, key: &str) -> Result<usize> {
        match self.count(key)? {
            Some(number) => Ok(number),
            None => self.fail(key, "is missing, it must be a whole number"),
        }
    }

    /// A number that encoder and decoder must have in common.
    fn same(&self, encoder: &str, decoder: &str) -> Result<usize> {
        let (ours, theirs) = (self.needed(encoder)?, self.needed(decoder)?);
        if ours != theirs {
            return self.fail(
                decoder,
                format!("is {theirs}, it must be {encoder} ({ours})"),
            );
        }
        Ok(ours)
    }

    pub fn id(&self, key: &str) -> Result<Option<u32>> {
        match self.count(key)? {
            None => Ok(None),
            Some(number) => match u32::try_from(number) {
                Ok(id) => Ok(Some(id)),
                Err(_) => self.fail(key, format!("is {number}, no vocabulary is that large")),
            },
        }
    }

    /// A number, 0 if absent.
    fn number(&self, key: &str) -> Result<f32> {
        Ok(self.float(key)?.unwrap_or(0.0))
    }

    pub fn float(&self, key: &str) -> Result<Option<f32>> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match value.as_f64() {
            Some(number) => Ok(Some(number as f32)),
            None => self.wrong(key, value, "a number"),
        }
    }

    fn flag(&self, key: &str, absent: bool) -> Result<bool> {
        match self.get(key) {
            None => Ok(absent),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => self.wrong(key, other, "true or false"),
        }
    }

    fn text(&self, key: &str) -> Result<Option<&str>> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => self.wrong(key, other, "a string"),
        }
    }

    fn variant<T: serde::de::DeserializeOwned>(&self, key: &str) -> Result<Option<T>> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match serde_json::from_value(value.clone()) {
            Ok(variant) => Ok(Some(variant)),
            Err(error) => self.fail(key, format!("is {value}: {error}")),
        }
    }

    /// `bad_words_ids`: a list of lists of one id each.
    pub fn banned(&self) -> Result<Option<Vec<u32>>> {
        let Some(value) = self.get("bad_words_ids") else {
            return Ok(None);
        };
        let lists: Vec<Vec<u32>> = match serde_json::from_value(value.clone()) {
            Ok(lists) => lists,
            Err(_) => return self.wrong("bad_words_ids", value, "a list of lists of ids"),
        };
        if let Some(list) = lists.iter().find(|list| list.len() != 1) {
            let reason = format!(
                "holds a sequence of {} pieces, only single pieces can be banned",
                list.len()
            );
            return self.fail("bad_words_ids", reason);
        }
        Ok(Some(lists.concat()))
    }

    fn refuse_unknown(&self) -> Result<()> {
        let known = |key: &str| OWN_KEYS.contains(&key) || MARIAN_KEYS.contains(&key);
        match self.map.keys().find(|key| !known(key)) {
            None => Ok(()),
            Some(key) => self.fail(key, "is unknown, a \"translucent\" config has no such key"),
        }
    }

    /// Refuses what a Marian model does not do, although the file says so: reading on would give other numbers.
    fn refuse_in_marian(&self) -> Result<()> {
        for key in [
            "normalize_before",
            "normalize_embedding",
            "add_final_layer_norm",
        ] {
            if self.flag(key, false)? {
                return self.fail(
                    key,
                    "is true, but Marian has no such norm: model_type must be \"translucent\"",
                );
            }
        }
        let own = [
            "d_k",
            "d_v",
            "positions",
            "compatibility",
            "neighbourhood",
            "quantization",
        ];
        match own.iter().find(|key| self.get(key).is_some()) {
            None => Ok(()),
            Some(key) => self.fail(
                key,
                "is set, which Marian cannot express: model_type must be \"translucent\"",
            ),
        }
    }
}
