//! A batch of sentence pairs as padded tensors.

use super::plan::{LENGTH_STEP, round_up};
use tch::{Device, Kind, Tensor};

/// Loss rows are a multiple of this: libtorch compiles its matrix kernels anew for every new shape, so shapes have to
/// come again.
const ROW_STEP: usize = 256;

/// Number of tokens that a model predicts of these pairs, end marks included.
pub fn target_tokens(pairs: &[(&[u16], &[u16])]) -> usize {
    pairs.iter().map(|(_, target)| target.len() + 1).sum()
}

/// Special ids that stand in every batch.
#[derive(Clone, Copy, Debug)]
pub struct SpecialIds {
    /// Padding.
    pub pad: u32,
    /// End of a sentence.
    pub eos: u32,
    /// What the decoder reads first.
    pub start: u32,
}

/// A batch as tensors.
pub struct Batch {
    /// Source ids (n, len_src), each sentence with its end mark, then padding.
    pub source: Tensor,
    /// What the decoder reads (n, len_tgt): start mark, then the target.
    pub target_in: Tensor,
    /// What it predicts, padding left out (tokens).
    pub target_out: Tensor,
    /// Rows of the flattened (n · len_tgt) decoder output that predict `target_out`; `None`: all.
    pub rows: Option<Tensor>,
    /// 1 for rows that predict a token, 0 for padding rows (rows).
    pub loss_mask: Tensor,
    /// 0 where a source position is a piece, −∞ where it is padding (n, 1, 1, len_src); `None`: no padding.
    pub src_key_padding_mask: Option<Tensor>,
    /// Number of tokens that are predicted.
    pub target_tokens: usize,
}

impl Batch {
    /// Pads sentences to the longest on each side.
    pub fn new(pairs: &[(&[u16], &[u16])], special: SpecialIds, device: Device) -> Self {
        let n = pairs.len();
        let len_src = round_up(
            1 + pairs.iter().map(|p| p.0.len()).max().unwrap_or(0),
            LENGTH_STEP,
        );
        let len_tgt = round_up(
            1 + pairs.iter().map(|p| p.1.len()).max().unwrap_or(0),
            LENGTH_STEP,
        );
        let mut source = vec![i64::from(special.pad); n * len_src];
        let mut target_in = vec![i64::from(special.pad); n * len_tgt];
        let mut bias = vec![f32::NEG_INFINITY; n * len_src];
        let (mut target_out, mut rows) = (Vec::new(), Vec::new());
        for (i, (s, t)) in pairs.iter().enumerate() {
            let row = &mut source[i * len_src..];
            for (cell, &id) in row.iter_mut().zip(s.iter()) {
                *cell = i64::from(id);
            }
            row[s.len()] = i64::from(special.eos);
            bias[i * len_src..][..=s.len()].fill(0.0);
            let row = &mut target_in[i * len_tgt..];
            row[0] = i64::from(special.start);
            for (cell, &id) in row[1..].iter_mut().zip(t.iter()) {
                *cell = i64::from(id);
            }
            target_out.extend(t.iter().map(|&id| i64::from(id)));
            target_out.push(i64::from(special.eos));
            rows.extend((0..=t.len()).map(|j| (i * len_tgt + j) as i64));
        }
        let (n, len_src, len_tgt) = (n as i64, len_src as i64, len_tgt as i64);
        let padded_source = bias.iter().any(|&b| b != 0.0);
        let padded_target = rows.len() as i64 != n * len_tgt;
        let target_tokens = target_out.len();
        let loss_rows = round_up(target_tokens, ROW_STEP);
        rows.resize(loss_rows, 0);
        target_out.resize(loss_rows, 0);
        let mut loss_mask = vec![1f32; target_tokens];
        loss_mask.resize(loss_rows, 0.0);
        let ids = |values: &[i64]| Tensor::from_slice(values).to(device);
        Self {
            source: ids(&source).view([n, len_src]),
            target_in: ids(&target_in).view([n, len_tgt]),
            target_tokens,
            loss_mask: Tensor::from_slice(&loss_mask).to(device),
            target_out: ids(&target_out),
            rows: (padded_target || loss_rows != target_tokens).then(|| ids(&rows)),
            src_key_padding_mask: padded_source.then(|| {
                Tensor::from_slice(&bias)
                    .to(device)
                    .view([n, 1, 1, len_src])
                    .to_kind(Kind::Float)
            }),
        }
    }
}
