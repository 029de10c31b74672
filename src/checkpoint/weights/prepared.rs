//! A model's tensors, read in the order of their files, some rows at a time.

use super::super::tensors::{Tensors, expect_shape};
use super::catalogue::{Blocks, Catalogue};
use super::{Dtype, Stored};
use crate::Result;
use crate::kernels::{PackedInt8, PackedMatrix};
use crate::layers::Weight;
use crate::model::TensorSource;
use std::collections::{BTreeMap, BTreeSet};

/// The reading of a model's tensors as a value that is stepped: each is read once, and as they lie in their files. In another
/// order, what lies on a disk would be read several times.
pub struct Reading<'a> {
    catalogue: Catalogue<'a>,
    /// Names of the tensors that come next, the next one last.
    names: Vec<String>,
    /// Those that become weights of linear maps.
    weights: BTreeSet<String>,
    current: Option<Current>,
    prepared: Prepared,
}

/// A weight that is being read.
struct Current {
    name: String,
    weight: Weight,
    blocks: Blocks,
}

/// A model's tensors as it takes them: weights of linear maps packed, all others as they are.
pub struct Prepared {
    weights: BTreeMap<String, Weight>,
    others: Tensors,
}

impl<'a> Reading<'a> {
    /// Begins to read; `weights` are the names of those that become weights of linear maps.
    pub fn new(catalogue: Catalogue<'a>, weights: BTreeSet<String>) -> Self {
        let mut names = catalogue.names_in_order();
        names.reverse();
        Self {
            catalogue,
            names,
            weights,
            current: None,
            prepared: Prepared {
                weights: BTreeMap::new(),
                others: Tensors::new(),
            },
        }
    }

    /// Reads the next rows, or the next tensor that is no weight; returns whether there was any.
    ///
    /// # Errors
    /// As [`Catalogue::read`].
    pub fn step(&mut self) -> Result<bool> {
        let Some(mut current) = self.current.take() else {
            let Some(name) = self.names.pop() else {
                return Ok(false);
            };
            self.begin(name)?;
            return Ok(true);
        };
        let Current {
            name,
            weight,
            blocks,
        } = &mut current;
        let Some((first, count)) = blocks.next() else {
            self.prepared.weights.insert(current.name, current.weight);
            return Ok(true);
        };
        match weight {
            Weight::F32(matrix) => {
                let rows = self.catalogue.read_rows(name, first, count)?;
                matrix.set_rows(first, &rows);
            }
            Weight::Int8(matrix) => {
                let rows = self.catalogue.read_integers(name, first, count)?;
                matrix.set_rows(first, &rows);
            }
        }
        self.current = Some(current);
        Ok(true)
    }

    fn begin(&mut self, name: String) -> Result<()> {
        let matrix = match self.catalogue.get(&name).map(Stored::shape) {
            Some(&[outputs, inputs]) if self.weights.contains(&name) => Some((outputs, inputs)),
            _ => None,
        };
        let Some((outputs, inputs)) = matrix else {
            let tensor = self.catalogue.read(&name)?;
            self.prepared.others.insert(name, tensor);
            return Ok(());
        };
        let is_int8 = self
            .catalogue
            .get(&name)
            .is_some_and(|stored| *stored.dtype() == Dtype::I8);
        let weight = match is_int8 {
            true => Weight::Int8(PackedInt8::zeros(self.catalogue.scales(&name)?, inputs)),
            false => Weight::F32(PackedMatrix::zeros(outputs, inputs)),
        };
        self.current = Some(Current {
            weight,
            blocks: self.catalogue.blocks(&name),
            name,
        });
        Ok(())
    }

    /// Reads what is left.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn finish(mut self) -> Result<Prepared> {
        while self.step()? {}
        Ok(self.prepared)
    }
}

impl TensorSource for Prepared {
    fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        self.others.take(name, shape)
    }

    fn take_weight(&mut self, name: &str, outputs: usize, inputs: usize) -> Result<Weight> {
        let Some(weight) = self.weights.remove(name) else {
            return self.others.take_weight(name, outputs, inputs);
        };
        let found = [weight.outputs(), weight.inputs()];
        expect_shape(name, &found, &[outputs, inputs])?;
        Ok(weight)
    }

    fn has(&self, name: &str) -> bool {
        self.weights.contains_key(name) || self.others.get(name).is_some()
    }
}
