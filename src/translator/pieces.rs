//! Between text and ids: pieces with ranges and words, detokenised text, alternatives, observations.

use super::Translator;
use super::event::{Alternative, Hypothesis, Observation, Piece, StepAlternatives};
use super::offsets::Offsets;
use crate::Error;
use crate::model::Seq2Seq;
use crate::search::{self, Batch, NodeId};
use crate::text::{Carried, Decoded, Encoding, Required, Tokenizer, Vocabulary, sentences};
use crate::trace::Trace;
use std::ops::Range;

/// The part of a tokenizer that a translator uses; tests implement it with a fake.
pub trait Subwords {
    /// Pieces of a source sentence, the end mark last.
    fn encode_source(&self, text: &str) -> Encoding;

    /// The piece of the language code (`>>de<<`) that a text begins with, if the model knows it.
    fn language_code(&self, _text: &str) -> Option<u32> {
        None
    }

    /// Whether each literal of a source sentence gets a placeholder.
    fn has_placeholders_for(&self, _text: &str) -> bool {
        true
    }

    /// What the translation of a source must hold beside its literals.
    fn required(&self, _text: &str) -> Vec<Required> {
        Vec::new()
    }

    /// Pieces of a translation of a source that carries these, the end mark last.
    fn encode_target(&self, text: &str, carried: &Carried) -> Encoding;

    /// The text of target pieces, with the source's literals where their placeholders are, and each pair of its marks around
    /// the pieces in `around`, if they are known. Without marks it must only grow at its end as pieces are appended, but for a
    /// last character that is not complete yet.
    fn decode(&self, ids: &[u32], carried: &Carried, around: &[Option<Range<usize>>]) -> Decoded;

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

    fn has_placeholders_for(&self, text: &str) -> bool {
        self.has_placeholders_for(text)
    }

    fn required(&self, text: &str) -> Vec<Required> {
        self.required(text)
    }

    fn encode_target(&self, text: &str, carried: &Carried) -> Encoding {
        self.encode_target_of(text, carried)
    }

    fn decode(&self, ids: &[u32], carried: &Carried, around: &[Option<Range<usize>>]) -> Decoded {
        self.decode_with_marks(ids, carried, around)
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

/// The text of a hypothesis, and its pieces.
#[derive(Default)]
pub(super) struct DetokenizedText {
    pub text: String,
    /// Ranges are in bytes of `text`.
    pub pieces: Vec<Piece>,
}

impl<M: Seq2Seq, T: Subwords> Translator<M, T> {
    /// Encodes a sentence, in parts if it is too long for the model. `code` is the language code of its line: a
    /// sentence that does not begin with it gets its piece too.
    pub(super) fn encode_parts(
        &self,
        text: &str,
        sentence: Range<usize>,
        code: Option<u32>,
    ) -> Vec<(Range<usize>, Encoding)> {
        let encode = |range: Range<usize>| {
            let mut encoding = self.tokenizer.encode_source(&text[range]);
            if let Some(code) = code.filter(|code| encoding.ids.first() != Some(code)) {
                encoding.ids.insert(0, code);
                encoding.ranges.insert(0, None);
                for source in encoding
                    .carried
                    .marks
                    .iter_mut()
                    .filter_map(|m| m.source.as_mut())
                {
                    *source = source.start + 1..source.end + 1;
                }
            }
            encoding
        };
        let whole = encode(sentence.clone());
        let has_all = self.tokenizer.has_placeholders_for(&text[sentence.clone()]);
        if whole.ids.len() <= self.longest_sentence() && has_all {
            return vec![(sentence, whole)];
        }
        // One less: the code may come on top.
        let longest = self.longest_sentence() - usize::from(code.is_some());
        let fits = |part: &str| {
            self.tokenizer.encode_source(part).ids.len() <= longest
                && self.tokenizer.has_placeholders_for(part)
        };
        let parts = sentences::cut(text, sentence, fits).into_iter();
        parts.map(|range| (range.clone(), encode(range))).collect()
    }

    /// The text of a hypothesis of the search, for a source that carries these, with its marks around these pieces.
    pub(super) fn detokenize(
        &self,
        hypothesis: &search::Hypothesis,
        carried: &Carried,
        around: &[Option<Range<usize>>],
    ) -> DetokenizedText {
        let tokens = &hypothesis.tokens;
        let Decoded { text, ranges } = self.tokenizer.decode(tokens, carried, around);
        let pieces = self.pieces(Side::Target, &hypothesis.tokens, &text, &ranges, carried);
        let pieces = pieces
            .zip(&hypothesis.logprobs)
            .map(|(piece, logprob)| Piece {
                logprob: Some(*logprob),
                ..piece
            });
        DetokenizedText {
            pieces: pieces.collect(),
            text,
        }
    }

    /// A finished hypothesis with its text; ranges are in bytes.
    pub(super) fn hypothesis(
        &self,
        hypothesis: &search::Hypothesis,
        carried: &Carried,
        around: &[Option<Range<usize>>],
    ) -> Hypothesis {
        let DetokenizedText { text, pieces } = self.detokenize(hypothesis, carried, around);
        Hypothesis {
            text,
            target: pieces,
            score: hypothesis.score,
            logprob: hypothesis.logprobs.iter().sum(),
            node: Some(hypothesis.node),
        }
    }

    /// The error for a text that is longer than what is translated in one go.
    pub(super) fn too_long(&self, text: &str) -> Error {
        Error::TextTooLong {
            found: self.tokenizer.encode_source(text).ids.len(),
            limit: self.longest_sentence(),
            unit: "source pieces",
            hint: "give a shorter sentence",
        }
    }

    /// Pieces of one sentence: ranges are in bytes of its text, without the space before a word.
    pub(super) fn pieces(
        &self,
        side: Side,
        ids: &[u32],
        text: &str,
        ranges: &[Option<Range<usize>>],
        carried: &Carried,
    ) -> impl Iterator<Item = Piece> {
        let words = self.tokenizer.words(side, ids);
        ids.iter()
            .zip(ranges)
            .zip(words)
            .map(move |((&id, range), word)| Piece {
                id,
                text: self.printed(side, id, carried),
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

    /// A piece as printed; a placeholder as what it stands for.
    pub(super) fn printed(&self, side: Side, id: u32, carried: &Carried) -> String {
        let mut literals = carried.literals.iter();
        let literal = literals.find(|literal| literal.id == id);
        let text = match (literal, side) {
            (None, _) => self.tokenizer.piece(side, id),
            (Some(literal), Side::Source) => &literal.text,
            (Some(literal), Side::Target) => &literal.written,
        };
        text.to_owned()
    }

    /// Observes a sentence of a batch along one hypothesis.
    pub(super) fn observe(
        &self,
        batch: &Batch<M>,
        sentence: usize,
        node: Option<NodeId>,
        trace: Trace,
        (unit, source): (Offsets, &Encoding),
    ) -> Observation {
        let carried = &source.carried;
        let is_final = batch.is_finished(sentence);
        let detokenized = node
            .and_then(|node| batch.hypothesis(node))
            .map(|hypothesis| {
                let alignment = trace.alignment.as_ref().filter(|_| is_final);
                let around = self.around(source, &hypothesis.tokens, alignment);
                self.detokenize(&hypothesis, carried, &around)
            });
        let DetokenizedText { text, mut pieces } = detokenized.unwrap_or_default();
        unit.map(&text, 0, &mut pieces);
        let steps = node.map(|node| batch.alternatives(node));
        let mut steps = self.steps(steps.unwrap_or_default(), carried);
        let draws = node.map(|node| batch.draws(node)).unwrap_or_default();
        for (step, draw) in steps.iter_mut().zip(draws) {
            step.draw = draw.cloned();
        }
        Observation {
            sentence,
            is_final,
            target: pieces,
            text,
            steps,
            trace,
        }
    }

    /// The likeliest pieces of each step, from ids with their ln P.
    pub(super) fn steps<S: AsRef<[(u32, f32)]>>(
        &self,
        steps: impl IntoIterator<Item = S>,
        carried: &Carried,
    ) -> Vec<StepAlternatives> {
        let alternative = |&(id, logprob): &(u32, f32)| Alternative {
            id,
            text: self.printed(Side::Target, id, carried),
            probability: logprob.exp(),
        };
        let steps = steps.into_iter().map(|step| StepAlternatives {
            pieces: step.as_ref().iter().map(alternative).collect(),
            draw: None,
        });
        steps.collect()
    }
}
