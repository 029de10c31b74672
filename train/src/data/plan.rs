//! Pairs of about the same length together, with a budget of tokens for each side (§5.1).

use super::corpus::Corpus;
use rand::Rng;
use rand::seq::SliceRandom;

/// Pairs sorted by length at a time: large enough for even batches, small enough for a fair mix.
const POOL: usize = 16_384;

/// Padded lengths are multiples of this, numbers of sentences of the next: libtorch compiles its matrix kernels anew for
/// every new shape, so shapes have to come again.
pub(super) const LENGTH_STEP: usize = 4;
const SENTENCE_STEP: usize = 8;

pub(super) fn round_up(n: usize, step: usize) -> usize {
    n.div_ceil(step) * step
}

/// What a batch may hold.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most tokens on either side, padding counted.
    pub batch_tokens: usize,
    /// Longest sentence in pieces, with its end mark; longer pairs are left out.
    pub max_length: usize,
}

impl Limits {
    /// The corpus in batches, as indices of its pairs, both in random order.
    pub fn plan(&self, corpus: &Corpus, rng: &mut impl Rng) -> Vec<Vec<u32>> {
        let mut pairs: Vec<u32> = (0..corpus.len() as u32)
            .filter(|&i| {
                let (target, source) = lengths(corpus, i);
                target.max(source) <= self.max_length
            })
            .collect();
        pairs.shuffle(rng);
        let mut plan = Vec::new();
        for pool in pairs.chunks_mut(POOL) {
            pool.sort_by_key(|&i| {
                let (target, source) = lengths(corpus, i);
                (round_up(target, LENGTH_STEP), round_up(source, LENGTH_STEP))
            });
            let mut batches = self.cut(corpus, pool);
            batches.shuffle(rng);
            plan.append(&mut batches);
        }
        plan
    }

    /// Cuts a sorted pool where either side would pass its budget, into batches of a multiple of
    /// [`SENTENCE_STEP`] sentences.
    fn cut(&self, corpus: &Corpus, pool: &[u32]) -> Vec<Vec<u32>> {
        let mut batches: Vec<Vec<u32>> = Vec::new();
        let mut rest = pool;
        while !rest.is_empty() {
            let mut widest = 0;
            let mut fits = 0;
            for (i, &pair) in rest.iter().enumerate() {
                let (target, source) = lengths(corpus, pair);
                widest = widest.max(round_up(target.max(source), LENGTH_STEP));
                if (i + 1) * widest > self.batch_tokens {
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
}

/// Lengths of target and source with one mark each.
fn lengths(corpus: &Corpus, i: u32) -> (usize, usize) {
    (
        corpus.target.get(i as usize).len() + 1,
        corpus.source.get(i as usize).len() + 1,
    )
}
