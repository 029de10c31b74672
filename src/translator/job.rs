//! The translation of a document as a value that you step.

mod decode;
mod events;
mod reported;

pub use reported::Reported;

use super::cache::{Finished, Key};
use super::constraints::RequiredPhrase;
use super::event::{Changed, JobEvent, Observation};
use super::offsets::Offsets;
use super::pieces::Subwords;
use super::{Cache, Translator, check};
use crate::Result;
use crate::model::Seq2Seq;
use crate::search::{Batch, SearchOptions};
use crate::text::{Encoding, Term, sentences};
use crate::trace::TraceRequest;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::{Arc, MutexGuard, PoisonError};

/// What to observe while a document is translated.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Observe {
    /// Index of the sentence.
    pub sentence: usize,
    /// What of it.
    pub request: TraceRequest,
    /// Number of alternatives given for each of its pieces.
    #[serde(default)]
    pub alternatives: usize,
    /// Whether to emit its search tree as it grows; the sentence is then decoded even if it is cached.
    #[serde(default)]
    pub tree: bool,
}

impl Observe {
    /// Observes one sentence; no alternatives, no tree.
    pub fn new(sentence: usize, request: TraceRequest) -> Self {
        Self {
            sentence,
            request,
            ..Self::default()
        }
    }
}

/// Options of [`Translator::job`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DocumentOptions {
    /// The search. A prefix applies to the observed sentence alone, or to the first if none is observed.
    pub search: SearchOptions,
    /// The sentence to observe.
    pub observe: Option<Observe>,
    /// How words are to be translated.
    pub terms: Vec<Term>,
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
            terms: Vec::new(),
            one_sentence: false,
            offsets: Offsets::Utf8,
            max_rows: 16,
            max_source_pieces: 100,
        }
    }
}

/// Caps cached sentences emitted per step, to bound latency.
pub(super) const MAX_CACHED_PER_STEP: usize = 8;

/// A sentence of the document, or a part of one that was too long.
struct Sentence {
    range: Range<usize>,
    /// Language code of its line.
    language: Option<u32>,
    source: Arc<Encoding>,
    /// What its translation must hold.
    phrases: Vec<RequiredPhrase>,
    /// Whether the sentence continues in the next part.
    is_cut: bool,
    /// Found in the cache and not emitted yet.
    cached: Option<Arc<Finished>>,
    finished: Option<Arc<Finished>>,
    /// Text and stable length of the last [`JobEvent::Partial`].
    partial: (String, usize),
}

/// What the next step does.
enum Phase<M: Seq2Seq> {
    /// Emit the sentences of the text.
    Split,
    /// Emit cached sentences, from this one on.
    Cached { next: usize },
    /// Choose the next sentences to decode.
    Choose,
    /// Decode new sentences; `members` are their indices in the document.
    Search {
        batch: Batch<M>,
        members: Vec<usize>,
    },
    /// Decode a finished translation again, to observe it.
    Observe { batch: Batch<M> },
    /// Nothing: everything was emitted, or a step failed.
    Done,
}

/// What there is to fetch of the observed sentence.
#[derive(Default)]
struct Observed {
    /// The final observation, until it is fetched.
    last: Option<Observation>,
    /// The sentence has changed since it was last fetched.
    has_changed: bool,
    /// The encoder's part was fetched.
    encoder_sent: bool,
}

/// The translation of one document. Step it until [`Job::is_done`], or drop it at any moment.
pub struct Job<M: Seq2Seq> {
    text: String,
    options: DocumentOptions,
    sentences: Vec<Sentence>,
    /// Sentences before this one are finished or being decoded.
    next: usize,
    phase: Phase<M>,
    observed: Observed,
    /// Output pieces decoded.
    tokens: usize,
    /// What the first event tells, where the job follows another one.
    changed: Option<Changed>,
}

impl DocumentOptions {
    /// Options with a search, all else as by default.
    pub fn new(search: SearchOptions) -> Self {
        Self {
            search,
            ..Self::default()
        }
    }

    /// The options of one sentence's search.
    fn search_of(&self, sentence: usize) -> SearchOptions {
        let mut options = self.search.clone();
        if sentence != self.observe.as_ref().map_or(0, |o| o.sentence) {
            options.prefix.clear();
        }
        options.alternatives = match &self.observe {
            Some(observe) if observe.sentence == sentence => observe.alternatives,
            _ => 0,
        };
        options
    }
}

impl<M: Seq2Seq> Job<M> {
    pub(super) fn new<T: Subwords>(
        translator: &Translator<M, T>,
        text: &str,
        options: &DocumentOptions,
    ) -> Result<Self> {
        check(&options.search, &options.terms)?;
        let mut job = Self {
            text: text.to_owned(),
            options: options.clone(),
            sentences: Vec::new(),
            next: 0,
            phase: Phase::Split,
            observed: Observed::default(),
            tokens: 0,
            changed: None,
        };
        let ranges = match options.one_sentence {
            true => sentences::whole(text),
            false => sentences::split(text),
        };
        let language_of = |line: &str| {
            let end = line.find('\n').unwrap_or(line.len());
            translator.tokenizer.language_code(&line[..end])
        };
        let mut language = language_of(text);
        let mut end = 0;
        for range in ranges {
            if let Some(line_break) = text[end..range.start].rfind('\n') {
                language = language_of(&text[end + line_break + 1..]);
            }
            end = range.end;
            job.push_sentence(translator, range, language)?;
        }
        Ok(job)
    }

    /// Adds a sentence: from the cache, or tokenised, in parts if it is too long.
    fn push_sentence<T: Subwords>(
        &mut self,
        translator: &Translator<M, T>,
        range: Range<usize>,
        language: Option<u32>,
    ) -> Result<()> {
        let phrases = |job: &Self, range: &Range<usize>| {
            translator.phrases(&job.text[range.clone()], &job.options.terms)
        };
        let new = |range, source, phrases, is_cut, cached| Sentence {
            range,
            language,
            source,
            phrases,
            is_cut,
            cached,
            finished: None,
            partial: Default::default(),
        };
        let cached = |job: &Self, range: &Range<usize>| {
            let options = job.options.search_of(job.sentences.len());
            let text = &job.text[range.clone()];
            lock(translator).get(&Key::new(text, language, &options, phrases(job, range)))
        };
        if let Some(finished) = cached(self, &range) {
            let phrases = phrases(self, &range);
            let sentence = new(
                range,
                finished.source.clone(),
                phrases,
                false,
                Some(finished),
            );
            self.sentences.push(sentence);
            return Ok(());
        }
        let parts = translator.encode_parts(&self.text, range, language);
        let last = parts.len().saturating_sub(1);
        for (i, (range, source)) in parts.into_iter().enumerate() {
            if self.options.one_sentence
                && (last > 0 || source.ids.len() > translator.longest_sentence())
            {
                return Err(translator.too_long(&self.text));
            }
            let cached = if last > 0 { cached(self, &range) } else { None };
            let phrases = phrases(self, &range);
            let sentence = new(range, Arc::new(source), phrases, i < last, cached);
            self.sentences.push(sentence);
        }
        Ok(())
    }

    /// Runs one decoder pass, or begins the job or a group of sentences (their encoding), or emits some cached
    /// sentences. Cached sentences are emitted first.
    ///
    /// # Errors
    /// [`crate::Error::RequestInvalid`] for a prefix that no translation can have; whatever the model reports.
    /// After an error the job is done.
    pub fn step<T: Subwords>(&mut self, translator: &Translator<M, T>) -> Result<Vec<JobEvent>> {
        let mut events = Vec::new();
        match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Split => {
                events.push(self.split_event(translator));
                self.phase = match self.sentences.is_empty() {
                    true => Phase::Choose,
                    false => Phase::Cached { next: 0 },
                };
            }
            Phase::Cached { next } => self.emit_cached(next, &mut events),
            Phase::Choose => self.choose(translator, &mut events)?,
            Phase::Search { batch, members } => {
                self.search(translator, batch, members, &mut events)?
            }
            Phase::Observe { batch } => self.replay(translator, batch)?,
            Phase::Done => {}
        }
        Ok(events)
    }

    /// Steps once, and on as long as `goes_on` says so and something is left to do. Of the partial states of a sentence
    /// only the last is given.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn step_while<T: Subwords>(
        &mut self,
        translator: &Translator<M, T>,
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<Vec<JobEvent>> {
        let mut events = self.step(translator)?;
        while !self.is_done() && goes_on() {
            for event in self.step(translator)? {
                if let JobEvent::Partial {
                    sentence: grown, ..
                } = event
                {
                    let older = |event: &JobEvent| matches!(event, JobEvent::Partial { sentence, .. } if *sentence == grown);
                    events.retain(|event| !older(event));
                }
                events.push(event);
            }
        }
        Ok(events)
    }

    fn emit_cached(&mut self, mut next: usize, events: &mut Vec<JobEvent>) {
        while next < self.sentences.len() && events.len() < MAX_CACHED_PER_STEP {
            let cached = self.sentences[next].cached.take();
            if let Some(finished) = cached.filter(|_| !self.watches_search(next)) {
                events.push(self.finish(next, finished));
            }
            next += 1;
        }
        self.phase = match next < self.sentences.len() {
            true => Phase::Cached { next },
            false => Phase::Choose,
        };
    }

    /// Whether no event was emitted yet.
    fn is_unreported(&self) -> bool {
        matches!(self.phase, Phase::Split)
    }

    /// Whether everything is translated, observed and emitted, or a step has failed.
    pub fn is_done(&self) -> bool {
        matches!(self.phase, Phase::Done)
    }

    /// The observed sentence, if it has changed since the last call. Fetch it before showing, not after every step:
    /// it is put together here. While the sentence grows, only the first call gives the encoder's part; the last one,
    /// when the sentence is finished, gives everything.
    pub fn observation<T: Subwords>(
        &mut self,
        translator: &Translator<M, T>,
    ) -> Option<Observation> {
        if let Some(observation) = self.observed.last.take() {
            return Some(observation);
        }
        let Phase::Search { batch, members } = &self.phase else {
            return None;
        };
        if !std::mem::take(&mut self.observed.has_changed) {
            return None;
        }
        let sentence = self.options.observe.as_ref()?.sentence;
        let place = members.iter().position(|member| *member == sentence)?;
        let node = batch.best(place);
        let trace = match std::mem::replace(&mut self.observed.encoder_sent, true) {
            false => batch.trace(translator.model(), place, node),
            true => batch.decoder_trace(translator.model(), place, node),
        };
        let mut observation =
            translator.observe(batch, place, node, trace, self.printed_with(sentence));
        observation.sentence = sentence;
        Some(observation)
    }

    /// The translation of the sentences that are finished, line breaks and white space kept.
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
            // No space follows a wide full stop, but one follows its translation; none need follow a tag.
            let ends_open = |c: char| c.is_ascii() && c != '>';
            if between.is_empty() && !was_cut && text.ends_with(ends_open) {
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

    fn key(&self, sentence: usize) -> Key {
        let Sentence {
            range,
            language,
            phrases,
            ..
        } = &self.sentences[sentence];
        let options = self.options.search_of(sentence);
        let text = &self.text[range.clone()];
        Key::new(text, *language, &options, phrases.clone())
    }

    /// What the pieces of a sentence's translation are given with: the unit of offsets, and its source.
    fn printed_with(&self, sentence: usize) -> (Offsets, &Encoding) {
        (self.options.offsets, &self.sentences[sentence].source)
    }

    /// Whether a sentence's search tree is emitted.
    fn watches_tree(&self, sentence: usize) -> bool {
        let observed = self.options.observe.as_ref();
        observed.is_some_and(|o| o.sentence == sentence && o.tree)
    }

    /// Whether the search of a sentence is watched, or how its pieces were drawn: the cache knows neither.
    fn watches_search(&self, sentence: usize) -> bool {
        let draws = self.options.search.sampling.is_some() && self.is_observed(sentence);
        draws || self.watches_tree(sentence)
    }

    fn is_observed(&self, sentence: usize) -> bool {
        self.options
            .observe
            .as_ref()
            .is_some_and(|o| o.sentence == sentence)
    }
}

/// The cache of a translator; it is valid after a panic elsewhere, so poison is ignored.
fn lock<M, T>(translator: &Translator<M, T>) -> MutexGuard<'_, Cache> {
    translator
        .cache
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}
