//! SentencePiece's `ModelProto`: the fields that encoding and decoding need, and their defaults.

use super::wire::{Fields, Value};

/// What a piece is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// A piece of text.
    Normal,
    /// Stands for what no other piece matches.
    Unknown,
    /// Never matches text: `</s>` and the like.
    Control,
    /// Always one piece wherever its text occurs.
    UserDefined,
    /// Takes part in merges but is split again in the result.
    Unused,
    /// One byte, written `<0x41>`.
    Byte,
}

impl PieceKind {
    /// Whether a piece of this kind can match text.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Normal | Self::UserDefined | Self::Unused)
    }
}

/// One piece of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Its text, spaces written as `▁`.
    pub text: String,
    /// BPE: the smaller the later it was learned. Unigram: ln P.
    pub score: f32,
    /// What it is for.
    pub kind: PieceKind,
}

/// The segmentation algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The most probable segmentation under a unigram language model.
    Unigram,
    /// Byte-pair encoding.
    Bpe,
}

/// What is read of a `.model` file.
#[derive(Debug)]
pub struct ModelProto<'a> {
    pub pieces: Vec<Piece>,
    pub algorithm: Algorithm,
    pub byte_fallback: bool,
    pub treat_whitespace_as_suffix: bool,
    pub precompiled_charsmap: &'a [u8],
    pub add_dummy_prefix: bool,
    pub remove_extra_whitespaces: bool,
    pub escape_whitespaces: bool,
}

impl<'a> ModelProto<'a> {
    /// Reads a file's bytes.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, String> {
        let mut model = Self {
            pieces: Vec::new(),
            algorithm: Algorithm::Unigram,
            byte_fallback: false,
            treat_whitespace_as_suffix: false,
            precompiled_charsmap: &[],
            add_dummy_prefix: true,
            remove_extra_whitespaces: true,
            escape_whitespaces: true,
        };
        for field in Fields::new(bytes) {
            match field? {
                (1, Value::Bytes(message)) => {
                    let index = model.pieces.len();
                    let piece = parse_piece(message).map_err(|e| format!("piece {index}: {e}"))?;
                    model.pieces.push(piece);
                }
                (2, Value::Bytes(message)) => model
                    .trainer_spec(message)
                    .map_err(|e| format!("trainer_spec: {e}"))?,
                (3, Value::Bytes(message)) => model
                    .normalizer_spec(message)
                    .map_err(|e| format!("normalizer_spec: {e}"))?,
                (5, Value::Bytes(message)) => refuse_denormalizer(message)?,
                _ => {}
            }
        }
        Ok(model)
    }

    fn trainer_spec(&mut self, message: &[u8]) -> Result<(), String> {
        for field in Fields::new(message) {
            match field? {
                (3, Value::Varint(1)) => self.algorithm = Algorithm::Unigram,
                (3, Value::Varint(2)) => self.algorithm = Algorithm::Bpe,
                (3, Value::Varint(other)) => {
                    let name = match other {
                        3 => "word".into(),
                        4 => "char".into(),
                        other => other.to_string(),
                    };
                    return Err(format!(
                        "model type {name} is not supported, only unigram and bpe are"
                    ));
                }
                (24, Value::Varint(flag)) => self.treat_whitespace_as_suffix = flag != 0,
                (35, Value::Varint(flag)) => self.byte_fallback = flag != 0,
                _ => {}
            }
        }
        Ok(())
    }

    fn normalizer_spec(&mut self, message: &'a [u8]) -> Result<(), String> {
        for field in Fields::new(message) {
            match field? {
                (2, Value::Bytes(charsmap)) => self.precompiled_charsmap = charsmap,
                (3, Value::Varint(flag)) => self.add_dummy_prefix = flag != 0,
                (4, Value::Varint(flag)) => self.remove_extra_whitespaces = flag != 0,
                (5, Value::Varint(flag)) => self.escape_whitespaces = flag != 0,
                _ => {}
            }
        }
        Ok(())
    }
}

// Called, not inlined: so a browser that finds the loop over all pieces worth compiling has little to compile.
#[inline(never)]
fn parse_piece(message: &[u8]) -> Result<Piece, String> {
    let mut piece = Piece {
        text: String::new(),
        score: 0.0,
        kind: PieceKind::Normal,
    };
    for field in Fields::new(message) {
        match field? {
            (1, Value::Bytes(text)) => {
                let text = std::str::from_utf8(text).map_err(|_| "its text is not UTF-8")?;
                piece.text = text.into();
            }
            // Adding 0 makes −0 (the first merge's score) and 0 the same.
            (2, Value::Fixed32(bits)) => piece.score = f32::from_bits(bits) + 0.0,
            (3, Value::Varint(kind)) => {
                piece.kind = match kind {
                    1 => PieceKind::Normal,
                    2 => PieceKind::Unknown,
                    3 => PieceKind::Control,
                    4 => PieceKind::UserDefined,
                    5 => PieceKind::Unused,
                    6 => PieceKind::Byte,
                    other => return Err(format!("its type is {other}, types are 1 to 6")),
                }
            }
            _ => {}
        }
    }
    if piece.text.is_empty() {
        return Err("it has no text".into());
    }
    if piece.score.is_nan() {
        return Err(format!("the score of {:?} is not a number", piece.text));
    }
    Ok(piece)
}

/// Rules that are applied to decoded text would change it without a word if they were passed over.
fn refuse_denormalizer(message: &[u8]) -> Result<(), String> {
    for field in Fields::new(message) {
        if let (2, Value::Bytes([_, ..])) = field? {
            return Err("denormalizer_spec: rules for decoded text are not supported".into());
        }
    }
    Ok(())
}
