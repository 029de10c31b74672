//! The trainable tensors by name: initial values, reading, and access.

use super::layout::{Init, trainable};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use tch::{Device, Kind, Tensor};
use translucent::Config;

/// Named f32 tensors in the layout's order, all of them views of one.
pub struct Weights {
    entries: Vec<(String, Tensor)>,
    flat: Tensor,
}

/// The numbers of all tensors one after another, and views of them in the tensors' shapes: what changes all of them needs
/// one operation, where starting one takes longer than the numbers of most tensors do.
pub fn flatten(tensors: &[&Tensor]) -> (Tensor, Vec<Tensor>) {
    let rows: Vec<Tensor> = tensors.iter().map(|t| t.detach().reshape([-1])).collect();
    let flat = Tensor::cat(&rows, 0);
    let mut start = 0;
    let views = tensors.iter().map(|tensor| {
        let numbers = tensor.numel() as i64;
        let view = flat
            .narrow(0, start, numbers)
            .view(tensor.size().as_slice());
        start += numbers;
        view
    });
    let views = views.collect();
    (flat, views)
}

impl Weights {
    fn new(entries: Vec<(String, Tensor)>) -> Self {
        let tensors: Vec<&Tensor> = entries.iter().map(|(_, tensor)| tensor).collect();
        let (flat, views) = flatten(&tensors);
        let names = entries.into_iter().map(|(name, _)| name);
        Self {
            entries: names.zip(views).collect(),
            flat,
        }
    }

    /// All numbers one after another, in the layout's order; the tensors are views of it.
    pub fn flat(&self) -> &Tensor {
        &self.flat
    }

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
        Self::new(entries)
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
                Ok((entry.name, tensor.to_kind(Kind::Float).to(device)))
            })
            .collect::<Result<_>>()?;
        Ok(Self::new(entries))
    }

    /// The same tensors as leaves that accumulate gradients.
    pub fn trainable(self) -> Self {
        let entries = self
            .entries
            .into_iter()
            .map(|(name, tensor)| (name, tensor.detach().set_requires_grad(true)))
            .collect();
        Self {
            entries,
            flat: self.flat,
        }
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

    /// A copy of all gradients one after another, as [`Weights::flat`]; 0 where a tensor has none.
    pub fn flat_gradient(&self) -> Tensor {
        let rows: Vec<Tensor> = self
            .iter()
            .map(|(_, weight)| {
                let gradient = weight.grad();
                let gradient = if gradient.defined() {
                    gradient
                } else {
                    weight.zeros_like()
                };
                gradient.reshape([-1])
            })
            .collect();
        Tensor::cat(&rows, 0)
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
