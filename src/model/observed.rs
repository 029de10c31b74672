//! Observations of a group of sentences: what a [`TraceRequest`] names, recorded while encoder and decoder run.

use super::Config;
use super::encoder::sentence_of;
use crate::Result;
use crate::layers::{HookEvent, Observer, RowWeights, Stack};
use crate::trace::{
    AttentionBlock, AttentionKind, KeyNorms, Selection, Stacks, Trace, TraceRequest,
};
use ndarray::{Array2, Array4, ArrayView1, ArrayView2, Axis, s};
use std::ops::Range;

/// Records the encoder's activations, and the value norms of encoder–decoder attention.
pub(super) struct EncoderObserver<'a> {
    /// By sentence.
    pub observed: &'a mut [Observed],
    /// Rows of each sentence.
    pub sentences: &'a [Range<usize>],
}

impl Observer for EncoderObserver<'_> {
    fn on_event(&mut self, event: HookEvent<'_>) {
        let rows = |x: ArrayView2<'_, f32>, range: &Range<usize>| {
            x.slice(s![range.clone(), ..]).to_owned()
        };
        let each = self.observed.iter_mut().zip(self.sentences);
        match event {
            HookEvent::Weights(row) => {
                let sentence = sentence_of(self.sentences, row.row);
                let query = row.row - self.sentences[sentence].start;
                self.observed[sentence].encoder_weights(query, &row);
            }
            HookEvent::ValueNorms { kind, layer, norms } => {
                each.for_each(|(observed, range)| {
                    observed.value_norms(kind, layer, norms.slice(s![range.clone(), ..]))
                });
            }
            HookEvent::Embedding { x, .. } => each
                .filter(|(observed, _)| observed.request.hidden)
                .for_each(|(observed, range)| observed.source_embedding = Some(rows(x, range))),
            HookEvent::Output { x, .. } => each
                .filter(|(observed, _)| observed.request.hidden)
                .for_each(|(observed, range)| observed.memory = Some(rows(x, range))),
            HookEvent::Stream { .. } => {}
        }
    }
}

/// Records the decoder's activations, one slot for each row of a pass.
pub(super) struct DecoderObserver<'a> {
    /// By sentence.
    pub observed: &'a [Observed],
    /// The sentence of each row.
    pub sentences: &'a [usize],
    /// By row.
    pub slots: &'a mut [ObservedSlot],
}

impl Observer for DecoderObserver<'_> {
    fn on_event(&mut self, event: HookEvent<'_>) {
        let is_hidden = |row: usize| self.observed[self.sentences[row]].request.hidden;
        match event {
            HookEvent::Weights(row) => self.observed[self.sentences[row.row]]
                .decoder_weights(&mut self.slots[row.row], &row),
            HookEvent::ValueNorms { layer, norms, .. } => {
                for (slot, norms) in self.slots.iter_mut().zip(norms.rows()) {
                    slot.key_norms(layer, norms);
                }
            }
            HookEvent::Embedding {
                stack: Stack::Decoder,
                x,
            } => {
                for (row, slot) in self
                    .slots
                    .iter_mut()
                    .enumerate()
                    .filter(|(row, _)| is_hidden(*row))
                {
                    slot.embedding = x.row(row).to_vec();
                }
            }
            HookEvent::Output {
                stack: Stack::Decoder,
                x,
            } => {
                for (row, slot) in self
                    .slots
                    .iter_mut()
                    .enumerate()
                    .filter(|(row, _)| is_hidden(*row))
                {
                    slot.output = x.row(row).to_vec();
                }
            }
            HookEvent::Embedding { .. } | HookEvent::Output { .. } | HookEvent::Stream { .. } => {}
        }
    }
}

/// Observations of one sentence, and what to observe of its slots.
pub(super) struct Observed {
    request: TraceRequest,
    /// Layers and heads of the decoder's attentions.
    decoder: Option<Selection>,
    stacks: Stacks,
    source_len: usize,
    encoder_self: Option<AttentionBlock>,
    encoder_norms: Option<KeyNorms>,
    cross_norms: Option<KeyNorms>,
    source_embedding: Option<Array2<f32>>,
    memory: Option<Array2<f32>>,
}

/// Observations of one slot, that is of one query.
#[derive(Default)]
pub(super) struct ObservedSlot {
    decoder_self: Option<AttentionBlock>,
    cross: Option<AttentionBlock>,
    /// Norms of its value, as a key of masked self-attention.
    key_norms: Option<KeyNorms>,
    embedding: Vec<f32>,
    output: Vec<f32>,
    /// Mean over layers and heads of its weights over the source; empty if that is not asked for.
    alignment: Vec<f32>,
}

impl Observed {
    /// Prepares to observe a sentence of `len` pieces.
    pub fn new(request: &TraceRequest, config: &Config, len: usize) -> Result<Self> {
        let stacks = config.stacks();
        let encoder = match request.encoder_self {
            true => Some(Selection::new(request, stacks, AttentionKind::EncoderSelf)?),
            false => None,
        };
        let decoder = match request.decoder_self || request.cross {
            true => Some(Selection::new(request, stacks, AttentionKind::Cross)?),
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
            stacks,
            source_len: len,
            encoder_self: encoder.map(|selection| selection.block(len, len)),
            source_embedding: None,
            memory: None,
        })
    }

    /// Records the encoder's weights of source piece `query`.
    fn encoder_weights(&mut self, query: usize, row: &RowWeights<'_>) {
        if let Some(block) = &mut self.encoder_self {
            let n_heads = self.stacks.encoder_heads;
            block.record(row.layer, query, row.first_key, n_heads, row.weights);
        }
    }

    /// Records one layer's value norms of an attention over the source (len_src, h).
    fn value_norms(&mut self, kind: AttentionKind, layer: usize, norms: ArrayView2<'_, f32>) {
        let recorded = match kind {
            AttentionKind::Cross => &mut self.cross_norms,
            AttentionKind::EncoderSelf | AttentionKind::DecoderSelf => &mut self.encoder_norms,
        };
        if let Some(recorded) = recorded {
            recorded.record(layer, norms);
        }
    }

    /// Empty observations of one slot over `keys` target positions.
    pub fn slot(&self, keys: usize) -> ObservedSlot {
        let block = |asked: bool, keys| {
            self.decoder
                .as_ref()
                .filter(|_| asked)
                .map(|selection| selection.block(1, keys))
        };
        ObservedSlot {
            decoder_self: block(self.request.decoder_self, keys),
            cross: block(self.request.cross, self.source_len),
            key_norms: self
                .decoder
                .as_ref()
                .filter(|_| self.request.norms && self.request.decoder_self)
                .map(|selection| selection.norms(1)),
            alignment: match self.request.alignment {
                true => vec![0.0; self.source_len],
                false => Vec::new(),
            },
            ..ObservedSlot::default()
        }
    }

    /// Records the decoder's weights of one query.
    fn decoder_weights(&self, slot: &mut ObservedSlot, row: &RowWeights<'_>) {
        if row.kind == AttentionKind::Cross && !slot.alignment.is_empty() {
            let Stacks {
                decoder_layers,
                decoder_heads,
                ..
            } = self.stacks;
            let share = 1.0 / (decoder_layers * decoder_heads) as f32;
            for head in row.weights.chunks_exact(self.source_len) {
                for (mean, weight) in slot.alignment.iter_mut().zip(head) {
                    *mean += share * weight;
                }
            }
        }
        let block = match row.kind {
            AttentionKind::Cross => &mut slot.cross,
            AttentionKind::DecoderSelf | AttentionKind::EncoderSelf => &mut slot.decoder_self,
        };
        if let Some(block) = block {
            let n_heads = self.stacks.decoder_heads;
            block.record(row.layer, 0, row.first_key, n_heads, row.weights);
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
    pub fn decoder_trace(&self, path: &[&ObservedSlot], encoder: Trace) -> Trace {
        let len = path.len();
        let join = |asked: bool, keys: usize, of: fn(&ObservedSlot) -> &Option<AttentionBlock>| {
            let selection = self.decoder.as_ref().filter(|_| asked)?;
            let mut whole = selection.block(len, keys);
            for (query, slot) in path.iter().enumerate() {
                if let Some(row) = of(slot) {
                    whole.copy_query(query, row);
                }
            }
            Some(whole.into_weights())
        };
        let stack = |columns: usize, of: fn(&ObservedSlot) -> &[f32]| {
            let rows: Vec<f32> = path.iter().flat_map(|slot| of(slot)).copied().collect();
            Array2::from_shape_vec((len, columns), rows).ok()
        };
        let d_model = self.memory.as_ref().map(Array2::ncols);
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
            target_embedding: d_model.and_then(|columns| stack(columns, |slot| &slot.embedding)),
            decoder_output: d_model.and_then(|columns| stack(columns, |slot| &slot.output)),
            alignment: match self.request.alignment {
                true => stack(self.source_len, |slot| &slot.alignment),
                false => None,
            },
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
    /// Mean over layers and heads of its weights over the source, if that was asked for.
    pub fn alignment(&self) -> Option<&[f32]> {
        (!self.alignment.is_empty()).then_some(&self.alignment)
    }

    /// Records one layer's norms of its value (h).
    fn key_norms(&mut self, layer: usize, norms: ArrayView1<'_, f32>) {
        if let Some(recorded) = &mut self.key_norms {
            recorded.record(layer, norms.insert_axis(Axis(0)));
        }
    }
}
