//! Initialisation of each of a configuration's tensors; names and shapes are the core's.

use translucent::Config;
use translucent::checkpoint::{Entry, Role, layout};

/// How a tensor is initialised.
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

/// The trainable tensors of a configuration, in the core's order. `final_logits_bias` stays zero and is none of them.
pub fn trainable(config: &Config) -> Vec<(Entry, Init)> {
    layout(config)
        .into_iter()
        .filter(|entry| entry.name != "final_logits_bias")
        .map(|entry| {
            let init = init(&entry, config.d_model);
            (entry, init)
        })
        .collect()
}

fn init(entry: &Entry, d_model: usize) -> Init {
    match entry.role {
        // With §3.4's factor √d_model the embeddings enter the stacks with variance 1.
        Role::Embedding | Role::Positions => Init::Normal((d_model as f64).powf(-0.5)),
        Role::Bias => Init::Zeros,
        Role::Gain => Init::Ones,
        // Queries, keys and values are one map of three times the width: gain 1/√2 keeps its variance.
        Role::Matrix
            if ["q_proj", "k_proj", "v_proj"]
                .iter()
                .any(|p| entry.name.contains(p)) =>
        {
            Init::Xavier(std::f64::consts::FRAC_1_SQRT_2)
        }
        Role::Matrix | Role::Compatibility => Init::Xavier(1.0),
    }
}
