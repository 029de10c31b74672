//! All tensors of a model's files by name, read one by one.

use super::super::tensors::{Tensor, Tensors};
use super::stored::{Dtype, SCALE, Stored};
use super::{Content, WeightFile, safetensors, torch};
use crate::kernels;
use crate::layers::Weight;
use crate::model::TensorSource;
use crate::{Error, Result};
use std::collections::BTreeMap;
use std::rc::Rc;

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
        let files = files.iter();
        Self::of_all(files.map(|file| {
            let content: Rc<dyn Content + 'a> = Rc::new(&file.bytes);
            (&*file.name, content)
        }))
    }

    /// The same of files that it holds itself.
    ///
    /// # Errors
    /// As [`Catalogue::of_files`].
    pub(in super::super) fn of_all<'n>(
        files: impl Iterator<Item = (&'n str, Rc<dyn Content + 'a>)>,
    ) -> Result<Self> {
        let mut all = Self::default();
        for (name, content) in files {
            for (name, tensor) in Self::of_one(name, &content)?.tensors {
                all.insert(name, tensor)?;
            }
        }
        Ok(all)
    }

    /// The tensors of the file `name`: one of `torch.save` if it begins so, otherwise safetensors.
    ///
    /// # Errors
    /// [`Error::ModelFormat`] naming the file and what is wrong with it; if it cannot be read.
    pub fn of_file(name: &str, content: &'a dyn Content) -> Result<Self> {
        let content: Rc<dyn Content + 'a> = Rc::new(content);
        Self::of_one(name, &content)
    }

    fn of_one(name: &str, content: &Rc<dyn Content + 'a>) -> Result<Self> {
        let of_torch = name.ends_with(".bin") || torch::is_torch(content.as_ref())?;
        let tensors = match of_torch {
            true => torch::index(name, content),
            false => safetensors::index(name, content),
        }?;
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

    /// Names of the tensors as they lie in their files.
    pub(in super::super) fn names_in_order(&self) -> Vec<String> {
        let mut tensors: Vec<_> = self.iter().collect();
        tensors.sort_by_key(|(_, stored)| stored.start());
        tensors
            .into_iter()
            .map(|(name, _)| name.to_owned())
            .collect()
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
        let stored = self.stored(name)?;
        if *stored.dtype() != Dtype::I8 {
            return Ok(Tensor::f32(stored.shape(), stored.floats(name)?));
        }
        let (shape, scale) = self.int8(name, stored)?;
        Ok(Tensor::int8(
            shape,
            self.read_integers(name, 0, shape[0])?,
            scale,
        ))
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

    /// Shape and scales (rows) of an int8 matrix, checked.
    fn int8(&self, name: &str, stored: &Stored<'a>) -> Result<([usize; 2], Vec<f32>)> {
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
        let scale = scale.floats(&scale_name)?;
        if let Some(at) = scale.iter().position(|value| *value < 0.0) {
            let reason = format!("value {at} is {}, a scale is never negative", scale[at]);
            return Err(bad(&scale_name, reason));
        }
        Ok(([rows, columns], scale))
    }

    /// Scales (rows) of an int8 matrix.
    ///
    /// # Errors
    /// As [`Catalogue::read`].
    pub(super) fn scales(&self, name: &str) -> Result<Vec<f32>> {
        Ok(self.int8(name, self.stored(name)?)?.1)
    }

    /// Whether two tensors of one shape have the same values; matrices of floats are read some rows at a time.
    ///
    /// # Errors
    /// As [`Catalogue::read`].
    pub(in super::super) fn is_equal(&self, name: &str, other: &str) -> Result<bool> {
        let (first, second) = (self.stored(name)?, self.stored(other)?);
        let floats = [first, second].map(|stored| *stored.dtype() != Dtype::I8);
        if second.shape().len() != 2 || floats != [true; 2] {
            return Ok(self.read(name)? == self.read(other)?);
        }
        for (row, count) in self.blocks(name) {
            if self.read_rows(name, row, count)? != self.read_rows(other, row, count)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The blocks in which a matrix is read.
    pub(in super::super) fn blocks(&self, name: &str) -> Blocks {
        let stored = self.get(name);
        let rows = stored.and_then(|stored| stored.shape().first().copied());
        Blocks {
            next: 0,
            rows: rows.unwrap_or_default(),
            at_once: stored.map_or(1, Stored::rows_at_once).max(1),
        }
    }

    /// Reads rows of a matrix of floats, (count, columns), from row `first` on.
    ///
    /// # Errors
    /// As [`Catalogue::read`].
    ///
    /// # Panics
    /// If it has not so many.
    pub(in super::super) fn read_rows(
        &self,
        name: &str,
        first: usize,
        count: usize,
    ) -> Result<Vec<f32>> {
        let stored = self.stored(name)?;
        let columns = stored.shape().last().copied().unwrap_or_default();
        let mut rows = vec![0.0; count * columns];
        stored.read_floats(name, first * columns, &mut rows)?;
        Ok(rows)
    }

    /// The same of an int8 matrix.
    ///
    /// # Errors
    /// As [`Catalogue::read`].
    ///
    /// # Panics
    /// If it has not so many.
    pub(super) fn read_integers(&self, name: &str, first: usize, count: usize) -> Result<Vec<i8>> {
        let stored = self.stored(name)?;
        let columns = stored.shape().last().copied().unwrap_or_default();
        let mut rows = vec![0i8; count * columns];
        stored.read_bytes(first * columns, bytemuck::cast_slice_mut(&mut rows))?;
        // The lowest of all runs in vectors, as a search that ends at the first does not.
        if kernels::lowest(&rows) == i8::MIN
            && let Some(at) = rows.iter().position(|value| *value == i8::MIN)
        {
            let at = first * columns + at;
            let reason = format!("value {at} is -128, all must be in -127..=127");
            return Err(bad(name, reason));
        }
        Ok(rows)
    }

    fn stored(&self, name: &str) -> Result<&Stored<'a>> {
        self.get(name).ok_or_else(|| bad(name, "missing".into()))
    }
}

/// The blocks in which a matrix is read: the first row of each, and how many rows it has.
#[derive(Clone, Debug)]
pub(in super::super) struct Blocks {
    next: usize,
    rows: usize,
    at_once: usize,
}

impl Iterator for Blocks {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let first = self.next;
        let count = self.at_once.min(self.rows - first);
        self.next += count;
        (count > 0).then_some((first, count))
    }
}

/// Reads each tensor when the model takes it, so that file and model are all that is in memory.
impl TensorSource for Catalogue<'_> {
    fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        self.alone(name, |one| one.take(name, shape))
    }

    fn take_weight(&mut self, name: &str, outputs: usize, inputs: usize) -> Result<Weight> {
        self.alone(name, |one| one.take_weight(name, outputs, inputs))
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
