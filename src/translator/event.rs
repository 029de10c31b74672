//! The results and events of a translator; `www/engine/protocol.d.ts` mirrors these types.

use crate::search::{Draw, Node, NodeId, PieceScore};
use crate::trace::Trace;
use crate::trace::aggregate::{self, AxisItem, PieceLabel};
use serde::Serialize;

/// One subword piece of a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct SentenceInfo {
    /// Range in the source text.
    pub range: [usize; 2],
    /// White space and line breaks up to the next sentence or the end.
    pub after: String,
    /// Its pieces, the end mark last.
    pub source: Vec<Piece>,
    /// Where the sentence was longer than the model takes and continues as the next one: the offset of the cut.
    pub cut_at: Option<usize>,
}

/// A translation of a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Translation {
    /// Its text.
    pub text: String,
    /// Its score under the search's scoring.
    pub score: f32,
}

/// A finished hypothesis of the search, as text and pieces.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Hypothesis {
    /// Its text.
    pub text: String,
    /// Its pieces with their ln P; ranges count from the text's beginning.
    pub target: Vec<Piece>,
    /// Its score under the search's scoring.
    pub score: f32,
    /// The sum of its pieces' ln P.
    pub logprob: f32,
    /// Its last node in the search tree; `None` if it came from the cache.
    pub node: Option<NodeId>,
}

/// A node of the search tree as a reader sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BeamNode {
    /// The node.
    #[serde(flatten)]
    pub node: Node,
    /// Its piece as printed.
    pub text: String,
    /// Decoding step at which it was chosen, counted from 0.
    pub step: usize,
}

/// What happened in one [`super::Job::step`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    tag = "kind"
)]
#[non_exhaustive]
pub enum JobEvent {
    /// The text was split; comes once, first.
    Sentences {
        /// All sentences.
        sentences: Vec<SentenceInfo>,
    },
    /// In place of [`JobEvent::Sentences`] where the job follows another one ([`super::Job::follow`]).
    Changed(Changed),
    /// The best hypothesis of a sentence changed or grew, or more of it is final.
    Partial {
        /// Index of the sentence.
        sentence: usize,
        /// Its text so far.
        text: String,
        /// Length of the part of `text` that no later event changes.
        stable_length: usize,
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
        n_best: Vec<Hypothesis>,
    },
    /// What a step added to the search tree of the observed sentence, best first; only if the tree is observed.
    Nodes {
        /// Index of the sentence.
        sentence: usize,
        /// The nodes; their states are final.
        nodes: Vec<BeamNode>,
    },
    /// The document is translated; comes once, last.
    Translated(Translated),
}

/// How a text differs from the one before: its sentences but for those at its beginning and end that are the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Changed {
    /// Number of sentences at the beginning that are as they were.
    pub before: usize,
    /// The sentences between.
    pub sentences: Vec<SentenceInfo>,
    /// Number of sentences at the end that are as they were, but for their offsets.
    pub after: usize,
    /// What is to be added to the offsets of those at the end.
    pub shift: isize,
    /// Those of the unchanged sentences whose translation is known from the text before: no event follows for them.
    pub translated: Vec<usize>,
}

/// The result of a job.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Translated {
    /// The whole translation, line breaks kept.
    pub text: String,
    /// Output pieces of the sentences decoded by this job (cached ones left out).
    pub tokens: usize,
}

/// A piece that could have come at one step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct StepAlternatives {
    /// The likeliest pieces, best first.
    pub pieces: Vec<Alternative>,
    /// How the step's piece was drawn; absent where it was not sampled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<Draw>,
}

/// What was observed of one sentence.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Observation {
    /// Index of the sentence.
    pub sentence: usize,
    /// Whether its translation is finished; else it still grows.
    pub is_final: bool,
    /// Pieces of the hypothesis that was observed: one for each row of a decoder block.
    pub target: Vec<Piece>,
    /// The text of these pieces.
    pub text: String,
    /// One entry per target piece; empty unless alternatives were requested.
    pub steps: Vec<StepAlternatives>,
    /// The requested blocks.
    pub trace: Trace,
}

/// A target under forced decoding.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Scored {
    /// What was observed on the way; its pieces have their ln P.
    pub observation: Observation,
    /// One entry for each piece.
    pub scores: Vec<PieceScore>,
}

/// A word of a target under forced decoding, or a special piece: the sums over its pieces.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WordScore {
    /// The word without the marks of its pieces; a special piece as printed.
    pub text: String,
    /// Its pieces, `[first, end)`.
    pub pieces: [usize; 2],
    /// ln P.
    pub logprob: f32,
    /// Loss.
    pub loss: f32,
}

impl Scored {
    /// The scores word by word.
    pub fn words(&self) -> Vec<WordScore> {
        let labels = self.observation.target.iter().map(|piece| PieceLabel {
            text: piece.text.clone(),
            range: piece.range,
            word: piece.word,
        });
        let words = aggregate::words(labels).into_iter();
        words
            .map(|AxisItem { text, pieces, .. }| {
                let scores = &self.scores[pieces[0]..pieces[1]];
                WordScore {
                    text,
                    pieces,
                    logprob: scores.iter().map(|score| score.logprob).sum(),
                    loss: scores.iter().map(|score| score.loss).sum(),
                }
            })
            .collect()
    }

    /// ln P of the target: the sum over its pieces.
    pub fn logprob(&self) -> f32 {
        self.scores.iter().map(|score| score.logprob).sum()
    }

    /// Mean of the pieces' losses.
    pub fn loss(&self) -> f32 {
        let sum: f32 = self.scores.iter().map(|score| score.loss).sum();
        sum / self.scores.len() as f32
    }

    /// e to the mean of the pieces' −ln P.
    pub fn perplexity(&self) -> f32 {
        (-self.logprob() / self.scores.len() as f32).exp()
    }
}

/// How a target fares with and without an intervention.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// Its pieces.
    pub target: Vec<Piece>,
    /// ln P of each in the model as it is.
    pub before: Vec<f32>,
    /// ln P of each under the intervention.
    pub after: Vec<f32>,
}

impl Comparison {
    /// ln P of the whole target before and after, and after − before.
    pub fn sums(&self) -> [f32; 3] {
        let (before, after): (f32, f32) = (self.before.iter().sum(), self.after.iter().sum());
        [before, after, after - before]
    }

    /// after − before of each piece.
    pub fn changes(&self) -> Vec<f32> {
        let pairs = self.before.iter().zip(&self.after);
        pairs.map(|(before, after)| after - before).collect()
    }
}
