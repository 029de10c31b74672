//! Offsets into a text in the unit that the caller counts in.

use super::Piece;
use crate::text::{utf16_range, utf16_ranges};
use serde::{Deserialize, Serialize};

/// The unit of all offsets into texts that a translator gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offsets {
    /// Bytes, as Rust indexes.
    #[default]
    Utf8,
    /// UTF-16 units, as JavaScript indexes.
    Utf16,
}

impl Offsets {
    /// The length of a text.
    pub(super) fn length(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => utf16_range(text, &(0..text.len())).end,
        }
    }

    /// Turns the byte ranges of pieces in their text into ranges of this unit, of a text that begins at `start`.
    pub(super) fn map(self, text: &str, start: usize, pieces: &mut [Piece]) {
        let ranges: Vec<_> = pieces
            .iter()
            .map(|piece| piece.range.map(|[from, to]| from..to))
            .collect();
        let ranges = match self {
            Self::Utf8 => ranges,
            Self::Utf16 => utf16_ranges(text, &ranges),
        };
        for (piece, range) in pieces.iter_mut().zip(ranges) {
            piece.range = range.map(|range| [start + range.start, start + range.end]);
        }
    }
}
