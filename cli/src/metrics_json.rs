//! `metrics.json`: what a model was measured to do, as data in its folder (`ModelMetrics` of `www/engine/protocol.d.ts`).

use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use translucent::search::Scoring;

/// Name of the file in a model folder.
pub const METRICS: &str = "metrics.json";

/// The measurements of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// 1.
    pub format_version: u32,
    /// What the model is good at and what not, in one line, which the page shows beside translations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The search that gave the translations.
    pub search: SearchUsed,
    /// How sacrebleu names the measures.
    pub signatures: Signatures,
    /// In the order in which they were measured.
    pub test_sets: Vec<TestSet>,
    /// What training cost, if the folder says how the model was trained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training_flops: Option<TrainingFlops>,
}

/// The options of the search that decide a translation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchUsed {
    /// Beam width.
    pub beam: usize,
    /// Comparison of hypotheses.
    pub scoring: Scoring,
}

/// Signatures of the measures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signatures {
    /// Of BLEU.
    pub bleu: String,
    /// Of chrF2.
    pub chrf2: String,
}

/// The scores on a test set, 0 to 100.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestSet {
    /// Its name.
    pub name: String,
    /// Number of its sentences.
    pub sentences: usize,
    /// Corpus BLEU, to two decimals.
    pub bleu: f64,
    /// chrF2, to two decimals.
    pub chrf2: f64,
}

/// Floating-point operations of training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingFlops {
    /// Counted from the model's sizes and its target tokens.
    pub counted: f64,
    /// The paper's estimate (§6.1): time × what the machine sustains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated: Option<f64>,
}

impl Metrics {
    /// The file's text.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn to_json(&self) -> Result<String> {
        match serde_json::to_string_pretty(self) {
            Ok(json) => Ok(format!("{json}\n")),
            Err(error) => Err(Error::Argument(format!(
                "{METRICS} cannot be written: {error}"
            ))),
        }
    }
}
