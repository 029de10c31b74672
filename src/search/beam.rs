//! The search of one sentence: which candidates stay live, which are finished, when to stop.

use super::phrases::{Phrase, Phrases, Printed, Shares};
use super::rules::{Rules, excluded};
use super::sampling::{Ranked, uniform};
use super::select::{Candidate, TopK};
use super::tree::Tree;
use super::{EarlyStopping, Node, NodeId, NodeState, Scoring, SearchOptions};
use crate::model::{Row, Slot};
use crate::{Error, Result};
use std::sync::Arc;

/// How many times the improbability of going on counts for a hypothesis that lacks a phrase where the model would end: with
/// less, phrases come behind the full stop.
const CONTINUED_WEIGHT: f32 = 3.0;

/// A hypothesis that the next pass continues.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiveHypothesis {
    /// Its last node (`None`: nothing decoded yet).
    pub node: Option<NodeId>,
    /// What its scores are made of: the sum of the log-probabilities that count.
    sum: f32,
    /// What the model is to read next.
    row: Row,
}

impl LiveHypothesis {
    /// Its continuation by a piece, as number `i` of the live ones, whose logits are `row`.
    fn candidate(&self, i: usize, token: u32, row: &[f32], log_z: f32) -> Candidate {
        let logprob = row[token as usize] - log_z;
        Candidate {
            hypothesis: i,
            token,
            logprob,
            sum: self.sum + logprob,
        }
    }
}

/// A hypothesis that ended.
#[derive(Clone, Copy, Debug)]
struct Finished {
    node: NodeId,
    score: f32,
}

/// The search of one sentence.
#[derive(Debug)]
pub(super) struct Search {
    /// The hypothesis that has read nothing.
    root: LiveHypothesis,
    /// Hypotheses to continue, best first; empty when the search is over.
    live: Vec<LiveHypothesis>,
    /// Finished hypotheses, best first, at most `beam`.
    finished: Vec<Finished>,
    /// Number of pieces of every live hypothesis.
    length: usize,
    /// Longest translation in pieces, end mark included.
    max_length: usize,
    /// Placeholders of the source: each comes once.
    placeholders: Vec<u32>,
    /// What the translation must hold, once it was searched without and does not.
    required: Phrases,
    /// What every hypothesis of the present search must hold in the end.
    phrases: Phrases,
    /// What each live hypothesis reads of their places; empty where that is not known.
    shares: Vec<Shares>,
    /// Where its random numbers come from, if it draws.
    stream: u64,
    /// What the piece of the last [`Search::collect`] was drawn from, and the random number.
    pub drawn: Option<(Ranked, f64)>,
}

impl Search {
    /// A search that has read nothing yet. `source` has its end mark (§6.1: input length + 50).
    pub fn new(rules: &Rules, sentence: usize, source: &[u32], max_positions: usize) -> Self {
        let options = &rules.options;
        let mut placeholders = rules.placeholders.clone();
        placeholders.retain(|id| source.contains(id));
        let root = LiveHypothesis {
            node: None,
            sum: 0.0,
            row: Row {
                sentence,
                parent: None,
                token: rules.start,
            },
        };
        Self {
            root,
            live: vec![root],
            finished: Vec::with_capacity(options.beam + 1),
            length: 0,
            max_length: source
                .len()
                .saturating_add(options.max_extra)
                .max(options.prefix.len())
                .min(max_positions),
            placeholders,
            required: Phrases::default(),
            phrases: Phrases::default(),
            shares: Vec::new(),
            stream: options
                .sampling
                .map_or(0, |sampling| sampling.stream(source)),
            drawn: None,
        }
    }

    /// Has the translation hold these phrases: it is searched without them first, for what the model says by itself is its
    /// best. A search with phrases places the source's placeholders likewise.
    pub fn require(&mut self, phrases: Vec<Phrase>, printed: Arc<Printed>) {
        if phrases.is_empty() {
            return;
        }
        let placeholders = self.placeholders.iter().map(|id| Phrase {
            pieces: vec![*id],
            ..Phrase::default()
        });
        self.required = Phrases::new(placeholders.chain(phrases).collect(), printed);
    }

    /// Whether its phrases have places in the source: [`Search::attend`] then comes before each [`Search::collect`].
    pub fn has_places(&self) -> bool {
        self.phrases.have_places()
    }

    /// Takes what each live hypothesis reads of the source pieces, if that was observed.
    pub fn attend<'a>(&mut self, attention: impl Fn(usize) -> Option<&'a [f32]>) {
        let shares = (0..self.live.len()).map(|i| Some(self.phrases.shares(attention(i)?)));
        self.shares = shares.collect::<Option<_>>().unwrap_or_default();
    }

    /// Most live hypotheses: phrases need room beside the beam, a place for each of their pieces.
    fn width(&self, rules: &Rules) -> usize {
        rules.options.beam + self.phrases.pieces()
    }

    /// Whether nothing is left to be read.
    pub fn is_done(&self) -> bool {
        self.live.is_empty()
    }

    /// What the model is to read next, one row for each live hypothesis.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row> {
        self.live.iter().map(|hypothesis| hypothesis.row)
    }

    /// The n best translations so far, best first.
    pub fn results(&self, n: usize) -> impl Iterator<Item = NodeId> {
        self.finished.iter().take(n).map(|finished| finished.node)
    }

    /// The best hypothesis so far, finished or live.
    pub fn best(&self, tree: &Tree) -> Option<NodeId> {
        let finished = self.results(1).next();
        let live = self.live.first().and_then(|hypothesis| hypothesis.node);
        match (finished, live) {
            (Some(finished), Some(live)) if tree.node(live).score > tree.node(finished).score => {
                Some(live)
            }
            (finished, live) => finished.or(live),
        }
    }

    /// Number of leading pieces that `best` shares with every hypothesis that may still win; none where all may begin anew.
    pub fn stable_prefix_len(&self, tree: &Tree, best: NodeId) -> usize {
        if !self.required.is_empty() {
            return 0;
        }
        self.results(1)
            .chain(self.live.iter().filter_map(|hypothesis| hypothesis.node))
            .map(|node| tree.shared(best, node))
            .min()
            .unwrap_or(0)
    }

    /// Collects the best 2 × beam continuations: even if all of the best `beam` end, as many stay live.
    /// `logits(i)` is the row of live hypothesis i, with its [`super::select::log_sum_exp`].
    ///
    /// # Errors
    /// [`Error::ModelFormat`] if no piece may come next with a probability above 0.
    pub fn collect<'a>(
        &mut self,
        rules: &Rules,
        tree: &Tree,
        logits: impl Fn(usize) -> (&'a [f32], f32),
        top: &mut TopK,
    ) -> Result<()> {
        let options = &rules.options;
        if !self.phrases.is_empty() && self.length >= options.prefix.len() {
            return self.collect_with_phrases(rules, tree, logits, top);
        }
        self.drawn = None;
        top.reset(2 * options.beam);
        for (i, hypothesis) in self.live.iter().enumerate() {
            let (row, log_z) = logits(i);
            let logprob = |token: u32| row[token as usize] - log_z;
            let hf = matches!(options.scoring, Scoring::Hf { .. });
            if let Some(&token) = options.prefix.get(self.length) {
                // `transformers` does not count a prefix, the paper's scoring does.
                let sum = if hf {
                    0.0
                } else {
                    hypothesis.sum + logprob(token)
                };
                top.push(Candidate {
                    hypothesis: i,
                    token,
                    logprob: logprob(token),
                    sum,
                });
                continue;
            }
            let missing = self.missing(tree, hypothesis.node);
            let follows = self.follows_placeholder(rules, tree, hypothesis.node);
            let own = |value: f32| if follows { f32::NEG_INFINITY } else { value };
            if let Some(&token) = missing.first() {
                // Where the translation would end, the first placeholder that it lacks comes in place of the end mark.
                let logprob = logprob(token);
                let sum = hypothesis.sum + own(logprob).max(row[rules.eos as usize] - log_z);
                top.push(Candidate {
                    hypothesis: i,
                    token,
                    logprob,
                    sum,
                });
                if self.length + missing.len() + 1 >= self.max_length {
                    continue;
                }
            }
            if let (Some(token), true) = (rules.forced_eos, self.length + 1 == self.max_length) {
                // `transformers` gives a forced end mark probability 1.
                let sum = hypothesis.sum + if hf { 0.0 } else { logprob(token) };
                top.push(Candidate {
                    hypothesis: i,
                    token,
                    logprob: logprob(token),
                    sum,
                });
            } else {
                let waiting = missing.get(1..).filter(|_| !follows).unwrap_or_default();
                let placeholders = rules.placeholders.iter().copied();
                let later = placeholders.filter(|id| !waiting.contains(id));
                let end = (!missing.is_empty()).then_some(rules.eos);
                let (excluded, log_z) =
                    excluded(rules, tree, hypothesis.node, (row, log_z), later.chain(end));
                let Some(sampling) = &options.sampling else {
                    top.push_row(row, log_z, i, hypothesis.sum, |token| {
                        !excluded.contains(&token)
                    });
                    continue;
                };
                // Where the translation would end, the first missing placeholder comes in place of the end mark here too.
                let end = row[rules.eos as usize];
                let raised = missing.first();
                let raised = raised.map(|&token| (token, own(row[token as usize]).max(end)));
                let ranked = Ranked::new(sampling, row, &excluded, raised, options.alternatives);
                let uniform = uniform(self.stream, self.length);
                let drawn = ranked.draw(uniform);
                let drawn = drawn.map(|(token, ..)| hypothesis.candidate(i, token, row, log_z));
                let possible = |candidate: &Candidate| candidate.sum > f32::NEG_INFINITY;
                top.set(drawn.into_iter().filter(possible).collect());
                self.drawn = Some((ranked, uniform));
            }
        }
        self.check_some(top)
    }

    fn check_some(&self, top: &TopK) -> Result<()> {
        match top.candidates().is_empty() {
            false => Ok(()),
            true => Err(Error::ModelFormat {
                name: "logits".into(),
                reason: format!(
                    "give every piece that may come at {} the probability 0: the weights are damaged, or too much is \
                     banned",
                    self.length
                ),
            }),
        }
    }

    /// [`Search::collect`] where the translation must hold phrases: candidates in the order of their banks.
    fn collect_with_phrases<'a>(
        &self,
        rules: &Rules,
        tree: &Tree,
        logits: impl Fn(usize) -> (&'a [f32], f32),
        top: &mut TopK,
    ) -> Result<()> {
        let mut candidates = Vec::new();
        for (i, hypothesis) in self.live.iter().enumerate() {
            let (row, log_z) = logits(i);
            let mut tokens: Vec<u32> = hypothesis.node.map_or_else(Vec::new, |node| {
                tree.up(node).map(|node| node.token).collect()
            });
            tokens.reverse();
            let progress = self.phrases.progress(&tokens);
            // Where no more fits than what is missing, no other piece comes.
            let lacking = self.phrases.missing_pieces(&progress);
            let hurried = lacking > 0 && self.length + lacking + 1 >= self.max_length;
            let placeholders = rules.placeholders.iter().copied();
            let end = (!progress.missing.is_empty()).then_some(rules.eos);
            let (excluded, log_z) = excluded(
                rules,
                tree,
                hypothesis.node,
                (row, log_z),
                placeholders.chain(end),
            );
            let next = self.phrases.next(&progress);
            let shares = self.shares.get(i);
            // What comes where the model would end is seldom a part of the sentence. Asked of all pieces: the end itself is
            // excluded while a phrase is missing.
            let end_probability = (row[rules.eos as usize] - logits(i).1).exp();
            let past_end = match shares {
                Some(_) if lacking > 0 => CONTINUED_WEIGHT * (1.0 - end_probability).max(1e-6).ln(),
                _ => 0.0,
            };
            let closing = self.phrases.closing(rules.eos);
            // Where more must come, no comma follows a full stop either.
            let has_closed = tokens.last().is_some_and(|last| closing.contains(last));
            let (closing, doubled) = match progress.missing.is_empty() {
                true => (closing, Vec::new()),
                false if has_closed => (Vec::new(), closing),
                false => (Vec::new(), Vec::new()),
            };
            top.reset(2 * self.width(rules));
            if !hurried && !self.phrases.is_bound(&progress) {
                let allowed = |token| {
                    let grows = progress.has_ended && self.phrases.continues_word(token);
                    let ends = closing.contains(&token) || doubled.contains(&token);
                    !(grows || ends || excluded.contains(&token) || next.contains(&token))
                };
                let others = shares.map_or(0.0, |shares| self.phrases.fit_of_others(shares));
                top.push_row(row, log_z, i, hypothesis.sum + others + past_end, allowed);
            }
            // With what ends a sentence a translation says nothing of a phrase's place once more.
            let closing = closing.iter().filter(|token| !excluded.contains(token));
            let closing = closing.map(|&token| hypothesis.candidate(i, token, row, log_z));
            let forced = next.iter();
            let forced = forced.map(|&token| {
                let mut candidate = hypothesis.candidate(i, token, row, log_z);
                candidate.sum += past_end;
                if let Some(shares) = shares {
                    candidate.sum += self.phrases.fit_of(token, &progress, shares);
                    if !progress.has_begun() {
                        candidate.sum += self.phrases.ln_word_complete(row, log_z);
                    }
                }
                candidate
            });
            let from = candidates.len();
            for candidate in top
                .candidates()
                .iter()
                .copied()
                .chain(closing)
                .chain(forced)
            {
                tokens.push(candidate.token);
                let bank = self.phrases.bank(&self.phrases.progress(&tokens));
                tokens.pop();
                candidates.push((bank, candidate));
            }
            if hurried {
                // Of the continuations that begin or continue a phrase, those whose rest still fits; if none does, those with
                // the least left.
                let most = candidates[from..].iter().map(|(bank, _)| *bank).max();
                let room = self.max_length.saturating_sub(self.length + 2);
                let least = self.phrases.pieces().saturating_sub(room);
                let least = least.min(most.unwrap_or(0));
                let mut at = 0;
                candidates.retain(|(bank, _)| {
                    at += 1;
                    at <= from || *bank >= least
                });
            }
        }
        let mut order = self.phrases.allocate(candidates);
        order.truncate(2 * self.width(rules));
        top.set(order);
        self.check_some(top)
    }

    /// Whether a hypothesis ends with a placeholder, or with that and the piece before it once more: the space that models
    /// set before each. What stands side by side in the source is one placeholder, so another one comes here only where the
    /// translation would end.
    fn follows_placeholder(&self, rules: &Rules, tree: &Tree, node: Option<NodeId>) -> bool {
        let (Some(node), false) = (node, self.placeholders.is_empty()) else {
            return false;
        };
        let last: Vec<u32> = tree.up(node).map(|node| node.token).take(3).collect();
        let is_placeholder = |at: usize| {
            last.get(at)
                .is_some_and(|id| rules.placeholders.contains(id))
        };
        is_placeholder(0) || is_placeholder(1) && last.get(2) == Some(&last[0])
    }

    /// The source's placeholders that a hypothesis does not have yet.
    fn missing(&self, tree: &Tree, node: Option<NodeId>) -> Vec<u32> {
        let mut missing = self.placeholders.clone();
        if let (Some(node), false) = (node, missing.is_empty()) {
            let read: Vec<u32> = tree.up(node).map(|node| node.token).collect();
            missing.retain(|id| !read.contains(id));
        }
        missing
    }

    /// Takes the collected continuations into the tree and decides which stay live. `first` is the slot of
    /// the first live hypothesis in the pass just made. Returns the nodes added.
    pub fn choose(&mut self, rules: &Rules, tree: &mut Tree, top: &TopK, first: Slot) -> Vec<Node> {
        let beam = self.width(rules);
        self.length += 1;
        let last = self.length == self.max_length;
        let mut added = Vec::with_capacity(top.candidates().len());
        let mut next = Vec::with_capacity(beam);
        for (rank, candidate) in top.candidates().iter().enumerate() {
            let parent = &self.live[candidate.hypothesis];
            let slot = Slot(first.0 + candidate.hypothesis as u32);
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
                NodeState::Open => next.push(LiveHypothesis {
                    node: Some(id),
                    sum: candidate.sum,
                    row,
                }),
                NodeState::Pruned => {}
            }
            added.push(id);
        }
        if !self.phrases.is_empty() {
            next.sort_by(|a: &LiveHypothesis, b| b.sum.total_cmp(&a.sum));
        }
        self.live = next;
        self.prune(rules, tree);
        if self.live.is_empty() && !self.required.is_empty() {
            self.search_again_if_phrases_lack(rules, tree);
        }
        added.into_iter().map(|id| tree.node(id).clone()).collect()
    }

    /// Begins once more, with the phrases, if the translations that were found do not hold them.
    fn search_again_if_phrases_lack(&mut self, rules: &Rules, tree: &Tree) {
        let required = std::mem::take(&mut self.required);
        let lacking = self.results(rules.options.n_best).flat_map(|node| {
            let mut tokens: Vec<u32> = tree.up(node).map(|node| node.token).collect();
            tokens.reverse();
            required.lacking(&tokens)
        });
        let lacking = required.to_search_for(lacking.collect());
        if !lacking.is_empty() {
            self.phrases = required.within_room(&lacking);
            self.finished.clear();
            self.length = 0;
            self.live.push(self.root);
        }
    }

    /// Inserts a finished hypothesis if it is among the best; of equals, the earlier one stays ahead.
    fn finish(&mut self, new: Finished, beam: usize) {
        let place = self.finished.partition_point(|f| f.score >= new.score);
        self.finished.insert(place, new);
        self.finished.truncate(beam);
    }

    /// Drops the live hypotheses that the search need not extend any further.
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
            _ if !rules.stop_early => self.live.len(),
            // Exact: of hypotheses of one length, those with lower sums have lower bounds. What falls out
            // here, and what its descendants would displace, can never reach the n best.
            Scoring::Wu { .. } => match self.finished.get(n_best - 1) {
                None => self.live.len(),
                Some(worst) => {
                    let bound = |hypothesis: &LiveHypothesis| {
                        scoring.bound(hypothesis.sum, self.length + 1, self.max_length)
                    };
                    self.live
                        .partition_point(|hypothesis| bound(hypothesis) > worst.score)
                }
            },
            // As `transformers` decides, for the sentence as a whole.
            Scoring::Hf {
                length_penalty,
                early_stopping,
            } => match (self.finished.get(beam - 1), self.live.first()) {
                (Some(worst), Some(first)) => {
                    let length = match early_stopping {
                        EarlyStopping::Never if length_penalty > 0.0 => self.max_length,
                        _ => self.length,
                    };
                    let can_win = rules.score(first.sum, length) > worst.score;
                    if early_stopping != EarlyStopping::Yes && can_win {
                        self.live.len()
                    } else {
                        0
                    }
                }
                _ => self.live.len(),
            },
        };
        for hypothesis in self.live.drain(keep..) {
            if let Some(node) = hypothesis.node {
                tree.prune(node);
            }
        }
    }
}
