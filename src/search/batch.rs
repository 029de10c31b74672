//! A group of sentences decoded together: one decoder pass over all of them a step.

use super::beam::Search;
use super::rules::Rules;
use super::select::{TopK, log_sum_exp};
use super::tree::Tree;
use super::{Draw, Event, Hypothesis, NodeId, SearchOptions};
use crate::model::{Row, Seq2Seq, Slot};
use crate::trace::{Trace, TraceRequest};
use crate::{Config, Error, Result};

/// A group of sentences that are decoded together. Step it until [`Batch::is_done`], or drop it at any moment: it
/// owns all its state.
pub struct Batch<M: Seq2Seq> {
    state: M::State,
    rules: Rules,
    searches: Vec<Search>,
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

impl<M: Seq2Seq> Batch<M> {
    /// Encodes sentences (ids, each ending with the end mark). `requests` name the observations of each
    /// sentence; empty: none. `options.prefix` is forced in every sentence; a prefix that ends
    /// with the end mark is a whole translation, which is then only scored and observed.
    ///
    /// # Errors
    /// If an option is outside its domain, if `requests` is neither empty nor one for each sentence, or
    /// if the model refuses a sentence.
    pub fn new(
        model: &M,
        sentences: &[&[u32]],
        options: &SearchOptions,
        requests: &[TraceRequest],
    ) -> Result<Self> {
        options.validate()?;
        let config = model.config();
        config.validate()?;
        check_prefix(&options.prefix, config)?;
        if !requests.is_empty() && requests.len() != sentences.len() {
            return Err(Error::RequestInvalid {
                field: "requests",
                reason: format!(
                    "has {} entries for {} sentences, it must have one for each or none",
                    requests.len(),
                    sentences.len()
                ),
            });
        }
        let state = model.encode_with(sentences, requests, &options.intervention)?;
        let rules = Rules::new(config, options);
        let searches = sentences.iter().enumerate();
        let searches: Vec<Search> = searches
            .map(|(i, ids)| Search::new(&rules, i, ids, config.max_positions))
            .collect();
        Ok(Self {
            state,
            last_token_event: vec![None; searches.len()],
            rules,
            searches,
            tree: Tree::default(),
            slots: 0,
            alternatives: Vec::new(),
            draws: Vec::new(),
            rows: Vec::new(),
            log_z: Vec::new(),
            top: TopK::default(),
        })
    }

    /// Has a sentence's translation hold these phrases (ids without end mark), as long as they have some 28 pieces
    /// together. To be called before the first step. A sampled sentence holds none.
    pub fn require(&mut self, sentence: usize, phrases: Vec<Vec<u32>>) {
        let search = self.searches.get_mut(sentence);
        if let (Some(search), None) = (search, self.rules.options.sampling) {
            search.require(phrases);
        }
    }

    /// One decoder pass over all live rows, then every sentence's choice. Once [`Batch::is_done`], it does
    /// nothing and returns nothing.
    ///
    /// # Errors
    /// [`Error::ModelFormat`] if the model gives logits that are not finite; whatever the model reports.
    pub fn step(&mut self, model: &M) -> Result<Vec<Event>> {
        self.rows.clear();
        self.rows
            .extend(self.searches.iter().flat_map(Search::rows));
        if self.rows.is_empty() {
            return Ok(Vec::new());
        }
        let logits = model.step(&mut self.state, &self.rows)?;
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

        let mut events = Vec::with_capacity(2 * self.searches.len());
        let mut first = 0;
        for (sentence, search) in self.searches.iter_mut().enumerate() {
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
        for event in &events {
            if let Event::Done { sentence, .. } = event {
                model.release(&mut self.state, *sentence);
            }
        }
        Ok(events)
    }

    /// Whether every sentence is finished.
    pub fn is_done(&self) -> bool {
        self.searches.iter().all(Search::is_done)
    }

    /// Whether one sentence is finished.
    pub fn is_finished(&self, sentence: usize) -> bool {
        self.searches.get(sentence).is_none_or(Search::is_done)
    }

    /// Rows of the next pass: live hypotheses of all sentences.
    pub fn live_rows(&self) -> usize {
        self.searches.iter().map(|search| search.rows().len()).sum()
    }

    /// The best hypothesis of a sentence so far, `None` before the first step.
    pub fn best(&self, sentence: usize) -> Option<NodeId> {
        self.searches.get(sentence)?.best(&self.tree)
    }

    /// The hypothesis that ends in a node, or `None` if there is no such node.
    pub fn hypothesis(&self, node: NodeId) -> Option<Hypothesis> {
        self.tree.has(node).then(|| self.tree.hypothesis(node))
    }

    /// The likeliest pieces at each step of the hypothesis that ends in a node, with their ln P, best
    /// first: one list of `options.alternatives` for each of its pieces.
    pub fn alternatives(&self, node: NodeId) -> Vec<&[(u32, f32)]> {
        let k = self.alternatives.len().checked_div(self.slots).unwrap_or(0);
        if k == 0 || !self.tree.has(node) {
            return Vec::new();
        }
        let path = self.tree.path(node).into_iter();
        path.map(|slot| &self.alternatives[slot.0 as usize * k..][..k])
            .collect()
    }

    /// How each piece of the hypothesis that ends in a node was drawn; `None` for a piece that was not.
    pub fn draws(&self, node: NodeId) -> Vec<Option<&Draw>> {
        if !self.tree.has(node) {
            return Vec::new();
        }
        let path = self.tree.path(node).into_iter();
        path.map(|slot| self.draws.get(slot.0 as usize)?.as_ref())
            .collect()
    }

    /// What was observed of a sentence along the hypothesis that ends in a node (of this sentence): row t
    /// of a decoder block is what was read when piece t was predicted. `None`: only the encoder's part.
    pub fn trace(&self, model: &M, sentence: usize, node: Option<NodeId>) -> Trace {
        let path = node
            .filter(|node| self.tree.has(*node))
            .map(|node| self.tree.path(node));
        model.trace(&self.state, sentence, &path.unwrap_or_default())
    }

    /// [`Batch::trace`] without what was observed of the encoder, which does not change while a sentence grows.
    pub fn decoder_trace(&self, model: &M, sentence: usize, node: Option<NodeId>) -> Trace {
        let path = node
            .filter(|node| self.tree.has(*node))
            .map(|node| self.tree.path(node));
        model.decoder_trace(&self.state, sentence, &path.unwrap_or_default())
    }

    /// Number of pieces of the hypothesis that ends in a node.
    pub fn length(&self, node: NodeId) -> usize {
        if self.tree.has(node) {
            self.tree.length(node)
        } else {
            0
        }
    }

    /// Extends every hypothesis to the maximum length, for comparison in tests.
    #[cfg(test)]
    pub(super) fn without_early_stop(mut self) -> Self {
        self.rules.stop_early = false;
        self
    }
}

/// Refuses a prefix that no hypothesis can have.
pub(super) fn check_prefix(prefix: &[u32], config: &Config) -> Result<()> {
    let fail = |reason| {
        Err(Error::RequestInvalid {
            field: "prefix",
            reason,
        })
    };
    let vocab = config.target_vocab();
    if let Some(id) = prefix.iter().find(|id| **id as usize >= vocab) {
        return fail(format!("holds piece {id}, the vocabulary has {vocab}"));
    }
    if prefix.len() > config.max_positions {
        return fail(format!(
            "has {} pieces, the model takes at most {}",
            prefix.len(),
            config.max_positions
        ));
    }
    if let Some(place) = prefix
        .iter()
        .rev()
        .skip(1)
        .position(|id| *id == config.eos_id)
    {
        let place = prefix.len() - 2 - place;
        return fail(format!(
            "has the end mark at {place}, it may only be the last piece"
        ));
    }
    Ok(())
}
