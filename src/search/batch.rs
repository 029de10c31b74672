//! A group of sentences decoded together: one decoder pass over all of them a step.

use super::rules::Rules;
use super::searches::Searches;
use super::{Draw, Event, Hypothesis, NodeId, Phrase, Printed, SearchOptions};
use crate::model::Seq2Seq;
use crate::trace::{Trace, TraceRequest};
use crate::{Config, Error, Result};
use std::sync::Arc;

/// A group of sentences that are decoded together. Step it until [`Batch::is_done`], or drop it at any moment: it
/// owns all its state.
pub struct Batch<M: Seq2Seq> {
    state: M::State,
    searches: Searches,
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
        let searches = Searches::new(rules, sentences, config.max_positions);
        Ok(Self { state, searches })
    }

    /// Has a sentence's translation hold these phrases, as long as they have some 28 pieces together. To be called before
    /// the first step. `printed` is of the model's target pieces. A sampled sentence holds none,
    /// and one with a prefix none that has several forms: the prefix may have it in another one.
    ///
    /// The sentence is searched without them first, and again where what was found does not hold them all: each then comes
    /// where its source is read, as far as the sentence's alignment is observed ([`TraceRequest::alignment`]). Scores are
    /// those of the model and of how well the places fit what is read.
    pub fn require(&mut self, sentence: usize, phrases: Vec<Phrase>, printed: &Arc<Printed>) {
        self.searches.require(sentence, phrases, printed);
    }

    /// One decoder pass over all live rows, then every sentence's choice. Once [`Batch::is_done`], it does
    /// nothing and returns nothing.
    ///
    /// # Errors
    /// [`Error::ModelFormat`] if the model gives logits that are not finite; whatever the model reports.
    pub fn step(&mut self, model: &M) -> Result<Vec<Event>> {
        let Self { state, searches } = self;
        let has_places = searches.has_places();
        let rows = searches.rows();
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let logits = model.step(state, rows)?;
        let events = if has_places {
            // The logits borrow the state, which has the alignment too.
            let logits = logits.to_owned();
            searches.attend(|slot| model.alignment(state, slot));
            searches.advance(logits.view())?
        } else {
            searches.advance(logits)?
        };
        for event in &events {
            if let Event::Done { sentence, .. } = event {
                model.release(&mut self.state, *sentence);
            }
        }
        Ok(events)
    }

    /// Whether every sentence is finished.
    pub fn is_done(&self) -> bool {
        self.searches.are_done()
    }

    /// Whether one sentence is finished.
    pub fn is_finished(&self, sentence: usize) -> bool {
        self.searches.is_finished(sentence)
    }

    /// Rows of the next pass: live hypotheses of all sentences.
    pub fn live_rows(&self) -> usize {
        self.searches.live_rows()
    }

    /// The best hypothesis of a sentence so far, `None` before the first step.
    pub fn best(&self, sentence: usize) -> Option<NodeId> {
        self.searches.best(sentence)
    }

    /// The hypothesis that ends in a node, or `None` if there is no such node.
    pub fn hypothesis(&self, node: NodeId) -> Option<Hypothesis> {
        self.searches.hypothesis(node)
    }

    /// The likeliest pieces at each step of the hypothesis that ends in a node, with their ln P, best
    /// first: one list of `options.alternatives` for each of its pieces.
    pub fn alternatives(&self, node: NodeId) -> Vec<&[(u32, f32)]> {
        self.searches.alternatives(node)
    }

    /// How each piece of the hypothesis that ends in a node was drawn; `None` for a piece that was not.
    pub fn draws(&self, node: NodeId) -> Vec<Option<&Draw>> {
        self.searches.draws(node)
    }

    /// What was observed of a sentence along the hypothesis that ends in a node (of this sentence): row t
    /// of a decoder block is what was read when piece t was predicted. `None`: only the encoder's part.
    pub fn trace(&self, model: &M, sentence: usize, node: Option<NodeId>) -> Trace {
        model.trace(&self.state, sentence, &self.searches.path(node))
    }

    /// [`Batch::trace`] without what was observed of the encoder, which does not change while a sentence grows.
    pub fn decoder_trace(&self, model: &M, sentence: usize, node: Option<NodeId>) -> Trace {
        model.decoder_trace(&self.state, sentence, &self.searches.path(node))
    }

    /// Number of pieces of the hypothesis that ends in a node.
    pub fn length(&self, node: NodeId) -> usize {
        self.searches.length(node)
    }

    /// Extends every hypothesis to the maximum length, for comparison in tests.
    #[cfg(test)]
    pub(super) fn without_early_stop(mut self) -> Self {
        self.searches.never_stop_early();
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
