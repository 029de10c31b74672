//! Byte-pair encoding: neighbouring symbols merge, best score first, until no piece is left to make.

use super::pieces::{Pieces, Segment};
use super::proto::PieceKind;
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};

/// BPE-dropout (Provilkov et al., 2020): merges are left out at random, so that a model sees
/// a word in many splits. For training.
pub struct Dropout<'a> {
    /// Probability that a merge is left out.
    pub probability: f32,
    /// Draws from [0, 1).
    pub uniform: &'a mut dyn FnMut() -> f32,
}

impl Dropout<'_> {
    fn skips(&mut self) -> bool {
        self.probability > 0.0 && (self.uniform)() < self.probability
    }
}

/// A run of characters that is one symbol so far.
struct Symbol {
    start: usize,
    /// 0 once it was merged into its left neighbour.
    len: usize,
    /// Index of the left neighbour, or [`NONE`].
    prev: usize,
    /// Index of the right neighbour, or [`NONE`].
    next: usize,
    /// User-defined pieces never merge.
    frozen: bool,
}

const NONE: usize = usize::MAX;

/// Two neighbours that make a piece. The best score goes first, then the leftmost.
struct Pair {
    score: f32,
    left: Reverse<usize>,
    right: usize,
    len: usize,
}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = self.score.total_cmp(&other.score);
        by_score.then_with(|| self.left.cmp(&other.left))
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Pair {}

/// The state of one encoding.
struct Merging<'a> {
    pieces: &'a Pieces,
    text: &'a str,
    symbols: Vec<Symbol>,
    agenda: BinaryHeap<Pair>,
    /// Where the two parts of an unused piece meet, by its text.
    seams: HashMap<&'a str, usize>,
}

/// Splits a normalised text. With `dropout` each merge is left out with its probability
/// (Provilkov et al., 2020, "BPE-Dropout").
pub fn encode(pieces: &Pieces, text: &str, mut dropout: Option<&mut Dropout>) -> Vec<Segment> {
    let mut merging = Merging::new(pieces, text);
    while let Some(pair) = merging.agenda.pop() {
        let Reverse(left) = pair.left;
        if !merging.is_current(&pair) || dropout.as_mut().is_some_and(|d| d.skips()) {
            continue;
        }
        merging.merge(left, pair.right);
    }
    merging.segments()
}

impl<'a> Merging<'a> {
    fn new(pieces: &'a Pieces, text: &'a str) -> Self {
        let mut symbols: Vec<Symbol> = Vec::with_capacity(text.len());
        let mut start = 0;
        while start < text.len() {
            let user_defined = pieces.user_defined_at(&text[start..]);
            let character = || text[start..].chars().next().map_or(1, char::len_utf8);
            let len = user_defined.unwrap_or_else(character);
            let index = symbols.len();
            symbols.push(Symbol {
                start,
                len,
                prev: index.checked_sub(1).unwrap_or(NONE),
                next: index + 1,
                frozen: user_defined.is_some(),
            });
            start += len;
        }
        if let Some(last) = symbols.last_mut() {
            last.next = NONE;
        }
        let pairs = symbols.len().saturating_sub(1);
        let mut merging = Self {
            pieces,
            text,
            symbols,
            agenda: BinaryHeap::with_capacity(pairs),
            seams: HashMap::new(),
        };
        for left in 0..pairs {
            merging.consider(left, left + 1);
        }
        merging
    }

    /// Puts a pair on the agenda if together it is a piece.
    fn consider(&mut self, left: usize, right: usize) {
        if left == NONE || right == NONE || self.symbols[left].frozen || self.symbols[right].frozen
        {
            return;
        }
        let (start, seam) = (self.symbols[left].start, self.symbols[left].len);
        let len = seam + self.symbols[right].len;
        let piece = &self.text[start..start + len];
        let Some(id) = self.pieces.text_piece(piece) else {
            return;
        };
        let found = self.pieces.get(id);
        if found.kind == PieceKind::Unused {
            self.seams.insert(piece, seam);
        }
        self.agenda.push(Pair {
            score: found.score,
            left: Reverse(left),
            right,
            len,
        });
    }

    /// Whether neither symbol has changed since the pair was queued.
    fn is_current(&self, pair: &Pair) -> bool {
        let (left, right) = (&self.symbols[pair.left.0], &self.symbols[pair.right]);
        left.len > 0 && right.len > 0 && left.len + right.len == pair.len
    }

    fn merge(&mut self, left: usize, right: usize) {
        let next = self.symbols[right].next;
        self.symbols[left].len += self.symbols[right].len;
        self.symbols[left].next = next;
        if next != NONE {
            self.symbols[next].prev = left;
        }
        self.symbols[right].len = 0;
        self.consider(self.symbols[left].prev, left);
        self.consider(left, next);
    }

    /// The symbols that are left; unused pieces are taken apart again.
    fn segments(self) -> Vec<Segment> {
        let mut segments = Vec::new();
        let mut parts = Vec::new();
        for symbol in self.symbols.iter().filter(|symbol| symbol.len > 0) {
            parts.push(symbol.start..symbol.start + symbol.len);
            while let Some(part) = parts.pop() {
                let text = &self.text[part.clone()];
                let id = self.pieces.id_of(text);
                let is_unused = self.pieces.get(id).kind == PieceKind::Unused;
                match self.seams.get(text) {
                    Some(seam) if is_unused => {
                        let seam = part.start + seam;
                        parts.push(seam..part.end);
                        parts.push(part.start..seam);
                    }
                    _ => segments.push(Segment { end: part.end, id }),
                }
            }
        }
        segments
    }
}
