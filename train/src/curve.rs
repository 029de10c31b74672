//! `training.json`: how a model was trained, for its page and its card.

use crate::error::{Error, Result};
use crate::metrics::{Line, Measured};
use crate::recipe::Recipe;
use crate::state::Counters;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use translucent::Config;

/// Most points of the training curve: neighbours are merged until so few are left.
const POINTS: usize = 300;

/// What `training.json` says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Name of the recipe.
    pub recipe: String,
    /// Trainable numbers of the model.
    pub parameters: usize,
    /// Optimiser steps that the exported weights have seen.
    pub steps: u64,
    /// Target tokens that they were trained on.
    pub target_tokens: u64,
    /// Seconds of training.
    pub seconds: f64,
    /// How many layers the model had until when: what a token costs depends on it. Empty where it is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Layers>,
    /// Steps whose weights were averaged; empty: none were.
    pub averaged: Vec<u64>,
    /// Training files with their sampling weights.
    pub data: Vec<Source>,
    /// Training loss.
    pub training: Vec<TrainingPoint>,
    /// Development files by name.
    pub validation: BTreeMap<String, Vec<ValidationPoint>>,
}

/// A part of the training in which the model had as many layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layers {
    /// Of the encoder.
    pub encoder: usize,
    /// Of the decoder.
    pub decoder: usize,
    /// Target tokens until its end.
    pub target_tokens: u64,
}

/// A training file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// File name without its endings.
    pub name: String,
    /// Expected uses of each pair in a pass.
    pub weight: f64,
}

/// A point of the training curve: means over the steps since the point before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingPoint {
    /// Optimiser steps.
    pub step: u64,
    /// Target tokens.
    pub target_tokens: u64,
    /// Smoothed loss per token, in nats.
    pub loss: f64,
    /// exp of the unsmoothed loss.
    pub perplexity: f64,
    /// Learning rate.
    pub learning_rate: f64,
}

/// A point of a validation curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValidationPoint {
    /// Optimiser steps.
    pub step: u64,
    /// Target tokens.
    pub target_tokens: u64,
    /// Unsmoothed loss per token, in nats.
    pub loss: f64,
    /// exp of it.
    pub perplexity: f64,
    /// BLEU, where it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bleu: Option<f64>,
}

impl Curve {
    /// The curve of a run up to the exported weights.
    pub fn new(
        recipe: &Recipe,
        config: &Config,
        parameters: usize,
        counters: &Counters,
        averaged: Vec<u64>,
        lines: &[Line],
    ) -> Self {
        let lines = || lines.iter().filter(|line| line.step <= counters.step);
        let mut training: Vec<TrainingPoint> = lines().filter_map(training_point).collect();
        while training.len() > POINTS {
            training = training.chunks(2).map(merge).collect();
        }
        let mut validation: BTreeMap<String, Vec<ValidationPoint>> = BTreeMap::new();
        for line in lines() {
            let Measured::Validation { validation: scores } = &line.measured else {
                continue;
            };
            for (name, score) in scores {
                validation
                    .entry(name.clone())
                    .or_default()
                    .push(ValidationPoint {
                        step: line.step,
                        target_tokens: line.target_tokens,
                        loss: score.loss,
                        perplexity: score.perplexity,
                        bleu: score.bleu,
                    });
            }
        }
        Self {
            recipe: recipe.name.clone(),
            parameters,
            steps: counters.step,
            target_tokens: counters.target_tokens,
            seconds: counters.seconds,
            layers: vec![Layers {
                encoder: config.encoder_layers,
                decoder: config.decoder_layers,
                target_tokens: counters.target_tokens,
            }],
            averaged,
            data: recipe
                .data
                .train
                .iter()
                .map(|file| Source {
                    name: file.name(),
                    weight: recipe.data.weight(file),
                })
                .collect(),
            training,
            validation,
        }
    }

    /// Reads a `training.json`.
    ///
    /// # Errors
    /// A file that cannot be read or is none.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|e| Error::file(path, e))?;
        serde_json::from_slice(&bytes).map_err(|e| Error::file(path, e))
    }

    /// This curve as what followed on an earlier one: steps, tokens and time go on from there. Where the vocabulary
    /// changed in between, losses per piece before and after are not of the same pieces.
    pub fn after(mut self, earlier: Self) -> Self {
        let (steps, tokens) = (earlier.steps, earlier.target_tokens);
        for point in &mut self.training {
            point.step += steps;
            point.target_tokens += tokens;
        }
        for point in self.validation.values_mut().flatten() {
            point.step += steps;
            point.target_tokens += tokens;
        }
        self.averaged.iter_mut().for_each(|step| *step += steps);
        for part in &mut self.layers {
            part.target_tokens += tokens;
        }
        self.layers.splice(0..0, earlier.layers);
        // One part where the depth is the same before and after.
        self.layers.dedup_by(|later, part| {
            let same = (later.encoder, later.decoder) == (part.encoder, part.decoder);
            if same {
                part.target_tokens = later.target_tokens;
            }
            same
        });
        self.steps += steps;
        self.target_tokens += tokens;
        self.seconds += earlier.seconds;
        self.training.splice(0..0, earlier.training);
        for (name, points) in earlier.validation {
            self.validation
                .entry(name)
                .or_default()
                .splice(0..0, points);
        }
        self
    }

    /// The file's bytes.
    ///
    /// # Errors
    /// If a number cannot be written as JSON.
    pub fn to_json(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(|e| Error::Recipe(format!("training.json: {e}")))
    }
}

fn training_point(line: &Line) -> Option<TrainingPoint> {
    match line.measured {
        Measured::Training {
            loss,
            perplexity,
            learning_rate,
            ..
        } => Some(TrainingPoint {
            step: line.step,
            target_tokens: line.target_tokens,
            loss,
            perplexity,
            learning_rate,
        }),
        Measured::Validation { .. } => None,
    }
}

/// Neighbouring points as one, at the place of the last.
fn merge(points: &[TrainingPoint]) -> TrainingPoint {
    let mean =
        |f: fn(&TrainingPoint) -> f64| points.iter().map(f).sum::<f64>() / points.len() as f64;
    TrainingPoint {
        loss: mean(|p| p.loss),
        perplexity: mean(|p| p.perplexity.ln()).exp(),
        ..points[points.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trained(layers: &[(usize, u64)], target_tokens: u64) -> Curve {
        Curve {
            recipe: "r".into(),
            parameters: 1,
            steps: target_tokens / 10,
            target_tokens,
            seconds: 1.0,
            layers: layers
                .iter()
                .map(|&(encoder, target_tokens)| Layers {
                    encoder,
                    decoder: 3,
                    target_tokens,
                })
                .collect(),
            averaged: vec![],
            data: vec![],
            training: vec![],
            validation: BTreeMap::new(),
        }
    }

    #[test]
    fn a_training_that_follows_counts_its_layers_from_there() {
        let first = || trained(&[(3, 100)], 100);
        let deeper = trained(&[(6, 50)], 50).after(first());
        assert_eq!(
            deeper,
            Curve {
                steps: 15,
                seconds: 2.0,
                ..trained(&[(3, 100), (6, 150)], 150)
            }
        );
        let alike = trained(&[(3, 50)], 50).after(first());
        assert_eq!(alike.layers, trained(&[(3, 150)], 150).layers);
        // What an older trainer wrote does not say it.
        let unknown = trained(&[(6, 50)], 50).after(trained(&[], 100));
        assert_eq!(unknown.layers, trained(&[(6, 150)], 150).layers);
    }
}
