//! Forced decoding: every piece of a given target scored after the true ones before it, as in training.

use super::batch::check_prefix;
use super::select::{TopK, log_sum_exp};
use crate::model::{Row, Seq2Seq, Slot};
use crate::trace::{Intervention, Trace, TraceRequest};
use crate::{Error, Result};
use serde::Serialize;

/// Score of one piece of a given target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PieceScore {
    /// P(piece | the pieces before it, source).
    pub probability: f32,
    /// ln P.
    pub logprob: f32,
    /// −log₂ P, bits.
    pub surprisal: f32,
    /// 1 for the likeliest piece.
    pub rank: usize,
    /// Cross-entropy against the smoothed target (§5.4), nats: (1 − ε_ls)·(−ln P) + ε_ls·mean over all pieces of −ln p.
    pub loss: f32,
    /// Of the distribution from which the piece was scored, bits.
    pub entropy: f32,
}

/// What to compute beside the scores.
#[derive(Clone, Copy, Debug)]
pub struct ForceRequest<'a> {
    /// What to observe.
    pub trace: &'a TraceRequest,
    /// Number of likeliest pieces to return for every step.
    pub alternatives: usize,
    /// Changes to the model.
    pub intervention: &'a Intervention,
}

/// A target under forced decoding.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Forced {
    /// One entry for each piece.
    pub scores: Vec<PieceScore>,
    /// The likeliest pieces at each step with their ln P, best first; empty if none were requested.
    pub alternatives: Vec<Vec<(u32, f32)>>,
    /// The requested observations.
    pub trace: Trace,
}

/// Rows of a decoder pass: bounds the memory that their logits take.
const MAX_ROWS: usize = 32;

/// Scores a target (ids without the start symbol) under forced decoding, many pieces a pass.
///
/// # Errors
/// If the target is empty, or none that a translation can be or begin with; [`Error::ModelFormat`] if the model gives
/// logits that are not finite; whatever the model reports.
pub fn force_decode<M: Seq2Seq>(
    model: &M,
    source: &[u32],
    target: &[u32],
    request: ForceRequest<'_>,
) -> Result<Forced> {
    let config = model.config();
    config.validate()?;
    check_prefix(target, config)?;
    if target.is_empty() {
        return Err(Error::RequestInvalid {
            field: "target",
            reason: "is empty, it needs at least one piece".into(),
        });
    }
    let requests = std::slice::from_ref(request.trace);
    let mut state = model.encode_with(&[source], requests, request.intervention)?;
    let mut scores = Vec::with_capacity(target.len());
    let mut alternatives = Vec::new();
    let mut top = TopK::default();
    for (group, pieces) in target.chunks(MAX_ROWS).enumerate() {
        let first = group * MAX_ROWS;
        let rows: Vec<Row> = (first..first + pieces.len())
            .map(|position| {
                let before = position.checked_sub(1);
                Row {
                    sentence: 0,
                    parent: before.map(|slot| Slot(slot as u32)),
                    token: before.map_or(config.decoder_start_id, |before| target[before]),
                }
            })
            .collect();
        let logits = model.step(&mut state, &rows)?;
        let logits = logits.as_standard_layout();
        for (row, &piece) in logits.rows().into_iter().zip(pieces) {
            let row = row.to_slice().unwrap_or_default();
            let log_z = log_sum_exp(row).ok_or_else(|| Error::ModelFormat {
                name: "logits".into(),
                reason: format!(
                    "not all finite before piece {piece}: the weights are damaged or too large"
                ),
            })?;
            scores.push(score(row, log_z, piece, config.label_smoothing));
            if request.alternatives > 0 {
                top.reset(request.alternatives.min(row.len()));
                top.push_row(row, log_z, 0, 0.0, |_| true);
                let likeliest = top.candidates().iter().map(|c| (c.token, c.logprob));
                alternatives.push(likeliest.collect());
            }
        }
    }
    let path: Vec<Slot> = (0..target.len()).map(|slot| Slot(slot as u32)).collect();
    Ok(Forced {
        scores,
        alternatives,
        trace: model.trace(&state, 0, &path),
    })
}

fn score(logits: &[f32], log_z: f32, piece: u32, smoothing: f32) -> PieceScore {
    let of = logits[piece as usize];
    let logprob = of - log_z;
    let (mut sum, mut nats) = (0.0f64, 0.0f64);
    for &logit in logits {
        let logprob = f64::from(logit - log_z);
        sum += logprob;
        nats -= logprob.exp() * logprob;
    }
    let mean = (sum / logits.len() as f64) as f32;
    PieceScore {
        probability: logprob.exp(),
        logprob,
        surprisal: -logprob * std::f32::consts::LOG2_E,
        rank: 1 + logits.iter().filter(|&&logit| logit > of).count(),
        loss: -(1.0 - smoothing) * logprob - smoothing * mean,
        entropy: (nats * std::f64::consts::LOG2_E) as f32,
    }
}
