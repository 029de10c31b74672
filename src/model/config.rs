//! The configuration: every quantity that the paper names or varies (Table 3), under the paper's names.

use crate::kernels::PackedInt8;
use crate::layers::Stack;
pub use crate::layers::compatibility::Compatibility;
pub use crate::layers::feed_forward::Activation;
pub use crate::layers::position::Positions;
use crate::trace::Stacks;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// A Transformer's shape and conventions. Field names are the paper's; ids are the tokenizer's.
///
/// ```
/// use translucent::Config;
///
/// // The paper's base model (Table 3) with another number of heads.
/// let config = Config { n_heads: 4, d_k: 128, d_v: 128, ..Config::base(37_000) };
/// config.validate()?;
/// # Ok::<(), translucent::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Number of source pieces; with a shared vocabulary also of target pieces.
    pub vocab_size: usize,
    /// Number of target pieces where the vocabularies are separate (`None`: shared, §3.4).
    pub target_vocab_size: Option<usize>,
    /// Width of the residual stream.
    pub d_model: usize,
    /// Heads h of every attention.
    pub n_heads: usize,
    /// Width of a head's queries and keys (the paper's presets: d_model / h).
    pub d_k: usize,
    /// Width of a head's values.
    pub d_v: usize,
    /// Inner width of the feed-forward network.
    pub d_ff: usize,
    /// Heads and widths of the decoder's sub-layers where they are not those above (`transformers` allows that, the
    /// paper does not); `None`: both stacks have the same.
    #[serde(default)]
    pub decoder_widths: Option<Widths>,
    /// N of the encoder.
    pub encoder_layers: usize,
    /// N of the decoder.
    pub decoder_layers: usize,
    /// P_drop on sub-layer outputs and embedding sums (§5.4); training only.
    pub dropout: f32,
    /// Dropout on attention weights (the paper has none); training only.
    pub attention_dropout: f32,
    /// Dropout after the activation of the feed-forward network (the paper has none); training only.
    pub activation_dropout: f32,
    /// ε_ls (§5.4); training only.
    pub label_smoothing: f32,
    /// Activation of the feed-forward network.
    pub activation: Activation,
    /// Position scheme.
    pub positions: Positions,
    /// Longest sequence in pieces; rows of a learned position table.
    pub max_positions: usize,
    /// Compatibility function of all attentions.
    pub compatibility: Compatibility,
    /// r of §4: self-attention sees only positions with |i − j| ≤ r / 2. `None`: all.
    pub neighbourhood: Option<usize>,
    /// Multiply embeddings by √d_model (§3.4).
    pub scale_embedding: bool,
    /// One matrix for both embeddings and the pre-softmax projection (§3.4).
    pub share_embeddings: bool,
    /// Layer norm before each sub-layer instead of after the residual sum (not the paper's).
    pub normalize_before: bool,
    /// Layer norm on the sum of embedding and position (not the paper's).
    pub normalize_embedding: bool,
    /// Padding piece.
    pub pad_id: u32,
    /// End-of-sentence piece, appended to every source and target.
    pub eos_id: u32,
    /// Piece that the decoder reads first.
    pub decoder_start_id: u32,
    /// Piece forced at the maximum length (`transformers`' `forced_eos_token_id`).
    pub forced_eos_id: Option<u32>,
    /// Pieces that are never generated.
    pub banned_ids: Vec<u32>,
    /// Pieces that stand for what is copied ([`crate::text::literals`]): a translation has each of those that its source
    /// has once, and no others.
    #[serde(default)]
    pub placeholder_ids: Vec<u32>,
    /// Language of the source (`en`), by which the tokenizer knows what people type
    /// ([`crate::text::Tokenizer::with_languages`]); `None`: a text is read as it stands, as Marian does.
    #[serde(default)]
    pub source_language: Option<String>,
    /// Language of the target (`de`), by which amounts are written; `None`: the model writes them.
    #[serde(default)]
    pub target_language: Option<String>,
}

/// Heads and widths of the sub-layers of one stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all(serialize = "camelCase"), deny_unknown_fields)]
pub struct Widths {
    /// Heads h of every attention.
    pub n_heads: usize,
    /// Width of a head's queries and keys.
    pub d_k: usize,
    /// Width of a head's values.
    pub d_v: usize,
    /// Inner width of the feed-forward network.
    pub d_ff: usize,
}

impl Config {
    /// Largest value of any size.
    pub const MAX_SIZE: usize = 1 << 24;
    /// Largest number of layers of a stack.
    pub const MAX_LAYERS: usize = 256;
    /// Largest `max_positions`: every position has an entry in a table.
    pub const MAX_POSITIONS: usize = 1 << 17;
    /// Largest `max_positions · d_model` of sinusoidal positions, whose table no file pays for: 256 MiB.
    pub const MAX_POSITION_CELLS: usize = 1 << 26;
    /// Largest number of heads: attention weights take memory for each of them that no file pays for.
    pub const MAX_HEADS: usize = 1 << 10;

    /// Its layers and heads.
    pub fn stacks(&self) -> Stacks {
        Stacks {
            encoder_layers: self.encoder_layers,
            decoder_layers: self.decoder_layers,
            encoder_heads: self.n_heads,
            decoder_heads: self.widths(Stack::Decoder).n_heads,
        }
    }

    /// Heads and widths of a stack's sub-layers; encoder–decoder attention is the decoder's.
    pub fn widths(&self, stack: Stack) -> Widths {
        let encoder = Widths {
            n_heads: self.n_heads,
            d_k: self.d_k,
            d_v: self.d_v,
            d_ff: self.d_ff,
        };
        match stack {
            Stack::Encoder => encoder,
            Stack::Decoder => self.decoder_widths.unwrap_or(encoder),
        }
    }

    /// The paper's `base` model (Table 3): N = 6, d_model = 512, d_ff = 2048, h = 8, 65 M parameters.
    pub fn base(vocab_size: usize) -> Self {
        Self {
            vocab_size,
            target_vocab_size: None,
            d_model: 512,
            n_heads: 8,
            d_k: 64,
            d_v: 64,
            d_ff: 2048,
            decoder_widths: None,
            encoder_layers: 6,
            decoder_layers: 6,
            dropout: 0.1,
            attention_dropout: 0.0,
            activation_dropout: 0.0,
            label_smoothing: 0.1,
            activation: Activation::Relu,
            positions: Positions::SinusoidalInterleaved,
            max_positions: 512,
            compatibility: Compatibility::ScaledDotProduct,
            neighbourhood: None,
            scale_embedding: true,
            share_embeddings: true,
            normalize_before: false,
            normalize_embedding: false,
            pad_id: vocab_size.saturating_sub(1) as u32,
            eos_id: 0,
            decoder_start_id: vocab_size.saturating_sub(1) as u32,
            forced_eos_id: Some(0),
            banned_ids: vec![vocab_size.saturating_sub(1) as u32],
            placeholder_ids: Vec::new(),
            source_language: None,
            target_language: None,
        }
    }

    /// The paper's `big` model (Table 3): d_model = 1024, d_ff = 4096, h = 16, P_drop = 0.3.
    pub fn big(vocab_size: usize) -> Self {
        Self {
            d_model: 1024,
            n_heads: 16,
            d_ff: 4096,
            dropout: 0.3,
            ..Self::base(vocab_size)
        }
    }

    /// Our page model: 3 + 3 layers, d_model = 256, d_ff = 1024, h = 8, in Marian's position order.
    pub fn small(vocab_size: usize) -> Self {
        Self {
            d_model: 256,
            d_k: 32,
            d_v: 32,
            d_ff: 1024,
            encoder_layers: 3,
            decoder_layers: 3,
            positions: Positions::SinusoidalHalves,
            ..Self::base(vocab_size)
        }
    }

    /// A model for tests: 2 + 2 layers, d_model = 16, d_ff = 32, h = 2.
    pub fn tiny(vocab_size: usize) -> Self {
        Self {
            d_model: 16,
            n_heads: 2,
            d_k: 8,
            d_v: 8,
            d_ff: 32,
            encoder_layers: 2,
            decoder_layers: 2,
            max_positions: 64,
            ..Self::small(vocab_size)
        }
    }

    /// Number of target pieces.
    pub fn target_vocab(&self) -> usize {
        self.target_vocab_size.unwrap_or(self.vocab_size)
    }

    /// Checks that every field has a usable value and that no two contradict each other.
    ///
    /// # Errors
    /// [`Error::ConfigInvalid`] naming the field, its value and what it should be.
    pub fn validate(&self) -> Result<()> {
        let fail = |reason: String| Err(Error::ConfigInvalid(reason));
        for (name, value) in [
            ("vocab_size", self.vocab_size),
            ("target_vocab_size", self.target_vocab()),
            ("d_model", self.d_model),
            ("encoder_layers", self.encoder_layers),
            ("decoder_layers", self.decoder_layers),
            ("max_positions", self.max_positions),
        ] {
            check_size("", name, value)?;
        }
        for (name, layers) in [
            ("encoder_layers", self.encoder_layers),
            ("decoder_layers", self.decoder_layers),
        ] {
            if layers > Self::MAX_LAYERS {
                return fail(format!(
                    "{name} is {layers}, it must be at most {}",
                    Self::MAX_LAYERS
                ));
            }
        }
        if self.max_positions > Self::MAX_POSITIONS {
            return fail(format!(
                "max_positions is {}, it must be at most {}",
                self.max_positions,
                Self::MAX_POSITIONS
            ));
        }
        let cells = self.max_positions.saturating_mul(self.d_model);
        if self.positions != Positions::Learned && cells > Self::MAX_POSITION_CELLS {
            return fail(format!(
                "max_positions · d_model is {cells}, a table of sinusoids has at most {}",
                Self::MAX_POSITION_CELLS
            ));
        }
        check_inputs("", "d_model", self.d_model as u64)?;
        self.widths(Stack::Encoder).validate("")?;
        if let Some(decoder) = self.decoder_widths {
            decoder.validate("decoder_widths.")?;
        }
        if self.positions != Positions::Learned && !self.d_model.is_multiple_of(2) {
            return fail(format!(
                "d_model is {}, sinusoidal positions need an even number",
                self.d_model
            ));
        }
        for (name, p) in [
            ("dropout", self.dropout),
            ("attention_dropout", self.attention_dropout),
            ("activation_dropout", self.activation_dropout),
            ("label_smoothing", self.label_smoothing),
        ] {
            if !(0.0..1.0).contains(&p) {
                return fail(format!("{name} is {p}, it must be in [0, 1)"));
            }
        }
        if self.target_vocab_size.is_some() && self.share_embeddings {
            return fail(
                "share_embeddings needs one vocabulary, but target_vocab_size is set".into(),
            );
        }
        if self.neighbourhood == Some(0) {
            return fail("neighbourhood is 0, leave it out for unrestricted self-attention".into());
        }
        let target = self.target_vocab() as u32;
        for (name, id) in [
            ("eos_id", self.eos_id),
            ("decoder_start_id", self.decoder_start_id),
            ("pad_id", self.pad_id),
        ] {
            if id >= target {
                return fail(format!(
                    "{name} is {id}, the vocabulary has {target} pieces"
                ));
            }
        }
        let forced = self.forced_eos_id.map(|id| ("forced_eos_id", id));
        let banned = self.banned_ids.iter().map(|id| ("banned_ids", *id));
        let placeholders = self
            .placeholder_ids
            .iter()
            .map(|id| ("placeholder_ids", *id));
        if let Some((name, id)) = forced
            .into_iter()
            .chain(banned)
            .chain(placeholders)
            .find(|(_, id)| *id >= target)
        {
            return fail(format!(
                "{name} holds {id}, the vocabulary has {target} pieces"
            ));
        }
        let never = [self.eos_id, self.pad_id, self.decoder_start_id];
        let reserved = |id: &&u32| never.contains(id) || self.banned_ids.contains(id);
        if let Some(id) = self.placeholder_ids.iter().find(reserved) {
            return fail(format!(
                "placeholder_ids holds {id}, which is an end mark, padding, start or banned piece"
            ));
        }
        if self.banned_ids.contains(&self.eos_id) {
            return fail(format!(
                "banned_ids holds eos_id {}: no translation could end",
                self.eos_id
            ));
        }
        Ok(())
    }
}

impl Widths {
    /// Checks every field; messages name it after `prefix`.
    fn validate(&self, prefix: &str) -> Result<()> {
        for (name, value) in [
            ("n_heads", self.n_heads),
            ("d_k", self.d_k),
            ("d_v", self.d_v),
            ("d_ff", self.d_ff),
        ] {
            check_size(prefix, name, value)?;
        }
        if self.n_heads > Config::MAX_HEADS {
            return Err(Error::ConfigInvalid(format!(
                "{prefix}n_heads is {}, it must be at most {}",
                self.n_heads,
                Config::MAX_HEADS
            )));
        }
        for (name, inputs) in [
            ("d_ff", self.d_ff as u64),
            ("n_heads · d_k", self.n_heads as u64 * self.d_k as u64),
            ("n_heads · d_v", self.n_heads as u64 * self.d_v as u64),
        ] {
            check_inputs(prefix, name, inputs)?;
        }
        Ok(())
    }
}

fn check_size(prefix: &str, name: &str, value: usize) -> Result<()> {
    let reason = match value {
        0 => "is 0, it must be at least 1".to_owned(),
        1..=Config::MAX_SIZE => return Ok(()),
        _ => format!("is {value}, no model is that large"),
    };
    Err(Error::ConfigInvalid(format!("{prefix}{name} {reason}")))
}

/// Checks the number of inputs of a matrix.
fn check_inputs(prefix: &str, name: &str, inputs: u64) -> Result<()> {
    if inputs <= PackedInt8::MAX_INPUTS as u64 {
        return Ok(());
    }
    Err(Error::ConfigInvalid(format!(
        "{prefix}{name} is {inputs}, sums of 8-bit products overflow above {}",
        PackedInt8::MAX_INPUTS
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(config: Config) -> String {
        config.validate().unwrap_err().to_string()
    }

    #[test]
    fn every_id_outside_the_vocabulary_is_refused_by_name() {
        let tiny = Config::tiny(50);
        tiny.validate().unwrap();
        let forced = Config {
            forced_eos_id: Some(50),
            ..tiny.clone()
        };
        assert!(refused(forced).contains("forced_eos_id"));
        let banned = Config {
            banned_ids: vec![49, u32::MAX],
            ..tiny.clone()
        };
        assert!(refused(banned).contains("banned_ids"));
        let start = Config {
            decoder_start_id: 50,
            ..tiny
        };
        assert!(refused(start).contains("decoder_start_id"));
    }

    #[test]
    fn widths_whose_8_bit_sums_would_overflow_are_refused() {
        let widest = PackedInt8::MAX_INPUTS;
        let wide = |d_ff| Config {
            d_ff,
            ..Config::tiny(50)
        };
        wide(widest).validate().unwrap();
        assert!(refused(wide(widest + 1)).contains("d_ff"));
        let heads = Config {
            n_heads: 1 << 10,
            d_v: 1 << 12,
            ..Config::tiny(50)
        };
        assert!(refused(heads).contains("d_v"));
    }

    #[test]
    fn more_positions_than_any_model_has_are_refused() {
        let config = Config {
            max_positions: 1_000_000_000,
            ..Config::tiny(50)
        };
        assert!(refused(config).contains("max_positions"));
        let table = Config {
            max_positions: Config::MAX_POSITIONS + 1,
            ..Config::tiny(50)
        };
        assert!(refused(table).contains("max_positions"));
    }

    #[test]
    fn memory_that_no_file_pays_for_is_refused() {
        let table = Config {
            d_model: 1 << 16,
            max_positions: 1 << 14,
            ..Config::tiny(50)
        };
        assert!(refused(table).contains("max_positions · d_model"));
        let heads = Config {
            n_heads: 1 << 11,
            d_k: 1,
            d_v: 1,
            ..Config::tiny(50)
        };
        assert!(refused(heads).contains("n_heads"));
    }
}
