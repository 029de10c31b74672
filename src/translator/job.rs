//! The translation of a document as a value that you step.

mod decode;
mod tell;

use super::cache::{Finished, Key};
use super::event::{JobEvent, Observation};
use super::offsets::Offsets;
use super::pieces::Subwords;
use super::{Cache, Translator};
use crate::Result;
use crate::model::Seq2Seq;
use crate::search::{Batch, SearchOptions};
use crate::text::{Encoding, sentences};
use crate::trace::TraceRequest;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::{Arc, MutexGuard, PoisonError};

/// What to observe while a document is translated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Observe {
    /// Index of the sentence.
    pub sentence: usize,
    /// What of it.
    pub request: TraceRequest,
    /// How many alternatives to tell for each of its pieces.
    #[serde(default)]
    pub alternatives: usize,
    /// Whether to tell its search tree as it grows; it is then decoded even if its translation is known.
    #[serde(default)]
    pub tree: bool,
}

/// What a caller may choose about the translation of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentOptions {
    /// The search. A prefix applies to the observed sentence alone, or to the first if none is observed.
    pub search: SearchOptions,
    /// The sentence to observe.
    pub observe: Option<Observe>,
    /// Take the text as one sentence instead of splitting it.
    pub one_sentence: bool,
    /// The unit of all offsets in events.
    pub offsets: Offsets,
    /// Most rows (sentences × beam) of a decoder pass: more are faster in all, fewer give the first
    /// sentence sooner. One sentence is always taken.
    pub max_rows: usize,
    /// Most source pieces that are encoded in one step; one sentence is always taken.
    pub max_source_pieces: usize,
}

impl Default for DocumentOptions {
    fn default() -> Self {
        Self {
            search: SearchOptions::default(),
            observe: None,
            one_sentence: false,
            offsets: Offsets::Utf8,
            max_rows: 16,
            max_source_pieces: 100,
        }
    }
}

/// Most known sentences that one step tells. Telling costs as much as what is told is long, and whoever steps wants to
/// be able to stop soon.
pub(super) const MOST_KNOWN: usize = 8;

/// A sentence of the document.
struct Sentence {
    range: Range<usize>,
    pieces: Encoding,
    /// Whether it goes on in the next one.
    is_cut: bool,
    finished: Option<Arc<Finished>>,
}

/// What the decoder is at.
enum Running<M: Seq2Seq> {
    /// New sentences: the document's index of each of the batch.
    Search {
        batch: Batch<M>,
        members: Vec<usize>,
    },
    /// A known translation, followed once more to observe it.
    Observe { batch: Batch<M> },
}

/// The translation of one document. Step it until [`Job::is_done`], or drop it at any moment.
pub struct Job<M: Seq2Seq> {
    text: String,
    options: DocumentOptions,
    sentences: Vec<Sentence>,
    /// Sentences before this one are finished or running.
    next: usize,
    running: Option<Running<M>>,
    /// The final observation, until it is fetched.
    observed: Option<Observation>,
    /// The observed sentence is in the batch and has changed since it was last fetched.
    observed_changed: bool,
    /// What was observed of the encoder has been told.
    encoder_told: bool,
    /// Text and agreed length last told of each sentence.
    told: Vec<(String, usize)>,
    started: bool,
    /// Sentences before this one have been looked for among the known ones.
    looked_up: usize,
    is_done: bool,
    tokens: usize,
}

impl<M: Seq2Seq> Job<M> {
    pub(super) fn new<T: Subwords>(
        translator: &Translator<M, T>,
        text: &str,
        options: &DocumentOptions,
    ) -> Result<Self> {
        options.search.validate()?;
        let mut sentences = Vec::new();
        let whole = match options.one_sentence {
            true => vec![translator.one_sentence(text)?],
            false => sentences::split(text),
        };
        for whole in whole {
            let parts = translator.cut(text, whole);
            let last = parts.len().saturating_sub(1);
            sentences.extend(
                parts
                    .into_iter()
                    .enumerate()
                    .map(|(i, (range, pieces))| Sentence {
                        range,
                        pieces,
                        is_cut: i < last,
                        finished: None,
                    }),
            );
        }
        Ok(Self {
            text: text.to_owned(),
            options: options.clone(),
            told: vec![Default::default(); sentences.len()],
            sentences,
            next: 0,
            running: None,
            observed: None,
            observed_changed: false,
            encoder_told: false,
            started: false,
            looked_up: 0,
            is_done: false,
            tokens: 0,
        })
    }

    /// One decoder pass, or the beginning of the job or of a group of sentences (their encoding), or some sentences
    /// that are known already: before anything is decoded all of those are told.
    ///
    /// # Errors
    /// [`crate::Error::RequestInvalid`] for a prefix that no translation can have; whatever the model reports.
    /// After an error the job is to be dropped.
    pub fn step<T: Subwords>(&mut self, translator: &Translator<M, T>) -> Result<Vec<JobEvent>> {
        let mut events = Vec::new();
        if self.is_done {
            return Ok(events);
        }
        if !self.started {
            self.started = true;
            events.push(self.tell_sentences(translator));
            return Ok(events);
        }
        if self.looked_up < self.sentences.len() {
            while self.looked_up < self.sentences.len() && events.len() < MOST_KNOWN {
                let i = self.looked_up;
                self.looked_up += 1;
                if !self.watches_tree(i) {
                    let known = lock(translator).get(&self.key(i));
                    events.extend(known.map(|finished| self.finish(i, finished)));
                }
            }
            return Ok(events);
        }
        match self.running.take() {
            Some(Running::Search { batch, members }) => {
                self.search(translator, batch, members, &mut events)?
            }
            Some(Running::Observe { batch }) => self.follow(translator, batch)?,
            None => self.begin(translator, &mut events)?,
        }
        Ok(events)
    }

    /// Whether everything is translated, observed and told.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// What is known of the observed sentence, if that has changed since the last call. Fetch it before
    /// showing, not after every step: it is put together here. While the sentence grows, only the first call
    /// tells what was observed of the encoder; the last one, when it is finished, tells everything.
    pub fn observation<T: Subwords>(
        &mut self,
        translator: &Translator<M, T>,
    ) -> Option<Observation> {
        if let Some(observation) = self.observed.take() {
            return Some(observation);
        }
        let Some(Running::Search { batch, members }) = &self.running else {
            return None;
        };
        if !std::mem::take(&mut self.observed_changed) {
            return None;
        }
        let sentence = self.options.observe.as_ref()?.sentence;
        let place = members.iter().position(|member| *member == sentence)?;
        let whole = !std::mem::replace(&mut self.encoder_told, true);
        let node = batch.best(place);
        let trace = match whole {
            true => batch.trace(translator.model(), place, node),
            false => batch.decoder_trace(translator.model(), place, node),
        };
        let mut observation = translator.observe(batch, place, node, trace, self.options.offsets);
        observation.sentence = sentence;
        Some(observation)
    }

    /// The translation as far as it is finished, line breaks and white space kept.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.text.len() * 3 / 2);
        let mut end = 0;
        let mut was_cut = true;
        for sentence in &self.sentences {
            let between = &self.text[end..sentence.range.start];
            let part = sentence
                .finished
                .as_ref()
                .map_or("", |f| f.best().text.as_str());
            // No space follows a wide full stop, but one follows its translation.
            if between.is_empty() && !was_cut && text.ends_with(|c: char| c.is_ascii()) {
                text.push(' ');
            }
            was_cut = sentence.is_cut;
            text.push_str(between);
            text.push_str(part);
            end = sentence.range.end;
        }
        text.push_str(&self.text[end..]);
        text
    }

    /// The options of one sentence's search.
    fn search_options(&self, sentence: usize) -> SearchOptions {
        let mut options = self.options.search.clone();
        let observed = self.options.observe.as_ref();
        if sentence != observed.map_or(0, |o| o.sentence) {
            options.prefix.clear();
        }
        options.alternatives = match observed {
            Some(observe) if observe.sentence == sentence => observe.alternatives,
            _ => 0,
        };
        options
    }

    fn key(&self, sentence: usize) -> Key {
        Key::new(
            &self.text[self.sentences[sentence].range.clone()],
            &self.search_options(sentence),
        )
    }

    /// Whether a sentence's search tree is to be told.
    fn watches_tree(&self, sentence: usize) -> bool {
        let observed = self.options.observe.as_ref();
        observed.is_some_and(|o| o.sentence == sentence && o.tree)
    }

    fn is_observed(&self, sentence: usize) -> bool {
        self.options
            .observe
            .as_ref()
            .is_some_and(|o| o.sentence == sentence)
    }
}

/// The cache of a translator; a panic elsewhere leaves it whole, so poison is ignored.
fn lock<M, T>(translator: &Translator<M, T>) -> MutexGuard<'_, Cache> {
    translator
        .cache
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}
