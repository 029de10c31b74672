//! The state of a group of sentences between decoder passes: memory, caches and observations.

use super::Slot;
use super::cache::{KeyValueRows, SlotTree};
use super::decoder::CrossMemory;
use super::observed::{Observed, ObservedSlot};
use super::position_override::PositionOverride;
use super::workspace::Workspace;
use crate::layers::Buffer;
use crate::trace::{Effects, Trace};

/// The sentences that a [`super::Transformer`] is translating.
pub struct State {
    /// What is changed in the model; `None`: nothing.
    pub(super) effects: Option<Effects>,
    pub(super) position_override: PositionOverride,
    /// Whether value norms are observed of any sentence.
    pub(super) norms: bool,
    pub(super) slots: SlotTree,
    /// Self-attention keys and values, one for each decoder layer.
    pub(super) cache: Vec<KeyValueRows>,
    /// By sentence.
    pub(super) memories: Vec<CrossMemory>,
    /// By sentence; empty if nothing is observed.
    pub(super) observed: Vec<Observed>,
    /// By slot; empty if nothing is observed.
    pub(super) observed_slots: Vec<ObservedSlot>,
    pub(super) workspace: Workspace,
    /// The sentence of each row of the pass.
    pub(super) row_sentences: Vec<usize>,
    /// (rows, vocab)
    pub(super) logits: Buffer,
}

impl State {
    /// What was observed of a sentence along a path of slots, root first.
    pub(super) fn trace(&self, sentence: usize, path: &[Slot]) -> Trace {
        let observed = self.observed.get(sentence);
        observed.map_or_else(Trace::default, |observed| {
            observed.trace(&self.slots_of(path))
        })
    }

    /// The same without the encoder's part.
    pub(super) fn decoder_trace(&self, sentence: usize, path: &[Slot]) -> Trace {
        let observed = self.observed.get(sentence);
        observed.map_or_else(Trace::default, |observed| {
            observed.decoder_trace(&self.slots_of(path), Trace::default())
        })
    }

    fn slots_of(&self, path: &[Slot]) -> Vec<&ObservedSlot> {
        let slot = |slot: &Slot| &self.observed_slots[slot.0 as usize];
        path.iter().map(slot).collect()
    }
}
