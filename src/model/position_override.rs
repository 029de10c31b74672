//! Whose encoding is added at each position: its own, unless an intervention says otherwise.

use crate::trace::Effects;

/// Whose encoding is added at each position of each sentence of a state.
pub(crate) enum PositionOverride {
    /// Its own.
    AsTrained,
    /// By sentence: nobody's (`None`), or that of the position named; positions beyond keep their own.
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

    /// The position whose encoding is added at `position` of a sentence.
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
