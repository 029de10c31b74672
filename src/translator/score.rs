//! Forced decoding of a given target, as in training: ln P and loss of each piece, with or without an intervention.

use super::Translator;
use super::constraints::needs_alignment;
use super::event::{Comparison, Observation, Scored};
use super::offsets::Offsets;
use super::pieces::{DetokenizedText, Subwords};
use crate::model::Seq2Seq;
use crate::search::{ForceRequest, Forced, Hypothesis, NodeId, force_decode};
use crate::text::Encoding;
use crate::trace::{Intervention, TraceRequest};
use crate::{Error, Result};

/// The target that [`Translator::score`] follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<'a> {
    /// Pieces, without the start symbol. Without an end mark at the end, an unfinished translation.
    Pieces(&'a [u32]),
    /// A whole translation as text.
    Text(&'a str),
}

/// What [`Translator::score`] gives beside the scores; nothing by default.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ScoreOptions {
    /// What to observe.
    pub request: TraceRequest,
    /// Number of alternatives given for each step.
    pub alternatives: usize,
    /// What is changed in the model.
    pub intervention: Intervention,
    /// The unit of all offsets.
    pub offsets: Offsets,
}

impl<M: Seq2Seq, T: Subwords> Translator<M, T> {
    /// Follows a given target (forced decoding): what each piece costs after the true ones before it, and what was
    /// observed on the way. The source is taken as one sentence.
    ///
    /// # Errors
    /// [`Error::TextTooLong`] if source or target has more pieces than the model has positions;
    /// [`Error::RequestInvalid`] if a target piece is outside the vocabulary or an end mark stands inside, or the
    /// options name what the model has not.
    pub fn score(
        &self,
        source: &str,
        target: Target<'_>,
        options: &ScoreOptions,
    ) -> Result<Scored> {
        let (source, target) = self.encoded_pair(source, target)?;
        let carried = &source.carried;
        let mut request = options.request.clone();
        request.alignment |= needs_alignment(&source, &[]);
        let request = ForceRequest {
            trace: &request,
            alternatives: options.alternatives,
            intervention: &options.intervention,
        };
        let Forced {
            scores,
            alternatives,
            trace,
        } = force_decode(&self.model, &source.ids, &target, request)?;
        let is_final = target.last() == Some(&self.model.config().eos_id);
        let hypothesis = Hypothesis {
            logprobs: scores.iter().map(|score| score.logprob).collect(),
            tokens: target,
            score: 0.0,
            node: NodeId(0),
        };
        let around = self.around(&source, &hypothesis.tokens, trace.alignment.as_ref());
        let DetokenizedText { text, mut pieces } = self.detokenize(&hypothesis, carried, &around);
        options.offsets.map(&text, 0, &mut pieces);
        let observation = Observation {
            sentence: 0,
            is_final,
            target: pieces,
            text,
            steps: self.steps(alternatives, carried),
            trace,
        };
        Ok(Scored {
            observation,
            scores,
        })
    }

    /// How a target fares in the model as it is and under an intervention.
    ///
    /// # Errors
    /// As [`Translator::score`].
    pub fn compare(
        &self,
        source: &str,
        target: Target<'_>,
        intervention: &Intervention,
        offsets: Offsets,
    ) -> Result<Comparison> {
        let before = ScoreOptions {
            offsets,
            ..ScoreOptions::default()
        };
        let after = ScoreOptions {
            intervention: intervention.clone(),
            ..ScoreOptions::default()
        };
        let logprobs = |scored: &Scored| scored.scores.iter().map(|score| score.logprob).collect();
        let before = self.score(source, target, &before)?;
        let after = self.score(source, target, &after)?;
        Ok(Comparison {
            before: logprobs(&before),
            after: logprobs(&after),
            target: before.observation.target,
        })
    }

    /// The pieces of a source sentence and of its target.
    ///
    /// # Errors
    /// [`Error::TextTooLong`] if either has more pieces than the model has positions.
    pub fn encode_pair(&self, source: &str, target: Target<'_>) -> Result<(Vec<u32>, Vec<u32>)> {
        let (source, target) = self.encoded_pair(source, target)?;
        Ok((source.ids, target))
    }

    /// [`Translator::encode_pair`] with what the translation has from the source.
    fn encoded_pair(&self, source: &str, target: Target<'_>) -> Result<(Encoding, Vec<u32>)> {
        let limit = self.model.config().max_positions;
        let source = self.tokenizer.encode_source(source);
        let target = match target {
            Target::Pieces(ids) => ids.to_vec(),
            Target::Text(text) => self.tokenizer.encode_target(text, &source.carried).ids,
        };
        for (found, unit) in [
            (source.ids.len(), "source pieces"),
            (target.len(), "target pieces"),
        ] {
            if found > limit {
                return Err(Error::TextTooLong {
                    found,
                    limit,
                    unit,
                    hint: "give a shorter sentence",
                });
            }
        }
        Ok((source, target))
    }
}
