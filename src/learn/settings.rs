//! Settings of a run, under the paper's names.

use crate::error::{Error, Result};
use crate::task::Task;
use crate::vocabulary::Vocabulary;
use serde::{Deserialize, Serialize};
use translucent::Config;
use translucent::checkpoint::layout;
use translucent::model::config::{Compatibility, Positions};

/// Settings of a run beside its task, under the paper's names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Settings {
    /// N of encoder and decoder.
    pub layers: usize,
    /// Width of the residual stream.
    pub d_model: usize,
    /// h.
    pub n_heads: usize,
    /// Inner width of the feed-forward network.
    pub d_ff: usize,
    /// Position scheme.
    pub positions: Positions,
    /// Compatibility function.
    pub compatibility: Compatibility,
    /// r of §4; none: unrestricted.
    pub neighbourhood: Option<usize>,
    /// P_drop.
    pub dropout: f32,
    /// ε_ls.
    pub label_smoothing: f32,
    /// warmup_steps of eq. 3.
    pub warmup_steps: u64,
    /// Factor on eq. 3.
    pub factor: f64,
    /// Pairs in a batch.
    pub batch_size: usize,
    /// Seed of weights, data and masks.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            layers: 2,
            d_model: 64,
            n_heads: 4,
            d_ff: 128,
            positions: Positions::SinusoidalInterleaved,
            compatibility: Compatibility::ScaledDotProduct,
            neighbourhood: None,
            dropout: 0.0,
            label_smoothing: 0.1,
            warmup_steps: 400,
            factor: 0.5,
            batch_size: 64,
            seed: 1,
        }
    }
}

/// Positions of a model: every built-in task is shorter, own pairs may be longer.
const MAX_POSITIONS: usize = 64;
/// Largest number of pairs in a batch.
const MAX_BATCH: usize = 1 << 16;

impl Settings {
    /// The core's configuration for `vocabulary`.
    ///
    /// # Errors
    /// [`Error::Setting`] or [`Error::Core`] naming the setting.
    pub fn config(&self, task: &Task) -> Result<Config> {
        let vocabulary = task.vocabulary();
        if self.n_heads == 0 || !self.d_model.is_multiple_of(self.n_heads) {
            let (d_model, h) = (self.d_model, self.n_heads);
            return Err(Error::Setting(format!(
                "d_model {d_model} is no multiple of h = {h}: every head gets d_model / h"
            )));
        }
        if !(0.0..1.0).contains(&self.dropout) || !(0.0..1.0).contains(&self.label_smoothing) {
            return Err(Error::Setting(
                "P_drop and ε_ls are shares: at least 0, below 1".into(),
            ));
        }
        if !(1..=MAX_BATCH).contains(&self.batch_size) {
            return Err(Error::Setting(format!(
                "batch size is {}, it must be in 1 to {MAX_BATCH}",
                self.batch_size
            )));
        }
        let longest = task.longest().into_iter().max().unwrap_or(0);
        let d_k = self.d_model / self.n_heads;
        let config = Config {
            d_model: self.d_model,
            n_heads: self.n_heads,
            d_k,
            d_v: d_k,
            d_ff: self.d_ff,
            encoder_layers: self.layers,
            decoder_layers: self.layers,
            dropout: self.dropout,
            label_smoothing: self.label_smoothing,
            positions: self.positions,
            max_positions: MAX_POSITIONS.max(longest + 1),
            compatibility: self.compatibility,
            neighbourhood: self.neighbourhood,
            eos_id: Vocabulary::END,
            decoder_start_id: vocabulary.start(),
            pad_id: vocabulary.start(),
            banned_ids: vec![Vocabulary::UNKNOWN, vocabulary.start()],
            ..Config::base(vocabulary.len())
        };
        config.validate()?;
        Ok(config)
    }

    /// Bytes that a run needs: weights with their gradient, moments and earlier values, and the activations of its largest
    /// batch.
    ///
    /// # Errors
    /// As [`Settings::config`].
    pub fn memory(&self, task: &Task) -> Result<u64> {
        let config = self.config(task)?;
        let weights = layout(&config).into_iter().map(|tensor| {
            tensor
                .shape
                .iter()
                .map(|size| *size as u128)
                .product::<u128>()
        });
        let [source, target] = task.longest().map(|length| length as u128 + 1);
        let [batch, layers] = [self.batch_size, self.layers].map(|size| size as u128);
        let [n_heads, d_model, d_ff] =
            [self.n_heads, self.d_model, self.d_ff].map(|size| size as u128);
        let tokens = |length: u128| batch * length;
        let maps = |queries: u128, keys: u128| n_heads * tokens(queries) * keys;
        // Queries, keys, values, context and their gradients; norm, mask and output of the residual sum.
        let attention = 11 * d_model;
        let feed_forward = 2 * d_ff + 3 * d_model;
        let encoder = tokens(source) * (attention + feed_forward) + maps(source, source);
        let decoder = tokens(target) * (2 * attention + feed_forward)
            + tokens(source) * 4 * d_model
            + maps(target, target)
            + maps(target, source);
        let ends =
            tokens(source + target) * 4 * d_model + tokens(target) * config.vocab_size as u128;
        let values = 5 * weights.sum::<u128>() + layers * (encoder + decoder) + ends;
        Ok((values * size_of::<f32>() as u128)
            .try_into()
            .unwrap_or(u64::MAX))
    }
}
