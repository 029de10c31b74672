//! The Transformer: Figure 1, from ids to logits.

use super::cache::{KeyValueRows, SlotTree};
use super::decoder::{CrossMemory, Decoder, Memories, Past};
use super::encoder::Encoder;
use super::observed::{DecoderObserver, EncoderObserver, Observed};
use super::position_override::PositionOverride;
use super::workspace::Workspace;
use super::{Config, Row, Seq2Seq, Slot, State};
use crate::kernels::QuantizedRows;
use crate::layers::{
    Buffer, Embedding, HookEvent, Hooks, Input, LayerNorm, Linear, PositionTable, Stack,
};
use crate::trace::{Intervention, Trace, TraceRequest};
use crate::{Error, Result};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, s};
use std::ops::Range;
use std::sync::Arc;

/// An encoder-decoder Transformer with its weights.
///
/// ```
/// use translucent::Config;
/// use translucent::model::Transformer;
/// use translucent::trace::TraceRequest;
///
/// let model = Transformer::random(Config::tiny(50), 1)?;
/// // A source and a target of ids, each ending with the end mark.
/// let forced = model.teacher_force(&[7, 8, 0], &[9, 0], &TraceRequest::attention())?;
/// assert_eq!(forced.logits.dim(), (2, 50)); // (len_tgt, vocab)
/// let cross = forced.trace.cross.expect("requested");
/// assert_eq!(cross.dim(), (2, 2, 2, 3)); // (layers, heads, len_tgt, len_src)
/// # Ok::<(), translucent::Error>(())
/// ```
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
    /// x ← Embedding(ids) + PE(positions) (§3.4, §3.5); x is (ids, d_model), and `None` among the positions adds
    /// nothing.
    pub(crate) fn forward(
        &self,
        stack: Stack,
        ids: impl IntoIterator<Item = u32>,
        positions: impl IntoIterator<Item = Option<usize>>,
        mut x: ArrayViewMut2<'_, f32>,
        hooks: &mut Hooks<'_>,
    ) {
        self.embedding.forward(ids, x.view_mut());
        hooks.emit(HookEvent::Embedding { stack, x: x.view() });
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

    /// Empty observations of each sentence; none at all if nothing is requested.
    fn observations(
        &self,
        sentences: &[&[u32]],
        requests: &[TraceRequest],
    ) -> Result<Vec<Observed>> {
        if requests.iter().all(TraceRequest::is_off) {
            return Ok(Vec::new());
        }
        let pairs = sentences.iter().zip(requests);
        pairs
            .map(|(ids, request)| Observed::new(request, &self.config, ids.len()))
            .collect()
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

/// Rows of sentences of these lengths, one after the other.
fn ranges(lengths: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut start = 0;
    lengths
        .map(|len| {
            start += len;
            start - len..start
        })
        .collect()
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
        let lengths = sentences.iter().map(|ids| ids.len());
        let position_override = PositionOverride::new(effects.as_ref(), lengths.clone());
        let mut observed = self.observations(sentences, requests)?;
        let observes = !observed.is_empty();
        let norms = observes && requests.iter().any(|request| request.norms);
        let ranges = ranges(lengths);
        let mut observer = EncoderObserver {
            observed: &mut observed,
            sentences: &ranges,
        };
        let mut hooks = Hooks {
            observer: observes.then_some(&mut observer),
            norms,
            effects: effects.as_ref(),
        };

        let mut workspace = Workspace::default();
        let mut x = Array2::zeros((
            ranges.last().map_or(0, |last| last.end),
            self.config.d_model,
        ));
        let ids = sentences.iter().flat_map(|ids| ids.iter().copied());
        let positions = position_override.of_sentences(&ranges);
        self.encoder_input
            .forward(Stack::Encoder, ids, positions, x.view_mut(), &mut hooks);
        self.encoder
            .forward(x.view_mut(), &ranges, &mut workspace, &mut hooks);
        let quantized = &mut workspace.quantized;
        let memories = self.cross_memories(x.view(), &ranges, quantized, &mut hooks);
        let layers = self.decoder.layers.iter();
        Ok(State {
            effects,
            position_override,
            norms,
            slots: SlotTree::new(sentences.len()),
            cache: layers.map(|_| KeyValueRows::default()).collect(),
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
            let lengths = pass.positions.iter().map(|position| position + 1);
            let new = row_sentences.iter().zip(lengths);
            observed_slots.extend(new.map(|(sentence, len)| observed[*sentence].slot(len)));
        }
        let mut observer = DecoderObserver {
            observed,
            sentences: row_sentences,
            slots: observed_slots.get_mut(first_slot..).unwrap_or_default(),
        };
        let mut hooks = Hooks {
            observer: observes.then_some(&mut observer),
            norms: *norms,
            effects: effects.as_ref(),
        };

        let mut residual_stream = std::mem::take(&mut workspace.x);
        let mut x = residual_stream.view(rows.len(), self.config.d_model);
        let ids = rows.iter().map(|row| row.token);
        let positions = pass.positions.iter().zip(&*row_sentences);
        let positions = positions.map(|(&position, &of)| position_override.at(of, position));
        self.decoder_input
            .forward(Stack::Decoder, ids, positions, x.view_mut(), &mut hooks);
        let memories = Memories {
            memories,
            sentences: row_sentences,
        };
        let past = Past::Paths(pass);
        self.decoder
            .forward(x.view_mut(), past, cache, &memories, workspace, &mut hooks);
        let mut output = Input::new(x.view(), &mut workspace.quantized);
        self.projection
            .forward(&mut output, logits.view(rows.len(), vocab));
        workspace.x = residual_stream;
        Ok(state.logits.read(rows.len(), vocab))
    }

    fn trace(&self, state: &State, sentence: usize, path: &[Slot]) -> Trace {
        state.trace(sentence, path)
    }

    fn decoder_trace(&self, state: &State, sentence: usize, path: &[Slot]) -> Trace {
        state.decoder_trace(sentence, path)
    }

    fn alignment<'s>(&self, state: &'s State, slot: Slot) -> Option<&'s [f32]> {
        state.observed_slots.get(slot.0 as usize)?.alignment()
    }

    fn release(&self, state: &mut State, sentence: usize) {
        if state.slots.release(sentence) {
            state.memories[sentence].layers = Vec::new();
        }
    }
}
