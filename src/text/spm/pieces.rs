//! The pieces of a model, by text and by id: what both segmentation algorithms read.

use super::prefixes::Prefixes;
use super::proto::{Piece, PieceKind};
use crate::text::index::Index;

/// All pieces of a model, by id.
#[derive(Clone, Debug)]
pub struct Pieces {
    all: Vec<Piece>,
    /// Ids of pieces that match text: normal, user-defined and unused ones.
    text_pieces: Index,
    /// Ids of the others: unknown, control and byte pieces.
    reserved: Index,
    user_defined: Prefixes,
    unknown_id: u32,
}

/// A part of a normalised text that is one piece; it starts where the one before ends.
pub struct Segment {
    pub end: usize,
    pub id: u32,
}

impl Pieces {
    /// # Errors
    /// What is wrong, where a piece is listed twice or there is not exactly one unknown piece.
    pub fn new(pieces: Vec<Piece>) -> Result<Self, String> {
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
        let user_defined = Prefixes::new(
            pieces
                .iter()
                .zip(0..)
                .filter(|(piece, _)| piece.kind == PieceKind::UserDefined)
                .map(|(piece, id)| (piece.text.as_str().into(), id)),
        );
        Ok(Self {
            all: pieces,
            text_pieces,
            reserved,
            user_defined,
            unknown_id,
        })
    }

    pub fn all(&self) -> &[Piece] {
        &self.all
    }

    pub fn user_defined(&self) -> &Prefixes {
        &self.user_defined
    }

    pub fn unknown_id(&self) -> u32 {
        self.unknown_id
    }

    /// The piece with an id of this model.
    pub fn get(&self, id: u32) -> &Piece {
        &self.all[id as usize]
    }

    /// The id of a piece by its text, or of the unknown piece.
    pub fn id_of(&self, text: &str) -> u32 {
        let reserved = self.reserved.find(text, |id| self.text_of(id));
        let id = reserved.or_else(|| self.text_piece(text));
        id.unwrap_or(self.unknown_id)
    }

    /// The id of a piece that matches text.
    pub fn text_piece(&self, text: &str) -> Option<u32> {
        self.text_pieces.find(text, |id| self.text_of(id))
    }

    /// The length of the user-defined piece that `text` begins with.
    pub fn user_defined_at(&self, text: &str) -> Option<usize> {
        if self.user_defined.is_empty() {
            return None;
        }
        self.user_defined.of(text).last().map(|(len, _)| len)
    }

    fn text_of(&self, id: u32) -> &str {
        &self.get(id).text
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

/// The ids of the 256 byte pieces.
///
/// # Errors
/// What is wrong, where one is missing or written otherwise than `<0x41>`.
pub fn byte_ids(pieces: &[Piece]) -> Result<Vec<u32>, String> {
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
