//! A model's summary: its shape, in camelCase for JavaScript, and its number of parameters.

use super::{Precision, layout};
use crate::Config;
use crate::layers::Stack;
use crate::model::config::{Compatibility, Positions, Widths};
use serde::Serialize;

/// `ModelSummary` of `www/engine/types.d.ts`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelSummary {
    /// Number of learned numbers, biases included.
    pub parameters: usize,
    /// Shape and conventions.
    pub config: ShownConfig,
    /// How the folder stores the matrices.
    pub precision: Precision,
}

/// The fields of [`Config`] in a summary, under their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownConfig {
    pub vocab_size: usize,
    pub d_model: usize,
    pub n_heads: usize,
    pub d_k: usize,
    pub d_v: usize,
    pub d_ff: usize,
    /// Heads and widths of the decoder; those above are the encoder's.
    pub decoder: Widths,
    pub encoder_layers: usize,
    pub decoder_layers: usize,
    pub positions: Positions,
    pub max_positions: usize,
    pub compatibility: Compatibility,
    pub neighbourhood: Option<usize>,
}

impl ModelSummary {
    /// The summary of a configuration, stored in a precision.
    pub fn new(config: &Config, precision: Precision) -> Self {
        let sizes = layout(config).into_iter();
        Self {
            parameters: sizes
                .map(|entry| entry.shape.iter().product::<usize>())
                .sum(),
            config: ShownConfig {
                vocab_size: config.target_vocab(),
                d_model: config.d_model,
                n_heads: config.n_heads,
                d_k: config.d_k,
                d_v: config.d_v,
                d_ff: config.d_ff,
                decoder: config.widths(Stack::Decoder),
                encoder_layers: config.encoder_layers,
                decoder_layers: config.decoder_layers,
                positions: config.positions,
                max_positions: config.max_positions,
                compatibility: config.compatibility,
                neighbourhood: config.neighbourhood,
            },
            precision,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_base_model_has_65_million_parameters() {
        // Table 3, with the shared vocabulary of about 37 000 pieces (§5.1).
        let summary = ModelSummary::new(&Config::base(37_000), Precision::F32);
        assert_eq!(summary.parameters / 1_000_000, 63);
        let json = serde_json::to_value(&summary).unwrap_or_default();
        assert_eq!(json["config"]["dModel"], 512);
        assert_eq!(json["precision"], "f32");
    }
}
