//! Which tensors a configuration has: names as in a MarianMT checkpoint, shapes, and how training starts them.

use translucent::Config;
use translucent::model::config::{Compatibility, Positions};

/// How a tensor starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Init {
    /// All zero: biases.
    Zeros,
    /// All one: gains of layer norms.
    Ones,
    /// Normal with this standard deviation: embeddings.
    Normal(f64),
    /// Uniform in ±√(6 / (fan_in + fan_out)) (Glorot and Bengio, 2010) times this gain: linear maps.
    Xavier(f64),
}

/// One trainable tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// Checkpoint name.
    pub name: String,
    /// Shape; linear weights are (out, in).
    pub shape: Vec<i64>,
    /// Start value.
    pub init: Init,
}

/// All trainable tensors of a configuration, in a fixed order.
pub fn layout(config: &Config) -> Vec<Slot> {
    let mut slots = Slots(Vec::new());
    let d_model = config.d_model as i64;
    // With §3.4's factor √d_model the embeddings enter the stacks with variance 1.
    let normal = Init::Normal((d_model as f64).powf(-0.5));
    let (source, target) = (config.vocab_size as i64, config.target_vocab() as i64);
    if config.share_embeddings {
        slots.push("model.shared.weight", &[source, d_model], normal);
    } else {
        slots.push(
            "model.encoder.embed_tokens.weight",
            &[source, d_model],
            normal,
        );
        slots.push(
            "model.decoder.embed_tokens.weight",
            &[target, d_model],
            normal,
        );
        slots.push("lm_head.weight", &[target, d_model], normal);
    }
    for (stack, layers) in [
        ("encoder", config.encoder_layers),
        ("decoder", config.decoder_layers),
    ] {
        if config.positions == Positions::Learned {
            let shape = [config.max_positions as i64, d_model];
            slots.push(
                format!("model.{stack}.embed_positions.weight"),
                &shape,
                normal,
            );
        }
        for i in 0..layers {
            let prefix = format!("model.{stack}.layers.{i}");
            slots.attention(&format!("{prefix}.self_attn"), config);
            slots.norm(&format!("{prefix}.self_attn_layer_norm"), d_model);
            if stack == "decoder" {
                slots.attention(&format!("{prefix}.encoder_attn"), config);
                slots.norm(&format!("{prefix}.encoder_attn_layer_norm"), d_model);
            }
            slots.linear(&format!("{prefix}.fc1"), config.d_ff as i64, d_model, 1.0);
            slots.linear(&format!("{prefix}.fc2"), d_model, config.d_ff as i64, 1.0);
            slots.norm(&format!("{prefix}.final_layer_norm"), d_model);
        }
    }
    slots.0
}

struct Slots(Vec<Slot>);

impl Slots {
    fn push(&mut self, name: impl Into<String>, shape: &[i64], init: Init) {
        self.0.push(Slot {
            name: name.into(),
            shape: shape.to_vec(),
            init,
        });
    }

    fn linear(&mut self, name: &str, outputs: i64, inputs: i64, gain: f64) {
        self.push(
            format!("{name}.weight"),
            &[outputs, inputs],
            Init::Xavier(gain),
        );
        self.push(format!("{name}.bias"), &[outputs], Init::Zeros);
    }

    fn norm(&mut self, name: &str, d_model: i64) {
        self.push(format!("{name}.weight"), &[d_model], Init::Ones);
        self.push(format!("{name}.bias"), &[d_model], Init::Zeros);
    }

    fn attention(&mut self, name: &str, config: &Config) {
        let (d_model, heads) = (config.d_model as i64, config.n_heads as i64);
        let (queries, values) = (heads * config.d_k as i64, heads * config.d_v as i64);
        // Queries, keys and values are one map of three times the width: gain 1/√2 keeps its variance.
        let gain = std::f64::consts::FRAC_1_SQRT_2;
        self.linear(&format!("{name}.q_proj"), queries, d_model, gain);
        self.linear(&format!("{name}.k_proj"), queries, d_model, gain);
        self.linear(&format!("{name}.v_proj"), values, d_model, gain);
        self.linear(&format!("{name}.out_proj"), d_model, values, 1.0);
        if config.compatibility == Compatibility::Additive {
            let shape = [heads, config.d_k as i64];
            self.push(format!("{name}.additive.weight"), &shape, Init::Xavier(1.0));
        }
    }
}
