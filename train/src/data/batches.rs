//! An endless stream of batches from corpora on the disk, of which one window is in memory at a time.

use super::corpus::Corpus;
use super::plan::Limits;
use super::shards::Shards;
use crate::error::{Error, Result};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Pairs of a window: blocks come in random order, and the pairs of as many as make a window are shuffled among each other.
pub const WINDOW: usize = 1 << 19;

/// Position of a run in its data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Passes over the data that are complete.
    pub epoch: u64,
    /// Windows of this pass that are complete.
    #[serde(default)]
    pub window: usize,
    /// Batches of this window that were used.
    pub batch: usize,
}

/// A corpus with the number of times that a pass uses each of its pairs.
pub struct Weighted {
    /// The pairs.
    pub corpus: Shards,
    /// Expected uses of a pair in a pass; 0.25: a random quarter of the pairs, 2.0: every pair twice.
    pub weight: f64,
}

/// A block that a pass uses.
#[derive(Clone, Copy)]
struct Use {
    corpus: u16,
    block: u32,
    /// Share of its pairs that is used, drawn at random.
    share: f32,
}

/// An endless stream of batches that is a function of the seed alone, and can start anywhere.
pub struct Batches {
    corpora: Vec<Weighted>,
    limits: Limits,
    seed: u64,
    /// Least pairs of a window.
    window: usize,
    position: Position,
    /// The blocks of each window of the current pass.
    windows: Vec<Vec<Use>>,
    /// The pairs of the current window.
    corpus: Corpus,
    /// The batches of the current window.
    plan: Vec<Vec<u32>>,
}

impl Batches {
    /// A stream that continues at `position`.
    ///
    /// # Errors
    /// A corpus that cannot be read; no pair within the limits.
    pub fn new(
        corpora: Vec<Weighted>,
        limits: Limits,
        seed: u64,
        position: Position,
    ) -> Result<Self> {
        Self::with_window(corpora, limits, seed, position, WINDOW)
    }

    fn with_window(
        corpora: Vec<Weighted>,
        limits: Limits,
        seed: u64,
        position: Position,
        window: usize,
    ) -> Result<Self> {
        let mut batches = Self {
            corpora,
            limits,
            seed,
            window,
            position,
            windows: Vec::new(),
            corpus: Corpus::default(),
            plan: Vec::new(),
        };
        batches.windows = batches.pass();
        batches.load()?;
        Ok(batches)
    }

    /// Position of the next batch.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Pairs that a pass uses, those that are too long included.
    pub fn pairs_per_epoch(&self) -> u64 {
        let of = |c: &Weighted| c.corpus.pairs() as f64 * c.weight;
        self.corpora.iter().map(of).sum::<f64>().round() as u64
    }

    /// The pairs of the next batch, as ids without start and end marks.
    ///
    /// # Errors
    /// A corpus that cannot be read.
    pub fn next_batch(&mut self) -> Result<Corpus> {
        if self.position.batch >= self.plan.len() {
            self.position.window += 1;
            self.position.batch = 0;
            self.load()?;
        }
        let batch = self.corpus.select(&self.plan[self.position.batch]);
        self.position.batch += 1;
        Ok(batch)
    }

    /// Reads the window at the current position, or the next that has a batch.
    fn load(&mut self) -> Result<()> {
        let first = self.position.epoch;
        loop {
            if self.position.window >= self.windows.len() {
                self.position = Position {
                    epoch: self.position.epoch + 1,
                    ..Position::default()
                };
                self.windows = self.pass();
            }
            // Two passes without any batch: there is none.
            if self.position.epoch > first + 1 || self.windows.is_empty() {
                return Err(Error::Recipe(format!(
                    "no training pair is within data.max_length {}",
                    self.limits.max_length
                )));
            }
            let mut rng = self.random(self.position.window as u64 + 1);
            self.corpus.clear();
            for part in &self.windows[self.position.window] {
                let corpus = &self.corpora[usize::from(part.corpus)].corpus;
                let block = corpus.read(part.block as usize)?;
                for i in 0..block.len() {
                    if part.share >= 1.0 || rng.random::<f32>() < part.share {
                        self.corpus.push_from(&block, i);
                    }
                }
            }
            self.plan = self.limits.plan(&self.corpus, &mut rng);
            if !self.plan.is_empty() {
                return Ok(());
            }
            self.position.window += 1;
            self.position.batch = 0;
        }
    }

    /// Random numbers of the current pass: 0 orders its blocks, n + 1 mixes window n. Each has a stream of its own, so that
    /// a window can be made without those before it.
    fn random(&self, part: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream((self.position.epoch << 32) | part);
        rng
    }

    /// The windows of the current pass: every block as often as its corpus' weight says, in random order.
    fn pass(&self) -> Vec<Vec<Use>> {
        let mut uses = Vec::new();
        for (c, Weighted { corpus, weight }) in self.corpora.iter().enumerate() {
            for block in 0..corpus.blocks() {
                let part = |share: f64| Use {
                    corpus: c as u16,
                    block: block as u32,
                    share: share as f32,
                };
                uses.extend(std::iter::repeat_n(part(1.0), weight.floor() as usize));
                if weight.fract() > 0.0 {
                    uses.push(part(weight.fract()));
                }
            }
        }
        uses.shuffle(&mut self.random(0));
        let mut windows = Vec::new();
        let (mut window, mut pairs) = (Vec::new(), 0.0);
        for part in uses {
            let corpus = &self.corpora[usize::from(part.corpus)].corpus;
            pairs += corpus.pairs_of(part.block as usize) as f32 * part.share;
            window.push(part);
            if pairs >= self.window as f32 {
                windows.push(std::mem::take(&mut window));
                pairs = 0.0;
            }
        }
        if !window.is_empty() {
            windows.push(window);
        }
        windows
    }
}

#[cfg(test)]
mod tests;
