//! Batches of sentence pairs of about the same length, with a budget of tokens for each side (§5.1).

use super::corpus::Corpus;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use tch::{Device, Kind, Tensor};

/// Pairs sorted by length at a time: large enough for even batches, small enough for a fair mix.
const POOL: usize = 16_384;

/// Position of a run in its data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Passes over the data that are complete.
    pub epoch: u64,
    /// Batches of this pass that were used.
    pub batch: usize,
}

/// A corpus with the number of times that a pass uses each of its pairs.
pub struct Weighted {
    /// The pairs.
    pub corpus: Corpus,
    /// Expected uses of a pair in a pass; 0.25: a random quarter of the pairs, 2.0: every pair twice.
    pub weight: f64,
}

/// What a batch may hold.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most tokens on either side, padding counted.
    pub batch_tokens: usize,
    /// Longest sentence in pieces, with its end mark; longer pairs are left out.
    pub max_length: usize,
}

/// Padded lengths are multiples of this, numbers of sentences of the next, loss rows of the last: libtorch
/// compiles its matrix kernels anew for every new shape, so shapes have to come again.
const LENGTH_STEP: usize = 4;
const SENTENCE_STEP: usize = 8;
const ROW_STEP: usize = 256;

fn round_up(n: usize, step: usize) -> usize {
    n.div_ceil(step) * step
}

/// A pair: index of its corpus, index in there.
pub type Index = (u16, u32);

/// An endless stream of batches that is a function of the seed alone, and can start anywhere.
pub struct Batches {
    corpora: Vec<Weighted>,
    limits: Limits,
    seed: u64,
    position: Position,
    /// The batches of the current pass.
    plan: Vec<Vec<Index>>,
}

impl Batches {
    /// A stream that continues at `position`.
    pub fn new(corpora: Vec<Weighted>, limits: Limits, seed: u64, position: Position) -> Self {
        let mut batches = Self {
            corpora,
            limits,
            seed,
            position,
            plan: Vec::new(),
        };
        batches.plan = batches.make_plan();
        batches
    }

    /// Position of the next batch.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Number of batches of the current pass.
    pub fn batches_per_epoch(&self) -> usize {
        self.plan.len()
    }

    /// The next batch. `None` if every pair is too long.
    pub fn next_batch(&mut self) -> Option<Vec<Index>> {
        if self.position.batch >= self.plan.len() {
            self.position = Position {
                epoch: self.position.epoch + 1,
                batch: 0,
            };
            self.plan = self.make_plan();
        }
        let batch = self.plan.get(self.position.batch)?.clone();
        self.position.batch += 1;
        Some(batch)
    }

    /// A batch as pairs of id slices without start and end marks.
    pub fn pairs(&self, batch: &[Index]) -> Vec<(&[u16], &[u16])> {
        let pair = |&(c, i): &Index| {
            let corpus = &self.corpora[c as usize].corpus;
            (corpus.source.get(i as usize), corpus.target.get(i as usize))
        };
        batch.iter().map(pair).collect()
    }

    fn make_plan(&self) -> Vec<Vec<Index>> {
        // One stream of random numbers a pass, so that a pass can be made without those before it.
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(self.position.epoch);
        let mut pairs: Vec<Index> = Vec::new();
        for (c, Weighted { corpus, weight }) in self.corpora.iter().enumerate() {
            for i in 0..corpus.len() {
                let uses =
                    weight.floor() as usize + usize::from(rng.random::<f64>() < weight.fract());
                if self.length((c as u16, i as u32)) <= self.limits.max_length {
                    pairs.extend(std::iter::repeat_n((c as u16, i as u32), uses));
                }
            }
        }
        pairs.shuffle(&mut rng);
        let mut plan = Vec::new();
        for pool in pairs.chunks_mut(POOL) {
            pool.sort_by_key(|&p| {
                let (target, source) = self.lengths(p);
                (round_up(target, LENGTH_STEP), round_up(source, LENGTH_STEP))
            });
            let mut batches = self.cut(pool);
            batches.shuffle(&mut rng);
            plan.append(&mut batches);
        }
        plan
    }

    /// Cuts a sorted pool where either side would pass its budget, into batches of a multiple of
    /// [`SENTENCE_STEP`] sentences.
    fn cut(&self, pool: &[Index]) -> Vec<Vec<Index>> {
        let mut batches: Vec<Vec<Index>> = Vec::new();
        let mut rest = pool;
        while !rest.is_empty() {
            let mut widest = 0;
            let mut fits = 0;
            for (i, &pair) in rest.iter().enumerate() {
                let (target, source) = self.lengths(pair);
                widest = widest.max(round_up(target.max(source), LENGTH_STEP));
                if (i + 1) * widest > self.limits.batch_tokens {
                    break;
                }
                fits = i + 1;
            }
            if fits > SENTENCE_STEP {
                fits -= fits % SENTENCE_STEP;
            }
            let (batch, others) = rest.split_at(fits.max(1));
            batches.push(batch.to_vec());
            rest = others;
        }
        batches
    }

    /// Lengths of target and source with one mark each.
    fn lengths(&self, (c, i): Index) -> (usize, usize) {
        let corpus = &self.corpora[c as usize].corpus;
        (
            corpus.target.get(i as usize).len() + 1,
            corpus.source.get(i as usize).len() + 1,
        )
    }

    fn length(&self, pair: Index) -> usize {
        let (target, source) = self.lengths(pair);
        target.max(source)
    }
}

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
