//! Greedy answers of a model in training, with the attention weights that led to them.

use crate::batch::Batch;
use crate::dropout::Masks;
use crate::error::Result;
use crate::model::Maps;
use crate::run::Run;
use crate::vocabulary::Vocabulary;

/// A greedy answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Its text.
    pub text: String,
    /// Ids of the source with its end mark (keys of encoder and cross-attention).
    pub source: Vec<u32>,
    /// Ids that the decoder reads: start mark and the answer (queries of the decoder's attentions).
    pub input: Vec<u32>,
    /// Ids that it predicts: the answer and its end mark.
    pub predicted: Vec<u32>,
    /// Probability of each predicted id.
    pub probabilities: Vec<f32>,
    /// Attention weights of all layers and heads.
    pub maps: Maps,
}

impl Run {
    /// Answers an input: at each step the most probable piece, until the end mark or the last position.
    ///
    /// # Errors
    /// [`crate::Error::Setting`] naming a piece that the task does not have, or an input that is too long.
    pub fn answer(&mut self, text: &str) -> Result<Answer> {
        let vocabulary = self.vocabulary();
        let source = vocabulary.encode(text)?;
        let size = vocabulary.len();
        let banned = [Vocabulary::UNKNOWN, vocabulary.start()];
        let most = self.config().max_positions;
        let mut batch = Batch::default();
        let mut answer = Vec::new();
        let mut probabilities = Vec::new();
        loop {
            batch.pack([(&source[..], &answer[..])], self.config());
            self.model.check(&batch)?;
            let logits = self
                .model
                .predict(&self.parameters, &batch, &mut Masks::Off);
            let row = &mut logits[answer.len() * size..];
            translucent::kernels::softmax(row);
            let allowed = (0..size as u32).filter(|id| !banned.contains(id));
            let best = allowed
                .max_by(|a, b| row[*a as usize].total_cmp(&row[*b as usize]))
                .unwrap_or(Vocabulary::END);
            probabilities.push(row[best as usize]);
            if best == Vocabulary::END || batch.input.tokens() == most {
                let mut predicted = answer.clone();
                predicted.push(best);
                return Ok(Answer {
                    text: self.vocabulary().decode(&answer),
                    source: batch.source.ids,
                    input: batch.input.ids,
                    predicted,
                    probabilities,
                    maps: self.model.maps(),
                });
            }
            answer.push(best);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Settings, Task};

    #[test]
    fn maps_are_distributions_over_the_keys_that_a_query_may_attend_to() {
        let mut run = Run::new(Task::Sort, Settings::default()).unwrap();
        let answer = run.answer("dcba").unwrap();
        let (n, m) = (answer.input.len(), answer.source.len());
        assert_eq!((m, answer.maps.cross.len()), (5, 2));
        assert_eq!(answer.predicted.len(), n);
        for layer in &answer.maps.cross {
            assert_eq!(layer.len(), 4 * n * m);
            for row in layer.chunks_exact(m) {
                assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            }
        }
        for layer in &answer.maps.decoder_self {
            for (i, row) in layer.chunks_exact(n).enumerate() {
                assert!(row[i % n + 1..].iter().all(|weight| *weight == 0.0));
            }
        }
    }

    #[test]
    fn an_answer_changes_nothing_in_the_training() {
        let settings = Settings {
            dropout: 0.1,
            ..Settings::default()
        };
        let losses = |with_answers: bool| {
            let mut run = Run::new(Task::Copy, settings.clone()).unwrap();
            let mut step = || {
                if with_answers {
                    run.answer("abcd").unwrap();
                    run.measure(3).unwrap();
                }
                run.step().unwrap().loss.smoothed
            };
            [step(), step(), step()]
        };
        assert_eq!(losses(true), losses(false));
    }
}
