//! A SentencePiece model, and how a text becomes its pieces.

use super::normalizer::{Normalized, Normalizer};
use super::prefixes::Prefixes;
use super::proto::{Algorithm, ModelProto, Piece, PieceKind};
use super::unigram::Lexicon;
use super::{Charsmap, SPACE, bpe, unigram};
use crate::text::index::Index;
use crate::{Error, Result};
use std::ops::Range;

/// A model read from a `.model` file: pieces, normaliser, segmentation algorithm.
#[derive(Clone, Debug)]
pub struct SentencePieceModel {
    pieces: Vec<Piece>,
    /// Ids of pieces that match text: normal, user-defined and unused ones.
    text_pieces: Index,
    /// Ids of the others: unknown, control and byte pieces.
    reserved: Index,
    user_defined: Prefixes,
    unknown_id: u32,
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

/// A part of a normalised text that is one piece; it starts where the one before ends.
pub(super) struct Segment {
    pub end: usize,
    pub id: u32,
}

/// BPE-dropout (Provilkov et al., 2020): merges are left out at random, so that a model sees
/// a word in many splits. For training.
pub struct Dropout<'a> {
    /// Probability that a merge is left out.
    pub probability: f32,
    /// Draws from [0, 1).
    pub uniform: &'a mut dyn FnMut() -> f32,
}

impl Dropout<'_> {
    pub(super) fn skips(&mut self) -> bool {
        self.probability > 0.0 && (self.uniform)() < self.probability
    }
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
        let pieces = proto.pieces;
        let texts = pieces.iter().filter(|piece| piece.kind.is_text()).count();
        let mut text_pieces = Index::with_capacity(texts);
        let mut reserved = Index::with_capacity(pieces.len() - texts);
        let mut unknown_ids = Vec::new();
        for (piece, id) in pieces.iter().zip(0..) {
            let pieces_of_kind = match piece.kind.is_text() {
                true => &mut text_pieces,
                false => &mut reserved,
            };
            let other = pieces_of_kind.insert(id, &piece.text, |id| &pieces[id as usize].text);
            if other.is_some() {
                return Err(format!("the piece {:?} is there twice", piece.text));
            }
            if piece.kind == PieceKind::Unknown {
                unknown_ids.push(id);
            }
        }
        let [unknown_id] = unknown_ids[..] else {
            return Err(format!(
                "it has {} unknown pieces (of {} pieces), it must have one",
                unknown_ids.len(),
                pieces.len()
            ));
        };
        let byte_ids = match proto.byte_fallback {
            true => Some(byte_ids(&pieces)?),
            false => None,
        };
        let user_defined = Prefixes::new(
            pieces
                .iter()
                .zip(0..)
                .filter(|(piece, _)| piece.kind == PieceKind::UserDefined)
                .map(|(piece, id)| (piece.text.as_str().into(), id)),
        );
        let charsmap = match proto.precompiled_charsmap {
            [] => None,
            bytes => Some(Charsmap::parse(bytes)?),
        };
        let by_word = user_defined.is_empty()
            && pieces
                .iter()
                .filter(|piece| piece.kind.is_text())
                .all(|piece| begins_at_most_one_word(&piece.text));
        Ok(Self {
            unigram: (proto.algorithm == Algorithm::Unigram).then(|| Lexicon::new(&pieces)),
            pieces,
            text_pieces,
            reserved,
            unknown_id,
            byte_ids,
            normalizer: Normalizer {
                charsmap,
                add_dummy_prefix: proto.add_dummy_prefix,
                remove_extra_whitespaces: proto.remove_extra_whitespaces,
                escape_whitespaces: proto.escape_whitespaces,
                treat_whitespace_as_suffix: proto.treat_whitespace_as_suffix,
                user_defined: user_defined.clone(),
            },
            user_defined,
            by_word,
        })
    }

    /// Number of pieces.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there are no pieces (never: the unknown piece is always there).
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// All pieces, by id.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The id of a piece by its text, or of the unknown piece.
    pub fn id_of(&self, piece: &str) -> u32 {
        let reserved = self.reserved.find(piece, |id| self.text_of(id));
        let id = reserved.or_else(|| self.text_piece(piece));
        id.unwrap_or(self.unknown_id)
    }

    /// The id of the unknown piece.
    pub fn unknown_id(&self) -> u32 {
        self.unknown_id
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
                let segments = unigram::encode(self, lexicon, &normalized.text);
                self.push_spans(&normalized.text, 0, segments, &mut spans);
            }
            None if self.by_word => {
                for word in normalized.words() {
                    let segments =
                        bpe::encode(self, &normalized.text[word.clone()], dropout.as_deref_mut());
                    self.push_spans(&normalized.text, word.start, segments, &mut spans);
                }
            }
            None => {
                let segments = bpe::encode(self, &normalized.text, dropout);
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
            if id != self.unknown_id {
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

    /// The piece with an id that this model gave.
    pub(super) fn piece(&self, id: u32) -> &Piece {
        &self.pieces[id as usize]
    }

    /// The id of a piece that matches text.
    pub(super) fn text_piece(&self, text: &str) -> Option<u32> {
        self.text_pieces.find(text, |id| self.text_of(id))
    }

    fn text_of(&self, id: u32) -> &str {
        &self.piece(id).text
    }

    /// The length of the user-defined piece that `text` begins with.
    pub(super) fn user_defined_at(&self, text: &str) -> Option<usize> {
        if self.user_defined.is_empty() {
            return None;
        }
        self.user_defined.of(text).last().map(|(len, _)| len)
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

/// The byte that a piece like `<0x41>` stands for.
pub(crate) fn byte_of_piece(piece: &str) -> Option<u8> {
    let digits = piece.strip_prefix("<0x")?.strip_suffix('>')?;
    let is_hex = |digit: u8| digit.is_ascii_digit() || (b'A'..=b'F').contains(&digit);
    match digits.as_bytes() {
        [high, low] if is_hex(*high) && is_hex(*low) => u8::from_str_radix(digits, 16).ok(),
        _ => None,
    }
}

fn byte_ids(pieces: &[Piece]) -> std::result::Result<Vec<u32>, String> {
    let mut ids = [None; 256];
    for (piece, id) in pieces
        .iter()
        .zip(0..)
        .filter(|(piece, _)| piece.kind == PieceKind::Byte)
    {
        match byte_of_piece(&piece.text) {
            Some(byte) => ids[usize::from(byte)] = Some(id),
            None => {
                return Err(format!(
                    "the byte piece {:?} is not written like <0x41>",
                    piece.text
                ));
            }
        }
    }
    let byte_ids: Vec<u32> = ids.iter().copied().flatten().collect();
    match byte_ids.len() {
        256 => Ok(byte_ids),
        found => Err(format!(
            "byte_fallback is on with {found} byte pieces, it needs all 256"
        )),
    }
}

/// Whether a piece has `▁` nowhere but at its start.
fn begins_at_most_one_word(piece: &str) -> bool {
    !piece.chars().skip(1).any(|c| c == SPACE)
}
