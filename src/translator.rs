//! The whole walk of a document: sentences, pieces, search, text. Used by the command line, the trainer
//! and `crate::wasm`.
//!
//! ```no_run
//! use translucent::translator::{DocumentOptions, JobEvent, Translator};
//!
//! let translator = Translator::open("models/en-de-free")?;
//! let options = DocumentOptions::new(translator.search().clone());
//! for event in translator.events("Good morning. How are you?", &options)? {
//!     if let JobEvent::Sentence { text, score, .. } = event? {
//!         println!("{score:.2} {text}");
//!     }
//! }
//! # Ok::<(), translucent::Error>(())
//! ```
//!
//! [`Translator::events`] steps a [`Job`]; step it yourself to observe the translation, or to stop in between. Files
//! are translated line by line with [`Translator::translate_lines`].

mod cache;
mod constraints;
mod event;
mod events;
mod job;
mod lines;
mod offsets;
mod pieces;
mod score;
mod spans;
#[cfg(test)]
mod tests;

pub use event::{
    Alternative, BeamNode, Changed, Comparison, Hypothesis, JobEvent, Observation, Piece, Scored,
    SentenceInfo, StepAlternatives, Translated, Translation, WordScore,
};
pub use events::DocumentEvents;
pub use job::{DocumentOptions, Job, Observe, Reported};
pub use lines::LineOptions;
pub use offsets::Offsets;
pub use pieces::{Side, Subwords};
pub use score::{ScoreOptions, Target};

use crate::model::{Seq2Seq, Transformer};
use crate::search::{Printed, SearchOptions};
use crate::text::{Term, Tokenizer};
use crate::{Error, Result};
use cache::Cache;
use std::sync::{Arc, Mutex, OnceLock};

/// Checks the options of a search, and that it can hold the terms: what is drawn at random holds none.
fn check(search: &SearchOptions, terms: &[Term]) -> Result<()> {
    search.validate()?;
    match search.sampling.is_some() && !terms.is_empty() {
        false => Ok(()),
        true => Err(Error::RequestInvalid {
            field: "terms",
            reason: "cannot be held where pieces are sampled: leave `sampling` or `terms` out"
                .into(),
        }),
    }
}

/// A model with its tokenizer, and a cache of translated sentences.
pub struct Translator<M = Transformer, T = Tokenizer> {
    model: M,
    tokenizer: T,
    search: SearchOptions,
    cache: Mutex<Cache>,
    /// What the pieces of the target are printed as, once it was asked for.
    printed: OnceLock<Arc<Printed>>,
}

#[cfg(not(target_arch = "wasm32"))]
impl Translator {
    /// Opens a model folder: ours or a Marian one.
    ///
    /// # Errors
    /// As [`crate::checkpoint::open`]: an error names the file, and the field or tensor, that is wrong.
    pub fn open(dir: impl AsRef<std::path::Path>) -> Result<Self> {
        let model = crate::checkpoint::open(dir)?;
        Ok(Self {
            search: model.search,
            ..Self::new(model.transformer, model.tokenizer)
        })
    }
}

impl<M: Seq2Seq, T: Subwords> Translator<M, T> {
    /// Longest sentence in pieces with its end mark, whatever the model takes: far longer ones than those
    /// of the training data are translated badly, so longer ones are cut (see [`crate::text::sentences::cut`]).
    pub const MAX_PIECES: usize = 200;

    /// A translator from its two parts, with the paper's search (§6.1).
    pub fn new(model: M, tokenizer: T) -> Self {
        Self {
            model,
            tokenizer,
            search: SearchOptions::default(),
            cache: Mutex::new(Cache::default()),
            printed: OnceLock::new(),
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

    /// The search that the model folder asks for; methods take their search from their options.
    pub fn search(&self) -> &SearchOptions {
        &self.search
    }

    /// Longest sentence in pieces with its end mark that is translated in one go: a third of the model's
    /// positions is kept free, as a translation may be longer than its source.
    pub fn longest_sentence(&self) -> usize {
        (self.model.config().max_positions * 2 / 3).clamp(2, Self::MAX_PIECES)
    }

    /// Translates a document, event by event.
    ///
    /// # Errors
    /// [`crate::Error::RequestInvalid`] if an option is outside its domain. The iterator ends after an error.
    pub fn events(
        &self,
        text: &str,
        options: &DocumentOptions,
    ) -> Result<DocumentEvents<'_, M, T>> {
        Ok(DocumentEvents::new(self, self.job(text, options)?))
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
        let mut job = self.job(text, &DocumentOptions::new(options.clone()))?;
        while !job.is_done() {
            job.step(self)?;
        }
        Ok(job.text())
    }
}
