//! What a job tells of its sentences.

use super::Job;
use crate::model::Seq2Seq;
use crate::text::Encoding;
use crate::translator::Translator;
use crate::translator::cache::Finished;
use crate::translator::event::{JobEvent, Piece, SentenceInfo};
use crate::translator::pieces::{Shown, Side, Subwords};
use std::sync::Arc;

impl<M: Seq2Seq> Job<M> {
    /// What the text was split into.
    pub(super) fn tell_sentences<T: Subwords>(&self, translator: &Translator<M, T>) -> JobEvent {
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

    /// Takes a sentence's translation and tells it.
    pub(super) fn finish(&mut self, sentence: usize, finished: Arc<Finished>) -> JobEvent {
        let mut n_best = finished.n_best.clone();
        for found in &mut n_best {
            self.options.offsets.map(&found.text, 0, &mut found.target);
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

    /// Tells the growing text of a sentence, if it changed.
    pub(super) fn tell_partial(
        &mut self,
        sentence: usize,
        shown: Shown,
        agreed: usize,
    ) -> Option<JobEvent> {
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
