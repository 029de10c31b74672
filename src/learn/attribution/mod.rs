//! What a predicted piece depends on: gradient × input, integrated gradients and leaving pieces out; and beside them what
//! attention reads.
//!
//! All are of log p(piece | source, earlier target pieces). The input of gradient × input and of integrated gradients is
//! embedding · √d_model; positions stay as they are, so the baseline is a sentence of no pieces at their places.

mod attention;
mod correlation;
mod integral;
#[cfg(test)]
mod tests;

pub use attention::AttentionRow;
pub use correlation::rank_correlation;
pub use integral::{Integral, STEPS, TOLERANCE};

use crate::batch::Batch;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::parameters::Parameters;
use translucent::Config;
use translucent::checkpoint::ModelFiles;
use translucent::checkpoint::weights::Content;

/// Most tokens of a batch: large enough for the kernels, small enough that results come often.
const MOST_TOKENS: usize = 512;

/// Shares of the source's pieces and of what the decoder reads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    /// (source tokens), the end mark included.
    pub source: Vec<f32>,
    /// (target tokens read): start symbol and earlier pieces.
    pub input: Vec<f32>,
}

/// The first answer about a piece.
#[derive(Clone, Debug)]
pub struct Dependence {
    /// log p(piece).
    pub logprob: f64,
    /// Gradient × input.
    pub gradient_input: Shares,
    /// What attention reads where the piece is predicted.
    pub attention: AttentionRow,
}

/// A prediction under question.
#[derive(Clone, Debug, Default)]
struct Question {
    source: Vec<u32>,
    input: Vec<u32>,
    piece: u32,
    logprob: f64,
}

/// A model's weights in f32, and the prediction under question.
pub struct Attributor {
    config: Config,
    parameters: Parameters,
    /// Added to the logits (vocab).
    bias: Vec<f32>,
    model: Model,
    batch: Batch,
    question: Question,
    /// Of the path of integrated gradients, as far as they have come.
    parts: Vec<integral::Part>,
}

impl Attributor {
    /// The model of a folder; integers are multiplied by their scales. Of the files only configuration and weights are read.
    ///
    /// # Errors
    /// [`Error::Core`] if the files are no model's, [`Error::Setting`] if its layout is not the paper's.
    pub fn from_files(files: &ModelFiles<impl Content>) -> Result<Self> {
        let (described, _) = files.describe()?;
        let config = described.config.clone();
        // Before the weights are read: most of them would be for nothing.
        Parameters::check(&config)?;
        let mut tensors = files.tensors(&described)?;
        let bias = match tensors.remove("final_logits_bias") {
            Some(bias) => bias.into_f32(),
            None => vec![0.0; config.vocab_size],
        };
        let parameters = Parameters::from_tensors(&config, &mut tensors)?;
        Ok(Self::new(config, parameters, bias))
    }

    /// `bias` (vocab) is added to the logits.
    pub(crate) fn new(config: Config, parameters: Parameters, bias: Vec<f32>) -> Self {
        Self {
            model: Model::new(&config, &parameters),
            config,
            parameters,
            bias,
            batch: Batch::default(),
            question: Question::default(),
            parts: Vec::new(),
        }
    }

    /// Asks about piece `step` of `target` (without the start symbol), given `source` (with its end mark) and the pieces before.
    ///
    /// # Errors
    /// [`Error::Setting`] naming a piece that the model does not have, or a sentence that is too long.
    pub fn ask(&mut self, source: &[u32], target: &[u32], step: usize) -> Result<Dependence> {
        let Some(&piece) = target.get(step) else {
            let pieces = target.len();
            return Err(Error::Setting(format!(
                "step {step}: the target has {pieces} pieces"
            )));
        };
        if source.is_empty() {
            return Err(Error::Setting("the source has no pieces".into()));
        }
        let start = [self.config.decoder_start_id];
        self.question = Question {
            source: source.to_vec(),
            input: start.iter().chain(&target[..step]).copied().collect(),
            piece,
            logprob: 0.0,
        };
        self.parts.clear();
        self.repeat(1);
        self.batch.gold = vec![piece];
        self.model.check(&self.batch)?;
        self.question.logprob = self.logprobs(None)[0];
        let attention = AttentionRow::new(&self.model.maps(), &self.batch);
        Ok(Dependence {
            logprob: self.question.logprob,
            gradient_input: self.saliency(),
            attention,
        })
    }

    /// log p(piece) − log p(piece | source without piece i), for source pieces from `first` on, as many as one batch has.
    pub fn leave_out(&mut self, first: usize) -> Vec<f64> {
        let Question { source, input, .. } = &self.question;
        let tokens = source.len() + input.len();
        let end = source.len().min(first + (MOST_TOKENS / tokens).max(1));
        // Without its only piece a source is none.
        if first >= end || source.len() < 2 {
            return Vec::new();
        }
        self.batch.source.clear();
        self.batch.input.clear();
        for left_out in first..end {
            let (before, after) = (&source[..left_out], &source[left_out + 1..]);
            self.batch.source.push(before.iter().chain(after).copied());
            self.batch.input.push(input.iter().copied());
        }
        let whole = self.question.logprob;
        let without = self.logprobs(None);
        without.into_iter().map(|logprob| whole - logprob).collect()
    }

    /// Packs the pair under question so many times.
    fn repeat(&mut self, times: usize) {
        self.batch.source.clear();
        self.batch.input.clear();
        for _ in 0..times {
            let Question { source, input, .. } = &self.question;
            self.batch.source.push(source.iter().copied());
            self.batch.input.push(input.iter().copied());
        }
    }

    fn logprobs(&mut self, shares: Option<&[f32]>) -> Vec<f64> {
        let prediction = (&self.bias[..], self.question.piece);
        self.model
            .last_logprobs(&self.parameters, &self.batch, prediction, shares)
    }

    fn saliency(&mut self) -> Shares {
        let piece = self.question.piece;
        let (source, input) = self.model.saliency(&self.parameters, &self.batch, piece);
        Shares { source, input }
    }
}
