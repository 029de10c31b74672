//! How a job takes its sentences through the decoder: in groups, the observed one alone.

use super::{Job, MAX_CACHED_PER_STEP, Phase, lock};
use crate::Result;
use crate::model::Seq2Seq;
use crate::search::{Batch, Event, Hypothesis, SearchOptions};
use crate::trace::TraceRequest;
use crate::translator::Translator;
use crate::translator::cache::Finished;
use crate::translator::constraints::needs_alignment;
use crate::translator::event::{BeamNode, JobEvent, Observation, Translated};
use crate::translator::pieces::{Side, Subwords};
use std::sync::Arc;

impl<M: Seq2Seq> Job<M> {
    /// Begins with the next sentences that are not finished, or emits some that were cached meanwhile, or ends the job.
    pub(super) fn choose<T: Subwords>(
        &mut self,
        translator: &Translator<M, T>,
        events: &mut Vec<JobEvent>,
    ) -> Result<()> {
        let mut members: Vec<usize> = Vec::new();
        let mut pieces = 0;
        while self.next < self.sentences.len() && events.len() < MAX_CACHED_PER_STEP {
            let i = self.next;
            if self.sentences[i].finished.is_none() && i > 0 && !self.watches_search(i) {
                // An equal sentence may have been finished meanwhile.
                let cached = lock(translator).get(&self.key(i));
                if let Some(finished) = cached {
                    events.push(self.finish(i, finished));
                }
            }
            if let Some(finished) = &self.sentences[i].finished {
                if self.is_observed(i) {
                    if members.is_empty() {
                        let finished = finished.clone();
                        self.next += 1;
                        return self.begin_replay(translator, i, &finished);
                    }
                    break;
                }
                self.next += 1;
                continue;
            }
            let alone = self.is_observed(i) || !self.options.search_of(i).prefix.is_empty();
            let rows = (members.len() + 1).saturating_mul(self.options.search.beam);
            let full = rows > self.options.max_rows
                || pieces + self.sentences[i].source.ids.len() > self.options.max_source_pieces;
            if !members.is_empty() && (full || alone) {
                break;
            }
            pieces += self.sentences[i].source.ids.len();
            members.push(i);
            self.next += 1;
            if alone {
                break;
            }
        }
        let Some(&first) = members.first() else {
            if self.next < self.sentences.len() {
                self.phase = Phase::Choose;
                return Ok(());
            }
            events.push(JobEvent::Translated(Translated {
                text: self.text(),
                tokens: self.tokens,
            }));
            return Ok(());
        };
        let ids: Vec<&[u32]> = members
            .iter()
            .map(|i| &*self.sentences[*i].source.ids)
            .collect();
        let observe = self.options.observe.as_ref();
        let observe = observe.filter(|observe| observe.sentence == first);
        let needs_alignment = |i: usize| {
            let sentence = &self.sentences[i];
            needs_alignment(&sentence.source, &sentence.phrases)
        };
        let requests = members.iter().map(|i| {
            let asked = observe.map(|observe| observe.request.clone());
            let mut request = asked.unwrap_or_default();
            request.alignment |= needs_alignment(*i);
            request
        });
        let requests: Vec<TraceRequest> =
            match observe.is_some() || members.iter().copied().any(needs_alignment) {
                true => requests.collect(),
                false => Vec::new(),
            };
        let mut batch = Batch::new(
            translator.model(),
            &ids,
            &self.options.search_of(first),
            &requests,
        )?;
        for (place, i) in members.iter().enumerate() {
            let sentence = &self.sentences[*i];
            translator.require(&mut batch, place, &sentence.source, &sentence.phrases);
        }
        self.observed.has_changed = observe.is_some();
        self.phase = Phase::Search { batch, members };
        Ok(())
    }

    /// Begins to decode a finished translation again, to observe it.
    fn begin_replay<T: Subwords>(
        &mut self,
        translator: &Translator<M, T>,
        sentence: usize,
        finished: &Finished,
    ) -> Result<()> {
        let Some(observe) = &self.options.observe else {
            return Ok(());
        };
        let options = SearchOptions {
            prefix: finished
                .best()
                .target
                .iter()
                .map(|piece| piece.id)
                .collect(),
            beam: 1,
            n_best: 1,
            ..self.options.search_of(sentence)
        };
        let source = &self.sentences[sentence].source;
        let ids: &[u32] = &source.ids;
        let mut request = observe.request.clone();
        request.alignment |= needs_alignment(source, &[]);
        let batch = Batch::new(translator.model(), &[ids], &options, &[request])?;
        self.phase = Phase::Observe { batch };
        Ok(())
    }

    /// One step of a finished translation that is observed.
    pub(super) fn replay<T: Subwords>(
        &mut self,
        translator: &Translator<M, T>,
        mut batch: Batch<M>,
    ) -> Result<()> {
        batch.step(translator.model())?;
        let Some(observe) = &self.options.observe else {
            return Ok(());
        };
        if batch.is_done() {
            let node = batch.best(0);
            let trace = batch.trace(translator.model(), 0, node);
            self.observed.last = Some(Observation {
                sentence: observe.sentence,
                ..translator.observe(&batch, 0, node, trace, self.printed_with(observe.sentence))
            });
            self.phase = Phase::Choose;
        } else {
            self.phase = Phase::Observe { batch };
        }
        Ok(())
    }

    /// One step of a group of new sentences.
    pub(super) fn search<T: Subwords>(
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
                    stable_prefix_len,
                    node,
                } => {
                    let sentence = members[place];
                    self.observed.has_changed |= self.is_observed(sentence);
                    let hypothesis = Hypothesis {
                        tokens,
                        logprobs,
                        score: 0.0,
                        node,
                    };
                    let carried = &self.sentences[sentence].source.carried;
                    let detokenized = translator.detokenize(&hypothesis, carried, &[]);
                    // Marks are set around what is finished.
                    let stable = match carried.marks.is_empty() {
                        true => stable_prefix_len,
                        false => 0,
                    };
                    events.extend(self.partial_event(sentence, detokenized, stable));
                }
                Event::Nodes {
                    sentence: place,
                    nodes,
                } => {
                    let sentence = members[place];
                    if self.watches_tree(sentence) {
                        let carried = &self.sentences[sentence].source.carried;
                        let nodes = nodes.into_iter().map(|node| BeamNode {
                            text: translator.printed(Side::Target, node.token, carried),
                            step: batch.length(node.id).saturating_sub(1),
                            node,
                        });
                        let nodes = nodes.collect();
                        events.push(JobEvent::Nodes { sentence, nodes });
                    }
                }
                Event::Done {
                    sentence: place,
                    hypotheses,
                } => {
                    let sentence = members[place];
                    let Some(best) = hypotheses.first() else {
                        continue;
                    };
                    self.tokens += best.tokens.len();
                    let source = self.sentences[sentence].source.clone();
                    let n_best = hypotheses.iter().map(|best| {
                        let around = translator.around_in(&source, &batch, place, best);
                        translator.hypothesis(best, &source.carried, &around)
                    });
                    let finished = Arc::new(Finished {
                        n_best: n_best.collect(),
                        source,
                    });
                    if self.is_observed(sentence) {
                        self.observed.has_changed = false;
                        let node = Some(best.node);
                        let trace = batch.trace(translator.model(), place, node);
                        self.observed.last = Some(Observation {
                            sentence,
                            ..translator.observe(
                                &batch,
                                place,
                                node,
                                trace,
                                self.printed_with(sentence),
                            )
                        });
                    }
                    let cached = finished.without_node_ids();
                    let reported = match self.watches_tree(sentence) {
                        true => finished,
                        false => cached.clone(),
                    };
                    events.push(self.finish(sentence, reported));
                    self.sentences[sentence].finished = Some(cached.clone());
                    lock(translator).insert(self.key(sentence), cached);
                }
            }
        }
        self.phase = match batch.is_done() {
            true => Phase::Choose,
            false => Phase::Search { batch, members },
        };
        Ok(())
    }
}
