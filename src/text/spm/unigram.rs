//! The unigram language model: the most probable segmentation, by Viterbi's algorithm.

use super::pieces::{Pieces, Segment};
use super::prefixes::Prefixes;
use super::proto::{Piece, PieceKind};

/// An unknown character counts as this much less probable than the least probable piece.
const UNKNOWN_PENALTY: f32 = 10.0;

/// Pieces to match in a text, and the score of unknown characters.
#[derive(Clone, Debug)]
pub struct Lexicon {
    pieces: Prefixes,
    unknown_score: f32,
    max_score: f32,
}

/// The best segmentation of a text up to one offset.
#[derive(Clone, Copy)]
struct Best {
    score: f32,
    start: usize,
    id: u32,
}

impl Lexicon {
    pub fn new(pieces: &[Piece]) -> Self {
        let normal = || {
            pieces
                .iter()
                .filter(|p| p.kind == PieceKind::Normal)
                .map(|p| p.score)
        };
        let findable = pieces
            .iter()
            .zip(0..)
            .filter(|(piece, _)| matches!(piece.kind, PieceKind::Normal | PieceKind::UserDefined));
        Self {
            pieces: Prefixes::new(findable.map(|(piece, id)| (piece.text.as_str().into(), id))),
            unknown_score: normal().fold(f32::MAX, f32::min) - UNKNOWN_PENALTY,
            // The original starts from the smallest positive number, so this is hardly ever a piece's score.
            max_score: normal().fold(f32::MIN_POSITIVE, f32::max),
        }
    }

    /// The score of a matched piece. User-defined pieces get a bonus by which they always win.
    fn score(&self, piece: &Piece) -> f32 {
        match piece.kind {
            PieceKind::UserDefined => {
                (f64::from(piece.text.len() as f32 * self.max_score) - 0.1) as f32
            }
            _ => piece.score,
        }
    }
}

/// Splits a normalised text. Sums are rounded exactly where the original rounds them, since ties are common.
pub fn encode(pieces: &Pieces, lexicon: &Lexicon, text: &str) -> Vec<Segment> {
    // best[i]: the best segmentation that ends at byte i.
    let mut best: Vec<Option<Best>> = vec![None; text.len() + 1];
    for (start, character) in text.char_indices() {
        let score_here = best[start].map_or(0.0, |best| best.score);
        let width = character.len_utf8();
        let mut is_known = false;
        for (len, id) in lexicon.pieces.of(&text[start..]) {
            is_known |= len == width;
            let score = lexicon.score(pieces.get(id)) + score_here;
            improve(&mut best[start + len], score, start, id);
        }
        if !is_known {
            let score = lexicon.unknown_score + score_here;
            improve(&mut best[start + width], score, start, pieces.unknown_id());
        }
    }
    let mut segments = Vec::new();
    let mut end = text.len();
    while let Some(Best { start, id, .. }) = best[end] {
        segments.push(Segment { end, id });
        end = start;
    }
    segments.reverse();
    segments
}

fn improve(best: &mut Option<Best>, score: f32, start: usize, id: u32) {
    if best.is_none_or(|best| score > best.score) {
        *best = Some(Best { score, start, id });
    }
}
