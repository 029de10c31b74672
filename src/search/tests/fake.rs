//! Models small enough to enumerate every translation.

use crate::model::{Row, Seq2Seq, Slot};
use crate::random::SplitMix64;
use crate::trace::{Intervention, Trace, TraceRequest};
use crate::{Config, Result};
use ndarray::{Array2, ArrayView2};
use std::cell::Cell;

/// End mark of the fake models.
pub(super) const EOS: u32 = 0;

/// A model whose logits are a function of the source and of the pieces read so far.
pub(super) struct Fake<F> {
    pub(super) config: Config,
    pub(super) logit: F,
    pub(super) passes: Cell<usize>,
}

pub(super) struct FakeState {
    sources: Vec<Vec<u32>>,
    /// What was read on the path to each slot, start symbol first.
    paths: Vec<(usize, Vec<u32>)>,
    released: Vec<bool>,
    logits: Array2<f32>,
}

impl<F: Fn(&[u32], &[u32], u32) -> f32> Fake<F> {
    /// `logit(source, pieces so far, next piece)`; the last piece of the vocabulary is the start symbol.
    pub(super) fn new(vocab: usize, logit: F) -> Self {
        let config = Config {
            forced_eos_id: None,
            ..Config::tiny(vocab)
        };
        Self {
            config,
            logit,
            passes: Cell::new(0),
        }
    }

    /// ln P of each piece of a target.
    pub(super) fn logprobs(&self, source: &[u32], target: &[u32]) -> Vec<f32> {
        (0..target.len())
            .map(|t| {
                let vocab = 0..self.config.vocab_size as u32;
                let row: Vec<f32> = vocab
                    .map(|next| (self.logit)(source, &target[..t], next))
                    .collect();
                let z: f64 = row.iter().map(|x| f64::from(*x).exp()).sum();
                (f64::from(row[target[t] as usize]) - z.ln()) as f32
            })
            .collect()
    }

    /// Every whole translation of at most `longest` pieces with its score under Wu, best first.
    pub(super) fn every_translation(
        &self,
        source: &[u32],
        longest: usize,
        alpha: f32,
    ) -> Vec<(Vec<u32>, f32)> {
        let mut all = Vec::new();
        let mut open: Vec<Vec<u32>> = vec![Vec::new()];
        for length in 1..=longest {
            let mut next = Vec::new();
            for prefix in open {
                for token in (0..self.config.vocab_size as u32)
                    .filter(|t| !self.config.banned_ids.contains(t))
                {
                    let mut target = prefix.clone();
                    target.push(token);
                    if token == EOS || length == longest {
                        let sum: f32 = self.logprobs(source, &target).iter().sum();
                        let penalty = ((5.0 + length as f32) / 6.0).powf(alpha);
                        all.push((target, sum / penalty));
                    } else {
                        next.push(target);
                    }
                }
            }
            open = next;
        }
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all
    }
}

impl<F: Fn(&[u32], &[u32], u32) -> f32> Seq2Seq for Fake<F> {
    type State = FakeState;

    fn config(&self) -> &Config {
        &self.config
    }

    fn encode_with(
        &self,
        sentences: &[&[u32]],
        _: &[TraceRequest],
        _: &Intervention,
    ) -> Result<FakeState> {
        Ok(FakeState {
            sources: sentences.iter().map(|s| s.to_vec()).collect(),
            paths: Vec::new(),
            released: vec![false; sentences.len()],
            logits: Array2::zeros((0, 0)),
        })
    }

    fn step<'s>(&self, state: &'s mut FakeState, rows: &[Row]) -> Result<ArrayView2<'s, f32>> {
        self.passes.set(self.passes.get() + 1);
        let vocab = self.config.vocab_size;
        state.logits = Array2::zeros((rows.len(), vocab));
        for (i, row) in rows.iter().enumerate() {
            assert!(!state.released[row.sentence], "a released sentence is read");
            let mut path = match row.parent {
                Some(Slot(parent)) => {
                    let (sentence, path) = &state.paths[parent as usize];
                    assert_eq!(*sentence, row.sentence, "a row continues another sentence");
                    path.clone()
                }
                None => {
                    assert_eq!(row.token, self.config.decoder_start_id);
                    Vec::new()
                }
            };
            path.push(row.token);
            assert!(
                path.len() <= self.config.max_positions,
                "a position beyond the model's last"
            );
            for token in 0..vocab {
                state.logits[[i, token]] =
                    (self.logit)(&state.sources[row.sentence], &path[1..], token as u32);
            }
            state.paths.push((row.sentence, path));
        }
        Ok(state.logits.view())
    }

    /// Row t of the fake observation holds the piece that was read when piece t was predicted.
    fn trace(&self, state: &FakeState, _: usize, path: &[Slot]) -> Trace {
        let read = |slot: &Slot| *state.paths[slot.0 as usize].1.last().unwrap() as f32;
        let rows: Vec<f32> = path.iter().map(read).collect();
        Trace {
            decoder_output: Some(Array2::from_shape_vec((rows.len(), 1), rows).unwrap()),
            ..Trace::default()
        }
    }

    fn release(&self, state: &mut FakeState, sentence: usize) {
        state.released[sentence] = true;
    }
}

/// A number in 0..1 from anything (splitmix64 over the words given).
fn noise(words: impl IntoIterator<Item = u64>) -> f32 {
    let mut h = 0u64;
    for word in words {
        h = SplitMix64::new(h.wrapping_add(word)).next_u64();
    }
    (h >> 40) as f32 / (1u64 << 24) as f32
}

/// A random model: every prefix of every source has its own distribution, of a spread drawn from the seed.
pub(super) fn random(seed: u64, vocab: usize) -> Fake<impl Fn(&[u32], &[u32], u32) -> f32> {
    let spread = 1.0 + 7.0 * noise([seed, 1]);
    let end = 4.0 * noise([seed, 2]) - 2.0;
    Fake::new(vocab, move |source: &[u32], prefix: &[u32], next: u32| {
        let words = source
            .iter()
            .chain(&[u32::MAX])
            .chain(prefix)
            .map(|t| u64::from(*t));
        let x = noise([seed].into_iter().chain(words).chain([u64::from(next)])) * spread;
        if next == EOS { x + end } else { x }
    })
}
