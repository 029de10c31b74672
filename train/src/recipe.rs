//! A recipe: data with sampling weights, vocabulary, architecture and schedule in one TOML file.

mod check;
mod defaults;
mod read;
mod stages;

use crate::data::augment::Augment;
use crate::error::{Error, Result};
use crate::model::Precision;
use crate::optimizer::Schedule;
use crate::ranks::GradientFormat;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use translucent::Config;

/// Everything that decides a run but for the machine it runs on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Name of the run and of its folder.
    pub name: String,
    /// ISO code of the source language, e.g. `en`.
    pub source_language: String,
    /// ISO code of the target language, e.g. `de`.
    pub target_language: String,
    /// Seed of every random choice.
    #[serde(default = "defaults::seed")]
    pub seed: u64,
    /// Number format of the products.
    #[serde(default)]
    pub precision: Precision,
    /// A model folder to start from, instead of random weights (its tokenizer is used, Adam starts fresh).
    #[serde(default)]
    pub init: Option<PathBuf>,
    /// The shared vocabulary.
    pub vocabulary: Vocabulary,
    /// Architecture: `preset` (`small`, `base`, `big`, `tiny`) and any field of the core's `Config`.
    pub model: toml::Table,
    /// What to train on.
    pub data: Data,
    /// How to train.
    pub training: Training,
    /// Sentences whose attention is recorded while the model learns.
    #[serde(default)]
    pub probes: Vec<Probe>,
}

/// The shared subword vocabulary (§5.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vocabulary {
    /// Number of pieces, special ones included.
    pub size: usize,
    /// With `init`: take that model's pieces. If false, pieces are learned from this run's data, and each that the
    /// model does not have starts as the mean of the model's pieces that spell it.
    #[serde(default = "defaults::inherit")]
    pub inherit: bool,
    /// Number of placeholders among the pieces, 0 to 64: pieces that stand for what is copied, such as addresses, emoji and
    /// long numbers. A vocabulary that is inherited without them gets them on top.
    #[serde(default)]
    pub placeholders: usize,
    /// Probability with which each merge is left out in training text (BPE-dropout, Provilkov et al., 2020). The splits are
    /// drawn once for each pair of a run, and again for each variant.
    #[serde(default)]
    pub dropout: f32,
}

/// Files of sentence pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// Longest sentence in pieces, with its end mark; longer pairs are left out.
    #[serde(default = "defaults::max_length")]
    pub max_length: usize,
    /// Whether lines of tab-separated files, development files too, are `target TAB source`: one folder serves both directions.
    #[serde(default)]
    pub swap: bool,
    /// Training files.
    pub train: Vec<TrainingFile>,
    /// Exponent on all sampling weights: 1 as they stand, 0 every file alike, pair for pair.
    #[serde(default = "defaults::weight")]
    pub weight_exponent: f64,
    /// Variants of the training pairs that are added to them.
    #[serde(default)]
    pub augment: Augment,
    /// Development files.
    #[serde(default)]
    pub validation: Vec<ValidationFile>,
}

/// A file to train on: `file` of tab-separated pairs, or `source` and `target` that are parallel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingFile {
    /// `.tsv` or `.tsv.zst`, relative to the data folder.
    #[serde(default)]
    pub file: Option<PathBuf>,
    /// Source sentences, one a line.
    #[serde(default)]
    pub source: Option<PathBuf>,
    /// Their translations, one a line.
    #[serde(default)]
    pub target: Option<PathBuf>,
    /// Expected uses of each pair in a pass over the data; 0 leaves the file out.
    #[serde(default = "defaults::weight")]
    pub weight: f64,
    /// Instead of the data's `swap`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swap: Option<bool>,
    /// Scores of the pairs, one a line, as `score-pairs` writes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<PathBuf>,
    /// With `scores`: the share of the pairs that is used, those with the lowest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<f64>,
    /// Of a model with several target languages: this file's. Its sources begin with the language's code (`>>de<<`), as
    /// opus-mt's do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// A file to validate on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValidationFile {
    /// Name in the metrics.
    pub name: String,
    /// `.tsv` or `.tsv.zst`, relative to the data folder.
    pub file: PathBuf,
    /// As of a training file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// How to train.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// Most tokens of a batch on either side, padding counted.
    #[serde(default = "defaults::batch_tokens")]
    pub batch_tokens: usize,
    /// Batches whose gradients are summed for one step of the optimiser.
    #[serde(default = "defaults::accumulation")]
    pub accumulation: usize,
    /// Number format in which gradients travel between ranks.
    #[serde(default)]
    pub gradients: GradientFormat,
    /// Optimiser steps of the whole run.
    #[serde(default = "defaults::max_steps")]
    pub max_steps: u64,
    /// Target tokens after which the run ends, if it has not reached `max_steps` before.
    #[serde(default)]
    pub max_tokens: Option<u64>,
    /// The last of `max_tokens`, over which the learning rate descends to zero.
    #[serde(default)]
    pub cooldown_tokens: Option<u64>,
    /// The learning rate.
    pub schedule: Schedule,
    /// Parts of the run, one after another, each with its own data mix and descent of the learning rate; instead of
    /// `max_tokens` and `cooldown_tokens`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<Stage>,
    /// Norm to which larger gradients are scaled down.
    #[serde(default)]
    pub clip: Option<f64>,
    /// Share by which a moving average of the weights follows them at each step, like 1e-4 (`export --weights ema`).
    /// Development files are then measured by it, and the best weights are its.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ema: Option<f64>,
    /// Steps between lines of the metrics file.
    #[serde(default = "defaults::log_every")]
    pub log_every: u64,
    /// Steps between validations.
    #[serde(default = "defaults::validate_every")]
    pub validate_every: u64,
    /// Steps between measurements of BLEU, a multiple of `validate_every`; 0: never.
    #[serde(default)]
    pub bleu_every: u64,
    /// Lines of each development file on which BLEU is measured, the first ones.
    #[serde(default = "defaults::bleu_lines")]
    pub bleu_lines: usize,
    /// Steps between the snapshots that `average` uses.
    #[serde(default = "defaults::validate_every")]
    pub snapshot_every: u64,
    /// Snapshots that are kept, the newest.
    #[serde(default = "defaults::snapshots_kept")]
    pub snapshots_kept: usize,
    /// Minutes between the checkpoints that a killed run continues from.
    #[serde(default = "defaults::checkpoint_minutes")]
    pub checkpoint_minutes: f64,
    /// Steps at which the probes are recorded.
    #[serde(default = "defaults::probe_steps")]
    pub probe_steps: Vec<u64>,
}

/// A part of a run: what it changes in the recipe, until so many target tokens later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Target tokens of this stage.
    pub tokens: u64,
    /// The last of them, over which the learning rate descends to zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cooldown_tokens: Option<u64>,
    /// Instead of the schedule's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lr_scale: Option<f64>,
    /// Instead of the data's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<usize>,
    /// Weights of training files, by name without endings (`tatoeba`); kept in the stages after it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub weights: BTreeMap<String, f64>,
    /// Fields of `data.augment`; kept in the stages after it.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub augment: toml::Table,
}

/// A sentence pair whose attention is recorded while the model learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Source sentence.
    pub source: String,
    /// Its translation, which the decoder is made to read.
    pub target: String,
}

impl TrainingFile {
    /// The file of the pairs, or of their sources; empty if there is none.
    pub fn path(&self) -> &Path {
        let path = self.file.as_deref().or(self.source.as_deref());
        path.unwrap_or(Path::new(""))
    }

    /// File name without its endings.
    pub fn name(&self) -> String {
        let name = self.path().file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        name.split('.').next().unwrap_or_default().to_owned()
    }
}

impl Data {
    /// Whether this file's lines are `target TAB source`.
    pub fn swaps(&self, file: &TrainingFile) -> bool {
        file.swap.unwrap_or(self.swap)
    }

    /// Expected uses of each pair of a file in a pass.
    pub fn weight(&self, file: &TrainingFile) -> f64 {
        file.weight.powf(self.weight_exponent)
    }
}

/// The mark by which a source asks a model with several target languages for one of them.
pub fn language_code(language: &str) -> String {
    format!(">>{language}<<")
}

impl Recipe {
    /// The codes of the target languages, where there are several; in alphabetical order.
    pub fn language_codes(&self) -> Vec<String> {
        let named = self
            .data
            .train
            .iter()
            .filter_map(|file| file.language.as_deref());
        let languages: BTreeSet<&str> = named.collect();
        languages.into_iter().map(language_code).collect()
    }

    /// The target language, where there is only one.
    pub fn only_target_language(&self) -> Option<&str> {
        let is_only = self.language_codes().is_empty();
        is_only.then_some(&self.target_language)
    }

    /// The core's configuration for a vocabulary of `vocab_size` pieces.
    ///
    /// # Errors
    /// An unknown preset or field, or a contradiction, as the core names it.
    pub fn config(&self, vocab_size: usize) -> Result<Config> {
        let mut fields = self.model.clone();
        let preset = match fields.remove("preset").as_ref().map(|p| p.as_str()) {
            None | Some(Some("small")) => Config::small(vocab_size),
            Some(Some("base")) => Config::base(vocab_size),
            Some(Some("big")) => Config::big(vocab_size),
            Some(Some("tiny")) => Config::tiny(vocab_size),
            other => {
                return Err(Error::Recipe(format!(
                    "model.preset is {other:?}, it must be small, base, big or tiny"
                )));
            }
        };
        let model = |e: serde_json::Error| Error::Recipe(format!("model: {e}"));
        let mut merged = serde_json::to_value(preset).map_err(model)?;
        for (name, value) in fields {
            merged[name] = serde_json::to_value(value).map_err(model)?;
        }
        let config: Config = serde_json::from_value(merged).map_err(model)?;
        config.validate()?;
        if config.max_positions < self.data.max_length {
            return Err(Error::Recipe(format!(
                "data.max_length {} is above model.max_positions {}",
                self.data.max_length, config.max_positions
            )));
        }
        Ok(config)
    }
}
