//! The model's vocabulary: `vocab.json`, from pieces to the ids that index the embedding, and back.

use crate::{Error, Result};
use std::collections::HashMap;

/// Pieces and their ids on one side of a model. Ids count from 0 without a gap.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    pieces: Vec<Box<str>>,
    ids: HashMap<Box<str>, u32>,
    eos_id: u32,
    unk_id: u32,
    pad_id: u32,
}

impl Vocabulary {
    /// Reads the bytes of the file `name`, a JSON object from pieces to ids.
    ///
    /// # Errors
    /// [`Error::TokenizerFormat`] if it is no such object, if ids leave a gap or are given twice, or if
    /// `</s>`, `<unk>` or `<pad>` is missing.
    pub fn parse(name: &str, json: &[u8]) -> Result<Self> {
        Self::from_json(json).map_err(|reason| Error::TokenizerFormat {
            name: name.into(),
            reason,
        })
    }

    fn from_json(json: &[u8]) -> std::result::Result<Self, String> {
        let ids: HashMap<Box<str>, u32> = serde_json::from_slice(json)
            .map_err(|e| format!("it should be a JSON object from pieces to ids: {e}"))?;
        let mut pieces: Vec<Option<&str>> = vec![None; ids.len()];
        for (piece, id) in &ids {
            match pieces.get_mut(*id as usize) {
                Some(slot @ None) => *slot = Some(piece),
                Some(Some(other)) => {
                    return Err(format!("{piece:?} and {other:?} both have the id {id}"));
                }
                None => {
                    let last = ids.len() - 1;
                    return Err(format!(
                        "{piece:?} has the id {id}, its {} pieces need the ids 0 to {last}",
                        ids.len()
                    ));
                }
            }
        }
        let special = |piece: &str| {
            let id = ids.get(piece).copied();
            id.ok_or_else(|| format!("the piece {piece} is missing"))
        };
        Ok(Self {
            eos_id: special("</s>")?,
            unk_id: special("<unk>")?,
            pad_id: special("<pad>")?,
            pieces: pieces.into_iter().flatten().map(Into::into).collect(),
            ids,
        })
    }

    /// Number of pieces.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there are no pieces (never: the special ones are always there).
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// A piece as printed, spaces written as `▁`; empty for an id outside the vocabulary.
    pub fn piece(&self, id: u32) -> &str {
        self.pieces.get(id as usize).map_or("", |piece| piece)
    }

    /// The id of a piece.
    pub fn id(&self, piece: &str) -> Option<u32> {
        self.ids.get(piece).copied()
    }

    /// The end mark `</s>`.
    pub fn eos_id(&self) -> u32 {
        self.eos_id
    }

    /// The unknown piece `<unk>`.
    pub fn unk_id(&self) -> u32 {
        self.unk_id
    }

    /// The padding piece `<pad>`, with which a Marian decoder starts.
    pub fn pad_id(&self) -> u32 {
        self.pad_id
    }

    /// Whether an id is no text: an end mark, padding, the unknown piece, or outside the vocabulary.
    pub fn is_special(&self, id: u32) -> bool {
        [self.eos_id, self.unk_id, self.pad_id].contains(&id) || id as usize >= self.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_vocabularies_are_errors_that_name_the_file_and_the_piece() {
        for (json, reason) in [
            (r#"["</s>"]"#, "JSON object"),
            (r#"{"</s>": 0, "<unk>": 1"#, "JSON object"),
            (r#"{"</s>": 0, "<unk>": 1, "a": 2}"#, "<pad> is missing"),
            (
                r#"{"</s>": 0, "<unk>": 1, "<pad>": 3}"#,
                r#""<pad>" has the id 3"#,
            ),
            (
                r#"{"</s>": 0, "<unk>": 1, "<pad>": 1}"#,
                "both have the id 1",
            ),
            ("{}", "</s> is missing"),
        ] {
            let message = Vocabulary::parse("vocab.json", json.as_bytes())
                .unwrap_err()
                .to_string();
            assert!(
                message.contains("vocab.json") && message.contains(reason),
                "{message}"
            );
        }
    }
}
