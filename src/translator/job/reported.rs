//! What a document's events have reported, so that those of the next one can leave it out: after a key in a long text all but
//! one of its sentences are as they were.

use super::{Job, Sentence};
use crate::model::Seq2Seq;
use crate::text::Encoding;
use crate::translator::cache::Finished;
use crate::translator::event::Changed;
use std::ops::Range;
use std::sync::Arc;

/// The sentences that a job's events have reported so far, made by [`Job::reported`].
#[derive(Clone, Debug)]
pub struct Reported {
    text: String,
    sentences: Vec<ReportedSentence>,
}

#[derive(Clone, Debug)]
struct ReportedSentence {
    range: Range<usize>,
    is_cut: bool,
    source: Arc<Encoding>,
    finished: Option<Arc<Finished>>,
}

/// A sentence and what follows it up to the next one.
fn words<'t>(text: &'t str, range: &Range<usize>, next: Option<usize>) -> [&'t str; 2] {
    let until = next.unwrap_or(text.len());
    [&text[range.clone()], &text[range.end..until]]
}

impl Reported {
    /// Sentence `i`, and the start of the one after it.
    fn at(&self, i: usize) -> (&ReportedSentence, Option<usize>) {
        let next = self.sentences.get(i + 1);
        (&self.sentences[i], next.map(|next| next.range.start))
    }

    fn is(&self, i: usize, job_text: &str, sentence: &Sentence, next: Option<usize>) -> bool {
        let (reported, reported_next) = self.at(i);
        reported.is_cut == sentence.is_cut
            && words(&self.text, &reported.range, reported_next)
                == words(job_text, &sentence.range, next)
            // A language code is given to the pieces of its whole line.
            && (Arc::ptr_eq(&reported.source, &sentence.source)
                || reported.source.ids == sentence.source.ids)
    }
}

impl<M: Seq2Seq> Job<M> {
    /// What the events that were emitted so far have reported; `None` before the first.
    pub fn reported(&self) -> Option<Reported> {
        if self.is_unreported() {
            return None;
        }
        let sentences = self.sentences.iter().map(|sentence| ReportedSentence {
            range: sentence.range.clone(),
            is_cut: sentence.is_cut,
            source: sentence.source.clone(),
            finished: sentence.finished.clone(),
        });
        Some(Reported {
            text: self.text.clone(),
            sentences: sentences.collect(),
        })
    }

    /// Leaves out of this job's events what another one has reported, whose receiver is the same: its first event is
    /// [`JobEvent::Changed`](super::JobEvent::Changed) in place of `Sentences`. To be called before the first step; later
    /// calls do nothing.
    pub fn follow(&mut self, reported: &Reported) {
        if !self.is_unreported() {
            return;
        }
        let most = self.sentences.len().min(reported.sentences.len());
        let start = |sentences: &[Sentence], i: usize| sentences.get(i).map(|s| s.range.start);
        let same = |i: usize, j: usize| {
            let next = start(&self.sentences, i + 1);
            reported.is(j, &self.text, &self.sentences[i], next)
        };
        let starts_equal =
            start(&self.sentences, 0) == reported.sentences.first().map(|s| s.range.start);
        let before = match starts_equal {
            true => (0..most).take_while(|&i| same(i, i)).count(),
            false => 0,
        };
        let (all, reported_all) = (self.sentences.len(), reported.sentences.len());
        let after = (0..most - before)
            .take_while(|i| same(all - 1 - i, reported_all - 1 - i))
            .count();
        let unit = self.options.offsets;
        let shift = match after {
            0 => 0,
            _ => {
                let now = unit.length(&self.text[..self.sentences[all - after].range.start]);
                let old = reported.sentences[reported_all - after].range.start;
                now as isize - unit.length(&reported.text[..old]) as isize
            }
        };
        let kept = (0..before)
            .map(|i| (i, i))
            .chain((all - after..all).map(|i| (i, i + reported_all - all)));
        let kept: Vec<_> = kept.collect();
        let mut translated = Vec::new();
        for (i, j) in kept {
            if self.watches_search(i) {
                continue;
            }
            let sentence = &mut self.sentences[i];
            let equal = match (&sentence.cached, &reported.sentences[j].finished) {
                (Some(cached), Some(reported)) => Arc::ptr_eq(cached, reported),
                _ => false,
            };
            if equal {
                sentence.finished = sentence.cached.take();
                translated.push(i);
            }
        }
        self.changed = Some(Changed {
            before,
            after,
            shift,
            translated,
            sentences: Vec::new(),
        });
    }
}
