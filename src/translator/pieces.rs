//! From ids to what a reader sees: pieces with ranges and words, alternatives, observations.

use super::Translator;
use super::event::{Alternative, Observation, Piece, StepAlternatives};
use super::offsets::{OffsetMap, Offsets};
use crate::model::Seq2Seq;
use crate::search::{Batch, Hypothesis, NodeId};
use crate::text::sentences;
use std::ops::Range;

/// A source piece and its byte range in the sentence; the end mark has none.
pub(super) type SourcePiece = (u32, Option<[usize; 2]>);

/// A text that was put together from pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// The text.
    pub text: String,
    /// Byte range in `text` of each piece; `None` for pieces that print nothing by themselves (the end mark).
    pub ranges: Vec<Option<Range<usize>>>,
}

/// All that a translator needs of a tokenizer, so that its tests can use a fake.
pub trait Subwords {
    /// Pieces of a source sentence with their byte ranges in `text`, without end mark.
    fn encode_source(&self, text: &str) -> Vec<(u32, Range<usize>)>;

    /// Pieces of a target sentence, without end mark.
    fn encode_target(&self, text: &str) -> Vec<u32>;

    /// The text of target pieces. It must only grow at its end as pieces are appended, but for a last
    /// character that is not complete yet.
    fn decode(&self, ids: &[u32]) -> Decoded;

    /// A source piece as printed, "▁" marking a word start.
    fn source_piece(&self, id: u32) -> &str;

    /// A target piece as printed, "▁" marking a word start.
    fn target_piece(&self, id: u32) -> &str;
}

/// The mark of a word's beginning in a piece.
const WORD_START: char = '▁';

/// Counts words over the pieces of a sentence.
#[derive(Default)]
struct Words {
    begun: usize,
}

impl Words {
    /// The index of the word that a piece belongs to.
    fn of(&mut self, piece: &str) -> usize {
        if self.begun == 0 || piece.starts_with(WORD_START) {
            self.begun += 1;
        }
        self.begun - 1
    }
}

/// A hypothesis as a reader sees it.
#[derive(Default)]
pub(super) struct Shown {
    pub text: String,
    /// Ranges are in bytes of `text`.
    pub pieces: Vec<Piece>,
}

impl Piece {
    /// The piece with its range in another unit.
    pub(super) fn mapped(mut self, map: &OffsetMap) -> Self {
        self.range = self.range.map(|range| map.range(range));
        self
    }
}

impl<M: Seq2Seq, T: Subwords> Translator<M, T> {
    /// Source pieces of a sentence, the end mark last.
    pub(super) fn encode(&self, sentence: &str) -> Vec<SourcePiece> {
        let pieces = self.tokenizer.encode_source(sentence).into_iter();
        pieces
            .map(|(id, range)| (id, Some([range.start, range.end])))
            .chain([(self.model.config().eos_id, None)])
            .collect()
    }

    /// The pieces of a sentence, or of each of its parts if it is too long.
    pub(super) fn cut(
        &self,
        text: &str,
        sentence: Range<usize>,
    ) -> Vec<(Range<usize>, Vec<SourcePiece>)> {
        let longest = self.longest_sentence();
        let pieces = self.encode(&text[sentence.clone()]);
        if pieces.len() <= longest {
            return vec![(sentence, pieces)];
        }
        let parts =
            sentences::cut(text, sentence, |part| self.encode(part).len() <= longest).into_iter();
        parts
            .map(|range| (range.clone(), self.encode(&text[range])))
            .collect()
    }

    /// The pieces of a sentence that begins at byte `start` of a document, as a reader sees them.
    pub(super) fn source_pieces(&self, pieces: &[SourcePiece], start: usize) -> Vec<Piece> {
        let mut words = Words::default();
        let pieces = pieces.iter();
        pieces
            .map(|&(id, range)| {
                let text = self.tokenizer.source_piece(id);
                Piece {
                    id,
                    text: text.to_owned(),
                    word: range.map(|_| words.of(text)),
                    range: range.map(|[from, to]| [start + from, start + to]),
                    logprob: None,
                }
            })
            .collect()
    }

    /// A hypothesis as a reader sees it.
    pub(super) fn show(&self, hypothesis: &Hypothesis) -> Shown {
        let eos = self.model.config().eos_id;
        let Decoded { text, ranges } = self.tokenizer.decode(&hypothesis.tokens);
        let mut words = Words::default();
        let tokens = hypothesis.tokens.iter().zip(&hypothesis.logprobs);
        let pieces = tokens
            .zip(ranges)
            .map(|((&id, &logprob), range)| {
                let text = self.tokenizer.target_piece(id);
                Piece {
                    id,
                    text: text.to_owned(),
                    range: range.map(|range| [range.start, range.end]),
                    word: (id != eos).then(|| words.of(text)),
                    logprob: Some(logprob),
                }
            })
            .collect();
        Shown { text, pieces }
    }

    /// What is known of a sentence of a batch, along one hypothesis.
    pub(super) fn observe(
        &self,
        batch: &Batch<M>,
        sentence: usize,
        node: Option<NodeId>,
        unit: Offsets,
    ) -> Observation {
        let shown = node
            .and_then(|node| batch.hypothesis(node))
            .map(|found| self.show(&found));
        let Shown { text, pieces } = shown.unwrap_or_default();
        let map = OffsetMap::new(&text, unit);
        let steps = node
            .map(|node| batch.alternatives(node))
            .unwrap_or_default();
        let steps = steps.into_iter().map(|step| StepAlternatives {
            pieces: step
                .iter()
                .map(|&(id, logprob)| Alternative {
                    id,
                    text: self.tokenizer.target_piece(id).to_owned(),
                    probability: logprob.exp(),
                })
                .collect(),
        });
        Observation {
            sentence,
            is_final: batch.is_finished(sentence),
            target: pieces.into_iter().map(|piece| piece.mapped(&map)).collect(),
            text,
            steps: steps.collect(),
            trace: batch.trace(&self.model, sentence, node),
        }
    }
}
