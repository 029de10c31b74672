//! What a sentence asks of its translation beside its words: phrases that it must hold, marks around words.

use super::Translator;
use super::pieces::{Side, Subwords};
use super::spans::{Shape, Span, follow};
use crate::model::Seq2Seq;
use crate::search::{Batch, Hypothesis, Phrase, Printed};
use crate::text::spm::SPACE;
use crate::text::{Carried, Encoding, Literal, Term, terms};
use ndarray::Array2;
use std::ops::Range;
use std::sync::Arc;

/// Punctuation that belongs to the word before it, also where a space stands between them, as in French.
const CLOSING: [char; 9] = ['.', ',', ';', ':', '!', '?', '…', '»', ')'];

/// A phrase that the translation of a sentence must hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RequiredPhrase {
    pub pieces: Vec<u32>,
    /// Texts of which any stands for it as well.
    pub forms: Vec<Box<str>>,
    /// The bytes of the sentence that it stands for.
    pub range: Range<usize>,
}

impl RequiredPhrase {
    /// Phrases with the pieces of the encoded sentence in place of its bytes.
    pub fn in_pieces(phrases: &[Self], source: &Encoding) -> Vec<Phrase> {
        let place = |bytes: &Range<usize>| {
            let touches = |range: &Option<Range<usize>>| {
                let overlaps =
                    |range: &Range<usize>| range.start < bytes.end && bytes.start < range.end;
                range.as_ref().is_some_and(overlaps)
            };
            let first = source.ranges.iter().position(touches)?;
            let last = source.ranges.iter().rposition(touches)?;
            Some(first..last + 1)
        };
        let phrase = |phrase: &Self| Phrase {
            pieces: phrase.pieces.clone(),
            forms: phrase.forms.clone(),
            source: place(&phrase.range).unwrap_or_default(),
        };
        phrases.iter().map(phrase).collect()
    }
}

/// Whether the search of a sentence needs to know what is read of it.
pub(super) fn needs_alignment(source: &Encoding, phrases: &[RequiredPhrase]) -> bool {
    !phrases.is_empty() || !source.carried.marks.is_empty()
}

impl<M: Seq2Seq, T: Subwords> Translator<M, T> {
    /// What the translation of a sentence must hold: the targets of the terms that stand in it, its dates and its numbers.
    pub(super) fn phrases(&self, sentence: &str, terms: &[Term]) -> Vec<RequiredPhrase> {
        let pieces = |text: &str| {
            let mut pieces = self.tokenizer.encode_target(text, &Carried::default()).ids;
            // The end mark.
            pieces.pop();
            pieces
        };
        let terms = terms::find(sentence, terms).into_iter();
        let mut phrases: Vec<RequiredPhrase> = terms
            .map(|(range, term)| RequiredPhrase {
                pieces: pieces(term.target.trim()),
                forms: Vec::new(),
                range,
            })
            .collect();
        for required in self.tokenizer.required(sentence) {
            let range = required.range;
            let meets = |other: &RequiredPhrase| {
                other.range.start < range.end && range.start < other.range.end
            };
            if !phrases.iter().any(meets) {
                phrases.push(RequiredPhrase {
                    pieces: required
                        .forms
                        .first()
                        .map_or_else(Vec::new, |form| pieces(form)),
                    forms: required.forms,
                    range,
                });
            }
        }
        phrases
    }

    /// Tells a batch what the translation of a sentence must hold.
    pub(super) fn require(
        &self,
        batch: &mut Batch<M>,
        sentence: usize,
        source: &Encoding,
        phrases: &[RequiredPhrase],
    ) {
        let phrases = RequiredPhrase::in_pieces(phrases, source);
        batch.require(sentence, phrases, self.printed_pieces());
    }

    /// What the pieces of the target are printed as.
    fn printed_pieces(&self) -> &Arc<Printed> {
        self.printed.get_or_init(|| {
            let ids = 0..self.model.config().target_vocab() as u32;
            let printed = |id| self.tokenizer.piece(Side::Target, id).replace(SPACE, " ");
            Arc::new(Printed::new(ids.map(|id| printed(id).into()).collect()))
        })
    }

    /// [`Translator::around`] of a finished translation of a sentence of a batch.
    pub(super) fn around_in(
        &self,
        source: &Encoding,
        batch: &Batch<M>,
        sentence: usize,
        hypothesis: &Hypothesis,
    ) -> Vec<Option<Range<usize>>> {
        if source.carried.marks.is_empty() {
            return Vec::new();
        }
        let trace = batch.decoder_trace(&self.model, sentence, Some(hypothesis.node));
        self.around(source, &hypothesis.tokens, trace.alignment.as_ref())
    }

    /// The pieces of a translation that each pair of its source's marks stands around; none where its alignment was not
    /// observed.
    pub(super) fn around(
        &self,
        source: &Encoding,
        target: &[u32],
        alignment: Option<&Array2<f32>>,
    ) -> Vec<Option<Range<usize>>> {
        let carried = &source.carried;
        let Some(alignment) = alignment.filter(|_| !carried.marks.is_empty()) else {
            return Vec::new();
        };
        let place = |ids: &[u32], literal: &Literal| ids.iter().position(|id| *id == literal.id);
        let mut alignment = alignment.clone();
        for literal in &carried.literals {
            // What is copied is known to stand for itself.
            if let (Some(from), Some(to)) = (place(&source.ids, literal), place(target, literal)) {
                alignment.row_mut(to).fill(0.0);
                alignment[[to, from]] = 1.0;
            }
        }
        let words = self.tokenizer.words(Side::Target, target);
        let shape = |(id, word): (&u32, Option<u32>)| {
            let piece = self.tokenizer.piece(Side::Target, *id);
            let is_literal = carried.literals.iter().any(|literal| literal.id == *id);
            let is_text = word.is_some() && !is_literal;
            Shape {
                has_word: is_literal || is_text && piece.contains(char::is_alphanumeric),
                touches: is_text
                    && (!piece.starts_with(SPACE)
                        || piece.trim_start_matches(SPACE).starts_with(CLOSING)),
            }
        };
        let shapes: Vec<Shape> = target.iter().zip(words).map(shape).collect();
        let spans = carried.marks.iter().map(|marks| Span {
            source: marks.source.clone(),
            has_punctuation: marks.has_punctuation,
        });
        follow(&spans.collect::<Vec<_>>(), &shapes, alignment.view())
    }
}
