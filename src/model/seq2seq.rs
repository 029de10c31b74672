//! The interface between model and search: all that a search needs of a model, so that its tests can use a fake.

use crate::trace::{Intervention, Trace, TraceRequest};
use crate::{Config, Result};
use ndarray::ArrayView2;

/// An entry of the decoder's cache: the keys and values of one piece after one prefix.
/// Slots count up from 0 over a state, in the order of the rows that made them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u32);

/// One row of a decoder pass: `token` is read in `sentence` after everything on the path to `parent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Index of the sentence in the state.
    pub sentence: usize,
    /// The slot whose path this row continues; `None`: it reads the start symbol at position 0.
    pub parent: Option<Slot>,
    /// The piece that is read.
    pub token: u32,
}

/// An encoder-decoder model that can be stepped.
pub trait Seq2Seq {
    /// Memory and caches of a group of sentences.
    type State;

    /// The model's shape and conventions.
    fn config(&self) -> &Config;

    /// Encodes sentences (ids, each ending with the end mark), packed without padding, and computes
    /// the cross-attention keys and values once. `requests` name the observations of each sentence;
    /// empty: none.
    ///
    /// # Errors
    /// If a sentence is empty or longer than `max_positions`, an id is outside the vocabulary, or
    /// `requests` is neither empty nor one for each sentence, or names a layer or head that is not there.
    fn encode(&self, sentences: &[&[u32]], requests: &[TraceRequest]) -> Result<Self::State> {
        self.encode_with(sentences, requests, &Intervention::default())
    }

    /// The same with an intervention, which lasts as long as the state.
    ///
    /// # Errors
    /// As [`Self::encode`]; if the intervention names what the model has not.
    fn encode_with(
        &self,
        sentences: &[&[u32]],
        requests: &[TraceRequest],
        intervention: &Intervention,
    ) -> Result<Self::State>;

    /// One decoder pass; returns logits (rows, vocab). Row i becomes the slot numbered
    /// (slots so far) + i, which a later row of the same pass may continue already. Beams share the
    /// cache of a common prefix: nothing is copied.
    ///
    /// # Errors
    /// If a row names an unknown sentence or slot, a released sentence, a position ≥ `max_positions`, or
    /// an id outside the vocabulary. The state is unchanged then.
    fn step<'s>(&self, state: &'s mut Self::State, rows: &[Row]) -> Result<ArrayView2<'s, f32>>;

    /// What was observed of a sentence along a path of slots, root first: row t of a decoder block is
    /// what slot `path[t]` read when it predicted piece t.
    fn trace(&self, state: &Self::State, sentence: usize, path: &[Slot]) -> Trace;

    /// [`Self::trace`] without what was observed of the encoder, which does not change while a sentence grows.
    fn decoder_trace(&self, state: &Self::State, sentence: usize, path: &[Slot]) -> Trace {
        Trace {
            encoder_self: None,
            encoder_self_norms: None,
            source_embedding: None,
            memory: None,
            ..self.trace(state, sentence, path)
        }
    }

    /// What a slot read of its source, as a mean over layers and heads: a weight for each source piece. `None` where that is
    /// not observed ([`TraceRequest::alignment`]).
    fn alignment<'s>(&self, _state: &'s Self::State, _slot: Slot) -> Option<&'s [f32]> {
        None
    }

    /// Frees the caches of a finished sentence; its observations stay readable.
    fn release(&self, state: &mut Self::State, sentence: usize);
}
