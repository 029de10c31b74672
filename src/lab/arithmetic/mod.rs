//! One attention weight taken apart: the same maps as in a pass, applied one after the other to one position.

mod steps;
mod sublayers;

pub use sublayers::{FeedForwardSteps, NormSteps};

use crate::layers::{HookEvent, HookPoint, Hooks, Stack};
use crate::model::{PositionOverride, Transformer, Workspace};
use crate::trace::{AttentionKind, Cell, Effects, HeadEffect, Intervention};
use crate::{Config, Error, Result};
use ndarray::{Array1, Array2};
use serde::Serialize;
use steps::{LayerParts, Steps};

/// Mean and variance of q·k over all pairs of a query and a key that it may see, in one head and one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProductStatistics {
    /// Number of pairs.
    pub pairs: usize,
    /// Mean of q·k.
    pub mean: f64,
    /// Variance of q·k.
    pub variance: f64,
    /// Variance of q·k / √d_k.
    pub scaled_variance: f64,
}

/// Every step from a position's vector to one weight, to the sub-layer's output, and through the rest of its layer.
/// Keys are all positions of the key side, masked ones included.
#[derive(Clone, Debug, PartialEq)]
pub struct Arithmetic {
    /// Which weight.
    pub cell: Cell,
    /// What W^Q reads at the query's position (d_model).
    pub x_query: Array1<f32>,
    /// What W^K and W^V read at the key's position (d_model).
    pub x_key: Array1<f32>,
    /// This head's query (d_k).
    pub query: Array1<f32>,
    /// This head's key (d_k).
    pub key: Array1<f32>,
    /// This head's value (d_v).
    pub value: Array1<f32>,
    /// The bias of this head's query (d_k).
    pub query_bias: Array1<f32>,
    /// The bias of its key (d_k).
    pub key_bias: Array1<f32>,
    /// The bias of its value (d_v).
    pub value_bias: Array1<f32>,
    /// tanh(q_i + k_i) of an additive model (d_k).
    pub additive_hidden: Option<Array1<f32>>,
    /// The terms whose sum is the score: q_i·k_i, or w_i·tanh(q_i + k_i) (d_k).
    pub products: Array1<f32>,
    /// Their sum.
    pub sum: f32,
    /// What it is divided by.
    pub divisor: f32,
    /// 1 where the query may attend, 0 where it is masked (keys).
    pub mask: Array1<f32>,
    /// Scores of all keys, divided, not masked (keys).
    pub scores: Array1<f32>,
    /// The largest score that is not masked.
    pub maximum: f32,
    /// e^(score − maximum), 0 where masked (keys).
    pub exponentials: Array1<f32>,
    /// Their sum.
    pub exponential_sum: f32,
    /// What the head uses (keys).
    pub weights: Array1<f32>,
    /// Softmax of the scores divided by √d_k (keys).
    pub weights_scaled: Array1<f32>,
    /// Softmax of the scores as they are (keys).
    pub weights_unscaled: Array1<f32>,
    /// Entropy of `weights_scaled`, bits.
    pub entropy_scaled: f32,
    /// Entropy of `weights_unscaled`, bits.
    pub entropy_unscaled: f32,
    /// This head's values (keys, d_v).
    pub values: Array2<f32>,
    /// What each key adds: its weight times its value (keys, d_v).
    pub contributions: Array2<f32>,
    /// ‖α·v·W^O‖ (keys)
    pub norms: Array1<f32>,
    /// The sum of the contributions (d_v).
    pub head: Array1<f32>,
    /// All heads, concatenated (h · d_v).
    pub concatenation: Array1<f32>,
    /// What this head alone adds through W^O, without the bias (d_model).
    pub head_output: Array1<f32>,
    /// The bias of W^O (d_model).
    pub output_bias: Array1<f32>,
    /// concatenation · W^O + b (d_model)
    pub output: Array1<f32>,
    /// Whether norms come before the sub-layers instead of after the sum.
    pub norm_before: bool,
    /// What goes around the sub-layer (d_model).
    pub residual: Array1<f32>,
    /// residual + output (d_model)
    pub residual_sum: Array1<f32>,
    /// The sub-layer's norm.
    pub norm: NormSteps,
    /// The layer's feed-forward network.
    pub feed_forward: FeedForwardSteps,
    /// What goes around it (d_model).
    pub feed_forward_residual: Array1<f32>,
    /// The sum of both (d_model).
    pub feed_forward_sum: Array1<f32>,
    /// Its norm.
    pub feed_forward_norm: NormSteps,
    /// What leaves the layer (d_model).
    pub layer_output: Array1<f32>,
    /// q·k in this head over the sentence; `None` for an additive model.
    pub statistics: Option<ProductStatistics>,
}

/// Every step of the arithmetic behind one attention weight, for a source and a target (ids without the start symbol)
/// under forced decoding.
///
/// # Errors
/// If a sequence is empty, too long or holds an unknown id, if the model has no such cell, or if the intervention
/// names what it has not.
pub fn arithmetic(
    model: &Transformer,
    source: &[u32],
    target: &[u32],
    cell: Cell,
    intervention: &Intervention,
) -> Result<Arithmetic> {
    let config = &model.config;
    model.check_ids("source", source, config.vocab_size)?;
    model.check_ids("target", target, config.target_vocab())?;
    check_cell(config, cell, source.len(), target.len())?;
    let effects = intervention.resolve(config.stacks())?;
    let recorded = record(model, source, target, cell, effects.as_ref());
    let neighbourhood = effects.as_ref().and_then(|effects| effects.neighbourhood);
    Ok(Steps {
        config,
        cell,
        effect: effects.as_ref().map_or(HeadEffect::AsTrained, |effects| {
            effects.of(cell.kind, cell.layer)[cell.head]
        }),
        neighbourhood: neighbourhood.or(config.neighbourhood),
        recorded,
        layer: layer_of(model, cell),
    }
    .arithmetic())
}

fn check_cell(config: &Config, cell: Cell, len_src: usize, len_tgt: usize) -> Result<()> {
    let (layers, queries, keys) = match cell.kind {
        AttentionKind::EncoderSelf => (config.encoder_layers, len_src, len_src),
        AttentionKind::DecoderSelf => (config.decoder_layers, len_tgt, len_tgt),
        AttentionKind::Cross => (config.decoder_layers, len_tgt, len_src),
    };
    for (name, found, limit) in [
        ("layer", cell.layer, layers),
        ("head", cell.head, config.widths(cell.kind.stack()).n_heads),
        ("query", cell.query, queries),
        ("key", cell.key, keys),
    ] {
        if found >= limit {
            return Err(Error::RequestInvalid {
                field: "cell",
                reason: format!("names {name} {found}, there are 0 to {}", limit - 1),
            });
        }
    }
    Ok(())
}

/// The parts of the layer that a cell belongs to.
fn layer_of(model: &Transformer, cell: Cell) -> LayerParts<'_> {
    match cell.kind {
        AttentionKind::EncoderSelf => {
            let layer = &model.encoder.layers[cell.layer];
            LayerParts {
                attention: &layer.self_attention,
                residual: &layer.self_attention_residual,
                feed_forward: &layer.feed_forward,
                feed_forward_residual: &layer.feed_forward_residual,
            }
        }
        AttentionKind::DecoderSelf | AttentionKind::Cross => {
            let layer = &model.decoder.layers[cell.layer];
            let (attention, residual) = match cell.kind {
                AttentionKind::Cross => (&layer.cross_attention, &layer.cross_attention_residual),
                _ => (&layer.self_attention, &layer.self_attention_residual),
            };
            LayerParts {
                attention,
                residual,
                feed_forward: &layer.feed_forward,
                feed_forward_residual: &layer.feed_forward_residual,
            }
        }
    }
}

/// Runs the model and records the activations of the cell's layer.
fn record(
    model: &Transformer,
    source: &[u32],
    target: &[u32],
    cell: Cell,
    effects: Option<&Effects>,
) -> Recorded {
    let mut recorded = Recorded::default();
    let mut observe = |event: HookEvent<'_>| recorded.on_event(cell, event);
    let mut hooks = Hooks {
        observer: Some(&mut observe),
        effects,
        ..Hooks::default()
    };
    let position_override = PositionOverride::new(effects, std::iter::once(source.len()));
    let mut workspace = Workspace::default();
    let mut x = Array2::zeros((source.len(), model.config.d_model));
    let whole = 0..source.len();
    let sentences = std::slice::from_ref(&whole);
    model.encoder_input.forward(
        Stack::Encoder,
        source.iter().copied(),
        position_override.of_sentences(sentences),
        x.view_mut(),
        &mut hooks,
    );
    model
        .encoder
        .forward(x.view_mut(), sentences, &mut workspace, &mut hooks);
    if cell.kind != AttentionKind::EncoderSelf {
        let quantized = &mut workspace.quantized;
        let memories = model.cross_memories(x.view(), sentences, quantized, &mut hooks);
        model.decode_causally(
            target,
            &memories,
            &position_override,
            &mut workspace,
            &mut hooks,
        );
    }
    recorded.memory = x;
    recorded
}

/// Activations of one layer.
#[derive(Default)]
struct Recorded {
    /// The residual stream before the attention (rows, d_model).
    before_attention: Array2<f32>,
    /// At the query's position (d_model).
    before_feed_forward: Array1<f32>,
    /// At the query's position (d_model).
    output: Array1<f32>,
    /// The concatenated heads at the query's position (h · d_v).
    concatenation: Array1<f32>,
    /// The encoder's output (len_src, d_model).
    memory: Array2<f32>,
}

impl Recorded {
    fn on_event(&mut self, cell: Cell, event: HookEvent<'_>) {
        match event {
            HookEvent::Stream {
                stack,
                layer,
                point,
                x,
            } if layer == cell.layer && stack == cell.kind.stack() => match point {
                HookPoint::BeforeAttention(kind) if kind == cell.kind => {
                    self.before_attention = x.to_owned();
                }
                HookPoint::BeforeAttention(_) => {}
                HookPoint::BeforeFeedForward => {
                    self.before_feed_forward = x.row(cell.query).to_owned()
                }
                HookPoint::AfterLayer => self.output = x.row(cell.query).to_owned(),
            },
            HookEvent::Weights(row)
                if (row.kind, row.layer, row.row) == (cell.kind, cell.layer, cell.query) =>
            {
                self.concatenation = Array1::from(row.context.to_vec());
            }
            _ => {}
        }
    }
}
