//! The events of a job.

use super::Job;
use crate::model::Seq2Seq;
use crate::text::Encoding;
use crate::translator::Translator;
use crate::translator::cache::Finished;
use crate::translator::event::{Changed, Hypothesis, JobEvent, Piece, SentenceInfo};
use crate::translator::pieces::{DetokenizedText, Side, Subwords};
use std::ops::Range;
use std::sync::Arc;

impl<M: Seq2Seq> Job<M> {
    /// The sentences that the text was split into; those that its receiver has are left out.
    pub(super) fn split_event<T: Subwords>(&mut self, translator: &Translator<M, T>) -> JobEvent {
        let changed = self.changed.take();
        let [before, after] = changed.as_ref().map_or([0; 2], |c| [c.before, c.after]);
        let until = self.sentences.len() - after;
        let sentences = self.sentence_infos(translator, before..until);
        match changed {
            Some(changed) => JobEvent::Changed(Changed {
                sentences,
                ..changed
            }),
            None => JobEvent::Sentences { sentences },
        }
    }

    /// What the events tell of these sentences.
    fn sentence_infos<T: Subwords>(
        &self,
        translator: &Translator<M, T>,
        wanted: Range<usize>,
    ) -> Vec<SentenceInfo> {
        let unit = self.options.offsets;
        let start_of = |i: usize| {
            self.sentences
                .get(i)
                .map_or(self.text.len(), |s| s.range.start)
        };
        let mut start = unit.length(&self.text[..start_of(wanted.start)]);
        let infos = wanted.map(|i| {
            let (sentence, until) = (&self.sentences[i], start_of(i + 1));
            let text = &self.text[sentence.range.clone()];
            let after = &self.text[sentence.range.end..until];
            let Encoding {
                ids,
                ranges,
                carried,
            } = &*sentence.source;
            let mut source: Vec<Piece> = translator
                .pieces(Side::Source, ids, text, ranges, carried)
                .collect();
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
        infos.collect()
    }

    /// Sets a sentence's translation.
    pub(super) fn finish(&mut self, sentence: usize, finished: Arc<Finished>) -> JobEvent {
        let mut n_best = finished.n_best.clone();
        for Hypothesis { text, target, .. } in &mut n_best {
            self.options.offsets.map(text, 0, target);
        }
        let best = n_best[0].clone();
        let event = JobEvent::Sentence {
            sentence,
            text: best.text,
            target: best.target,
            score: best.score,
            n_best,
        };
        self.sentences[sentence].finished = Some(finished);
        event
    }

    /// The growing text of a sentence, if it changed; no later event changes its first `stable_pieces` pieces.
    pub(super) fn partial_event(
        &mut self,
        sentence: usize,
        DetokenizedText { text, pieces }: DetokenizedText,
        stable_pieces: usize,
    ) -> Option<JobEvent> {
        let end = |piece: &Piece| piece.range.map(|[_, end]| end);
        let stable = pieces[..stable_pieces].iter().filter_map(end).next_back();
        let partial = (text, stable.unwrap_or(0));
        let last = &mut self.sentences[sentence].partial;
        if *last == partial {
            return None;
        }
        last.clone_from(&partial);
        let (text, stable) = partial;
        let stable_length = self.options.offsets.length(&text[..stable]);
        Some(JobEvent::Partial {
            sentence,
            text,
            stable_length,
        })
    }
}
