//! The events of a job.

use super::Job;
use crate::model::Seq2Seq;
use crate::text::Encoding;
use crate::translator::Translator;
use crate::translator::cache::Finished;
use crate::translator::event::{Hypothesis, JobEvent, Piece, SentenceInfo};
use crate::translator::pieces::{DetokenizedText, Side, Subwords};
use std::sync::Arc;

impl<M: Seq2Seq> Job<M> {
    /// The sentences that the text was split into.
    pub(super) fn split_event<T: Subwords>(&self, translator: &Translator<M, T>) -> JobEvent {
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
        JobEvent::Sentences {
            sentences: sentences.collect(),
        }
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
