//! The searches of a group of sentences, their tree and what is known of every slot: all of a batch but the model's state.

use super::beam::Search;
use super::rules::Rules;
use super::select::{TopK, log_sum_exp};
use super::tree::Tree;
use super::{Draw, Event, Hypothesis, NodeId, Phrase, Printed};
use crate::model::{Row, Slot};
use crate::{Error, Result};
use ndarray::ArrayView2;
use std::sync::Arc;

/// The searches of a batch.
pub(super) struct Searches {
    rules: Rules,
    each: Vec<Search>,
    tree: Tree,
    /// Slots made so far.
    slots: usize,
    /// Alternatives of every slot, `options.alternatives` each, best first.
    alternatives: Vec<(u32, f32)>,
    /// How the piece after every slot was drawn; empty where nothing is sampled or no alternatives are asked for.
    draws: Vec<Option<Draw>>,
    /// Best hypothesis and stable prefix length of the last `Token` event of each sentence.
    last_token_event: Vec<Option<(NodeId, usize)>>,
    // Working memory, reused from step to step.
    rows: Vec<Row>,
    log_z: Vec<f32>,
    top: TopK,
}

impl Searches {
    /// Searches that have read nothing yet, one for each sentence (ids, each ending with the end mark).
    pub fn new(rules: Rules, sentences: &[&[u32]], max_positions: usize) -> Self {
        let each = sentences.iter().enumerate();
        let each = each.map(|(i, ids)| Search::new(&rules, i, ids, max_positions));
        Self {
            each: each.collect(),
            last_token_event: vec![None; sentences.len()],
            rules,
            tree: Tree::default(),
            slots: 0,
            alternatives: Vec::new(),
            draws: Vec::new(),
            rows: Vec::new(),
            log_z: Vec::new(),
            top: TopK::default(),
        }
    }

    /// Has a sentence's translation hold these phrases.
    pub fn require(&mut self, sentence: usize, mut phrases: Vec<Phrase>, printed: &Arc<Printed>) {
        let search = self.each.get_mut(sentence);
        // A prefix that was chosen may hold such a phrase in another form, or another one in its place.
        let is_free = self.rules.options.prefix.is_empty();
        phrases.retain(|phrase| is_free || phrase.forms.is_empty());
        if let (Some(search), None) = (search, self.rules.options.sampling) {
            search.require(phrases, printed.clone());
        }
    }

    /// The rows of the next pass.
    pub fn rows(&mut self) -> &[Row] {
        self.rows.clear();
        self.rows.extend(self.each.iter().flat_map(Search::rows));
        &self.rows
    }

    /// Whether a sentence's phrases have places in its source.
    pub fn has_places(&self) -> bool {
        self.each.iter().any(Search::has_places)
    }

    /// Takes what the rows of the pass just made read of their sources, by slot.
    pub fn attend<'a>(&mut self, attention: impl Fn(Slot) -> Option<&'a [f32]>) {
        let mut first = self.slots;
        for search in &mut self.each {
            if search.has_places() {
                search.attend(|i| attention(Slot((first + i) as u32)));
            }
            first += search.rows().len();
        }
    }

    /// Every sentence's choice, given the logits of the pass over [`Searches::rows`].
    ///
    /// # Shapes
    /// logits (rows, vocab).
    ///
    /// # Errors
    /// [`Error::ModelFormat`] if they are not finite.
    pub fn advance(&mut self, logits: ArrayView2<'_, f32>) -> Result<Vec<Event>> {
        // The trait promises rows one after the other; a view that is not standard would be copied here.
        let logits = logits.as_standard_layout();
        let (all, vocab) = (logits.as_slice().unwrap_or_default(), logits.ncols());
        let row = |i: usize| &all[i * vocab..][..vocab];

        self.log_z.clear();
        for i in 0..self.rows.len() {
            let log_z = log_sum_exp(row(i)).ok_or_else(|| Error::ModelFormat {
                name: "logits".into(),
                reason: format!(
                    "not all finite in sentence {} after piece {}: the weights are damaged or too large",
                    self.rows[i].sentence, self.rows[i].token
                ),
            })?;
            self.log_z.push(log_z);
            if self.rules.options.alternatives > 0 {
                self.top.reset(self.rules.options.alternatives.min(vocab));
                self.top.push_row(row(i), log_z, 0, 0.0, |_| true);
                self.alternatives
                    .extend(self.top.candidates().iter().map(|c| (c.token, c.logprob)));
            }
        }

        let mut events = Vec::with_capacity(2 * self.each.len());
        let mut first = 0;
        for (sentence, search) in self.each.iter_mut().enumerate() {
            if search.is_done() {
                continue;
            }
            let rows = search.rows().len();
            let log_z = &self.log_z;
            search.collect(
                &self.rules,
                &self.tree,
                |i| (row(first + i), log_z[first + i]),
                &mut self.top,
            )?;
            let slot = Slot((self.slots + first) as u32);
            let k = self.rules.options.alternatives.min(vocab);
            if let (Some((ranked, uniform)), true) = (search.drawn.take(), k > 0) {
                let alternatives = &self.alternatives[slot.0 as usize * k..][..k];
                self.draws.resize(slot.0 as usize, None);
                self.draws.push(ranked.report(uniform, alternatives));
            }
            let nodes = search.choose(&self.rules, &mut self.tree, &self.top, slot);
            first += rows;
            events.push(Event::Nodes { sentence, nodes });
            if let Some(best) = search.best(&self.tree) {
                let stable_prefix_len = search.stable_prefix_len(&self.tree, best);
                if self.last_token_event[sentence] != Some((best, stable_prefix_len)) {
                    self.last_token_event[sentence] = Some((best, stable_prefix_len));
                    let Hypothesis {
                        tokens,
                        logprobs,
                        node,
                        ..
                    } = self.tree.hypothesis(best);
                    events.push(Event::Token {
                        sentence,
                        tokens,
                        logprobs,
                        stable_prefix_len,
                        node,
                    });
                }
            }
            if search.is_done() {
                let n_best = search.results(self.rules.options.n_best);
                let hypotheses = n_best.map(|node| self.tree.hypothesis(node)).collect();
                events.push(Event::Done {
                    sentence,
                    hypotheses,
                });
            }
        }
        self.slots += self.rows.len();
        Ok(events)
    }

    /// Whether every sentence is finished.
    pub fn are_done(&self) -> bool {
        self.each.iter().all(Search::is_done)
    }

    /// Whether one sentence is finished.
    pub fn is_finished(&self, sentence: usize) -> bool {
        self.each.get(sentence).is_none_or(Search::is_done)
    }

    /// Rows of the next pass.
    pub fn live_rows(&self) -> usize {
        self.each.iter().map(|search| search.rows().len()).sum()
    }

    /// The best hypothesis of a sentence so far.
    pub fn best(&self, sentence: usize) -> Option<NodeId> {
        self.each.get(sentence)?.best(&self.tree)
    }

    /// The hypothesis that ends in a node, if there is one.
    pub fn hypothesis(&self, node: NodeId) -> Option<Hypothesis> {
        self.tree.has(node).then(|| self.tree.hypothesis(node))
    }

    /// The likeliest pieces at each step of the hypothesis that ends in a node, best first.
    pub fn alternatives(&self, node: NodeId) -> Vec<&[(u32, f32)]> {
        let k = self.alternatives.len().checked_div(self.slots).unwrap_or(0);
        if k == 0 || !self.tree.has(node) {
            return Vec::new();
        }
        let path = self.tree.path(node).into_iter();
        path.map(|slot| &self.alternatives[slot.0 as usize * k..][..k])
            .collect()
    }

    /// How each piece of the hypothesis that ends in a node was drawn.
    pub fn draws(&self, node: NodeId) -> Vec<Option<&Draw>> {
        if !self.tree.has(node) {
            return Vec::new();
        }
        let path = self.tree.path(node).into_iter();
        path.map(|slot| self.draws.get(slot.0 as usize)?.as_ref())
            .collect()
    }

    /// The slots of the hypothesis that ends in a node, root first; none where there is no such node.
    pub fn path(&self, node: Option<NodeId>) -> Vec<Slot> {
        let node = node.filter(|node| self.tree.has(*node));
        node.map_or_else(Vec::new, |node| self.tree.path(node))
    }

    /// Number of pieces of the hypothesis that ends in a node.
    pub fn length(&self, node: NodeId) -> usize {
        if self.tree.has(node) {
            self.tree.length(node)
        } else {
            0
        }
    }

    /// Extends every hypothesis to the maximum length.
    #[cfg(test)]
    pub fn never_stop_early(&mut self) {
        self.rules.stop_early = false;
    }
}
