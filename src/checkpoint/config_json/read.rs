//! Reading a `config.json`.

use super::keys::Keys;
use super::{CONFIG, Described};
use crate::checkpoint::{FORMAT_VERSION, Precision};
use crate::model::config::{Activation, Compatibility, Positions, Widths};
use crate::{Config, Result};

/// Keys of ours beside Marian's. `transformers` ignores keys that it does not know.
const OWN_KEYS: [&str; 14] = [
    "d_k",
    "d_v",
    "decoder_d_k",
    "decoder_d_v",
    "positions",
    "compatibility",
    "neighbourhood",
    "normalize_before",
    "normalize_embedding",
    "label_smoothing",
    "format_version",
    "quantization",
    "source_language",
    "target_language",
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

/// Limit of the position table, above that of any model: larger values are refused before allocating.
const MOST_POSITIONS: usize = 1 << 14;

/// Reads a `config.json`.
///
/// # Errors
/// [`crate::Error::ConfigInvalid`] naming the key that is missing, unknown or contradicts another, and what it should be.
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
    let (d_k, d_v) = (keys.count("d_k")?, keys.count("d_v")?);
    let encoder = keys.widths("encoder", (d_k, d_v), d_model)?;
    let decoder_d_k = keys.count("decoder_d_k")?.or(d_k);
    let decoder_d_v = keys.count("decoder_d_v")?.or(d_v);
    let decoder = keys.widths("decoder", (decoder_d_k, decoder_d_v), d_model)?;
    let vocab_size = keys.needed("vocab_size")?;
    let one_table = keys.flag("share_encoder_decoder_embeddings", true)?;
    let decoder_vocab = keys
        .count("decoder_vocab_size")?
        .filter(|size| *size != vocab_size);
    if one_table && decoder_vocab.is_some() {
        return keys.fail(
            "decoder_vocab_size",
            "differs from vocab_size, but share_encoder_decoder_embeddings is true",
        );
    }
    let tied_projection = keys.flag("tie_word_embeddings", true)?;
    // §3.4's one matrix serves all three or none: without the projection they are three.
    let share_embeddings = one_table && tied_projection;
    let pad_id = keys.id("pad_token_id")?;
    let eos_id = keys.id("eos_token_id")?.unwrap_or(0);
    let config = Config {
        vocab_size,
        target_vocab_size: decoder_vocab,
        d_model,
        n_heads: encoder.n_heads,
        d_k: encoder.d_k,
        d_v: encoder.d_v,
        d_ff: encoder.d_ff,
        decoder_widths: Some(decoder).filter(|decoder| *decoder != encoder),
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
        eos_id,
        decoder_start_id: match keys.id("decoder_start_token_id")?.or(pad_id) {
            Some(id) => id,
            None => {
                return keys.fail(
                    "decoder_start_token_id",
                    "is missing, it must be the id that the decoder reads first",
                );
            }
        },
        // Absent: Marian's default. `null`: none.
        forced_eos_id: match keys.map.contains_key("forced_eos_token_id") {
            true => keys.id("forced_eos_token_id")?,
            false => Some(eos_id),
        },
        banned_ids: match keys.map.contains_key("bad_words_ids") {
            true => keys.banned()?.unwrap_or_default(),
            false => pad_id.filter(|id| *id != eos_id).into_iter().collect(),
        },
        // The vocabulary knows them.
        placeholder_ids: Vec::new(),
        source_language: keys.text("source_language")?.map(str::to_owned),
        target_language: keys.text("target_language")?.map(str::to_owned),
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
        if layers > Config::MAX_LAYERS {
            let reason = format!("is {layers}, at most {} are supported", Config::MAX_LAYERS);
            return keys.fail(name, reason);
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

impl Keys {
    /// Heads and widths of a stack. `d_k` and `d_v` are d_model / h where they are not given.
    fn widths(
        &self,
        stack: &str,
        (d_k, d_v): (Option<usize>, Option<usize>),
        d_model: usize,
    ) -> Result<Widths> {
        let key = format!("{stack}_attention_heads");
        let n_heads = self.needed(&key)?;
        let divides = n_heads > 0 && d_model.is_multiple_of(n_heads);
        if (d_k.is_none() || d_v.is_none()) && !divides {
            let reason = format!("is {n_heads}, it must divide d_model ({d_model})");
            return self.fail(&key, reason);
        }
        let key = format!("{stack}_ffn_dim");
        let d_ff = self.needed(&key)?;
        if d_ff == 0 {
            return self.fail(&key, "is 0, it must be at least 1");
        }
        Ok(Widths {
            n_heads,
            d_k: d_k.unwrap_or(d_model / n_heads.max(1)),
            d_v: d_v.unwrap_or(d_model / n_heads.max(1)),
            d_ff,
        })
    }

    fn refuse_unknown(&self) -> Result<()> {
        let known = |key: &str| OWN_KEYS.contains(&key) || MARIAN_KEYS.contains(&key);
        match self.map.keys().find(|key| !known(key)) {
            None => Ok(()),
            Some(key) => self.fail(key, "is unknown, a \"translucent\" config has no such key"),
        }
    }

    /// Refuses settings that Marian models do not implement: ignoring them would give other numbers.
    fn refuse_in_marian(&self) -> Result<()> {
        // Marian before the name was BART's code, which had these norms; the tensors show whether they are there.
        let (before, last) = (
            self.flag("normalize_before", false)?,
            self.flag("add_final_layer_norm", false)?,
        );
        if before != last {
            return self.fail(
                "normalize_before",
                format!(
                    "is {before} and add_final_layer_norm is {last}: a stack that normalises before its sub-layers \
                     ends with a norm, any other does not"
                ),
            );
        }
        if !self.flag("static_position_embeddings", true)? {
            return self.fail(
                "static_position_embeddings",
                "is false: learned positions need model_type \"translucent\"",
            );
        }
        let own = [
            "d_k",
            "d_v",
            "decoder_d_k",
            "decoder_d_v",
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
