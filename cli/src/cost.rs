//! What training a model cost, counted and estimated as the paper does, and what more of it promises.

use crate::{Error, Result, files};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use translucent::Config;
use translucent::model::Stack;
use translucent::model::config::Widths;

/// Target tokens of the paper's base model: 100 000 steps (Table 3) of about 25 000 tokens (§5.1).
pub const PAPER_TOKENS: f64 = 2.5e9;

/// Floating-point operations of training, per target token: each weight's multiplication and addition in the forward
/// pass, and twice as many in the backward pass (its gradients with respect to inputs and to weights). Sentences have
/// `length` pieces in both languages, so each target token brings one source token; soft-max, layer norm and embedding
/// are left out, as is usual.
fn flops_per_token(config: &Config, length: usize) -> f64 {
    let per = |sizes: &[usize]| sizes.iter().product::<usize>() as f64;
    let d = config.d_model;
    let sublayers = |stack: Stack| {
        let Widths {
            n_heads,
            d_k,
            d_v,
            d_ff,
        } = config.widths(stack);
        // W^Q and W^O are as large as W^K and W^V.
        let projections = 2.0 * per(&[d, n_heads, d_k + d_v]);
        let scores_and_sums = per(&[length, n_heads, d_k + d_v]);
        (projections + scores_and_sums, per(&[2, d, d_ff]))
    };
    let (self_attention, feed_forward) = sublayers(Stack::Encoder);
    let encoder = self_attention + feed_forward;
    let (attention, feed_forward) = sublayers(Stack::Decoder);
    let decoder = 2.0 * attention + feed_forward;
    let logits = per(&[d, config.target_vocab_size.unwrap_or(config.vocab_size)]);
    let layers = config.encoder_layers as f64 * encoder + config.decoder_layers as f64 * decoder;
    let forward_and_backward = 3.0;
    2.0 * forward_and_backward * (layers + logits)
}

/// What `training.json` says of a training's size and of its development sets.
#[derive(Debug, Deserialize)]
pub struct Training {
    /// Trainable numbers.
    pub parameters: usize,
    /// Optimiser steps.
    pub steps: u64,
    /// Target tokens.
    pub target_tokens: u64,
    /// Seconds of training.
    pub seconds: f64,
    /// How many layers the model had until when; empty where it always had those of its configuration.
    #[serde(default)]
    pub layers: Vec<Layers>,
    /// By development file.
    pub validation: BTreeMap<String, Vec<Point>>,
}

/// A part of the training in which the model had as many layers.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Layers {
    /// Of the encoder.
    pub encoder: usize,
    /// Of the decoder.
    pub decoder: usize,
    /// Target tokens until its end.
    pub target_tokens: u64,
}

/// A point of a development curve.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Point {
    /// Target tokens until then.
    pub target_tokens: u64,
    /// BLEU, where it was measured.
    pub bleu: Option<f64>,
}

impl Training {
    /// Reads a model folder's `training.json`.
    ///
    /// # Errors
    /// If there is none, or it is not the trainer's.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join("training.json");
        serde_json::from_slice(&files::of_folder(&path)?).map_err(|e| Error::io(&path, e.into()))
    }

    /// Floating-point operations of the whole training, in sentences of `length` pieces: each token passed through the
    /// layers that there were at the time.
    pub fn flops(&self, config: &Config, length: usize) -> f64 {
        let mut until = 0;
        let mut sum = 0.0;
        for part in &self.layers {
            let then = Config {
                encoder_layers: part.encoder,
                decoder_layers: part.decoder,
                ..config.clone()
            };
            let tokens = part.target_tokens.saturating_sub(until);
            sum += flops_per_token(&then, length) * tokens as f64;
            until = until.max(part.target_tokens);
        }
        let rest = self.target_tokens.saturating_sub(until);
        sum + flops_per_token(config, length) * rest as f64
    }
}

/// BLEU that each doubling of the target tokens after the first `since` brought, by least squares over a curve's points;
/// `None` with fewer than three points.
pub fn bleu_per_doubling(curve: &[Point], since: u64) -> Option<f64> {
    let points: Vec<(f64, f64)> = curve
        .iter()
        .filter(|point| point.target_tokens > since)
        .filter_map(|point| Some((((point.target_tokens - since) as f64).log2(), point.bleu?)))
        .collect();
    if points.len() < 3 {
        return None;
    }
    let count = points.len() as f64;
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / count;
    let covariance: f64 = points
        .iter()
        .map(|(x, y)| (x - mean_x) * (y - mean_y))
        .sum();
    let variance: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    (variance > 0.0).then(|| covariance / variance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_of_one_size_is_counted_by_hand() {
        let config = Config {
            d_model: 4,
            n_heads: 2,
            d_k: 2,
            d_v: 2,
            d_ff: 8,
            encoder_layers: 1,
            decoder_layers: 1,
            ..Config::base(10)
        };
        // Four projections 4·4, the feed-forward network 2·4·8, n = 3 positions of scores and of sums, 4·10 logits.
        let attention = 4 * 16 + 2 * 3 * 4;
        let expected = 6 * ((attention + 64) + (2 * attention + 64) + 40);
        assert_eq!(flops_per_token(&config, 3), f64::from(expected));
    }

    #[test]
    fn the_base_model_costs_about_six_operations_a_weight() {
        let config = Config::base(37_000);
        let ratio = flops_per_token(&config, 25) / (6.0 * 65e6);
        assert!((0.95..1.05).contains(&ratio), "{ratio}");
    }

    #[test]
    fn tokens_before_the_model_grew_cost_less() {
        let config = Config {
            encoder_layers: 6,
            decoder_layers: 3,
            ..Config::base(100)
        };
        let training = |layers| Training {
            parameters: 1,
            steps: 1,
            target_tokens: 100,
            seconds: 1.0,
            layers,
            validation: BTreeMap::new(),
        };
        let part = |encoder, target_tokens| Layers {
            encoder,
            decoder: 3,
            target_tokens,
        };
        let always = training(vec![]).flops(&config, 25);
        assert_eq!(always, 100.0 * flops_per_token(&config, 25));
        assert_eq!(training(vec![part(6, 100)]).flops(&config, 25), always);
        let shallow = Config {
            encoder_layers: 3,
            ..config.clone()
        };
        let expected = 60.0 * flops_per_token(&shallow, 25) + 40.0 * flops_per_token(&config, 25);
        let grown = training(vec![part(3, 60), part(6, 100)]).flops(&config, 25);
        assert!((grown / expected - 1.0).abs() < 1e-12 && grown < always);
    }

    #[test]
    fn a_line_in_the_logarithm_is_found() {
        let point = |target_tokens: u64, bleu| Point {
            target_tokens,
            bleu,
        };
        let curve = [
            point(0, None),
            point(1 << 10, Some(5.0)),
            point(1 << 11, Some(7.5)),
            point(3 << 10, None),
            point(1 << 12, Some(10.0)),
        ];
        assert!((bleu_per_doubling(&curve, 0).unwrap() - 2.5).abs() < 1e-12);
        assert_eq!(bleu_per_doubling(&curve[..3], 0), None);
        assert_eq!(bleu_per_doubling(&curve, 1 << 10), None);
        let later: Vec<Point> = curve
            .iter()
            .map(|point| Point {
                target_tokens: point.target_tokens + 7,
                ..*point
            })
            .collect();
        assert!((bleu_per_doubling(&later, 7).unwrap() - 2.5).abs() < 1e-12);
    }
}
