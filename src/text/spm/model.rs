//! A SentencePiece model, and how a text becomes its pieces.

use super::normalizer::{Normalized, Normalizer};
use super::pieces::{Pieces, Segment, byte_ids};
use super::proto::{Algorithm, ModelProto, Piece};
use super::unigram::Lexicon;
use super::{Charsmap, Dropout, SPACE, bpe, unigram};
use crate::{Error, Result};
use std::ops::Range;

/// A model read from a `.model` file: pieces, normaliser, segmentation algorithm.
#[derive(Clone, Debug)]
pub struct SentencePieceModel {
    pieces: Pieces,
    /// The ids of the 256 byte pieces, where unknown characters become their bytes.
    byte_ids: Option<Vec<u32>>,
    normalizer: Normalizer,
    /// `None`: BPE.
    unigram: Option<Lexicon>,
    /// No piece reaches over the start of a word, so that BPE may take word by word.
    by_word: bool,
}

/// A piece of an encoded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its id in the model.
    pub id: u32,
    /// Where it is in the normalised text. The bytes of an unknown character have the character's range.
    pub normalized: Range<usize>,
}

/// A text as pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EncodedText {
    /// What was encoded.
    pub normalized: Normalized,
    /// Its pieces, in order.
    pub spans: Vec<Span>,
}

impl SentencePieceModel {
    /// Reads the bytes of the `.model` file `name`.
    ///
    /// # Errors
    /// [`Error::TokenizerFormat`] naming the file and what is wrong with it.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self> {
        Self::from_bytes(bytes).map_err(|reason| Error::TokenizerFormat {
            name: name.into(),
            reason,
        })
    }

    // Not inlined for the same reason as `proto::parse_piece`.
    #[inline(never)]
    fn from_bytes(bytes: &[u8]) -> std::result::Result<Self, String> {
        let proto = ModelProto::parse(bytes)?;
        let pieces = Pieces::new(proto.pieces)?;
        let byte_ids = match proto.byte_fallback {
            true => Some(byte_ids(pieces.all())?),
            false => None,
        };
        let charsmap = match proto.precompiled_charsmap {
            [] => None,
            bytes => Some(Charsmap::parse(bytes)?),
        };
        let by_word = pieces.user_defined().is_empty()
            && pieces
                .all()
                .iter()
                .filter(|piece| piece.kind.is_text())
                .all(|piece| begins_at_most_one_word(&piece.text));
        Ok(Self {
            unigram: (proto.algorithm == Algorithm::Unigram).then(|| Lexicon::new(pieces.all())),
            byte_ids,
            normalizer: Normalizer {
                charsmap,
                add_dummy_prefix: proto.add_dummy_prefix,
                remove_extra_whitespaces: proto.remove_extra_whitespaces,
                escape_whitespaces: proto.escape_whitespaces,
                treat_whitespace_as_suffix: proto.treat_whitespace_as_suffix,
                user_defined: pieces.user_defined().clone(),
            },
            pieces,
            by_word,
        })
    }

    /// Number of pieces.
    pub fn len(&self) -> usize {
        self.pieces.all().len()
    }

    /// Whether there are no pieces (never: the unknown piece is always there).
    pub fn is_empty(&self) -> bool {
        self.pieces.all().is_empty()
    }

    /// All pieces, by id.
    pub fn pieces(&self) -> &[Piece] {
        self.pieces.all()
    }

    /// The id of a piece by its text, or of the unknown piece.
    pub fn id_of(&self, piece: &str) -> u32 {
        self.pieces.id_of(piece)
    }

    /// The id of the unknown piece.
    pub fn unknown_id(&self) -> u32 {
        self.pieces.unknown_id()
    }

    /// The model's normaliser.
    pub fn normalizer(&self) -> &Normalizer {
        &self.normalizer
    }

    /// Splits a text into pieces, as SentencePiece does.
    pub fn encode(&self, text: &str) -> EncodedText {
        self.encode_with(text, None)
    }

    /// [`Self::encode`] with BPE-dropout. A unigram model has no merges: it encodes as always.
    pub fn encode_with_dropout(&self, text: &str, dropout: &mut Dropout) -> EncodedText {
        self.encode_with(text, Some(dropout))
    }

    fn encode_with(&self, text: &str, mut dropout: Option<&mut Dropout>) -> EncodedText {
        let normalized = self.normalizer.normalize(text);
        let mut spans = Vec::new();
        match &self.unigram {
            Some(lexicon) => {
                let segments = unigram::encode(&self.pieces, lexicon, &normalized.text);
                self.push_spans(&normalized.text, 0, segments, &mut spans);
            }
            None if self.by_word => {
                for word in normalized.words() {
                    let text = &normalized.text[word.clone()];
                    let segments = bpe::encode(&self.pieces, text, dropout.as_deref_mut());
                    self.push_spans(&normalized.text, word.start, segments, &mut spans);
                }
            }
            None => {
                let segments = bpe::encode(&self.pieces, &normalized.text, dropout);
                self.push_spans(&normalized.text, 0, segments, &mut spans);
            }
        }
        EncodedText { normalized, spans }
    }

    /// Adds the segments of the text from `start` on; unknown ones become bytes, or one unknown piece
    /// where several meet.
    fn push_spans(&self, text: &str, start: usize, segments: Vec<Segment>, spans: &mut Vec<Span>) {
        let mut at = start;
        for Segment { end, id } in segments {
            let normalized = at..start + end;
            at = normalized.end;
            if id != self.pieces.unknown_id() {
                spans.push(Span { id, normalized });
            } else if let Some(byte_ids) = &self.byte_ids {
                let bytes = text[normalized.clone()].bytes();
                spans.extend(bytes.map(|byte| Span {
                    id: byte_ids[usize::from(byte)],
                    normalized: normalized.clone(),
                }));
            } else if let Some(last) = spans.last_mut().filter(|last| last.id == id) {
                last.normalized.end = at;
            } else {
                spans.push(Span { id, normalized });
            }
        }
    }
}

impl EncodedText {
    /// The text of a span as its piece is printed; of an unknown piece the characters that it stands for.
    pub fn surface(&self, span: &Span) -> &str {
        &self.normalized.text[span.normalized.clone()]
    }

    /// The byte range of the original text that a span was made from, with the space before a word.
    pub fn source_range(&self, span: &Span) -> Range<usize> {
        self.normalized.source_range(span.normalized.clone())
    }
}

/// Whether a piece has `▁` nowhere but at its start.
fn begins_at_most_one_word(piece: &str) -> bool {
    !piece.chars().skip(1).any(|c| c == SPACE)
}
