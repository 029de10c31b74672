//! The Transformer: Figure 1, from ids to logits.

use super::cache::{KeyValueRows, SlotTree};
use super::decoder::{CrossMemory, Decoder, Memories, Past};
use super::encoder::Encoder;
use super::position_override::PositionOverride;
use super::state::Observed;
use super::workspace::Workspace;
use super::{Config, Row, Seq2Seq, Slot, State};
use crate::kernels::QuantizedRows;
use crate::layers::{Buffer, Embedding, HookEvent, Hooks, Input, LayerNorm, Linear, PositionTable};
use crate::trace::{Intervention, Trace, TraceRequest};
use crate::{Error, Result};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, s};
use std::ops::Range;
use std::sync::Arc;

/// An encoder-decoder Transformer with its weights.
pub struct Transformer {
    pub(crate) config: Config,
    pub(crate) encoder_input: InputLayer,
    pub(crate) encoder: Encoder,
    pub(crate) decoder_input: InputLayer,
    pub(crate) decoder: Decoder,
    /// The pre-softmax linear map (vocab, d_model).
    pub(crate) projection: Linear,
}

/// What enters a stack: the sum of embedding and position (§3.4, §3.5).
pub(crate) struct InputLayer {
    pub embedding: Embedding,
    pub positions: Arc<PositionTable>,
    /// Only with `normalize_embedding`.
    pub norm: Option<LayerNorm>,
}

impl InputLayer {
    /// Adds positions to embeddings (rows, d_model), in place.
    pub(crate) fn add_positions(
        &self,
        positions: impl IntoIterator<Item = Option<usize>>,
        mut x: ArrayViewMut2<'_, f32>,
    ) {
        self.positions.add(positions, x.view_mut());
        if let Some(norm) = &self.norm {
            norm.forward(x);
        }
    }
}

impl Transformer {
    /// The encoder's positions (max_positions, d_model).
    pub fn positions(&self) -> &PositionTable {
        &self.encoder_input.positions
    }

    pub(crate) fn check_ids(&self, field: &'static str, ids: &[u32], vocab: usize) -> Result<()> {
        if ids.is_empty() {
            return Err(Error::RequestInvalid {
                field,
                reason: "is empty, it needs at least the end mark".into(),
            });
        }
        if ids.len() > self.config.max_positions {
            return Err(Error::TextTooLong {
                found: ids.len(),
                limit: self.config.max_positions,
                unit: "pieces",
                hint: "split it into shorter sentences",
            });
        }
        match ids.iter().find(|&&id| id as usize >= vocab) {
            None => Ok(()),
            Some(id) => Err(Error::RequestInvalid {
                field,
                reason: format!("holds id {id}, the vocabulary has {vocab} pieces"),
            }),
        }
    }

    /// Cross-attention keys and values of every sentence, once for each decoder layer (§3.2.3).
    pub(crate) fn cross_memories(
        &self,
        memory: ArrayView2<'_, f32>,
        sentences: &[Range<usize>],
        quantized: &mut QuantizedRows,
        hooks: &mut Hooks<'_>,
    ) -> Vec<CrossMemory> {
        let mut memories: Vec<CrossMemory> = sentences
            .iter()
            .map(|sentence| CrossMemory {
                len: sentence.len(),
                layers: Vec::new(),
            })
            .collect();
        let rows = memory.nrows();
        let mut memory = Input::new(memory, quantized);
        for layer in &self.decoder.layers {
            let attention = &layer.cross_attention;
            let mut keys = Array2::zeros((rows, attention.key_width()));
            let mut values = Array2::zeros((rows, attention.value_width()));
            attention.project_memory(&mut memory, keys.view_mut(), values.view_mut(), hooks);
            for (sentence, memory) in sentences.iter().zip(&mut memories) {
                memory.layers.push(KeyValueRows {
                    keys: keys
                        .slice(s![sentence.clone(), ..])
                        .iter()
                        .copied()
                        .collect(),
                    values: values
                        .slice(s![sentence.clone(), ..])
                        .iter()
                        .copied()
                        .collect(),
                });
            }
        }
        memories
    }
}

impl Seq2Seq for Transformer {
    type State = State;

    fn config(&self) -> &Config {
        &self.config
    }

    fn encode_with(
        &self,
        sentences: &[&[u32]],
        requests: &[TraceRequest],
        intervention: &Intervention,
    ) -> Result<State> {
        for ids in sentences {
            self.check_ids("source", ids, self.config.vocab_size)?;
        }
        if !requests.is_empty() && requests.len() != sentences.len() {
            return Err(Error::RequestInvalid {
                field: "requests",
                reason: format!(
                    "are {}, there are {} sentences",
                    requests.len(),
                    sentences.len()
                ),
            });
        }
        let effects = intervention.resolve(self.config.stacks())?;
        let position_override =
            PositionOverride::new(effects.as_ref(), sentences.iter().map(|ids| ids.len()));
        let observes = requests.iter().any(|request| !request.is_off());
        let norms = observes && requests.iter().any(|request| request.norms);
        let mut observed = Vec::new();
        if observes {
            for (ids, request) in sentences.iter().zip(requests) {
                observed.push(Observed::new(request, &self.config, ids.len())?);
            }
        }
        let mut ranges: Vec<Range<usize>> = Vec::with_capacity(sentences.len());
        for ids in sentences {
            let start = ranges.last().map_or(0, |last| last.end);
            ranges.push(start..start + ids.len());
        }
        let tokens = ranges.last().map_or(0, |last| last.end);

        let mut workspace = Workspace::default();
        let mut x = Array2::zeros((tokens, self.config.d_model));
        let ids = sentences.iter().flat_map(|ids| ids.iter().copied());
        self.encoder_input.embedding.forward(ids, x.view_mut());
        for (observed, range) in observed.iter_mut().zip(&ranges) {
            observed.source_embedding(x.slice(s![range.clone(), ..]));
        }
        let positions = sentences.iter().enumerate().flat_map(|(sentence, ids)| {
            let position_override = &position_override;
            (0..ids.len()).map(move |position| position_override.at(sentence, position))
        });
        self.encoder_input.add_positions(positions, x.view_mut());
        let sentence_of: Vec<usize> = match observes {
            true => ranges
                .iter()
                .enumerate()
                .flat_map(|(number, range)| range.clone().map(move |_| number))
                .collect(),
            false => Vec::new(),
        };
        let mut observe = |event: HookEvent<'_>| match event {
            HookEvent::Weights(row) => {
                let sentence = sentence_of[row.row];
                observed[sentence].encoder_weights(row.row - ranges[sentence].start, &row);
            }
            HookEvent::ValueNorms { layer, norms, .. } => {
                for (observed, range) in observed.iter_mut().zip(&ranges) {
                    observed.encoder_norms(layer, norms.slice(s![range.clone(), ..]));
                }
            }
            HookEvent::Stream { .. } => {}
        };
        let mut hooks = Hooks {
            norms,
            effects: effects.as_ref(),
            ..Hooks::default()
        };
        if observes {
            hooks.observer = Some(&mut observe);
        }
        self.encoder
            .forward(x.view_mut(), &ranges, &mut workspace, &mut hooks);
        for (observed, range) in observed.iter_mut().zip(&ranges) {
            observed.memory(x.slice(s![range.clone(), ..]));
        }

        let mut observe = |event: HookEvent<'_>| {
            if let HookEvent::ValueNorms { layer, norms, .. } = event {
                for (observed, range) in observed.iter_mut().zip(&ranges) {
                    observed.cross_norms(layer, norms.slice(s![range.clone(), ..]));
                }
            }
        };
        let mut hooks = Hooks {
            norms,
            ..Hooks::default()
        };
        if norms {
            hooks.observer = Some(&mut observe);
        }
        let quantized = &mut workspace.quantized;
        let memories = self.cross_memories(x.view(), &ranges, quantized, &mut hooks);

        Ok(State {
            effects,
            position_override,
            norms,
            slots: SlotTree::new(sentences.len()),
            cache: self
                .decoder
                .layers
                .iter()
                .map(|_| KeyValueRows::default())
                .collect(),
            memories,
            observed,
            observed_slots: Vec::new(),
            workspace,
            row_sentences: Vec::new(),
            logits: Buffer::default(),
        })
    }

    fn step<'s>(&self, state: &'s mut State, rows: &[Row]) -> Result<ArrayView2<'s, f32>> {
        let vocab = self.config.target_vocab();
        if let Some(row) = rows.iter().find(|row| row.token as usize >= vocab) {
            return Err(Error::RequestInvalid {
                field: "rows",
                reason: format!("read id {}, the vocabulary has {vocab} pieces", row.token),
            });
        }
        let State {
            effects,
            position_override,
            norms,
            slots,
            cache,
            memories,
            observed,
            observed_slots,
            workspace,
            row_sentences,
            logits,
        } = state;
        let first_slot = slots.len();
        let pass = slots.extend(rows, self.config.max_positions)?;
        row_sentences.clear();
        row_sentences.extend(rows.iter().map(|row| row.sentence));
        let observes = !observed.is_empty();
        if observes {
            let new = rows.iter().zip(&pass.positions);
            observed_slots
                .extend(new.map(|(row, position)| observed[row.sentence].slot(position + 1)));
        }

        let mut residual_stream = std::mem::take(&mut workspace.x);
        let mut x = residual_stream.view(rows.len(), self.config.d_model);
        self.decoder_input
            .embedding
            .forward(rows.iter().map(|row| row.token), x.view_mut());
        for (i, slot) in observed_slots.iter_mut().skip(first_slot).enumerate() {
            observed[row_sentences[i]].target_embedding(slot, x.row(i));
        }
        let positions = pass.positions.iter().zip(&*row_sentences);
        let positions =
            positions.map(|(&position, &sentence)| position_override.at(sentence, position));
        self.decoder_input.add_positions(positions, x.view_mut());
        let mut observe = |event: HookEvent<'_>| match event {
            HookEvent::Weights(row) => observed[row_sentences[row.row]]
                .decoder_weights(&mut observed_slots[first_slot + row.row], &row),
            HookEvent::ValueNorms { layer, norms, .. } => {
                let slots = observed_slots[first_slot..].iter_mut();
                for (slot, norms) in slots.zip(norms.rows()) {
                    slot.key_norms(layer, norms);
                }
            }
            HookEvent::Stream { .. } => {}
        };
        let mut hooks = Hooks {
            norms: *norms,
            effects: effects.as_ref(),
            ..Hooks::default()
        };
        if observes {
            hooks.observer = Some(&mut observe);
        }
        let memories = Memories {
            memories,
            sentences: row_sentences,
        };
        self.decoder.forward(
            x.view_mut(),
            Past::Paths(pass),
            cache,
            &memories,
            workspace,
            &mut hooks,
        );
        for (i, slot) in observed_slots.iter_mut().skip(first_slot).enumerate() {
            observed[row_sentences[i]].decoder_output(slot, x.row(i));
        }

        let mut x = Input::new(x.view(), &mut workspace.quantized);
        self.projection
            .forward(&mut x, logits.view(rows.len(), vocab));
        workspace.x = residual_stream;
        Ok(state.logits.read(rows.len(), vocab))
    }

    fn trace(&self, state: &State, sentence: usize, path: &[Slot]) -> Trace {
        state.trace(sentence, path)
    }

    fn decoder_trace(&self, state: &State, sentence: usize, path: &[Slot]) -> Trace {
        state.decoder_trace(sentence, path)
    }

    fn release(&self, state: &mut State, sentence: usize) {
        if state.slots.release(sentence) {
            state.memories[sentence].layers = Vec::new();
        }
    }
}
