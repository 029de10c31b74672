//! What a translator tells of a document; `www/protocol.d.ts` mirrors these types.

use crate::trace::Trace;
use serde::Serialize;

/// One subword piece of a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Piece {
    /// Its id.
    pub id: u32,
    /// As printed: "▁" marks a word start, `</s>` the end.
    pub text: String,
    /// Half-open range in the source text, or in the translation of its sentence; `None` for the end mark.
    pub range: Option<[usize; 2]>,
    /// Index of the word that it belongs to, counted per sentence; `None` for the end mark.
    pub word: Option<usize>,
    /// ln P, of target pieces only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprob: Option<f32>,
}

/// A sentence of the source text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SentenceInfo {
    /// Range in the source text.
    pub range: [usize; 2],
    /// White space and line breaks up to the next sentence or the end.
    pub after: String,
    /// Its pieces, the end mark last.
    pub source: Vec<Piece>,
    /// Where the sentence was longer than the model takes and goes on as the next one: the offset of the cut.
    pub cut_at: Option<usize>,
}

/// A translation that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Translation {
    /// Its text.
    pub text: String,
    /// Its score under the search's scoring.
    pub score: f32,
}

/// What happened in one [`super::Job::step`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    tag = "kind"
)]
pub enum JobEvent {
    /// The text was split; comes once, first.
    Sentences {
        /// All sentences.
        sentences: Vec<SentenceInfo>,
    },
    /// The best hypothesis of a sentence changed or grew, or more of it is final.
    Partial {
        /// Index of the sentence.
        sentence: usize,
        /// Its text so far.
        text: String,
        /// Length of the part of `text` that no later event changes.
        agreed_length: usize,
    },
    /// A sentence is translated.
    Sentence {
        /// Index of the sentence.
        sentence: usize,
        /// Its translation.
        text: String,
        /// The translation's pieces; ranges count from its beginning.
        target: Vec<Piece>,
        /// Its score under the search's scoring.
        score: f32,
        /// The n best, best first; entry 0 is this translation.
        n_best: Vec<Translation>,
    },
    /// The document is translated; comes once, last.
    Translated(Translated),
}

/// The result of a job.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Translated {
    /// The whole translation, line breaks kept.
    pub text: String,
    /// Output pieces of the sentences decoded by this job (cached ones left out).
    pub tokens: usize,
}

/// A piece that could have come at one step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alternative {
    /// Its id.
    pub id: u32,
    /// As printed.
    pub text: String,
    /// Its probability.
    pub probability: f32,
}

/// Next-piece probabilities at one decoding step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepAlternatives {
    /// The likeliest pieces, best first.
    pub pieces: Vec<Alternative>,
}

/// What was observed of one sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// Index of the sentence.
    pub sentence: usize,
    /// Whether its translation is finished; else it still grows.
    pub is_final: bool,
    /// Pieces of the hypothesis that was observed: one for each row of a decoder block.
    pub target: Vec<Piece>,
    /// The text of these pieces.
    pub text: String,
    /// One entry per target piece; empty unless alternatives were asked for.
    pub steps: Vec<StepAlternatives>,
    /// What was asked for.
    pub trace: Trace,
}

impl Observation {
    /// ln P of the target: the sum over its pieces.
    pub fn logprob(&self) -> f32 {
        self.target.iter().filter_map(|piece| piece.logprob).sum()
    }
}
