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
#[cfg(test)]
mod tests;

pub use event::{
    Alternative, JobEvent, Observation, Piece, SentenceInfo, StepAlternatives, Translated,
    Translation,
};
pub use job::{DocumentOptions, Job, Observe};
pub use lines::LineOptions;
pub use offsets::Offsets;
pub use pieces::{Side, Subwords};

use crate::model::{Seq2Seq, Transformer};
use crate::search::{Batch, SearchOptions};
use crate::text::Tokenizer;
use crate::trace::TraceRequest;
use crate::{Error, Result};
use cache::Cache;
use std::sync::Mutex;

/// A model with its tokenizer, and the sentences that it translated lately.
pub struct Translator<M = Transformer, T = Tokenizer> {
    model: M,
    tokenizer: T,
    cache: Mutex<Cache>,
}

/// The target that [`Translator::score`] follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<'a> {
    /// Pieces, without the start symbol. Without an end mark at the end, an unfinished translation.
    Pieces(&'a [u32]),
    /// A whole translation as text.
    Text(&'a str),
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
    /// [`Error::RequestInvalid`] if an option is outside its domain.
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

    /// Follows a given target (forced decoding): the ln P of each piece, what was observed on the way as
    /// the last-step observation of [`Job::observation`], and the `alternatives` likeliest pieces at each step.
    /// The source is taken as one sentence.
    ///
    /// # Errors
    /// [`Error::TextTooLong`] if source or target has more pieces than the model has positions;
    /// [`Error::RequestInvalid`] if a target piece is outside the vocabulary or an end mark stands inside.
    pub fn score(
        &self,
        source: &str,
        target: Target<'_>,
        request: &TraceRequest,
        alternatives: usize,
    ) -> Result<Observation> {
        let config = self.model.config();
        let source = self.tokenizer.encode_source(source).ids;
        let target = match target {
            Target::Pieces(ids) => ids.to_vec(),
            Target::Text(text) => self.tokenizer.encode_target(text).ids,
        };
        for (found, unit) in [
            (source.len(), "source pieces"),
            (target.len(), "target pieces"),
        ] {
            if found > config.max_positions {
                return Err(Error::TextTooLong {
                    found,
                    limit: config.max_positions,
                    unit,
                    hint: "give a shorter sentence",
                });
            }
        }
        let options = SearchOptions {
            beam: 1,
            prefix: target,
            alternatives,
            ..SearchOptions::default()
        };
        let mut batch = Batch::new(
            &self.model,
            &[&source],
            &options,
            std::slice::from_ref(request),
        )?;
        for _ in 0..options.prefix.len() {
            batch.step(&self.model)?;
        }
        Ok(self.observe(&batch, 0, batch.leader(0), Offsets::Utf8))
    }
}
