//! `generation_config.json`: the search options of a model.

use super::config_json::{Described, Keys, bad_words, decimal};
use crate::search::{EarlyStopping, Scoring, SearchOptions};
use crate::{Config, Result};
use serde_json::{Value, json};

/// Name of the file in a model folder.
pub const GENERATION_CONFIG: &str = "generation_config.json";

/// The search options of a model folder: those of `generation_config.json` (which also overrides
/// `forced_eos_id` and `banned_ids` of `described`), else those of `config.json`, else the paper's
/// (§6.1) for our folders and that of `transformers` for others.
///
/// # Errors
/// [`crate::Error::ConfigInvalid`] or [`crate::Error::RequestInvalid`] naming the key and what it should be.
pub fn read(bytes: Option<&[u8]>, described: &mut Described) -> Result<SearchOptions> {
    let keys = Keys::parse(GENERATION_CONFIG, bytes.unwrap_or(b"{}"))?;
    let config = &mut described.config;
    if let Some(id) = keys.id("forced_eos_token_id")? {
        config.forced_eos_id = Some(id);
    }
    if let Some(banned) = keys.banned()? {
        config.banned_ids = banned;
    }
    config.validate()?;

    let wu = match keys.float("wu_alpha")? {
        None if described.ours && keys.get("length_penalty").is_none() => Some(0.6),
        found => found,
    };
    let scoring = match wu {
        Some(alpha) => Scoring::Wu { alpha },
        None => Scoring::Hf {
            length_penalty: keys.float("length_penalty")?.unwrap_or(1.0),
            early_stopping: match keys.get("early_stopping") {
                None | Some(Value::Bool(false)) => EarlyStopping::No,
                Some(Value::Bool(true)) => EarlyStopping::Yes,
                Some(Value::String(word)) if word == "never" => EarlyStopping::Never,
                Some(other) => {
                    return keys.fail(
                        "early_stopping",
                        format!("is {other}, it must be true, false or \"never\""),
                    );
                }
            },
        },
    };
    let absent = if described.ours {
        SearchOptions::default().beam
    } else {
        1
    };
    let options = SearchOptions {
        beam: keys
            .count("num_beams")?
            .or(described.num_beams)
            .unwrap_or(absent),
        scoring,
        no_repeat_ngram: keys.count("no_repeat_ngram_size")?.unwrap_or(0),
        renormalize: keys.flag("renormalize_logits", false)?,
        ..SearchOptions::default()
    };
    options.validate()?;
    Ok(options)
}

/// Writes a `generation_config.json` that `transformers` reads as the nearest it has, and we exactly.
pub fn write(config: &Config, search: &SearchOptions) -> Vec<u8> {
    let mut value = json!({
        "num_beams": search.beam,
        "max_length": config.max_positions,
        "no_repeat_ngram_size": search.no_repeat_ngram,
        "renormalize_logits": search.renormalize,
        "pad_token_id": config.pad_id,
        "bos_token_id": config.eos_id,
        "eos_token_id": config.eos_id,
        "decoder_start_token_id": config.decoder_start_id,
        "forced_eos_token_id": config.forced_eos_id,
        "bad_words_ids": bad_words(config),
    });
    match search.scoring {
        Scoring::Wu { alpha } => {
            value["wu_alpha"] = decimal(alpha);
            value["length_penalty"] = decimal(alpha);
        }
        Scoring::Hf {
            length_penalty,
            early_stopping,
        } => {
            value["length_penalty"] = decimal(length_penalty);
            value["early_stopping"] = match early_stopping {
                EarlyStopping::Yes => json!(true),
                EarlyStopping::No => json!(false),
                EarlyStopping::Never => json!("never"),
            };
        }
    }
    super::pretty(&value)
}
