//! The Transformer of Figure 1, forward and backward over a packed batch.

mod saliency;

use crate::attention::{AttentionMask, Sentences};
use crate::batch::{Batch, Packed};
use crate::dropout::{Mask, Masks};
use crate::embedding::Embedding;
use crate::error::{Error, Result};
use crate::loss::{Loss, cross_entropy};
use crate::parameters::Parameters;
use crate::sublayer::{AttentionSublayer, Backward, FeedForwardSublayer, Forward};
use std::ops::Range;
use translucent::Config;
use translucent::kernels::product::{Destination, Operand, product};
use translucent::trace::AttentionKind;

/// Regularization of a step (§5.4).
#[derive(Clone, Debug)]
pub struct Regularization {
    /// Dropout on embedding sums and sub-layer outputs.
    pub masks: Masks,
    /// ε_ls.
    pub label_smoothing: f32,
}

/// A layer of the encoder: two sub-layers.
#[derive(Clone, Debug)]
struct EncoderLayer {
    attention: AttentionSublayer,
    feed_forward: FeedForwardSublayer,
}

impl EncoderLayer {
    fn forward(&mut self, pass: &mut Forward<'_>, x: &[f32], source: Sentences<'_>) {
        self.attention.forward(pass, x, x, source);
        self.feed_forward.forward(pass, self.attention.output());
    }

    fn backward(
        &mut self,
        pass: &mut Backward<'_>,
        x: &[f32],
        source: Sentences<'_>,
        dx: &mut Vec<f32>,
    ) {
        self.feed_forward
            .backward(pass, self.attention.output(), dx);
        self.attention.backward_self(pass, x, source, dx);
    }
}

/// A layer of the decoder: three sub-layers.
#[derive(Clone, Debug)]
struct DecoderLayer {
    attention: AttentionSublayer,
    cross: AttentionSublayer,
    feed_forward: FeedForwardSublayer,
}

impl DecoderLayer {
    fn forward(&mut self, pass: &mut Forward<'_>, x: &[f32], memory: &[f32], pairs: Pairs<'_>) {
        self.attention.forward(pass, x, x, pairs.target);
        self.cross
            .forward(pass, self.attention.output(), memory, pairs.cross);
        self.feed_forward.forward(pass, self.cross.output());
    }

    fn backward(
        &mut self,
        pass: &mut Backward<'_>,
        (x, memory): (&[f32], &[f32]),
        pairs: Pairs<'_>,
        dx: &mut Vec<f32>,
        d_memory: &mut Vec<f32>,
    ) {
        self.feed_forward.backward(pass, self.cross.output(), dx);
        let inputs = (self.attention.output(), memory);
        self.cross
            .backward_cross(pass, inputs, pairs.cross, dx, d_memory);
        self.attention.backward_self(pass, x, pairs.target, dx);
    }
}

/// A layer's output, which the next one reads.
trait Layer {
    /// (tokens, d_model)
    fn output(&self) -> &[f32];
}

impl Layer for EncoderLayer {
    fn output(&self) -> &[f32] {
        self.feed_forward.output()
    }
}

impl Layer for DecoderLayer {
    fn output(&self) -> &[f32] {
        self.feed_forward.output()
    }
}

/// Embedding and layers of the encoder or the decoder.
#[derive(Clone, Debug)]
struct Stack<L> {
    embedding: Embedding,
    mask: Mask,
    /// Embedding sums after dropout (tokens, d_model).
    input: Vec<f32>,
    layers: Vec<L>,
}

impl<L: Layer> Stack<L> {
    fn new(embedding: Embedding, layers: impl Iterator<Item = L>) -> Self {
        Self {
            embedding,
            mask: Mask::default(),
            input: Vec::new(),
            layers: layers.collect(),
        }
    }

    fn embed(&mut self, pass: &mut Forward<'_>, tokens: &Packed, shares: Option<&[f32]>) {
        self.embedding
            .forward(pass.values, tokens, shares, &mut self.input);
        pass.masks.apply(&mut self.input, &mut self.mask);
    }

    /// The last layer's output (tokens, d_model).
    fn output(&self) -> &[f32] {
        self.layers.last().map_or(&self.input, Layer::output)
    }

    /// Layer `i` with its input (tokens, d_model).
    fn layer(&mut self, i: usize) -> (&[f32], &mut L) {
        let (before, rest) = self.layers.split_at_mut(i);
        let input = before.last().map_or(&self.input[..], Layer::output);
        (input, &mut rest[0])
    }

    fn backward_embedding(&self, tokens: &Packed, dx: &mut [f32], gradient: &mut [f32]) {
        self.mask.apply(dx);
        self.embedding.backward(tokens, dx, gradient);
    }
}

/// The sentences of a batch as the three attentions pair them.
#[derive(Clone, Copy)]
struct Pairs<'a> {
    source: Sentences<'a>,
    target: Sentences<'a>,
    cross: Sentences<'a>,
}

impl<'a> Pairs<'a> {
    fn of(batch: &'a Batch) -> Self {
        let of = |queries, keys| Sentences { queries, keys };
        Self {
            source: of(&batch.source, &batch.source),
            target: of(&batch.input, &batch.input),
            cross: of(&batch.input, &batch.source),
        }
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
    encoder: Stack<EncoderLayer>,
    decoder: Stack<DecoderLayer>,
    /// Logits, then their gradient (target tokens, vocab).
    logits: Vec<f32>,
    scratch: Vec<f32>,
    /// Gradient of the decoder's residual stream (target tokens, d_model).
    dx: Vec<f32>,
    /// Gradient of the encoder's (source tokens, d_model).
    d_memory: Vec<f32>,
}

/// Attention weights of the last forward pass, one entry a layer: for each sentence (h, queries, keys).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Maps {
    /// Encoder self-attention.
    pub encoder_self: Vec<Vec<f32>>,
    /// Masked decoder self-attention.
    pub decoder_self: Vec<Vec<f32>>,
    /// Attention from the decoder to the encoder's output.
    pub cross: Vec<Vec<f32>>,
}

impl Model {
    /// The wiring of `config` over `parameters`, which were made for it.
    pub fn new(config: &Config, parameters: &Parameters) -> Self {
        let (mask, causal) = match config.neighbourhood {
            None => (AttentionMask::None, AttentionMask::Causal),
            Some(r) => (
                AttentionMask::Neighbourhood(r),
                AttentionMask::CausalNeighbourhood(r),
            ),
        };
        let attention = |kind: AttentionKind, layer: &str, mask| {
            let name = match kind {
                AttentionKind::Cross => "encoder_attn",
                AttentionKind::EncoderSelf | AttentionKind::DecoderSelf => "self_attn",
            };
            let name = format!("{layer}.{name}");
            AttentionSublayer::new(parameters, config, kind.stack(), &name, mask)
        };
        let encoder = (0..config.encoder_layers).map(|i| {
            let at = format!("model.encoder.layers.{i}");
            EncoderLayer {
                attention: attention(AttentionKind::EncoderSelf, &at, mask),
                feed_forward: FeedForwardSublayer::new(parameters, &at),
            }
        });
        let decoder = (0..config.decoder_layers).map(|i| {
            let at = format!("model.decoder.layers.{i}");
            DecoderLayer {
                attention: attention(AttentionKind::DecoderSelf, &at, causal),
                cross: attention(AttentionKind::Cross, &at, AttentionMask::None),
                feed_forward: FeedForwardSublayer::new(parameters, &at),
            }
        });
        let embedding = |stack| Embedding::new(parameters, config, stack);
        Self {
            d_model: config.d_model,
            vocab: config.vocab_size,
            max_positions: config.max_positions,
            table: parameters.range("model.shared.weight"),
            encoder: Stack::new(embedding("encoder"), encoder),
            decoder: Stack::new(embedding("decoder"), decoder),
            logits: Vec::new(),
            scratch: Vec::new(),
            dx: Vec::new(),
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

    /// Forward pass and loss. Calls `correct(row, is_best)` for each target token: whether the gold piece is the most
    /// probable one. Under teacher forcing that holds for all tokens of a target exactly where greedy decoding gives that
    /// target.
    pub fn forward(
        &mut self,
        parameters: &Parameters,
        batch: &Batch,
        regularization: &mut Regularization,
        correct: impl FnMut(usize, bool),
    ) -> Loss {
        self.predict(parameters, batch, &mut regularization.masks);
        let smoothing = regularization.label_smoothing;
        cross_entropy(&mut self.logits, &batch.gold, smoothing, correct)
    }

    /// Forward pass to the logits (target tokens, vocab).
    ///
    /// # Shapes
    /// Gives (target tokens, vocab).
    pub fn predict(
        &mut self,
        parameters: &Parameters,
        batch: &Batch,
        masks: &mut Masks,
    ) -> &mut [f32] {
        let values = &parameters.values[..];
        self.layers(values, batch, masks, None);
        let rows = batch.gold.len();
        self.logits.resize(rows * self.vocab, 0.0);
        let table = Operand::new(&values[self.table.clone()], self.vocab, self.d_model);
        let hidden = Operand::new(self.decoder.output(), rows, self.d_model);
        let logits = &mut self.logits;
        product(hidden, table.transposed(), Destination::Replace, logits);
        logits
    }

    /// Forward pass to the decoder's output; `shares` multiply each pair's embeddings.
    fn layers(&mut self, values: &[f32], batch: &Batch, masks: &mut Masks, shares: Option<&[f32]>) {
        let pairs = Pairs::of(batch);
        let scratch = &mut self.scratch;
        let mut pass = Forward {
            values,
            masks,
            scratch,
        };
        self.encoder.embed(&mut pass, &batch.source, shares);
        for i in 0..self.encoder.layers.len() {
            let (x, layer) = self.encoder.layer(i);
            layer.forward(&mut pass, x, pairs.source);
        }
        let memory = self.encoder.output();
        self.decoder.embed(&mut pass, &batch.input, shares);
        for i in 0..self.decoder.layers.len() {
            let (x, layer) = self.decoder.layer(i);
            layer.forward(&mut pass, x, memory, pairs);
        }
    }

    /// Gradient of the mean smoothed loss of the last forward pass, to `gradient` (all weights), which is replaced.
    ///
    /// # Shapes
    /// `gradient`: all weights.
    pub fn backward(&mut self, parameters: &Parameters, batch: &Batch, gradient: &mut [f32]) {
        let values = &parameters.values[..];
        gradient.fill(0.0);
        let rows = batch.gold.len();
        let d_logits = Operand::new(&self.logits, rows, self.vocab);
        let hidden = Operand::new(self.decoder.output(), rows, self.d_model);
        let d_table = &mut gradient[self.table.clone()];
        product(d_logits.transposed(), hidden, Destination::Add, d_table);
        let dx = &mut self.dx;
        dx.resize(rows * self.d_model, 0.0);
        let table = Operand::new(&values[self.table.clone()], self.vocab, self.d_model);
        product(d_logits, table, Destination::Replace, dx);
        self.backward_layers(values, batch, Some(gradient));
        let (dx, d_memory) = (&mut self.dx, &mut self.d_memory);
        self.decoder.backward_embedding(&batch.input, dx, gradient);
        self.encoder
            .backward_embedding(&batch.source, d_memory, gradient);
    }

    /// Carries the gradient of the decoder's output, in `dx`, back to both stacks' embedding sums: `dx` and `d_memory`.
    fn backward_layers(&mut self, values: &[f32], batch: &Batch, gradient: Option<&mut [f32]>) {
        let (dx, d_memory) = (&mut self.dx, &mut self.d_memory);
        let pairs = Pairs::of(batch);
        let scratch = &mut self.scratch;
        let mut pass = Backward {
            values,
            gradient,
            scratch,
        };
        let memory = self.encoder.output();
        d_memory.clear();
        d_memory.resize(memory.len(), 0.0);
        for i in (0..self.decoder.layers.len()).rev() {
            let (x, layer) = self.decoder.layer(i);
            layer.backward(&mut pass, (x, memory), pairs, dx, d_memory);
        }
        for i in (0..self.encoder.layers.len()).rev() {
            let (x, layer) = self.encoder.layer(i);
            layer.backward(&mut pass, x, pairs.source, d_memory);
        }
    }

    /// Attention weights of the last forward pass.
    pub fn maps(&self) -> Maps {
        let weights = |sublayer: &AttentionSublayer| sublayer.weights().to_vec();
        let (encoder, decoder) = (self.encoder.layers.iter(), self.decoder.layers.iter());
        Maps {
            encoder_self: encoder.map(|layer| weights(&layer.attention)).collect(),
            decoder_self: decoder
                .clone()
                .map(|layer| weights(&layer.attention))
                .collect(),
            cross: decoder.map(|layer| weights(&layer.cross)).collect(),
        }
    }
}
