//! Files: one line in, one line out, many lines at once.

use super::constraints::{RequiredPhrase, needs_alignment};
use super::event::Translation;
use super::pieces::Subwords;
use super::{Translator, check};
use crate::Result;
use crate::model::Seq2Seq;
use crate::search::{Batch, Event, Hypothesis, SearchOptions};
use crate::text::{Encoding, Term};
use crate::trace::TraceRequest;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Options of [`Translator::translate_lines`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LineOptions {
    /// The search; its `n_best` says how many translations each line gets.
    pub search: SearchOptions,
    /// How words are to be translated.
    pub terms: Vec<Term>,
    /// Most rows (lines × beam) of a decoder pass.
    pub max_rows: usize,
    /// Threads that translate side by side.
    pub threads: usize,
}

impl LineOptions {
    /// Options with a search and a number of threads, all else as by default.
    pub fn new(search: SearchOptions, threads: usize) -> Self {
        Self {
            search,
            threads,
            ..Self::default()
        }
    }
}

impl Default for LineOptions {
    fn default() -> Self {
        Self {
            search: SearchOptions::default(),
            terms: Vec::new(),
            max_rows: 32,
            threads: 1,
        }
    }
}

/// A line, or a part of one that was too long.
struct Part {
    line: usize,
    source: Encoding,
    phrases: Vec<RequiredPhrase>,
}

impl<M: Seq2Seq, T: Subwords> Translator<M, T> {
    /// Translates lines, each as one sentence (no splitting, as evaluation needs it): for every line its
    /// `n_best` translations, best first, an empty one for a line without text. Lines of similar length are
    /// decoded together. A line that is longer than [`Translator::longest_sentence`] is cut, and its parts'
    /// best translations are joined. `progress` is called with the number of finished lines.
    ///
    /// # Errors
    /// [`crate::Error::RequestInvalid`] if an option is outside its domain; whatever the model reports.
    pub fn translate_lines<S: AsRef<str>>(
        &self,
        lines: &[S],
        options: &LineOptions,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Vec<Translation>>>
    where
        M: Sync,
        T: Sync,
    {
        check(&options.search, &options.terms)?;
        let mut parts = Vec::new();
        for (line, text) in lines.iter().enumerate() {
            let trimmed = text.as_ref().trim();
            if trimmed.is_empty() {
                continue;
            }
            parts.extend(
                self.encode_parts(
                    trimmed,
                    0..trimmed.len(),
                    self.tokenizer.language_code(trimmed),
                )
                .into_iter()
                .map(|(range, pieces)| Part {
                    line,
                    source: pieces,
                    phrases: self.phrases(&trimmed[range], &options.terms),
                }),
            );
        }
        // Longest first: a batch ends with its longest sentence, and the last batches are short ones.
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by_key(|part| std::cmp::Reverse(parts[*part].source.ids.len()));
        let most = (options.max_rows / options.search.beam).max(1);
        // Several threads take several batches each: the first one's sentences are the longest.
        let share = match options.threads {
            0 | 1 => most,
            threads => parts.len().div_ceil(4 * threads).max(1),
        };
        let batches: Vec<&[usize]> = order.chunks(most.min(share)).collect();

        let next = AtomicUsize::new(0);
        let finished = AtomicUsize::new(0);
        let found: Mutex<Vec<Option<Vec<Translation>>>> =
            Mutex::new(parts.iter().map(|_| None).collect());
        let work = || -> Result<()> {
            while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                let sentences: Vec<&[u32]> =
                    batch.iter().map(|part| &*parts[*part].source.ids).collect();
                let members = batch.iter().map(|part| &parts[*part]);
                let requests = members.clone().map(|part| TraceRequest {
                    alignment: needs_alignment(&part.source, &part.phrases),
                    ..TraceRequest::default()
                });
                let requests: Vec<TraceRequest> = requests.collect();
                let requests = match requests.iter().all(TraceRequest::is_off) {
                    true => Vec::new(),
                    false => requests,
                };
                let mut decoding = Batch::new(&self.model, &sentences, &options.search, &requests)?;
                for (place, part) in members.enumerate() {
                    self.require(&mut decoding, place, &part.source, &part.phrases);
                }
                while !decoding.is_done() {
                    for event in decoding.step(&self.model)? {
                        let Event::Done {
                            sentence,
                            hypotheses,
                        } = event
                        else {
                            continue;
                        };
                        let source = &parts[batch[sentence]].source;
                        let translations = hypotheses.iter().map(|hypothesis| {
                            let around = self.around_in(source, &decoding, sentence, hypothesis);
                            let Hypothesis { tokens, score, .. } = hypothesis;
                            Translation {
                                text: self.tokenizer.decode(tokens, &source.carried, &around).text,
                                score: *score,
                            }
                        });
                        let translations = translations.collect();
                        let mut found = found
                            .lock()
                            .unwrap_or_else(std::sync::PoisonError::into_inner);
                        found[batch[sentence]] = Some(translations);
                    }
                }
                progress(finished.fetch_add(batch.len(), Ordering::Relaxed) + batch.len());
            }
            Ok(())
        };
        if options.threads > 1 {
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..options.threads.min(batches.len()))
                    .map(|_| scope.spawn(work))
                    .collect();
                threads
                    .into_iter()
                    .try_for_each(|thread| match thread.join() {
                        Ok(result) => result,
                        Err(panic) => std::panic::resume_unwind(panic),
                    })
            })?;
        } else {
            work()?;
        }

        let mut translated: Vec<Vec<Translation>> = lines.iter().map(|_| Vec::new()).collect();
        let found = found
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        for (part, translations) in parts.iter().zip(found) {
            join(&mut translated[part.line], translations.unwrap_or_default());
        }
        for line in &mut translated {
            if line.is_empty() {
                line.push(Translation {
                    text: String::new(),
                    score: 0.0,
                });
            }
        }
        Ok(translated)
    }
}

/// Appends the translations of a line's next part: of several parts only the best ones are joined.
fn join(line: &mut Vec<Translation>, next: Vec<Translation>) {
    if line.is_empty() {
        *line = next;
        return;
    }
    line.truncate(1);
    for (whole, part) in line.iter_mut().zip(next) {
        whole.text.push(' ');
        whole.text.push_str(&part.text);
        whole.score += part.score;
    }
}
