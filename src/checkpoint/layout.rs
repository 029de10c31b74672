//! The tensors of a configuration: names, shapes and roles, in the order of Figure 1.

use crate::Config;
use crate::layers::Stack;
use crate::model::config::{Compatibility, Positions, Widths};

/// What a tensor does in the model; decides its random initial value and whether int8 folders quantise it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An embedding or projection matrix, a row for each piece (§3.4).
    Embedding,
    /// The weight of a linear map, (outputs, inputs).
    Matrix,
    /// The additive term of a linear map or layer norm.
    Bias,
    /// The factor of a layer norm.
    Gain,
    /// A learned position table (max_positions, d_model) (Table 3, row E).
    Positions,
    /// The output weights w of additive attention (n_heads, d_k).
    Compatibility,
}

impl Role {
    /// Whether an int8 folder stores it with a scale per row: matrices and position tables do, all else stays f32.
    pub fn is_quantised(self) -> bool {
        matches!(self, Self::Embedding | Self::Matrix | Self::Positions)
    }
}

/// One tensor of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Name as in a Hugging Face Marian checkpoint, e.g. `model.encoder.layers.0.fc1.weight`.
    pub name: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its role.
    pub role: Role,
    /// Whether a model may do without: `final_logits_bias` (then zeros) and `lm_head.weight`
    /// (then the target embeddings project).
    pub optional: bool,
}

/// All tensors of a model, in reading order.
///
/// Names are those of `transformers`' Marian. What Marian does not have is named
/// `…_attn.additive.weight` (additive attention), `….embed_positions.weight` (learned positions),
/// `….layernorm_embedding.*` (`normalize_embedding`) and `….layer_norm.*` (the stack's last norm with
/// `normalize_before`). Without `share_embeddings` the three matrices of §3.4 are
/// `model.encoder.embed_tokens.weight`, `model.decoder.embed_tokens.weight` and `lm_head.weight`.
pub fn layout(config: &Config) -> Vec<Entry> {
    let mut list = List {
        config,
        entries: Vec::new(),
    };
    let (source, target, d_model) = (config.vocab_size, config.target_vocab(), config.d_model);
    if config.share_embeddings {
        list.push("model.shared.weight", [source, d_model], Role::Embedding);
    } else {
        for (name, rows) in [
            ("model.encoder.embed_tokens.weight", source),
            ("model.decoder.embed_tokens.weight", target),
            ("lm_head.weight", target),
        ] {
            list.push(name, [rows, d_model], Role::Embedding);
        }
    }
    list.push("final_logits_bias", [1, target], Role::Bias);
    list.stack(Stack::Encoder, config.encoder_layers, &["self_attn"]);
    list.stack(
        Stack::Decoder,
        config.decoder_layers,
        &["self_attn", "encoder_attn"],
    );
    list.entries
}

struct List<'c> {
    config: &'c Config,
    entries: Vec<Entry>,
}

impl List<'_> {
    fn push(&mut self, name: impl Into<String>, shape: impl Into<Vec<usize>>, role: Role) {
        let name = name.into();
        let optional = matches!(name.as_str(), "final_logits_bias" | "lm_head.weight");
        self.entries.push(Entry {
            name,
            shape: shape.into(),
            role,
            optional,
        });
    }

    fn stack(&mut self, stack: Stack, layers: usize, attentions: &[&str]) {
        let config = self.config;
        let widths = config.widths(stack);
        let at = match stack {
            Stack::Encoder => "model.encoder",
            Stack::Decoder => "model.decoder",
        };
        if config.positions == Positions::Learned {
            let shape = [config.max_positions, config.d_model];
            self.push(
                format!("{at}.embed_positions.weight"),
                shape,
                Role::Positions,
            );
        }
        if config.normalize_embedding {
            self.norm(&format!("{at}.layernorm_embedding"));
        }
        for layer in 0..layers {
            let at = format!("{at}.layers.{layer}");
            for attention in attentions {
                self.attention(&format!("{at}.{attention}"), widths);
                self.norm(&format!("{at}.{attention}_layer_norm"));
            }
            self.linear(&format!("{at}.fc1"), widths.d_ff, config.d_model);
            self.linear(&format!("{at}.fc2"), config.d_model, widths.d_ff);
            self.norm(&format!("{at}.final_layer_norm"));
        }
        if config.normalize_before {
            self.norm(&format!("{at}.layer_norm"));
        }
    }

    fn attention(&mut self, at: &str, widths: Widths) {
        let config = self.config;
        let (keys, values) = (
            widths.n_heads.saturating_mul(widths.d_k),
            widths.n_heads.saturating_mul(widths.d_v),
        );
        self.linear(&format!("{at}.q_proj"), keys, config.d_model);
        self.linear(&format!("{at}.k_proj"), keys, config.d_model);
        self.linear(&format!("{at}.v_proj"), values, config.d_model);
        self.linear(&format!("{at}.out_proj"), config.d_model, values);
        if config.compatibility == Compatibility::Additive {
            let shape = [widths.n_heads, widths.d_k];
            self.push(format!("{at}.additive.weight"), shape, Role::Compatibility);
        }
    }

    fn linear(&mut self, at: &str, outputs: usize, inputs: usize) {
        self.push(format!("{at}.weight"), [outputs, inputs], Role::Matrix);
        self.push(format!("{at}.bias"), [outputs], Role::Bias);
    }

    fn norm(&mut self, at: &str) {
        self.push(format!("{at}.weight"), [self.config.d_model], Role::Gain);
        self.push(format!("{at}.bias"), [self.config.d_model], Role::Bias);
    }
}
