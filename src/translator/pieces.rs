//! From ids to what a reader sees: pieces with ranges and words, alternatives, observations.

use super::Translator;
use super::event::{Alternative, Found, Observation, Piece, StepAlternatives};
use super::offsets::Offsets;
use crate::model::Seq2Seq;
use crate::search::{Batch, Hypothesis, NodeId};
use crate::text::{Decoded, Encoding, Tokenizer, Vocabulary, sentences};
use crate::trace::Trace;
use crate::{Error, Result};
use std::ops::Range;

/// All that a translator needs of a tokenizer, so that its tests can use a fake.
pub trait Subwords {
    /// Pieces of a source sentence, the end mark last.
    fn encode_source(&self, text: &str) -> Encoding;

    /// The piece of the language code (`>>de<<`) that a text begins with, if the model knows it.
    fn language_code(&self, _text: &str) -> Option<u32> {
        None
    }

    /// Pieces of a target sentence, the end mark last.
    fn encode_target(&self, text: &str) -> Encoding;

    /// The text of target pieces. It must only grow at its end as pieces are appended, but for a last
    /// character that is not complete yet.
    fn decode(&self, ids: &[u32]) -> Decoded;

    /// The pieces of a side as printed, "▁" marking a word start.
    fn piece(&self, side: Side, id: u32) -> &str;

    /// For each piece of a sentence the index of the word that it belongs to; `None` for special pieces.
    fn words(&self, side: Side, ids: &[u32]) -> Vec<Option<u32>>;
}

/// The two languages of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What is translated.
    Source,
    /// The translation.
    Target,
}

impl Subwords for Tokenizer {
    fn encode_source(&self, text: &str) -> Encoding {
        self.encode_source(text)
    }

    fn language_code(&self, text: &str) -> Option<u32> {
        self.language_code(text)
    }

    fn encode_target(&self, text: &str) -> Encoding {
        self.encode_target(text)
    }

    fn decode(&self, ids: &[u32]) -> Decoded {
        self.decode_with_ranges(ids)
    }

    fn piece(&self, side: Side, id: u32) -> &str {
        vocabulary(self, side).piece(id)
    }

    fn words(&self, side: Side, ids: &[u32]) -> Vec<Option<u32>> {
        vocabulary(self, side).words(ids)
    }
}

fn vocabulary(tokenizer: &Tokenizer, side: Side) -> &Vocabulary {
    match side {
        Side::Source => tokenizer.source_vocabulary(),
        Side::Target => tokenizer.target_vocabulary(),
    }
}

/// A hypothesis as a reader sees it.
#[derive(Default)]
pub(super) struct Shown {
    pub text: String,
    /// Ranges are in bytes of `text`.
    pub pieces: Vec<Piece>,
}

impl<M: Seq2Seq, T: Subwords> Translator<M, T> {
    /// The pieces of a sentence, or of each of its parts if it is too long. A language code at the start of a line
    /// holds for all sentences of the line: those after the first get its piece too, which stands nowhere in them.
    pub(super) fn cut(&self, text: &str, sentence: Range<usize>) -> Vec<(Range<usize>, Encoding)> {
        let line = text[..sentence.start].rfind('\n').map_or(0, |at| at + 1);
        let code = self.tokenizer.language_code(&text[line..]);
        let encode = |range: Range<usize>| {
            let mut encoding = self.tokenizer.encode_source(&text[range.clone()]);
            if let Some(code) = code.filter(|code| encoding.ids.first() != Some(code)) {
                encoding.ids.insert(0, code);
                encoding.ranges.insert(0, None);
            }
            encoding
        };
        // One less: the code may come on top.
        let longest = self.longest_sentence() - usize::from(code.is_some());
        let fits = |part: &str| self.tokenizer.encode_source(part).ids.len() <= longest;
        let parts = sentences::cut(text, sentence, fits).into_iter();
        parts.map(|range| (range.clone(), encode(range))).collect()
    }

    /// A hypothesis as a reader sees it.
    pub(super) fn show(&self, hypothesis: &Hypothesis) -> Shown {
        let Decoded { text, ranges } = self.tokenizer.decode(&hypothesis.tokens);
        let pieces = self.pieces(Side::Target, &hypothesis.tokens, &text, &ranges);
        let pieces = pieces
            .zip(&hypothesis.logprobs)
            .map(|(piece, logprob)| Piece {
                logprob: Some(*logprob),
                ..piece
            });
        Shown {
            pieces: pieces.collect(),
            text,
        }
    }

    /// A finished hypothesis as a reader sees it; ranges are in bytes.
    pub(super) fn found(&self, hypothesis: &Hypothesis) -> Found {
        let Shown { text, pieces } = self.show(hypothesis);
        Found {
            text,
            target: pieces,
            score: hypothesis.score,
            logprob: hypothesis.logprobs.iter().sum(),
            node: Some(hypothesis.node),
        }
    }

    /// The range of a text that is one sentence.
    ///
    /// # Errors
    /// [`Error::TextTooLong`] if it is longer than what is translated in one go.
    pub(super) fn one_sentence(&self, text: &str) -> Result<Range<usize>> {
        let (found, limit) = (
            self.tokenizer.encode_source(text).ids.len(),
            self.longest_sentence(),
        );
        match found <= limit {
            true => Ok(0..text.len()),
            false => Err(Error::TextTooLong {
                found,
                limit,
                unit: "source pieces",
                hint: "give a shorter sentence",
            }),
        }
    }

    /// Pieces of one sentence as a reader sees them: ranges are in bytes of its text, the space before a
    /// word left out.
    pub(super) fn pieces(
        &self,
        side: Side,
        ids: &[u32],
        text: &str,
        ranges: &[Option<Range<usize>>],
    ) -> impl Iterator<Item = Piece> {
        let words = self.tokenizer.words(side, ids);
        ids.iter()
            .zip(ranges)
            .zip(words)
            .map(move |((&id, range), word)| Piece {
                id,
                text: self.tokenizer.piece(side, id).to_owned(),
                range: range.clone().map(|Range { start, end }| {
                    let inside = &text[start..end];
                    let printed = inside.trim_start();
                    let space = if printed.is_empty() {
                        0
                    } else {
                        inside.len() - printed.len()
                    };
                    [start + space, end]
                }),
                word: word.map(|word| word as usize),
                logprob: None,
            })
    }

    /// What is known of a sentence of a batch, along one hypothesis.
    pub(super) fn observe(
        &self,
        batch: &Batch<M>,
        sentence: usize,
        node: Option<NodeId>,
        trace: Trace,
        unit: Offsets,
    ) -> Observation {
        let shown = node
            .and_then(|node| batch.hypothesis(node))
            .map(|found| self.show(&found));
        let Shown { text, mut pieces } = shown.unwrap_or_default();
        unit.map(&text, 0, &mut pieces);
        let steps = node
            .map(|node| batch.alternatives(node))
            .unwrap_or_default();
        Observation {
            sentence,
            is_final: batch.is_finished(sentence),
            target: pieces,
            text,
            steps: self.steps(steps),
            trace,
        }
    }

    /// The likeliest pieces of each step (ids with their ln P) as a reader sees them.
    pub(super) fn steps<S: AsRef<[(u32, f32)]>>(
        &self,
        steps: impl IntoIterator<Item = S>,
    ) -> Vec<StepAlternatives> {
        let alternative = |&(id, logprob): &(u32, f32)| Alternative {
            id,
            text: self.tokenizer.piece(Side::Target, id).to_owned(),
            probability: logprob.exp(),
        };
        let steps = steps.into_iter().map(|step| StepAlternatives {
            pieces: step.as_ref().iter().map(alternative).collect(),
        });
        steps.collect()
    }
}
