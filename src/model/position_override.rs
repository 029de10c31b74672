//! Which positional encoding is added at each position: its own, unless an intervention overrides it.

use crate::trace::Effects;
use std::ops::Range;

/// The positional encoding that is added at each position of each sentence of a state.
pub(crate) enum PositionOverride {
    /// Its own.
    AsTrained,
    /// By sentence: none at all (`None`), or that of the position named; positions beyond the list have their own.
    Changed(Vec<Option<Vec<usize>>>),
}

impl PositionOverride {
    /// Of sentences with these numbers of source pieces.
    pub fn new(effects: Option<&Effects>, lengths: impl Iterator<Item = usize>) -> Self {
        match effects {
            None => Self::AsTrained,
            Some(effects) => Self::Changed(lengths.map(|len| effects.positions(len)).collect()),
        }
    }

    /// [`Self::at`] of every position of sentences with these rows, one after the other.
    pub fn of_sentences(&self, ranges: &[Range<usize>]) -> impl Iterator<Item = Option<usize>> {
        let sentences = ranges.iter().enumerate();
        sentences.flat_map(move |(sentence, rows)| {
            (0..rows.len()).map(move |position| self.at(sentence, position))
        })
    }

    /// The position whose encoding is added at `position` of a sentence; `None`: none is added.
    pub fn at(&self, sentence: usize, position: usize) -> Option<usize> {
        match self {
            Self::AsTrained => Some(position),
            Self::Changed(sentences) => {
                let permutation = sentences[sentence].as_ref()?;
                Some(permutation.get(position).copied().unwrap_or(position))
            }
        }
    }
}
