//! Offsets into a text in the unit that the caller counts in.

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

/// Turns byte offsets of one text into offsets of the unit asked for.
pub(super) struct OffsetMap {
    /// Offset by byte; `None` where both are the same.
    by_byte: Option<Vec<u32>>,
}

impl OffsetMap {
    pub fn new(text: &str, unit: Offsets) -> Self {
        if unit == Offsets::Utf8 || text.is_ascii() {
            return Self { by_byte: None };
        }
        let mut by_byte = Vec::with_capacity(text.len() + 1);
        let mut units = 0;
        for c in text.chars() {
            by_byte.resize(by_byte.len() + c.len_utf8(), units);
            units += c.len_utf16() as u32;
        }
        by_byte.push(units);
        Self {
            by_byte: Some(by_byte),
        }
    }

    /// The offset of a byte; inside a character, the character's beginning.
    pub fn at(&self, byte: usize) -> usize {
        match &self.by_byte {
            None => byte,
            Some(by_byte) => by_byte[byte.min(by_byte.len() - 1)] as usize,
        }
    }

    pub fn range(&self, [start, end]: [usize; 2]) -> [usize; 2] {
        [self.at(start), self.at(end)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_count_utf16_units() {
        let text = "aß🙂b";
        let map = OffsetMap::new(text, Offsets::Utf16);
        for (byte, _) in text.char_indices() {
            assert_eq!(map.at(byte), text[..byte].encode_utf16().count());
        }
        assert_eq!(map.range([3, text.len()]), [2, 5]);
        assert_eq!(OffsetMap::new(text, Offsets::Utf8).range([3, 7]), [3, 7]);
    }
}
