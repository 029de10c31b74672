//! Variants of one recipe at equal target tokens: what a lever brings, and the rows of a table like the paper's Table 3.

mod statistics;

pub use statistics::{RowStatistics, SetStatistics, Spread, statistics};

use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::metrics::{self, Measured, Score};
use crate::model::Weights;
use crate::recipe::{Recipe, Stage};
use crate::run::{Options, run};
use crate::setup::fingerprint;
use crate::state;
use crate::stop;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A sweep: a recipe, and rows that change it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// Name of the sweep; its runs are NAME-ROW-SEED.
    pub name: String,
    /// The recipe, relative to the sweep's file.
    pub recipe: PathBuf,
    /// Target tokens of every run.
    pub tokens: u64,
    /// The last of them, over which the learning rate descends to zero.
    #[serde(default)]
    pub cooldown_tokens: Option<u64>,
    /// Every row is trained once with each.
    #[serde(default = "one_seed")]
    pub seeds: Vec<u64>,
    /// Settings (`field.path=value`) of all rows.
    #[serde(default)]
    pub set: Vec<String>,
    /// The rows; the first is what the others are compared with.
    #[serde(rename = "row")]
    pub rows: Vec<Row>,
    /// Folder of the sweep's file.
    #[serde(skip)]
    folder: PathBuf,
}

/// A variant.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Name, also of the run's folder.
    pub name: String,
    /// Another recipe, relative to the sweep's file.
    #[serde(default)]
    pub recipe: Option<PathBuf>,
    /// Settings, after those of the sweep.
    #[serde(default)]
    pub set: Vec<String>,
    /// Target tokens, where they are not the sweep's: a model of two languages beside two of one each.
    #[serde(default)]
    pub tokens: Option<u64>,
    /// In place of one descent of the learning rate: the stages of the run, whose tokens are the row's.
    #[serde(default)]
    pub stages: Vec<Stage>,
}

fn one_seed() -> Vec<u64> {
    vec![1]
}

/// What a run gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The row's name.
    pub row: String,
    /// Its settings.
    pub set: Vec<String>,
    /// Seed.
    pub seed: u64,
    /// Trainable numbers.
    pub parameters: usize,
    /// Optimiser steps.
    pub steps: u64,
    /// Target tokens.
    pub target_tokens: u64,
    /// Seconds of training.
    pub seconds: f64,
    /// The last validation, by development file.
    pub validation: BTreeMap<String, Score>,
    /// The smoothed training loss in nats per target token, each with the target tokens until then: means between the
    /// lines of the metrics file.
    pub curve: Vec<(u64, f64)>,
}

/// The outcomes of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// Name of the sweep.
    pub sweep: String,
    /// Target tokens of every run whose row says no other.
    pub tokens: u64,
    /// What the rows' settings change: the architecture in the sweep's recipe.
    pub model: toml::Table,
    /// What the seeds of each row say together.
    pub rows: Vec<RowStatistics>,
    /// Runs that are done, in the sweep's order.
    pub outcomes: Vec<Outcome>,
}

impl Sweep {
    /// Reads a sweep.
    ///
    /// # Errors
    /// A file that is missing or no sweep; rows without a name of their own; stages that are not as long as their row.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|e| Error::file(path, e))?;
        let mut sweep: Self = toml::from_str(&text).map_err(|e| Error::file(path, e))?;
        sweep.folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        for (i, row) in sweep.rows.iter().enumerate() {
            if sweep.rows[..i].iter().any(|other| other.name == row.name) {
                let reason = format!("two rows are called {:?}", row.name);
                return Err(Error::file(path, reason));
            }
            let (stages, tokens) = (
                row.stages.iter().map(|stage| stage.tokens).sum::<u64>(),
                sweep.tokens_of(row),
            );
            if !row.stages.is_empty() && stages != tokens {
                let reason = format!(
                    "the stages of row {:?} have {stages} tokens together, they must have the row's {tokens}",
                    row.name
                );
                return Err(Error::file(path, reason));
            }
        }
        Ok(sweep)
    }

    /// Trains the unfinished rows whose names contain `only`, until a stop is requested; returns the outcomes of all
    /// finished rows.
    ///
    /// # Errors
    /// Any fault of a row's recipe or of its run.
    pub fn run(&self, options: &Options, only: &str) -> Result<Results> {
        let mut outcomes = Vec::new();
        for (row, seed) in self.runs() {
            let recipe = self.recipe(row, seed)?;
            let folder = Folder::open(&options.runs, &recipe.name)?;
            let mut found = self.outcome(&folder, row, seed)?;
            if found.is_none() && row.name.contains(only) {
                // Rows on the same data share its vocabulary and ids.
                let key = fingerprint(&recipe)?;
                let options = Options {
                    shared: Some(options.runs.join(format!("{}-data-{key}", self.name))),
                    ..options.clone()
                };
                run(&recipe, &options)?;
                if stop::asked() {
                    break;
                }
                found = self.outcome(&folder, row, seed)?;
            }
            outcomes.extend(found);
        }
        Ok(Results {
            sweep: self.name.clone(),
            tokens: self.tokens,
            model: Recipe::read(&self.folder.join(&self.recipe))?.model,
            rows: statistics(&outcomes),
            outcomes,
        })
    }

    /// Every row with every seed.
    pub fn runs(&self) -> impl Iterator<Item = (&Row, u64)> {
        let seeds = |row| self.seeds.iter().map(move |&seed| (row, seed));
        self.rows.iter().flat_map(seeds)
    }

    /// The recipe of a row.
    ///
    /// # Errors
    /// As [`Recipe::read_with`].
    pub fn recipe(&self, row: &Row, seed: u64) -> Result<Recipe> {
        let mut settings = self.set.clone();
        settings.extend(row.set.iter().cloned());
        settings.push(format!(
            "name={:?}",
            format!("{}-{}-{seed}", self.name, row.name)
        ));
        settings.push(format!("seed={seed}"));
        let stages = toml::Value::try_from(&row.stages)
            .map_err(|e| Error::Recipe(format!("row {}: stages: {e}", row.name)))?;
        settings.push(format!("training.stages={stages}"));
        if row.stages.is_empty() {
            settings.push(format!("training.max_tokens={}", self.tokens_of(row)));
            if let Some(tokens) = self.cooldown_tokens {
                // The same share of every row's tokens.
                let tokens = tokens * self.tokens_of(row) / self.tokens;
                settings.push(format!("training.cooldown_tokens={tokens}"));
            }
        }
        let recipe = row.recipe.as_ref().unwrap_or(&self.recipe);
        Recipe::read_with(&self.folder.join(recipe), &settings)
    }

    fn tokens_of(&self, row: &Row) -> u64 {
        row.tokens.unwrap_or(self.tokens)
    }

    /// What the run in `folder` gave, if it has seen all of its tokens.
    fn outcome(&self, folder: &Folder, row: &Row, seed: u64) -> Result<Option<Outcome>> {
        if !folder.state().exists() {
            return Ok(None);
        }
        let (header, tensors) = state::read(&folder.state())?;
        let weights =
            Weights::from_map(&header.config, &tensors, &folder.state(), tch::Device::Cpu)?;
        let counters = header.counters;
        let lines = metrics::read(&folder.metrics())?;
        let curve = lines
            .iter()
            .filter_map(|line| match line.measured {
                // Four digits: it is looked at, not computed with.
                Measured::Training { loss, .. } => {
                    Some((line.target_tokens, (loss * 1e4).round() / 1e4))
                }
                Measured::Validation { .. } => None,
            })
            .collect();
        let last = lines
            .into_iter()
            .rev()
            .find_map(|line| match line.measured {
                Measured::Validation { validation } if line.step == counters.step => {
                    Some(validation)
                }
                _ => None,
            });
        Ok(last
            .filter(|_| counters.target_tokens >= self.tokens_of(row))
            .map(|validation| Outcome {
                row: row.name.clone(),
                set: row.set.clone(),
                seed,
                parameters: weights.parameters(),
                steps: counters.step,
                target_tokens: counters.target_tokens,
                seconds: counters.seconds,
                validation,
                curve,
            }))
    }
}

impl Results {
    /// As JSON, on one line: the page fetches it.
    ///
    /// # Errors
    /// If a number cannot be written.
    pub fn to_json(&self) -> Result<Vec<u8>> {
        let mut json =
            serde_json::to_vec(self).map_err(|e| Error::Recipe(format!("results: {e}")))?;
        json.push(b'\n');
        Ok(json)
    }

    /// As a table in Markdown: for every development file, perplexity, nats per character and BLEU, means over the seeds.
    pub fn to_markdown(&self) -> String {
        if self.rows.is_empty() {
            return String::from("no row is done\n");
        }
        let sets: BTreeSet<&String> = self
            .outcomes
            .iter()
            .flat_map(|outcome| outcome.validation.keys())
            .collect();
        let mut table = String::from("| row | parameters | tokens/s |");
        for set in &sets {
            let _ = write!(table, " {set} perplexity | nats/char | BLEU |");
        }
        table.push_str("\n|---|--:|--:|");
        table.push_str(&"--:|--:|--:|".repeat(sets.len()));
        table.push('\n');
        for RowStatistics {
            row, parameters, ..
        } in &self.rows
        {
            let runs: Vec<&Outcome> = self.outcomes.iter().filter(|o| o.row == *row).collect();
            let rates = runs.iter().map(|o| o.target_tokens as f64 / o.seconds);
            let _ = write!(
                table,
                "| {row} | {:.2} M | {:.0} |",
                *parameters as f64 / 1e6,
                rates.sum::<f64>() / runs.len() as f64
            );
            for &set in &sets {
                // A row with a recipe of its own may have other development files.
                let scores: Vec<&Score> =
                    runs.iter().filter_map(|o| o.validation.get(set)).collect();
                let printed = |f: &dyn Fn(&Score) -> f64, digits: usize| match scores.len() {
                    0 => String::from("–"),
                    n => format!(
                        "{:.digits$}",
                        scores.iter().map(|score| f(score)).sum::<f64>() / n as f64
                    ),
                };
                let _ = write!(
                    table,
                    " {} | {} | {} |",
                    printed(&|score| score.perplexity, 2),
                    printed(&|score| score.loss_per_character, 4),
                    printed(&|score| score.bleu.unwrap_or(f64::NAN), 2)
                );
            }
            table.push('\n');
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_that_a_row_was_not_measured_on_is_no_zero() {
        let outcome = |row: &str, sets: &[(&str, f64)]| Outcome {
            row: row.into(),
            set: Vec::new(),
            seed: 1,
            parameters: 1_000_000,
            steps: 10,
            target_tokens: 500,
            seconds: 2.0,
            validation: sets
                .iter()
                .map(|&(set, bleu)| {
                    let score = Score {
                        loss: 1.0,
                        perplexity: 1f64.exp(),
                        loss_per_character: 0.5,
                        bleu: Some(bleu),
                    };
                    (set.to_owned(), score)
                })
                .collect(),
            curve: Vec::new(),
        };
        let outcomes = vec![
            outcome("german", &[("de", 7.0)]),
            outcome("joint", &[("de", 6.0), ("fr", 5.0)]),
        ];
        let results = Results {
            sweep: "languages".into(),
            tokens: 500,
            model: toml::Table::new(),
            rows: statistics(&outcomes),
            outcomes,
        };
        let table = results.to_markdown();
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(
            rows,
            [
                "| german | 1.00 M | 250 | 2.72 | 0.5000 | 7.00 | – | – | – |",
                "| joint | 1.00 M | 250 | 2.72 | 0.5000 | 6.00 | 2.72 | 0.5000 | 5.00 |",
            ]
        );
        assert!(table.starts_with("| row | parameters | tokens/s | de perplexity"));
    }
}
