//! The search of one sentence: which candidates stay open, which are whole translations, when to stop.

use super::select::{Best, Candidate};
use super::tree::Tree;
use super::{EarlyStopping, Node, NodeId, NodeState, Scoring, SearchOptions};
use crate::Config;
use crate::model::{Row, Slot};

/// What all searches of a batch have in common.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub options: SearchOptions,
    pub start: u32,
    pub eos: u32,
    pub forced_eos: Option<u32>,
    pub banned: Vec<u32>,
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
    fn score(&self, sum: f32, length: usize) -> f32 {
        sum / self.options.scoring.divisor(self.counted(length))
    }
}

/// A hypothesis that is to be continued.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    /// Its last node (`None`: nothing decoded yet).
    pub node: Option<NodeId>,
    /// What its scores are made of: the sum of the log-probabilities that count.
    sum: f32,
    /// What the model is to read next.
    row: Row,
}

/// A whole translation.
#[derive(Clone, Copy, Debug)]
struct Finished {
    node: NodeId,
    score: f32,
}

/// The search of one sentence.
#[derive(Debug)]
pub(super) struct Search {
    /// Hypotheses to continue, best first; empty when the search is over.
    open: Vec<Open>,
    /// Whole translations, best first, at most `beam`.
    finished: Vec<Finished>,
    /// Pieces that every open hypothesis has.
    length: usize,
    /// Longest translation in pieces, end mark included.
    max_length: usize,
}

impl Search {
    /// A search that has read nothing yet. `len_src` counts the end mark (§6.1: input length + 50).
    pub fn new(rules: &Rules, sentence: usize, len_src: usize, max_positions: usize) -> Self {
        let options = &rules.options;
        Self {
            open: vec![Open {
                node: None,
                sum: 0.0,
                row: Row {
                    sentence,
                    parent: None,
                    token: rules.start,
                },
            }],
            finished: Vec::with_capacity(options.beam + 1),
            length: 0,
            max_length: len_src
                .saturating_add(options.max_extra)
                .max(options.prefix.len())
                .min(max_positions),
        }
    }

    /// Whether nothing is left to be read.
    pub fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    /// What the model is to read next, one row for each open hypothesis.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row> {
        self.open.iter().map(|open| open.row)
    }

    /// The n best translations so far, best first.
    pub fn results(&self, n: usize) -> impl Iterator<Item = NodeId> {
        self.finished.iter().take(n).map(|finished| finished.node)
    }

    /// The best hypothesis so far, whole or open.
    pub fn leader(&self, tree: &Tree) -> Option<NodeId> {
        let whole = self.finished.first().map(|finished| finished.node);
        let open = self.open.first().and_then(|open| open.node);
        match (whole, open) {
            (Some(whole), Some(open)) if tree.node(open).score > tree.node(whole).score => {
                Some(open)
            }
            (Some(whole), _) => Some(whole),
            (None, open) => open,
        }
    }

    /// Number of leading pieces of `leader` that every hypothesis has that may still win.
    pub fn agreed(&self, tree: &Tree, leader: NodeId) -> usize {
        self.results(1)
            .chain(self.open.iter().filter_map(|open| open.node))
            .map(|node| tree.shared(leader, node))
            .min()
            .unwrap_or(0)
    }

    /// Collects the best 2 × beam continuations: even if all of the best `beam` end, as many go on.
    /// `logits(i)` is the row that open hypothesis i made, with its [`super::select::log_sum_exp`].
    pub fn collect<'a>(
        &self,
        rules: &Rules,
        tree: &Tree,
        logits: impl Fn(usize) -> (&'a [f32], f32),
        best: &mut Best,
    ) {
        let options = &rules.options;
        best.reset(2 * options.beam);
        for (i, open) in self.open.iter().enumerate() {
            let (row, log_z) = logits(i);
            let logprob = |token: u32| row[token as usize] - log_z;
            let hf = matches!(options.scoring, Scoring::Hf { .. });
            if let Some(&token) = options.prefix.get(self.length) {
                // `transformers` does not count a prefix, the paper's scoring does.
                let sum = if hf { 0.0 } else { open.sum + logprob(token) };
                best.offer(Candidate {
                    open: i,
                    token,
                    logprob: logprob(token),
                    sum,
                });
            } else if let (Some(token), true) =
                (rules.forced_eos, self.length + 1 == self.max_length)
            {
                // `transformers` gives a forced end mark probability 1.
                let sum = open.sum + if hf { 0.0 } else { logprob(token) };
                best.offer(Candidate {
                    open: i,
                    token,
                    logprob: logprob(token),
                    sum,
                });
            } else {
                let repeats = repeating(tree, open.node, options.no_repeat_ngram);
                let log_z = match options.renormalize {
                    true => log_z_without(row, log_z, [&rules.banned[..], &repeats].concat()),
                    false => log_z,
                };
                best.offer_row(row, log_z, i, open.sum, |token| {
                    !rules.banned.contains(&token) && !repeats.contains(&token)
                });
            }
        }
    }

    /// Takes the collected continuations into the tree and decides what goes on. `first` is the slot of
    /// the first open hypothesis in the pass just made. Returns the nodes added.
    pub fn choose(
        &mut self,
        rules: &Rules,
        tree: &mut Tree,
        best: &Best,
        first: Slot,
    ) -> Vec<Node> {
        let beam = rules.options.beam;
        self.length += 1;
        let last = self.length == self.max_length;
        let mut added = Vec::with_capacity(best.kept().len());
        let mut next = Vec::with_capacity(beam);
        for (rank, candidate) in best.kept().iter().enumerate() {
            let parent = &self.open[candidate.open];
            let slot = Slot(first.0 + candidate.open as u32);
            let ends = last || candidate.token == rules.eos;
            let state = match ends {
                true if rank < beam => NodeState::Finished,
                false if next.len() < beam => NodeState::Open,
                _ => NodeState::Pruned,
            };
            let node = Node {
                id: NodeId(0),
                parent: parent.node,
                token: candidate.token,
                logprob: candidate.logprob,
                score: rules.score(candidate.sum, self.length),
                state,
            };
            let row = Row {
                parent: Some(slot),
                token: candidate.token,
                ..parent.row
            };
            let (id, score) = {
                let node = tree.add(node, slot);
                (node.id, node.score)
            };
            match state {
                NodeState::Finished => self.finish(Finished { node: id, score }, beam),
                NodeState::Open => next.push(Open {
                    node: Some(id),
                    sum: candidate.sum,
                    row,
                }),
                NodeState::Pruned => {}
            }
            added.push(id);
        }
        self.open = next;
        self.prune(rules, tree);
        added.into_iter().map(|id| tree.node(id).clone()).collect()
    }

    /// Keeps a whole translation if it is among the best; of equals the earlier one stays ahead.
    fn finish(&mut self, new: Finished, beam: usize) {
        let place = self.finished.partition_point(|f| f.score >= new.score);
        self.finished.insert(place, new);
        self.finished.truncate(beam);
    }

    /// Closes the open hypotheses that the search is not to follow any further.
    fn prune(&mut self, rules: &Rules, tree: &mut Tree) {
        let SearchOptions {
            beam,
            n_best,
            scoring,
            ..
        } = rules.options;
        let keep = match scoring {
            // Greedy ends with its first end mark.
            _ if beam == 1 && !self.finished.is_empty() => 0,
            _ if !rules.stop_early => self.open.len(),
            // Exact: of hypotheses of one length, those with lower sums have lower bounds. What falls out
            // here, and what its descendants would displace, can never reach the n best.
            Scoring::Wu { .. } => match self.finished.get(n_best - 1) {
                None => self.open.len(),
                Some(worst) => {
                    let bound =
                        |open: &Open| scoring.bound(open.sum, self.length + 1, self.max_length);
                    self.open.partition_point(|open| bound(open) > worst.score)
                }
            },
            // As `transformers` decides, for the sentence as a whole.
            Scoring::Hf {
                length_penalty,
                early_stopping,
            } => match (self.finished.get(beam - 1), self.open.first()) {
                (Some(worst), Some(best)) => {
                    let length = match early_stopping {
                        EarlyStopping::Never if length_penalty > 0.0 => self.max_length,
                        _ => self.length,
                    };
                    let can_win = rules.score(best.sum, length) > worst.score;
                    if early_stopping != EarlyStopping::Yes && can_win {
                        self.open.len()
                    } else {
                        0
                    }
                }
                _ => self.open.len(),
            },
        };
        for open in self.open.drain(keep..) {
            if let Some(node) = open.node {
                tree.prune(node);
            }
        }
    }
}

/// ln Σ e^logit over a row's pieces but these, from that over all of them.
fn log_z_without(row: &[f32], log_z: f32, mut excluded: Vec<u32>) -> f32 {
    excluded.sort_unstable();
    excluded.dedup();
    let share = |token: &u32| f64::from(row[*token as usize] - log_z).exp();
    let lost: f64 = excluded.iter().map(share).sum();
    // Where hardly anything is left, rounding would make it nothing or less.
    log_z + (1.0 - lost).max(f64::from(f32::EPSILON)).ln() as f32
}

/// The pieces that would complete an n-gram which the hypothesis already holds.
fn repeating(tree: &Tree, node: Option<NodeId>, n: usize) -> Vec<u32> {
    let (Some(node), true) = (node, n > 0) else {
        return Vec::new();
    };
    // Last piece first; windows of n then read "completing piece, its n − 1 predecessors".
    let backwards: Vec<u32> = tree.up(node).map(|node| node.token).collect();
    let context = &backwards[..(n - 1).min(backwards.len())];
    backwards
        .windows(n)
        .filter(|window| &window[1..] == context)
        .map(|window| window[0])
        .collect()
}
