//! The translation of a document as a value that you step.

use super::cache::{Finished, Key};
use super::event::{JobEvent, Observation, Piece, SentenceInfo, Translated, Translation};
use super::offsets::Offsets;
use super::pieces::{Shown, Side, Subwords};
use super::{Cache, Translator};
use crate::Result;
use crate::model::Seq2Seq;
use crate::search::{Batch, Event, Hypothesis, SearchOptions};
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
}

/// What a caller may choose about the translation of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentOptions {
    /// The search. A prefix applies to the observed sentence alone, or to the first if none is observed.
    pub search: SearchOptions,
    /// The sentence to observe.
    pub observe: Option<Observe>,
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
            offsets: Offsets::Utf8,
            max_rows: 16,
            max_source_pieces: 100,
        }
    }
}

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
    /// Text and agreed length last told of each sentence.
    told: Vec<(String, usize)>,
    started: bool,
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
        for whole in sentences::split(text) {
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
            started: false,
            is_done: false,
            tokens: 0,
        })
    }

    /// One decoder pass, or the beginning of the job or of a group of sentences (their encoding).
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
            let mut cache = lock(translator);
            for i in 0..self.sentences.len() {
                let key = self.key(i);
                if let Some(finished) = cache.get(&key) {
                    events.push(self.finish(i, finished));
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
    /// showing, not after every step: it is put together here.
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
        let mut observation =
            translator.observe(batch, place, batch.leader(place), self.options.offsets);
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

    fn tell_sentences<T: Subwords>(&self, translator: &Translator<M, T>) -> JobEvent {
        let unit = self.options.offsets;
        let ends = self
            .sentences
            .iter()
            .skip(1)
            .map(|s| s.range.start)
            .chain([self.text.len()]);
        let mut start =
            unit.length(&self.text[..self.sentences.first().map_or(0, |s| s.range.start)]);
        let sentences = self.sentences.iter().zip(ends).map(|(sentence, until)| {
            let text = &self.text[sentence.range.clone()];
            let after = &self.text[sentence.range.end..until];
            let Encoding { ids, ranges } = &sentence.pieces;
            let mut source: Vec<Piece> =
                translator.pieces(Side::Source, ids, text, ranges).collect();
            unit.map(text, start, &mut source);
            let range = [start, start + unit.length(text)];
            start = range[1] + unit.length(after);
            SentenceInfo {
                range,
                after: after.to_owned(),
                source,
                cut_at: sentence.is_cut.then_some(range[1]),
            }
        });
        JobEvent::Sentences {
            sentences: sentences.collect(),
        }
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

    fn is_observed(&self, sentence: usize) -> bool {
        self.options
            .observe
            .as_ref()
            .is_some_and(|o| o.sentence == sentence)
    }

    /// Takes a sentence's translation and tells it.
    fn finish(&mut self, sentence: usize, finished: Arc<Finished>) -> JobEvent {
        let best = finished.best().clone();
        let mut target = finished.target.clone();
        self.options.offsets.map(&best.text, 0, &mut target);
        let event = JobEvent::Sentence {
            sentence,
            text: best.text,
            target,
            score: best.score,
            n_best: finished.n_best.clone(),
        };
        self.sentences[sentence].finished = Some(finished);
        event
    }

    /// Begins with the next sentences that are not finished, or ends the job.
    fn begin<T: Subwords>(
        &mut self,
        translator: &Translator<M, T>,
        events: &mut Vec<JobEvent>,
    ) -> Result<()> {
        let mut members: Vec<usize> = Vec::new();
        let mut pieces = 0;
        while self.next < self.sentences.len() {
            let i = self.next;
            if self.sentences[i].finished.is_none() && i > 0 {
                // An equal sentence may have been finished meanwhile.
                let known = lock(translator).get(&self.key(i));
                if let Some(finished) = known {
                    events.push(self.finish(i, finished));
                }
            }
            if let Some(finished) = &self.sentences[i].finished {
                if self.is_observed(i) {
                    if members.is_empty() {
                        let finished = finished.clone();
                        self.next += 1;
                        return self.begin_observing(translator, i, &finished);
                    }
                    break;
                }
                self.next += 1;
                continue;
            }
            let alone = self.is_observed(i) || !self.search_options(i).prefix.is_empty();
            let rows = (members.len() + 1).saturating_mul(self.options.search.beam);
            let full = rows > self.options.max_rows
                || pieces + self.sentences[i].pieces.ids.len() > self.options.max_source_pieces;
            if !members.is_empty() && (full || alone) {
                break;
            }
            pieces += self.sentences[i].pieces.ids.len();
            members.push(i);
            self.next += 1;
            if alone {
                break;
            }
        }
        let Some(&first) = members.first() else {
            self.is_done = true;
            events.push(JobEvent::Translated(Translated {
                text: self.text(),
                tokens: self.tokens,
            }));
            return Ok(());
        };
        let ids: Vec<&[u32]> = members
            .iter()
            .map(|i| &*self.sentences[*i].pieces.ids)
            .collect();
        let requests: Vec<TraceRequest> = match &self.options.observe {
            Some(observe) if observe.sentence == first => vec![observe.request.clone()],
            _ => Vec::new(),
        };
        let batch = Batch::new(
            translator.model(),
            &ids,
            &self.search_options(first),
            &requests,
        )?;
        self.observed_changed = !requests.is_empty();
        self.running = Some(Running::Search { batch, members });
        Ok(())
    }

    /// Follows a translation that is known already, to observe it.
    fn begin_observing<T: Subwords>(
        &mut self,
        translator: &Translator<M, T>,
        sentence: usize,
        known: &Finished,
    ) -> Result<()> {
        let Some(observe) = &self.options.observe else {
            return Ok(());
        };
        let options = SearchOptions {
            prefix: known.target.iter().map(|piece| piece.id).collect(),
            beam: 1,
            n_best: 1,
            ..self.search_options(sentence)
        };
        let ids: &[u32] = &self.sentences[sentence].pieces.ids;
        let batch = Batch::new(
            translator.model(),
            &[ids],
            &options,
            std::slice::from_ref(&observe.request),
        )?;
        self.running = Some(Running::Observe { batch });
        Ok(())
    }

    /// One step of a known translation.
    fn follow<T: Subwords>(
        &mut self,
        translator: &Translator<M, T>,
        mut batch: Batch<M>,
    ) -> Result<()> {
        batch.step(translator.model())?;
        let Some(observe) = &self.options.observe else {
            return Ok(());
        };
        if batch.is_done() {
            let node = batch.leader(0);
            self.observed = Some(Observation {
                sentence: observe.sentence,
                ..translator.observe(&batch, 0, node, self.options.offsets)
            });
        } else {
            self.running = Some(Running::Observe { batch });
        }
        Ok(())
    }

    /// One step of a group of new sentences.
    fn search<T: Subwords>(
        &mut self,
        translator: &Translator<M, T>,
        mut batch: Batch<M>,
        members: Vec<usize>,
        events: &mut Vec<JobEvent>,
    ) -> Result<()> {
        for event in batch.step(translator.model())? {
            match event {
                Event::Token {
                    sentence: place,
                    tokens,
                    logprobs,
                    agreed,
                    node,
                } => {
                    let sentence = members[place];
                    self.observed_changed |= self.is_observed(sentence);
                    let shown = translator.show(&Hypothesis {
                        tokens,
                        logprobs,
                        score: 0.0,
                        node,
                    });
                    events.extend(self.tell_partial(sentence, shown, agreed));
                }
                Event::Nodes { .. } => {}
                Event::Done {
                    sentence: place,
                    hypotheses,
                } => {
                    let sentence = members[place];
                    let Some(best) = hypotheses.first() else {
                        continue;
                    };
                    self.tokens += best.tokens.len();
                    let n_best = hypotheses.iter().map(|hypothesis| Translation {
                        text: translator.show(hypothesis).text,
                        score: hypothesis.score,
                    });
                    let finished = Arc::new(Finished {
                        target: translator.show(best).pieces,
                        n_best: n_best.collect(),
                    });
                    if self.is_observed(sentence) {
                        self.observed_changed = false;
                        self.observed = Some(Observation {
                            sentence,
                            ..translator.observe(
                                &batch,
                                place,
                                Some(best.node),
                                self.options.offsets,
                            )
                        });
                    }
                    lock(translator).insert(self.key(sentence), finished.clone());
                    events.push(self.finish(sentence, finished));
                }
            }
        }
        if !batch.is_done() {
            self.running = Some(Running::Search { batch, members });
        }
        Ok(())
    }

    /// Tells the growing text of a sentence, if it changed.
    fn tell_partial(&mut self, sentence: usize, shown: Shown, agreed: usize) -> Option<JobEvent> {
        let Shown { text, pieces } = shown;
        let end = |piece: &Piece| piece.range.map(|[_, end]| end);
        let agreed = pieces[..agreed]
            .iter()
            .filter_map(end)
            .next_back()
            .unwrap_or(0);
        let told = (text, agreed);
        if self.told[sentence] == told {
            return None;
        }
        self.told[sentence] = told.clone();
        let (text, agreed) = told;
        let agreed_length = self.options.offsets.length(&text[..agreed]);
        Some(JobEvent::Partial {
            sentence,
            text,
            agreed_length,
        })
    }
}

impl Finished {
    /// The best translation.
    fn best(&self) -> &Translation {
        // Made from at least one hypothesis.
        &self.n_best[0]
    }
}

/// The cache of a translator; a panic elsewhere leaves it whole, so poison is ignored.
fn lock<M, T>(translator: &Translator<M, T>) -> MutexGuard<'_, Cache> {
    translator
        .cache
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}
