//! All weights of a model as one vector, with their names and shapes; gradients and moments have the same layout.

use crate::error::{Error, Result};
use std::ops::Range;
use translucent::Config;
use translucent::checkpoint::{Role, Tensor, Tensors, layout};
use translucent::model::config::Activation;
use translucent::random::SplitMix64;

/// One tensor of the model: where it lies in the vector.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Name as in a model folder, e.g. `model.encoder.layers.0.fc1.weight`.
    pub name: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its values in [`Parameters::values`].
    pub range: Range<usize>,
    role: Role,
}

/// The weights of a model.
#[derive(Clone, Debug)]
pub struct Parameters {
    entries: Vec<Entry>,
    /// All values, tensor after tensor.
    pub values: Vec<f32>,
}

impl Parameters {
    /// Checks that a configuration is one that can be differentiated.
    ///
    /// # Errors
    /// [`Error::Setting`] if it is not the paper's layout, [`Error::Core`] if it contradicts itself.
    pub fn check(config: &Config) -> Result<()> {
        config.validate()?;
        let supported = config.share_embeddings
            && !config.normalize_before
            && !config.normalize_embedding
            && config.scale_embedding
            && config.activation == Activation::Relu;
        if !supported {
            return Err(Error::Setting(
                "the backward pass needs the paper's layout: share_embeddings and scale_embedding, layer norm after the \
                 residual sum (normalize_before and normalize_embedding off), activation relu"
                    .into(),
            ));
        }
        Ok(())
    }

    /// Zeros for what `config` asks for.
    ///
    /// # Errors
    /// As [`Parameters::check`].
    pub fn zeros(config: &Config) -> Result<Self> {
        Self::check(config)?;
        let mut entries = Vec::new();
        let mut end = 0;
        // The paper's projection has no bias (§3.4).
        for tensor in layout(config)
            .into_iter()
            .filter(|t| t.name != "final_logits_bias")
        {
            let start = end;
            end += tensor.shape.iter().product::<usize>();
            entries.push(Entry {
                name: tensor.name,
                shape: tensor.shape,
                range: start..end,
                role: tensor.role,
            });
        }
        Ok(Self {
            entries,
            values: vec![0.0; end],
        })
    }

    /// Random weights: embeddings of variance 1/d_model, matrices uniform after Glorot, gains 1, biases 0.
    ///
    /// # Errors
    /// As [`Parameters::zeros`].
    pub fn random(config: &Config, seed: u64) -> Result<Self> {
        let mut parameters = Self::zeros(config)?;
        let mut random = SplitMix64::new(seed);
        for entry in &parameters.entries {
            let values = &mut parameters.values[entry.range.clone()];
            let fans: usize = entry.shape.iter().sum();
            // A uniform variable on (-a, a) has variance a²/3.
            let bound = match entry.role {
                Role::Bias => 0.0,
                Role::Gain => {
                    values.fill(1.0);
                    continue;
                }
                Role::Embedding | Role::Positions => (3.0 / config.d_model as f64).sqrt(),
                Role::Matrix | Role::Compatibility => (6.0 / fans as f64).sqrt(),
            };
            for value in values {
                *value = (bound * (2.0 * random.next_f64() - 1.0)) as f32;
            }
        }
        Ok(parameters)
    }

    /// The weights of `tensors` for `config`.
    ///
    /// # Errors
    /// As [`Parameters::zeros`]; [`Error::Core`] naming a tensor that is missing or has another shape.
    pub fn from_tensors(config: &Config, tensors: &mut Tensors) -> Result<Self> {
        let mut parameters = Self::zeros(config)?;
        for Entry {
            name, shape, range, ..
        } in &parameters.entries
        {
            parameters.values[range.clone()].copy_from_slice(&tensors.take(name, shape)?);
        }
        Ok(parameters)
    }

    /// The weights as named tensors, as a model folder has them.
    pub fn tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        for Entry {
            name, shape, range, ..
        } in &self.entries
        {
            let values = self.values[range.clone()].to_vec();
            tensors.insert(name.as_str(), Tensor::f32(shape.clone(), values));
        }
        tensors
    }

    /// The tensors in the order of their values.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Where a tensor's values lie.
    ///
    /// # Panics
    /// If the configuration has no tensor of that name.
    pub(crate) fn range(&self, name: &str) -> Range<usize> {
        let entry = self.entries.iter().find(|entry| entry.name == name);
        entry
            .unwrap_or_else(|| panic!("no tensor {name}"))
            .range
            .clone()
    }
}
