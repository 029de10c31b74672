//! Pairs of one batch, all tokens packed without padding.

use std::ops::Range;
use translucent::Config;

/// Sentences of one side, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    /// All ids (tokens).
    pub ids: Vec<u32>,
    /// Each token's position in its sentence (tokens).
    pub positions: Vec<u32>,
    /// First token of each sentence, and the number of tokens (sentences + 1).
    pub starts: Vec<usize>,
}

impl Packed {
    pub(crate) fn clear(&mut self) {
        self.ids.clear();
        self.positions.clear();
        self.starts.clear();
        self.starts.push(0);
    }

    pub(crate) fn push(&mut self, ids: impl Iterator<Item = u32>) {
        let start = self.ids.len();
        self.ids.extend(ids);
        let length = self.ids.len() - start;
        self.positions.extend(0..length as u32);
        self.starts.push(self.ids.len());
    }

    /// Number of tokens.
    pub fn tokens(&self) -> usize {
        self.ids.len()
    }

    /// The tokens of each sentence.
    pub fn sentences(&self) -> impl Iterator<Item = Range<usize>> {
        self.starts.windows(2).map(|ends| ends[0]..ends[1])
    }
}

/// A batch of pairs.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Sources, each with its end mark.
    pub source: Packed,
    /// What the decoder reads: start mark, then the target ("outputs shifted right", §3.1).
    pub input: Packed,
    /// What it should predict: the target, then the end mark (target tokens).
    pub gold: Vec<u32>,
}

impl Batch {
    /// Packs pairs of ids without marks.
    pub fn pack<'p>(
        &mut self,
        pairs: impl IntoIterator<Item = (&'p [u32], &'p [u32])>,
        config: &Config,
    ) {
        self.source.clear();
        self.input.clear();
        self.gold.clear();
        for (source, target) in pairs {
            self.source
                .push(source.iter().copied().chain([config.eos_id]));
            self.input.push(
                [config.decoder_start_id]
                    .into_iter()
                    .chain(target.iter().copied()),
            );
            self.gold
                .extend(target.iter().copied().chain([config.eos_id]));
        }
    }
}
