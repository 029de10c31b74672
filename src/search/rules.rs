//! What the searches of a batch have in common: how hypotheses are scored, which pieces may not follow one.

use super::tree::Tree;
use super::{NodeId, Scoring, SearchOptions};
use crate::Config;

/// What all searches of a batch have in common.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub options: SearchOptions,
    pub start: u32,
    pub eos: u32,
    pub forced_eos: Option<u32>,
    pub banned: Vec<u32>,
    /// Pieces that only come where a source has them.
    pub placeholders: Vec<u32>,
    /// Stop and prune as soon as that cannot change the result. Off only in tests, to prove just that.
    pub stop_early: bool,
}

impl Rules {
    pub fn new(config: &Config, options: &SearchOptions) -> Self {
        Self {
            options: options.clone(),
            start: config.decoder_start_id,
            eos: config.eos_id,
            forced_eos: config.forced_eos_id,
            banned: config.banned_ids.clone(),
            placeholders: config.placeholder_ids.clone(),
            stop_early: true,
        }
    }

    /// Pieces of a hypothesis that its score counts: `transformers` begins to count after a prefix.
    fn counted(&self, length: usize) -> usize {
        match self.options.scoring {
            Scoring::Wu { .. } => length,
            Scoring::Hf { .. } => length.saturating_sub(self.options.prefix.len()).max(1),
        }
    }

    /// Log-probability under the search's scoring.
    pub fn score(&self, sum: f32, length: usize) -> f32 {
        sum / self.options.scoring.divisor(self.counted(length))
    }
}

/// ln Σ e^logit over a row's pieces but these, from that over all of them.
fn log_z_without(row: &[f32], log_z: f32, mut excluded: Vec<u32>) -> f32 {
    excluded.sort_unstable();
    excluded.dedup();
    let share = |token: &u32| f64::from(row[*token as usize] - log_z).exp();
    let lost: f64 = excluded.iter().map(share).sum();
    // Guards ln(≤ 0).
    log_z + (1.0 - lost).max(f64::from(f32::EPSILON)).ln() as f32
}

/// The pieces that may not follow a hypothesis, `more` among them, and ln of the sum of the row's exponentials, without
/// theirs where the rest is renormalised.
pub(super) fn excluded(
    rules: &Rules,
    tree: &Tree,
    node: Option<NodeId>,
    (row, log_z): (&[f32], f32),
    more: impl IntoIterator<Item = u32>,
) -> (Vec<u32>, f32) {
    let mut excluded = repeating(rules, tree, node);
    excluded.extend_from_slice(&rules.banned);
    excluded.extend(more);
    let log_z = match rules.options.renormalize {
        true => log_z_without(row, log_z, excluded.clone()),
        false => log_z,
    };
    (excluded, log_z)
}

/// The pieces that would complete an n-gram which the hypothesis already holds. The start symbol belongs to it, as in `transformers`.
fn repeating(rules: &Rules, tree: &Tree, node: Option<NodeId>) -> Vec<u32> {
    let n = rules.options.no_repeat_ngram;
    if n == 0 {
        return Vec::new();
    }
    // Last piece first; windows of n then read "completing piece, its n − 1 predecessors".
    let pieces = node.into_iter().flat_map(|node| tree.up(node));
    let backwards: Vec<u32> = pieces.map(|node| node.token).chain([rules.start]).collect();
    let context = &backwards[..(n - 1).min(backwards.len())];
    backwards
        .windows(n)
        .filter(|window| &window[1..] == context)
        .map(|window| window[0])
        .collect()
}
