//! The whole walk of a document: sentences, pieces, search, text. Used by the command line, the trainer
//! and `crate::wasm`.
//!
//! A document is translated by a [`Job`] that is stepped, so that a page can stream, observe and drop it
//! at any moment; files are translated line by line with [`Translator::translate_lines`].

mod cache;
mod event;
mod job;
mod lines;
mod offsets;
mod pieces;
mod score;
#[cfg(test)]
mod tests;

pub use event::{
    Alternative, BeamNode, Comparison, Found, JobEvent, Observation, Piece, Scored, SentenceInfo,
    StepAlternatives, Translated, Translation, WordScore,
};
pub use job::{DocumentOptions, Job, Observe};
pub use lines::LineOptions;
pub use offsets::Offsets;
pub use pieces::{Side, Subwords};
pub use score::{ScoreOptions, Target};

use crate::Result;
use crate::model::{Seq2Seq, Transformer};
use crate::search::SearchOptions;
use crate::text::Tokenizer;
use cache::Cache;
use std::sync::Mutex;

/// A model with its tokenizer, and the sentences that it translated lately.
pub struct Translator<M = Transformer, T = Tokenizer> {
    model: M,
    tokenizer: T,
    cache: Mutex<Cache>,
}

impl<M: Seq2Seq, T: Subwords> Translator<M, T> {
    /// Longest sentence in pieces with its end mark, whatever the model takes: far longer ones than those
    /// of the training data are translated badly, so longer ones are cut (see [`crate::text::sentences::cut`]).
    pub const MAX_PIECES: usize = 200;

    /// A translator from its two parts.
    pub fn new(model: M, tokenizer: T) -> Self {
        Self {
            model,
            tokenizer,
            cache: Mutex::new(Cache::default()),
        }
    }

    /// The model.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &T {
        &self.tokenizer
    }

    /// Longest sentence in pieces with its end mark that is translated in one go: a third of the model's
    /// positions is kept free, as a translation may be longer than its source.
    pub fn longest_sentence(&self) -> usize {
        (self.model.config().max_positions * 2 / 3).clamp(2, Self::MAX_PIECES)
    }

    /// Begins to translate a document; the work is done by [`Job::step`].
    ///
    /// # Errors
    /// [`crate::Error::RequestInvalid`] if an option is outside its domain.
    pub fn job(&self, text: &str, options: &DocumentOptions) -> Result<Job<M>> {
        Job::new(self, text, options)
    }

    /// Translates a document in one go; line breaks and the white space between sentences are kept.
    ///
    /// # Errors
    /// As [`Translator::job`] and [`Job::step`].
    pub fn translate(&self, text: &str, options: &SearchOptions) -> Result<String> {
        let options = DocumentOptions {
            search: options.clone(),
            ..DocumentOptions::default()
        };
        let mut job = self.job(text, &options)?;
        while !job.is_done() {
            job.step(self)?;
        }
        Ok(job.text())
    }
}
