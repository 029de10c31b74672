//! The Transformer of Figure 1, forward and backward over a packed batch.

use crate::attention::{Attention, AttentionState, Sentences, Sight};
use crate::batch::{Batch, Packed};
use crate::dropout::{Mask, Masks};
use crate::embedding::Embedding;
use crate::error::{Error, Result};
use crate::feed_forward::{FeedForward, FeedForwardState};
use crate::loss::{Loss, cross_entropy};
use crate::norm::{Norm, NormState};
use crate::parameters::Parameters;
use std::ops::Range;
use translucent::Config;
use translucent::kernels::product::{Into, Operand, product};

/// Regularization of a step (§5.4).
#[derive(Clone, Debug)]
pub struct Regularization {
    /// Dropout on embedding sums and sub-layer outputs.
    pub masks: Masks,
    /// ε_ls.
    pub label_smoothing: f32,
}

/// One sub-layer with its residual sum and norm: y = LayerNorm(x + Dropout(Sublayer(x))).
#[derive(Clone, Debug, Default)]
struct SublayerState {
    mask: Mask,
    norm: NormState,
    /// y (rows, d_model), which the next sub-layer reads.
    output: Vec<f32>,
}

#[derive(Clone, Debug)]
struct EncoderLayer {
    attention: (Attention, Norm),
    feed_forward: (FeedForward, Norm),
}

#[derive(Clone, Debug)]
struct DecoderLayer {
    attention: (Attention, Norm),
    cross: (Attention, Norm),
    feed_forward: (FeedForward, Norm),
}

#[derive(Clone, Debug, Default)]
struct LayerState {
    attention: (AttentionState, SublayerState),
    /// Decoder layers only.
    cross: (AttentionState, SublayerState),
    feed_forward: (FeedForwardState, SublayerState),
}

#[derive(Clone, Debug, Default)]
struct StackState {
    mask: Mask,
    /// Embedding sums after dropout (tokens, d_model).
    input: Vec<f32>,
    layers: Vec<LayerState>,
}

impl StackState {
    /// The last layer's output (tokens, d_model).
    fn output(&self) -> &[f32] {
        self.layers
            .last()
            .map_or(&self.input, |layer| &layer.feed_forward.1.output)
    }
}

/// A model's wiring with the memory that its passes need; the weights are a [`Parameters`] beside it. Memory grows
/// with the largest batch and is then reused: later steps allocate nothing.
#[derive(Clone, Debug)]
pub struct Model {
    d_model: usize,
    vocab: usize,
    max_positions: usize,
    table: Range<usize>,
    encoder_input: Embedding,
    decoder_input: Embedding,
    encoder: Vec<EncoderLayer>,
    decoder: Vec<DecoderLayer>,
    encoder_state: StackState,
    decoder_state: StackState,
    /// Logits, then their gradient (target tokens, vocab).
    logits: Vec<f32>,
    sublayer: Vec<f32>,
    d_x: Vec<f32>,
    d_next: Vec<f32>,
    d_memory: Vec<f32>,
}

impl Model {
    /// The wiring of `config` over `parameters`, which were made for it.
    pub fn new(config: &Config, parameters: &Parameters) -> Self {
        let (sight, past) = match config.neighbourhood {
            None => (Sight::Everything, Sight::Past),
            Some(r) => (Sight::Neighbourhood(r), Sight::PastNeighbourhood(r)),
        };
        let sublayer = |at: &str, name: &str, sight| {
            let attention = Attention::new(parameters, config, &format!("{at}.{name}"), sight);
            (
                attention,
                Norm::new(parameters, &format!("{at}.{name}_layer_norm")),
            )
        };
        let feed_forward = |at: &str| {
            let norm = Norm::new(parameters, &format!("{at}.final_layer_norm"));
            (FeedForward::new(parameters, at), norm)
        };
        let at = |stack: &str, layer: usize| format!("model.{stack}.layers.{layer}");
        let encoder = (0..config.encoder_layers)
            .map(|i| at("encoder", i))
            .map(|at| EncoderLayer {
                attention: sublayer(&at, "self_attn", sight),
                feed_forward: feed_forward(&at),
            });
        let decoder = (0..config.decoder_layers)
            .map(|i| at("decoder", i))
            .map(|at| DecoderLayer {
                attention: sublayer(&at, "self_attn", past),
                cross: sublayer(&at, "encoder_attn", Sight::Everything),
                feed_forward: feed_forward(&at),
            });
        let state = |layers: usize| StackState {
            layers: vec![LayerState::default(); layers],
            ..StackState::default()
        };
        Self {
            d_model: config.d_model,
            vocab: config.vocab_size,
            max_positions: config.max_positions,
            table: parameters.range("model.shared.weight"),
            encoder_input: Embedding::new(parameters, config, "encoder"),
            decoder_input: Embedding::new(parameters, config, "decoder"),
            encoder: encoder.collect(),
            decoder: decoder.collect(),
            encoder_state: state(config.encoder_layers),
            decoder_state: state(config.decoder_layers),
            logits: Vec::new(),
            sublayer: Vec::new(),
            d_x: Vec::new(),
            d_next: Vec::new(),
            d_memory: Vec::new(),
        }
    }

    /// Checks that a batch fits the model.
    ///
    /// # Errors
    /// [`Error::Setting`] naming an id outside the vocabulary or a sentence that is too long.
    pub fn check(&self, batch: &Batch) -> Result<()> {
        let ids = batch
            .source
            .ids
            .iter()
            .chain(&batch.input.ids)
            .chain(&batch.gold);
        if let Some(id) = ids.copied().find(|id| *id as usize >= self.vocab) {
            return Err(Error::Setting(format!(
                "id {id}: the vocabulary has {} pieces",
                self.vocab
            )));
        }
        let sentences = batch.source.sentences().chain(batch.input.sentences());
        let longest = sentences.map(|s| s.len()).max().unwrap_or(0);
        if longest > self.max_positions {
            let most = self.max_positions;
            return Err(Error::Setting(format!(
                "a sentence has {longest} pieces, max_positions is {most}"
            )));
        }
        Ok(())
    }

    /// Forward pass and loss; `correct(row, …)` is told for each target token whether the gold piece is the most
    /// probable one. Under teacher forcing all tokens of a target are, exactly where greedy decoding gives that target.
    pub fn forward(
        &mut self,
        parameters: &Parameters,
        batch: &Batch,
        regularization: &mut Regularization,
        correct: impl FnMut(usize, bool),
    ) -> Loss {
        let values = &parameters.values;
        let masks = &mut regularization.masks;
        self.encode(values, &batch.source, masks);
        self.decode(values, batch, masks);
        let rows = batch.gold.len();
        self.logits.resize(rows * self.vocab, 0.0);
        let table = Operand::new(&values[self.table.clone()], self.vocab, self.d_model);
        let hidden = Operand::new(self.decoder_state.output(), rows, self.d_model);
        product(hidden, table.transposed(), Into::Replace, &mut self.logits);
        cross_entropy(
            &mut self.logits,
            &batch.gold,
            regularization.label_smoothing,
            correct,
        )
    }

    fn encode(&mut self, values: &[f32], source: &Packed, masks: &mut Masks) {
        let state = &mut self.encoder_state;
        self.encoder_input.forward(values, source, &mut state.input);
        masks.apply(&mut state.input, &mut state.mask);
        let sentences = Sentences {
            queries: source,
            keys: source,
        };
        for (
            i,
            EncoderLayer {
                attention,
                feed_forward,
            },
        ) in self.encoder.iter().enumerate()
        {
            let (before, layers) = state.layers.split_at_mut(i);
            let x = before
                .last()
                .map_or(&state.input, |layer| &layer.feed_forward.1.output);
            let layer = &mut layers[0];
            let (heads, out) = &mut layer.attention;
            attention
                .0
                .forward(values, x, x, sentences, heads, &mut self.sublayer);
            add_and_norm(values, &attention.1, x, &mut self.sublayer, masks, out);
            let x = &layer.attention.1.output;
            let (hidden, out) = &mut layer.feed_forward;
            feed_forward
                .0
                .forward(values, x, hidden, &mut self.sublayer);
            add_and_norm(values, &feed_forward.1, x, &mut self.sublayer, masks, out);
        }
    }

    fn decode(&mut self, values: &[f32], batch: &Batch, masks: &mut Masks) {
        let memory = self.encoder_state.output();
        let state = &mut self.decoder_state;
        self.decoder_input
            .forward(values, &batch.input, &mut state.input);
        masks.apply(&mut state.input, &mut state.mask);
        let (own, cross_sentences) = sentences(batch);
        for (
            i,
            DecoderLayer {
                attention,
                cross,
                feed_forward,
            },
        ) in self.decoder.iter().enumerate()
        {
            let (before, layers) = state.layers.split_at_mut(i);
            let x = before
                .last()
                .map_or(&state.input, |layer| &layer.feed_forward.1.output);
            let layer = &mut layers[0];
            let (heads, out) = &mut layer.attention;
            attention
                .0
                .forward(values, x, x, own, heads, &mut self.sublayer);
            add_and_norm(values, &attention.1, x, &mut self.sublayer, masks, out);
            let x = &layer.attention.1.output;
            let (heads, out) = &mut layer.cross;
            cross.0.forward(
                values,
                x,
                memory,
                cross_sentences,
                heads,
                &mut self.sublayer,
            );
            add_and_norm(values, &cross.1, x, &mut self.sublayer, masks, out);
            let x = &layer.cross.1.output;
            let (hidden, out) = &mut layer.feed_forward;
            feed_forward
                .0
                .forward(values, x, hidden, &mut self.sublayer);
            add_and_norm(values, &feed_forward.1, x, &mut self.sublayer, masks, out);
        }
    }

    /// Gradient of the mean smoothed loss of the last forward pass, to `gradient` (all weights), which is replaced.
    pub fn backward(&mut self, parameters: &Parameters, batch: &Batch, gradient: &mut [f32]) {
        let values = &parameters.values;
        gradient.fill(0.0);
        let rows = batch.gold.len();
        let d_logits = Operand::new(&self.logits, rows, self.vocab);
        let hidden = Operand::new(self.decoder_state.output(), rows, self.d_model);
        product(
            d_logits.transposed(),
            hidden,
            Into::Add,
            &mut gradient[self.table.clone()],
        );
        self.d_x.resize(rows * self.d_model, 0.0);
        let table = Operand::new(&values[self.table.clone()], self.vocab, self.d_model);
        product(d_logits, table, Into::Replace, &mut self.d_x);
        self.backward_decoder(values, batch, gradient);
        self.backward_encoder(values, batch, gradient);
    }

    fn backward_decoder(&mut self, values: &[f32], batch: &Batch, gradient: &mut [f32]) {
        let memory = self.encoder_state.output();
        self.d_memory.clear();
        self.d_memory.resize(memory.len(), 0.0);
        let (own, cross_sentences) = sentences(batch);
        let state = &mut self.decoder_state;
        for (
            i,
            DecoderLayer {
                attention,
                cross,
                feed_forward,
            },
        ) in self.decoder.iter().enumerate().rev()
        {
            let (before, layers) = state.layers.split_at_mut(i);
            let input = before
                .last()
                .map_or(&state.input, |layer| &layer.feed_forward.1.output);
            let layer = &mut layers[0];
            let dx = &mut self.d_x;

            let (hidden, out) = &mut layer.feed_forward;
            residual_backward(
                values,
                &feed_forward.1,
                out,
                dx,
                &mut self.sublayer,
                gradient,
            );
            feed_forward.0.backward(
                values,
                &layer.cross.1.output,
                hidden,
                &self.sublayer,
                gradient,
                dx,
            );

            let (heads, out) = &mut layer.cross;
            residual_backward(values, &cross.1, out, dx, &mut self.sublayer, gradient);
            let x = &layer.attention.1.output;
            let d_memory = &mut self.d_memory;
            cross.0.backward(
                values,
                x,
                memory,
                cross_sentences,
                heads,
                &self.sublayer,
                gradient,
                dx,
                d_memory,
            );

            let (heads, out) = &mut layer.attention;
            residual_backward(values, &attention.1, out, dx, &mut self.sublayer, gradient);
            attention
                .0
                .backward_self(values, input, own, heads, &self.sublayer, gradient, dx);
        }
        state.mask.apply(&mut self.d_x);
        self.decoder_input
            .backward(&batch.input, &self.d_x, gradient);
    }

    fn backward_encoder(&mut self, values: &[f32], batch: &Batch, gradient: &mut [f32]) {
        let sentences = Sentences {
            queries: &batch.source,
            keys: &batch.source,
        };
        let state = &mut self.encoder_state;
        std::mem::swap(&mut self.d_next, &mut self.d_memory);
        let dx = &mut self.d_next;
        for (
            i,
            EncoderLayer {
                attention,
                feed_forward,
            },
        ) in self.encoder.iter().enumerate().rev()
        {
            let (before, layers) = state.layers.split_at_mut(i);
            let input = before
                .last()
                .map_or(&state.input, |layer| &layer.feed_forward.1.output);
            let layer = &mut layers[0];
            let (hidden, out) = &mut layer.feed_forward;
            residual_backward(
                values,
                &feed_forward.1,
                out,
                dx,
                &mut self.sublayer,
                gradient,
            );
            feed_forward.0.backward(
                values,
                &layer.attention.1.output,
                hidden,
                &self.sublayer,
                gradient,
                dx,
            );
            let (heads, out) = &mut layer.attention;
            residual_backward(values, &attention.1, out, dx, &mut self.sublayer, gradient);
            attention.0.backward_self(
                values,
                input,
                sentences,
                heads,
                &self.sublayer,
                gradient,
                dx,
            );
        }
        state.mask.apply(dx);
        self.encoder_input.backward(&batch.source, dx, gradient);
    }
}

/// The decoder's own attention and its attention to the memory.
fn sentences(batch: &Batch) -> (Sentences<'_>, Sentences<'_>) {
    let queries = &batch.input;
    let own = Sentences {
        queries,
        keys: queries,
    };
    let cross = Sentences {
        queries,
        keys: &batch.source,
    };
    (own, cross)
}

/// LayerNorm(x + Dropout(sublayer)) (§3.1, §5.4).
fn add_and_norm(
    values: &[f32],
    norm: &Norm,
    x: &[f32],
    sublayer: &mut [f32],
    masks: &mut Masks,
    out: &mut SublayerState,
) {
    masks.apply(sublayer, &mut out.mask);
    norm.forward(values, x, sublayer, &mut out.norm, &mut out.output);
}

/// Turns `dx`, the gradient of a sub-layer's output, into that of the residual sum, which goes on to x; `d_sublayer` is
/// its share through dropout.
fn residual_backward(
    values: &[f32],
    norm: &Norm,
    out: &SublayerState,
    dx: &mut [f32],
    d_sublayer: &mut Vec<f32>,
    gradient: &mut [f32],
) {
    norm.backward(values, &out.norm, dx, gradient);
    d_sublayer.clear();
    d_sublayer.extend_from_slice(dx);
    out.mask.apply(d_sublayer);
}
