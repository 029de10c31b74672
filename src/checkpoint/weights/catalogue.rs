//! All tensors of a model's files by name, read one by one.

use super::super::tensors::{Tensor, Tensors, expect_shape};
use super::stored::{Dtype, SCALE, Stored};
use super::{Content, WeightFile, safetensors, torch};
use crate::kernels;
use crate::layers::Weight;
use crate::model::TensorSource;
use crate::{Error, Result};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The tensors of a model's files: described, and read when they are taken.
#[derive(Clone, Debug, Default)]
pub struct Catalogue<'a> {
    tensors: BTreeMap<String, Stored<'a>>,
}

impl<'a> Catalogue<'a> {
    /// The tensors of several files.
    ///
    /// # Errors
    /// As [`Catalogue::of_file`]; [`Error::ModelFormat`] naming a tensor that two files have.
    pub fn of_files(files: &'a [WeightFile<impl Content>]) -> Result<Self> {
        let mut all = Self::default();
        for file in files {
            for (name, tensor) in Self::of_file(&file.name, &file.bytes)?.tensors {
                all.insert(name, tensor)?;
            }
        }
        Ok(all)
    }

    /// The tensors of the file `name`: one of `torch.save` if it begins so, otherwise safetensors.
    ///
    /// # Errors
    /// [`Error::ModelFormat`] naming the file and what is wrong with it.
    pub fn of_file(name: &str, content: &'a dyn Content) -> Result<Self> {
        let of_torch = name.ends_with(".bin") || torch::is_torch(content);
        let tensors = match of_torch {
            true => torch::index(name, content.whole())?,
            false => safetensors::index(name, content)?,
        };
        Ok(Self {
            tensors: tensors.into_iter().collect(),
        })
    }

    /// Adds a tensor.
    ///
    /// # Errors
    /// [`Error::ModelFormat`] if there is one of that name.
    pub(in super::super) fn insert(&mut self, name: String, tensor: Stored<'a>) -> Result<()> {
        match self.tensors.insert(name.clone(), tensor) {
            None => Ok(()),
            Some(_) => Err(bad(&name, "stands there twice".into())),
        }
    }

    /// The description of a tensor.
    pub fn get(&self, name: &str) -> Option<&Stored<'a>> {
        self.tensors.get(name)
    }

    /// Takes a tensor out, and the scales that belong to it.
    pub(in super::super) fn remove(
        &mut self,
        name: &str,
    ) -> Option<(Stored<'a>, Option<Stored<'a>>)> {
        let tensor = self.tensors.remove(name)?;
        let scale = match tensor.dtype() {
            Dtype::I8 => self.tensors.remove(&format!("{name}{SCALE}")),
            _ => None,
        };
        Some((tensor, scale))
    }

    /// Gives a tensor, and the scales that belong to it, another name that is not taken.
    pub(in super::super) fn rename(&mut self, name: &str, to: &str) -> Result<()> {
        if let Some((tensor, scale)) = self.remove(name) {
            self.insert(to.to_owned(), tensor)?;
            if let Some(scale) = scale {
                self.insert(format!("{to}{SCALE}"), scale)?;
            }
        }
        Ok(())
    }

    /// Names and descriptions of the tensors, ordered by name; scales belong to their matrices.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Stored<'a>)> {
        let tensors = self.tensors.iter();
        tensors
            .map(|(name, tensor)| (name.as_str(), tensor))
            .filter(|(name, _)| !self.is_scale(name))
    }

    fn is_scale(&self, name: &str) -> bool {
        let owner = name.strip_suffix(SCALE).and_then(|owner| self.get(owner));
        owner.is_some_and(|owner| *owner.dtype() == Dtype::I8)
    }

    /// Reads a tensor.
    ///
    /// # Errors
    /// [`Error::ModelFormat`] naming the tensor if there is none, or its type, scales or values cannot be used.
    pub fn read(&self, name: &str) -> Result<Tensor> {
        let stored = self.get(name).ok_or_else(|| bad(name, "missing".into()))?;
        match stored.dtype() {
            Dtype::I8 => {
                let Int8 {
                    bytes,
                    scale,
                    shape,
                } = self.int8(name, stored)?;
                let data = bytemuck::cast_slice(&bytes).to_vec();
                Ok(Tensor::int8(shape, data, scale))
            }
            _ => {
                let floats = stored.floats().map_err(|reason| bad(name, reason))?;
                Ok(Tensor::f32(stored.shape(), floats))
            }
        }
    }

    /// Reads all tensors.
    ///
    /// # Errors
    /// As [`Catalogue::read`].
    pub fn read_all(&self) -> Result<Tensors> {
        let mut tensors = Tensors::new();
        for (name, _) in self.iter() {
            tensors.insert(name, self.read(name)?);
        }
        Ok(tensors)
    }

    /// Takes a tensor out by way of [`Tensors`] that hold it alone, or nothing if there is none.
    fn alone<T>(&mut self, name: &str, take: impl FnOnce(&mut Tensors) -> Result<T>) -> Result<T> {
        let mut one = Tensors::new();
        if self.get(name).is_some() {
            one.insert(name, self.read(name)?);
        }
        let taken = take(&mut one)?;
        self.remove(name);
        Ok(taken)
    }

    /// The parts of an int8 matrix, checked.
    fn int8(&self, name: &str, stored: &Stored<'a>) -> Result<Int8<'a>> {
        let &[rows, columns] = stored.shape() else {
            let reason = format!(
                "has type I8 and shape {:?}, only matrices may be I8",
                stored.shape()
            );
            return Err(bad(name, reason));
        };
        let scale_name = format!("{name}{SCALE}");
        let scale = self.get(&scale_name).ok_or_else(|| {
            bad(
                &scale_name,
                format!("missing; {name} is I8 and needs it, F32 with shape [{rows}]"),
            )
        })?;
        if *scale.dtype() != Dtype::F32 || scale.shape() != [rows] {
            let reason = format!(
                "has type {} and shape {:?}, it must be F32 with shape [{rows}]",
                scale.dtype(),
                scale.shape()
            );
            return Err(bad(&scale_name, reason));
        }
        let scale = scale.floats().map_err(|reason| bad(&scale_name, reason))?;
        if let Some(at) = scale.iter().position(|value| *value < 0.0) {
            let reason = format!("value {at} is {}, a scale is never negative", scale[at]);
            return Err(bad(&scale_name, reason));
        }
        let bytes = stored.bytes();
        let values: &[i8] = bytemuck::cast_slice(&bytes);
        // The lowest of all runs in vectors, as a search that ends at the first does not.
        if kernels::lowest(values) == i8::MIN
            && let Some(at) = values.iter().position(|value| *value == i8::MIN)
        {
            let reason = format!("value {at} is -128, all must be in -127..=127");
            return Err(bad(name, reason));
        }
        Ok(Int8 {
            bytes,
            scale,
            shape: [rows, columns],
        })
    }
}

/// An int8 matrix in its file.
struct Int8<'a> {
    /// Its integers, row-major.
    bytes: Cow<'a, [u8]>,
    /// (rows)
    scale: Vec<f32>,
    shape: [usize; 2],
}

/// Reads each tensor when the model takes it, so that file and model are all that is in memory.
impl TensorSource for Catalogue<'_> {
    fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        self.alone(name, |one| one.take(name, shape))
    }

    fn take_weight(&mut self, name: &str, outputs: usize, inputs: usize) -> Result<Weight> {
        let Some(stored) = self.get(name).filter(|stored| *stored.dtype() == Dtype::I8) else {
            return self.alone(name, |one| one.take_weight(name, outputs, inputs));
        };
        expect_shape(name, stored.shape(), &[outputs, inputs])?;
        let Int8 { bytes, scale, .. } = self.int8(name, stored)?;
        self.remove(name);
        Ok(Weight::int8(bytemuck::cast_slice(&bytes), scale, inputs))
    }

    fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }
}

fn bad(name: &str, reason: String) -> Error {
    Error::ModelFormat {
        name: name.to_owned(),
        reason,
    }
}
