//! SentencePiece models: a reader of `.model` files, and encoding exactly as the original does.
//!
//! Kudo and Richardson, 2018, "SentencePiece"; BPE by Sennrich et al., 2016; unigram by Kudo, 2018.

mod bpe;
mod charsmap;
mod model;
mod normalizer;
mod pieces;
mod prefixes;
mod proto;
mod unigram;
mod wire;

pub use bpe::Dropout;
pub use charsmap::Charsmap;
pub use model::{EncodedText, SentencePieceModel, Span};
pub use normalizer::{Normalized, Normalizer};
pub(crate) use pieces::byte_of_piece;
pub use proto::{Piece, PieceKind};

/// U+2581, which stands for a space inside pieces.
pub const SPACE: char = '▁';
