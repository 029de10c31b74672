//! What the seeds of a sweep's rows say together: means, ranges, changes against the first row, and what may be chance.

use super::Outcome;
use crate::metrics::Score;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A change is told from chance where it is larger than so many standard errors.
const ERRORS: f64 = 2.0;

/// Some values of one quantity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Their mean.
    pub mean: f64,
    /// The lowest.
    pub low: f64,
    /// The highest.
    pub high: f64,
    /// How many there are.
    pub count: usize,
}

impl Spread {
    /// Of the finite ones among `values`: a run that diverged has no loss.
    fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let values: Vec<f64> = values.into_iter().filter(|v| v.is_finite()).collect();
        let count = values.len();
        (count > 0).then(|| Self {
            mean: values.iter().sum::<f64>() / count as f64,
            low: values.iter().copied().fold(f64::INFINITY, f64::min),
            high: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            count,
        })
    }
}

/// What a row gave on one development file, over its seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetStatistics {
    /// Perplexity per piece.
    pub perplexity: Option<Spread>,
    /// BLEU.
    pub bleu: Option<Spread>,
    /// Change of the loss per piece (ln of the perplexity) against the first row, seed by seed, as a seed fixes the order
    /// of the data.
    pub change: Option<Spread>,
    /// A change up to this may be chance, as the seeds of all rows vary; none if no row has two.
    pub chance: Option<f64>,
}

/// A row over its seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowStatistics {
    /// The row's name.
    pub row: String,
    /// Its settings.
    pub set: Vec<String>,
    /// Trainable numbers.
    pub parameters: usize,
    /// By development file.
    pub validation: BTreeMap<String, SetStatistics>,
}

/// The rows in the order of their outcomes; the first is what the others are compared with.
pub fn statistics(outcomes: &[Outcome]) -> Vec<RowStatistics> {
    let mut rows: Vec<RowStatistics> = Vec::new();
    for outcome in outcomes {
        if !rows.iter().any(|row| row.row == outcome.row) {
            rows.push(RowStatistics {
                row: outcome.row.clone(),
                set: outcome.set.clone(),
                parameters: outcome.parameters,
                validation: BTreeMap::new(),
            });
        }
    }
    let sets: BTreeSet<&String> = outcomes.iter().flat_map(|o| o.validation.keys()).collect();
    for set in sets {
        let scores = |row: &str| -> Vec<(u64, &Score)> {
            let of_row = outcomes.iter().filter(|o| o.row == row);
            of_row
                .filter_map(|o| Some((o.seed, o.validation.get(set)?)))
                .collect()
        };
        let first = rows.first().map(|row| scores(&row.row)).unwrap_or_default();
        let changes: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| {
                let change = |(seed, score): (u64, &Score)| {
                    let (_, base) = first.iter().find(|(of, _)| *of == seed)?;
                    Some(score.loss - base.loss).filter(|change| change.is_finite())
                };
                scores(&row.row).into_iter().filter_map(change).collect()
            })
            .collect();
        let deviation = common_deviation(changes.iter().skip(1));
        for (row, changes) in rows.iter_mut().zip(&changes) {
            let scores = scores(&row.row);
            if scores.is_empty() {
                continue;
            }
            let change = Spread::of(changes.iter().copied());
            let statistics = SetStatistics {
                perplexity: Spread::of(scores.iter().map(|(_, score)| score.perplexity)),
                bleu: Spread::of(scores.iter().filter_map(|(_, score)| score.bleu)),
                chance: deviation
                    .zip(change)
                    .map(|(deviation, change)| ERRORS * deviation / (change.count as f64).sqrt()),
                change,
            };
            row.validation.insert(set.clone(), statistics);
        }
    }
    rows
}

/// How much a change varies from seed to seed, over all rows: those of one row alone are too few to tell.
fn common_deviation<'c>(rows: impl Iterator<Item = &'c Vec<f64>>) -> Option<f64> {
    let (mut squares, mut freedom) = (0.0, 0);
    for changes in rows {
        let Some(Spread { mean, count, .. }) = Spread::of(changes.iter().copied()) else {
            continue;
        };
        squares += changes
            .iter()
            .map(|change| (change - mean).powi(2))
            .sum::<f64>();
        freedom += count - 1;
    }
    (freedom > 0).then(|| (squares / freedom as f64).sqrt())
}
