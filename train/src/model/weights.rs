//! The trainable tensors by name: initial values, reading, and access.

use super::layout::{Init, trainable};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use tch::{Device, Kind, Tensor};
use translucent::Config;

/// Named f32 tensors in the layout's order.
pub struct Weights {
    entries: Vec<(String, Tensor)>,
}

impl Weights {
    /// Initial values drawn from `seed`, the same on every device.
    pub fn random(config: &Config, seed: u64, device: Device) -> Self {
        // libtorch has one generator for all threads: seeding and drawing go together.
        static DRAWING: Mutex<()> = Mutex::new(());
        let _drawing = DRAWING.lock().unwrap_or_else(PoisonError::into_inner);
        tch::manual_seed(seed as i64);
        let entries = trainable(config)
            .into_iter()
            .map(|(entry, init)| {
                let shape: Vec<i64> = entry.shape.iter().map(|&n| n as i64).collect();
                let shape = shape.as_slice();
                let options = (Kind::Float, Device::Cpu);
                let value = match init {
                    Init::Zeros => Tensor::zeros(shape, options),
                    Init::Ones => Tensor::ones(shape, options),
                    Init::Normal(std) => Tensor::randn(shape, options) * std,
                    Init::Xavier(gain) => {
                        let bound = gain * (6.0 / (shape[0] + shape[1]) as f64).sqrt();
                        (Tensor::rand(shape, options) * 2.0 - 1.0) * bound
                    }
                };
                (entry.name, value.to(device))
            })
            .collect();
        Self { entries }
    }

    /// Takes the layout's tensors out of `found` and ignores others.
    ///
    /// # Errors
    /// A tensor that is missing or has another shape, named with `path`.
    pub fn from_map(
        config: &Config,
        found: &BTreeMap<String, Tensor>,
        path: &Path,
        device: Device,
    ) -> Result<Self> {
        let entries = trainable(config)
            .into_iter()
            .map(|(entry, _)| {
                let tensor = found
                    .get(&entry.name)
                    .ok_or_else(|| Error::file(path, format!("tensor {} is missing", entry.name)))?;
                let shape: Vec<i64> = entry.shape.iter().map(|&n| n as i64).collect();
                if tensor.size() != shape {
                    return Err(Error::file(
                        path,
                        format!(
                            "tensor {} has shape {:?}, the recipe's model needs {shape:?}: take the recipe that it was trained with, or another name or --runs folder",
                            entry.name,
                            tensor.size()
                        ),
                    ));
                }
                let tensor = tensor.to_kind(Kind::Float).to(device).copy();
                Ok((entry.name, tensor))
            })
            .collect::<Result<_>>()?;
        Ok(Self { entries })
    }

    /// The same tensors as leaves that accumulate gradients.
    pub fn trainable(self) -> Self {
        let entries = self
            .entries
            .into_iter()
            .map(|(name, tensor)| (name, tensor.detach().set_requires_grad(true)))
            .collect();
        Self { entries }
    }

    /// Names and tensors in the layout's order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        self.entries
            .iter()
            .map(|(name, tensor)| (name.as_str(), tensor))
    }

    /// The gradients gathered so far, in the layout's order, of the tensors that have one.
    pub fn gradients(&self) -> impl Iterator<Item = Tensor> {
        self.iter().map(|(_, w)| w.grad()).filter(Tensor::defined)
    }

    /// Number of trainable numbers.
    pub fn parameters(&self) -> usize {
        self.entries.iter().map(|(_, t)| t.numel()).sum()
    }

    /// A handle of one tensor.
    ///
    /// # Errors
    /// If the layout has no such tensor.
    pub fn get(&self, name: &str) -> Result<Tensor> {
        self.entries
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, tensor)| tensor.shallow_clone())
            .ok_or_else(|| Error::Recipe(format!("the model has no tensor {name}")))
    }
}
