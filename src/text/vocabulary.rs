//! The model's vocabulary: `vocab.json`, from pieces to the ids that index the embedding, and back.

use super::index::Index;
use crate::{Error, Result};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, Visitor};

/// Pieces and their ids on one side of a model. Ids count from 0 without a gap.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// All pieces, one after the other.
    texts: String,
    /// Where each id's piece stands there.
    pieces: Vec<Span>,
    /// Ids of the pieces.
    index: Index,
    eos_id: u32,
    unk_id: u32,
    pad_id: u32,
    placeholders: Vec<u32>,
}

/// A piece's range in the texts.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    fn of(self, texts: &str) -> &str {
        &texts[self.start as usize..self.end as usize]
    }
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

    // Not inlined for the same reason as `spm::proto::parse_piece`.
    #[inline(never)]
    fn from_json(json: &[u8]) -> std::result::Result<Self, String> {
        let Entries { texts, entries } = serde_json::from_slice(json)
            .map_err(|e| format!("it should be a JSON object from pieces to ids: {e}"))?;
        let count = entries.len();
        let mut pieces = vec![None; count];
        for (span, id) in entries {
            let piece = span.of(&texts);
            match pieces.get_mut(id as usize) {
                Some(slot @ None) => *slot = Some(span),
                Some(Some(other)) => {
                    let other = other.of(&texts);
                    return Err(format!("{piece:?} and {other:?} both have the id {id}"));
                }
                None => {
                    let last = count - 1;
                    return Err(format!(
                        "{piece:?} has the id {id}, its {count} pieces need the ids 0 to {last}"
                    ));
                }
            }
        }
        let pieces: Vec<Span> = pieces.into_iter().flatten().collect();
        let text_of = |id: u32| pieces[id as usize].of(&texts);
        let mut index = Index::with_capacity(count);
        for id in 0..count as u32 {
            let piece = text_of(id);
            if let Some(other) = index.insert(id, piece, text_of) {
                return Err(format!("{piece:?} has two ids, {other} and {id}"));
            }
        }
        let special = |piece: &str| {
            let id = index.find(piece, text_of);
            id.ok_or_else(|| format!("the piece {piece} is missing"))
        };
        let numbered = |n| index.find(&placeholder(n), text_of);
        Ok(Self {
            placeholders: (1..).map_while(numbered).collect(),
            eos_id: special("</s>")?,
            unk_id: special("<unk>")?,
            pad_id: special("<pad>")?,
            texts,
            pieces,
            index,
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
        let span = self.pieces.get(id as usize);
        span.map_or("", |span| span.of(&self.texts))
    }

    /// The id of a piece.
    pub fn id(&self, piece: &str) -> Option<u32> {
        self.index.find(piece, |id| self.piece(id))
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

    /// The pieces that stand for literals ([`crate::text::literals`]): `<copy1>`, `<copy2>` and so on. None in a
    /// vocabulary that was not made by this project's trainer.
    pub fn placeholders(&self) -> &[u32] {
        &self.placeholders
    }

    /// The same without placeholders: two separate vocabularies have none in common.
    pub(super) fn without_placeholders(self) -> Self {
        Self {
            placeholders: Vec::new(),
            ..self
        }
    }

    /// Whether an id is no text: an end mark, padding, the unknown piece, or outside the vocabulary.
    pub fn is_special(&self, id: u32) -> bool {
        [self.eos_id, self.unk_id, self.pad_id].contains(&id) || id as usize >= self.len()
    }
}

/// The n-th placeholder as printed; they count from 1.
pub fn placeholder(n: usize) -> String {
    format!("<copy{n}>")
}

/// The entries of a `vocab.json` as they stand there.
struct Entries {
    texts: String,
    entries: Vec<(Span, u32)>,
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(json: D) -> std::result::Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Entries;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Entries, A::Error> {
                let (mut texts, mut entries) = (String::new(), Vec::new());
                let mut start = 0;
                while map.next_key_seed(Append(&mut texts))?.is_some() {
                    // No file of four gigabytes is read.
                    let end = texts.len() as u32;
                    entries.push((Span { start, end }, map.next_value()?));
                    start = end;
                }
                Ok(Entries { texts, entries })
            }
        }
        json.deserialize_map(Object)
    }
}

/// Reads a string to the end of another one.
struct Append<'t>(&'t mut String);

impl<'de> DeserializeSeed<'de> for Append<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> std::result::Result<(), D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for Append<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E>(self, text: &str) -> std::result::Result<(), E> {
        self.0.push_str(text);
        Ok(())
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
            (
                r#"{"</s>": 0, "<unk>": 1, "<pad>": 2, "</s>": 3}"#,
                r#""</s>" has two ids, 0 and 3"#,
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
