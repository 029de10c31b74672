//! What a group of sentences keeps between decoder passes: memory, caches and observations.

use super::cache::{KeyValueRows, SlotTree};
use super::decoder::CrossMemory;
use super::position_override::PositionOverride;
use super::workspace::Workspace;
use super::{Config, Slot};
use crate::Result;
use crate::layers::{Buffer, RowWeights};
use crate::trace::{
    AttentionBlock, AttentionKind, Effects, KeyNorms, Selection, Trace, TraceRequest,
};
use ndarray::{Array2, Array4, ArrayView1, ArrayView2, Axis};

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

/// What is kept of one sentence, and what to keep of its slots.
pub(super) struct Observed {
    request: TraceRequest,
    /// What to keep of the decoder's attentions.
    decoder: Option<Selection>,
    n_heads: usize,
    source_len: usize,
    encoder_self: Option<AttentionBlock>,
    encoder_norms: Option<KeyNorms>,
    cross_norms: Option<KeyNorms>,
    source_embedding: Option<Array2<f32>>,
    memory: Option<Array2<f32>>,
}

/// What is kept of one slot, of one query.
#[derive(Default)]
pub(super) struct ObservedSlot {
    decoder_self: Option<AttentionBlock>,
    cross: Option<AttentionBlock>,
    /// Of its own value, as a key of masked self-attention.
    key_norms: Option<KeyNorms>,
    embedding: Vec<f32>,
    output: Vec<f32>,
}

impl Observed {
    /// Prepares to observe a sentence of `len` pieces.
    pub fn new(request: &TraceRequest, config: &Config, len: usize) -> Result<Self> {
        let encoder = match request.encoder_self {
            true => Some(Selection::new(
                request,
                config.encoder_layers,
                config.n_heads,
            )?),
            false => None,
        };
        let decoder = match request.decoder_self || request.cross {
            true => Some(Selection::new(
                request,
                config.decoder_layers,
                config.n_heads,
            )?),
            false => None,
        };
        let norms = |selection: &Option<Selection>, asked: bool| {
            let selection = selection.as_ref().filter(|_| asked && request.norms)?;
            Some(selection.norms(len))
        };
        Ok(Self {
            encoder_norms: norms(&encoder, true),
            cross_norms: norms(&decoder, request.cross),
            request: request.clone(),
            decoder,
            n_heads: config.n_heads,
            source_len: len,
            encoder_self: encoder.map(|selection| selection.block(len, len)),
            source_embedding: None,
            memory: None,
        })
    }

    /// Keeps the source embeddings (len_src, d_model).
    pub fn source_embedding(&mut self, rows: ArrayView2<'_, f32>) {
        self.source_embedding = self.request.hidden.then(|| rows.to_owned());
    }

    /// Keeps the encoder's output (len_src, d_model).
    pub fn memory(&mut self, rows: ArrayView2<'_, f32>) {
        self.memory = self.request.hidden.then(|| rows.to_owned());
    }

    /// Keeps the encoder's weights of source piece `query`.
    pub fn encoder_weights(&mut self, query: usize, row: &RowWeights<'_>) {
        if let Some(block) = &mut self.encoder_self {
            block.record(row.layer, query, row.first_key, self.n_heads, row.weights);
        }
    }

    /// Keeps one layer's value norms of the encoder (len_src, h).
    pub fn encoder_norms(&mut self, layer: usize, norms: ArrayView2<'_, f32>) {
        if let Some(kept) = &mut self.encoder_norms {
            kept.record(layer, norms);
        }
    }

    /// Keeps one layer's value norms of encoder–decoder attention (len_src, h).
    pub fn cross_norms(&mut self, layer: usize, norms: ArrayView2<'_, f32>) {
        if let Some(kept) = &mut self.cross_norms {
            kept.record(layer, norms);
        }
    }

    /// A place for what one slot over `keys` target positions will show.
    pub fn slot(&self, keys: usize) -> ObservedSlot {
        let block = |asked: bool, keys| {
            self.decoder
                .as_ref()
                .filter(|_| asked)
                .map(|kept| kept.block(1, keys))
        };
        ObservedSlot {
            decoder_self: block(self.request.decoder_self, keys),
            cross: block(self.request.cross, self.source_len),
            key_norms: self
                .decoder
                .as_ref()
                .filter(|_| self.request.norms && self.request.decoder_self)
                .map(|kept| kept.norms(1)),
            ..ObservedSlot::default()
        }
    }

    /// Keeps the decoder's weights of one query.
    pub fn decoder_weights(&self, slot: &mut ObservedSlot, row: &RowWeights<'_>) {
        let block = match row.kind {
            AttentionKind::Cross => &mut slot.cross,
            AttentionKind::DecoderSelf | AttentionKind::EncoderSelf => &mut slot.decoder_self,
        };
        if let Some(block) = block {
            block.record(row.layer, 0, row.first_key, self.n_heads, row.weights);
        }
    }

    /// Keeps one slot's embedding (d_model).
    pub fn target_embedding(&self, slot: &mut ObservedSlot, row: ArrayView1<'_, f32>) {
        if self.request.hidden {
            slot.embedding = row.to_vec();
        }
    }

    /// Keeps one slot's decoder output (d_model).
    pub fn decoder_output(&self, slot: &mut ObservedSlot, row: ArrayView1<'_, f32>) {
        if self.request.hidden {
            slot.output = row.to_vec();
        }
    }

    /// What was observed of the encoder.
    fn encoder_trace(&self) -> Trace {
        let weights = self.encoder_self.as_ref();
        let encoder_self = weights.map(|block| block.weights().clone());
        Trace {
            encoder_self_norms: weighed(&encoder_self, &self.encoder_norms),
            encoder_self,
            source_embedding: self.source_embedding.clone(),
            memory: self.memory.clone(),
            ..Trace::default()
        }
    }

    /// What was observed of the decoder along a path, root first; the rest is that of `encoder`.
    fn decoder_trace(&self, path: &[&ObservedSlot], encoder: Trace) -> Trace {
        let len = path.len();
        let join = |asked: bool, keys: usize, of: fn(&ObservedSlot) -> &Option<AttentionBlock>| {
            let selection = self.decoder.as_ref().filter(|_| asked)?;
            let mut whole = selection.block(len, keys);
            for (query, slot) in path.iter().enumerate() {
                if let Some(row) = of(slot) {
                    whole.place(query, row);
                }
            }
            Some(whole.into_weights())
        };
        let stack = |of: fn(&ObservedSlot) -> &[f32]| {
            let d_model = self.memory.as_ref()?.ncols();
            let rows: Vec<f32> = path.iter().flat_map(|slot| of(slot)).copied().collect();
            Array2::from_shape_vec((len, d_model), rows).ok()
        };
        let decoder_self = join(self.request.decoder_self, len, |slot| &slot.decoder_self);
        let cross = join(self.request.cross, self.source_len, |slot| &slot.cross);
        let unweighed = decoder_self.as_ref().filter(|_| self.request.norms);
        let decoder_self_norms = unweighed.cloned().map(|mut block| {
            for (key, slot) in path.iter().enumerate() {
                if let Some(norms) = &slot.key_norms {
                    norms.weigh(&mut block, key);
                }
            }
            block
        });
        Trace {
            decoder_self_norms,
            cross_norms: weighed(&cross, &self.cross_norms),
            decoder_self,
            cross,
            target_embedding: stack(|slot| &slot.embedding),
            decoder_output: stack(|slot| &slot.output),
            ..encoder
        }
    }

    /// What was observed along a path, root first.
    pub fn trace(&self, path: &[&ObservedSlot]) -> Trace {
        self.decoder_trace(path, self.encoder_trace())
    }
}

/// Every weight times the norm of its key's value.
fn weighed(weights: &Option<Array4<f32>>, norms: &Option<KeyNorms>) -> Option<Array4<f32>> {
    let norms = norms.as_ref()?;
    let mut block = weights.clone()?;
    norms.weigh(&mut block, 0);
    Some(block)
}

impl ObservedSlot {
    /// Keeps one layer's norms of its own value (h).
    pub fn key_norms(&mut self, layer: usize, norms: ArrayView1<'_, f32>) {
        if let Some(kept) = &mut self.key_norms {
            kept.record(layer, norms.insert_axis(Axis(0)));
        }
    }
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
