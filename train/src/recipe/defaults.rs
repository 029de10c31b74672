//! What a recipe leaves out.

use super::{Data, Recipe, Training, TrainingFile, Vocabulary};
use crate::data::augment::Augment;
use crate::model::Precision;
use crate::optimizer::Schedule;
use crate::ranks::GradientFormat;
use std::path::Path;

pub fn seed() -> u64 {
    1
}
pub fn inherit() -> bool {
    true
}
pub fn max_length() -> usize {
    128
}
pub fn max_steps() -> u64 {
    1_000_000
}
pub fn weight() -> f64 {
    1.0
}
pub fn batch_tokens() -> usize {
    4096
}
pub fn accumulation() -> usize {
    1
}
pub fn log_every() -> u64 {
    50
}
pub fn validate_every() -> u64 {
    500
}
pub fn bleu_lines() -> usize {
    200
}
pub fn snapshots_kept() -> usize {
    10
}
pub fn checkpoint_minutes() -> f64 {
    3.0
}
pub fn probe_steps() -> Vec<u64> {
    vec![
        0, 30, 100, 250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000,
    ]
}

impl Recipe {
    /// A recipe for two parallel text files: our page model under the paper's schedule.
    pub fn for_parallel_files(name: &str, source: &Path, target: &Path, vocab_size: usize) -> Self {
        let language = |path: &Path| {
            path.extension()
                .map_or_else(String::new, |e| e.to_string_lossy().into_owned())
        };
        Self {
            name: name.to_owned(),
            source_language: language(source),
            target_language: language(target),
            seed: seed(),
            precision: Precision::default(),
            init: None,
            vocabulary: Vocabulary {
                size: vocab_size,
                inherit: inherit(),
                placeholders: 0,
                dropout: 0.0,
            },
            model: toml::Table::new(),
            data: Data {
                max_length: max_length(),
                swap: false,
                train: vec![TrainingFile {
                    file: None,
                    source: Some(source.to_path_buf()),
                    target: Some(target.to_path_buf()),
                    weight: weight(),
                    swap: None,
                    scores: None,
                    keep: None,
                    language: None,
                }],
                weight_exponent: weight(),
                augment: Augment::default(),
                validation: Vec::new(),
            },
            training: Training {
                batch_tokens: batch_tokens(),
                accumulation: 2,
                gradients: GradientFormat::default(),
                max_steps: 100_000,
                max_tokens: None,
                cooldown_tokens: None,
                schedule: Schedule {
                    warmup_steps: 4000,
                    lr_scale: 1.0,
                    cooldown: None,
                },
                stages: Vec::new(),
                clip: Some(1.0),
                ema: None,
                log_every: log_every(),
                validate_every: validate_every(),
                bleu_every: 0,
                bleu_lines: bleu_lines(),
                snapshot_every: validate_every(),
                snapshots_kept: snapshots_kept(),
                checkpoint_minutes: checkpoint_minutes(),
                probe_steps: probe_steps(),
            },
            probes: Vec::new(),
        }
    }
}
