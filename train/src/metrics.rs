//! The metrics file: one JSON object a line, appended as the run goes, cut back when it continues from an older step.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use translucent::checkpoint::{disk, write_atomically};

/// A line of the metrics file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Optimiser steps done.
    pub step: u64,
    /// Target tokens trained on.
    pub target_tokens: u64,
    /// Seconds spent training, over all starts.
    pub seconds: f64,
    /// What was measured.
    #[serde(flatten)]
    pub measured: Measured,
}

/// What a line of the metrics file measures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Measured {
    /// Means over the steps since the last such line.
    Training {
        /// Smoothed loss per target token, in nats.
        loss: f64,
        /// exp of the unsmoothed loss.
        perplexity: f64,
        /// Learning rate of the last step.
        learning_rate: f64,
        /// Target tokens a second.
        tokens_per_second: f64,
    },
    /// The development files.
    Validation {
        /// By name.
        validation: BTreeMap<String, Score>,
    },
}

/// Scores of the model on a development file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Unsmoothed loss per target token, in nats.
    pub loss: f64,
    /// exp(loss).
    pub perplexity: f64,
    /// Unsmoothed loss per character of the references, in nats: comparable between vocabularies.
    #[serde(default)]
    pub loss_per_character: f64,
    /// Corpus BLEU of the first lines, where it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bleu: Option<f64>,
}

/// The open metrics file.
pub struct Metrics {
    path: PathBuf,
    file: File,
}

impl Metrics {
    /// Opens the file for appending, without the lines of steps after `step`, which will be done again; so will what is measured
    /// before the first step.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn open(path: &Path, step: u64) -> Result<Self> {
        let io = |e| Error::file(path, e);
        let kept: String = match std::fs::read_to_string(path) {
            // A last line that a kill cut short does not parse and goes too.
            Ok(text) => text
                .lines()
                .filter(|_| step > 0)
                .filter(|line| serde_json::from_str::<Line>(line).is_ok_and(|l| l.step <= step))
                .map(|line| format!("{line}\n"))
                .collect(),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(e) => return Err(io(e)),
        };
        write_atomically(path, kept.as_bytes())?;
        Ok(Self {
            path: path.to_path_buf(),
            file: OpenOptions::new().append(true).open(path).map_err(io)?,
        })
    }

    /// Appends a line.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn push(&mut self, line: &Line) -> Result<()> {
        let text = serde_json::to_string(line).map_err(|e| Error::file(&self.path, e))?;
        let line = format!("{text}\n");
        disk::append(&mut self.file, line.as_bytes()).map_err(|e| Error::file(&self.path, e))
    }
}

/// Reads all lines of a metrics file but a last one without its end, which a kill or a full disk cut short.
///
/// # Errors
/// If the file cannot be read, or a line is none of ours.
pub fn read(path: &Path) -> Result<Vec<Line>> {
    let text = std::fs::read_to_string(path).map_err(|e| Error::file(path, e))?;
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    whole
        .lines()
        .enumerate()
        .map(|(i, line)| {
            serde_json::from_str(line).map_err(|e| Error::Line {
                path: path.to_path_buf(),
                line: i + 1,
                reason: e.to_string(),
            })
        })
        .collect()
}
