//! The translation of a document as an iterator.

use super::{Job, JobEvent, Subwords, Translator};
use crate::Result;
use crate::model::Seq2Seq;
use std::collections::VecDeque;

/// The events of a document's translation, made by [`Translator::events`].
pub struct DocumentEvents<'t, M: Seq2Seq, T> {
    translator: &'t Translator<M, T>,
    job: Job<M>,
    pending: VecDeque<JobEvent>,
}

impl<'t, M: Seq2Seq, T> DocumentEvents<'t, M, T> {
    pub(super) fn new(translator: &'t Translator<M, T>, job: Job<M>) -> Self {
        Self {
            translator,
            job,
            pending: VecDeque::new(),
        }
    }
}

impl<M: Seq2Seq, T: Subwords> Iterator for DocumentEvents<'_, M, T> {
    type Item = Result<JobEvent>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.pending.is_empty() && !self.job.is_done() {
            match self.job.step(self.translator) {
                Ok(events) => self.pending.extend(events),
                Err(error) => return Some(Err(error)),
            }
        }
        self.pending.pop_front().map(Ok)
    }
}
