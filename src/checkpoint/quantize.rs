//! Matrices as 8-bit integers with a scale for each output row.

use super::config_json::{self, CONFIG, Storage};
use super::generation_json::{self, GENERATION_CONFIG};
use super::layout::layout;
use super::tensors::{Tensor, Tensors, Values};
use super::weights::{Blank, Blocks, Catalogue, Content, Dtype, Stored, WEIGHTS};
use super::{FloatType, ModelFiles, Precision};
use crate::search::SearchOptions;
use crate::{Config, Error, Result};
use std::collections::BTreeSet;

/// Largest magnitude of a stored integer; −128 is left out, so that negation stays inside.
const LARGEST: f32 = 127.0;

/// Quantises every matrix of a model, embeddings and learned positions too; biases and norms stay f32.
/// Matrices that are integers already stay as they are.
///
/// # Errors
/// If the tensors are not those of the configuration.
pub fn quantize(config: &Config, tensors: Tensors) -> Result<Tensors> {
    tensors.check(config)?;
    let matrices = matrices(config);
    let mut quantised = Tensors::new();
    for (name, tensor) in tensors {
        let tensor = match matrices.contains(&name) {
            true => to_int8(&name, tensor)?,
            false => tensor,
        };
        quantised.insert(name, tensor);
    }
    Ok(quantised)
}

/// Names of the tensors that become integers.
fn matrices(config: &Config) -> BTreeSet<String> {
    let entries = layout(config).into_iter();
    entries
        .filter(|entry| entry.role.is_quantised())
        .map(|entry| entry.name)
        .collect()
}

fn to_int8(name: &str, tensor: Tensor) -> Result<Tensor> {
    match (tensor.values(), tensor.shape()) {
        (Values::Int8 { .. }, _) => Ok(tensor),
        (Values::F32(data), &[rows, columns]) => Ok(matrix_to_int8(data, rows, columns)),
        (_, shape) => Err(Error::ModelFormat {
            name: name.to_owned(),
            reason: format!("has shape {shape:?}, only matrices are quantised"),
        }),
    }
}

/// The files of a folder that quantisation changes, by name: configuration, weights and how to search. All others stay
/// as they are; other files of weights go.
///
/// # Errors
/// If the folder's tensors are not those of its configuration.
pub fn quantize_files(files: &ModelFiles<impl Content>) -> Result<[(&'static str, Vec<u8>); 3]> {
    let (described, search) = files.describe()?;
    let catalogue = files.catalogue(&described)?;
    Quantizing::new(&described.config, &search, catalogue)?.finish()
}

impl<C: Content + Clone + 'static> ModelFiles<C> {
    /// Begins [`quantize_files`], so that other work can be done between two steps.
    ///
    /// # Errors
    /// If the folder's tensors are not those of its configuration.
    pub fn quantizing(&self) -> Result<Quantizing<'static>> {
        let (described, search) = self.describe()?;
        let catalogue = self.owned_catalogue(&described)?;
        Quantizing::new(&described.config, &search, catalogue)
    }
}

/// The quantisation of a folder as a value that is stepped: matrices are read some rows at a time, as they lie in their file.
/// What is in memory is the new file.
pub struct Quantizing<'a> {
    catalogue: Catalogue<'a>,
    matrices: BTreeSet<String>,
    file: Blank,
    /// Names of the tensors that come next, the next one last.
    names: Vec<String>,
    /// The matrix that is being read.
    current: Option<(String, Blocks)>,
    generation_config: Vec<u8>,
    config: Vec<u8>,
}

impl<'a> Quantizing<'a> {
    /// Begins.
    ///
    /// # Errors
    /// If the format cannot hold the tensors.
    fn new(config: &Config, search: &SearchOptions, catalogue: Catalogue<'a>) -> Result<Self> {
        let matrices = matrices(config);
        let is_int8 = |name: &str, stored: &Stored<'_>| {
            matrices.contains(name) || *stored.dtype() == Dtype::I8
        };
        let file = Blank::new(
            catalogue
                .iter()
                .map(|(name, stored)| (name, stored.shape(), is_int8(name, stored))),
        )?;
        let storage = Storage {
            precision: Precision::Int8,
            floats: FloatType::F32,
            tied_projection: catalogue.get("lm_head.weight").is_none(),
        };
        let mut names = catalogue.names_in_order();
        names.reverse();
        Ok(Self {
            catalogue,
            matrices,
            file,
            names,
            current: None,
            generation_config: generation_json::write(config, search),
            config: config_json::write(config, storage),
        })
    }

    /// Quantises the next rows, or takes over the next tensor that is no matrix of floats; returns whether there was any.
    ///
    /// # Errors
    /// If they cannot be read, or not be used.
    pub fn step(&mut self) -> Result<bool> {
        let Some((name, mut blocks)) = self.current.take() else {
            let Some(name) = self.names.pop() else {
                return Ok(false);
            };
            self.begin(name)?;
            return Ok(true);
        };
        if let Some((first, count)) = blocks.next() {
            let rows = self.catalogue.read_rows(&name, first, count)?;
            let columns = rows.len() / count;
            let mut integers = Vec::with_capacity(rows.len());
            let mut scales = Vec::with_capacity(count);
            rows_to_int8(&rows, columns, &mut integers, &mut scales);
            self.file.write_integers(&name, first * columns, &integers);
            self.file.write_scales(&name, first, &scales);
            self.current = Some((name, blocks));
        }
        Ok(true)
    }

    fn begin(&mut self, name: String) -> Result<()> {
        let stored = self.catalogue.get(&name);
        let is_matrix = stored.is_some_and(|stored| {
            self.matrices.contains(&name)
                && stored.shape().len() == 2
                && *stored.dtype() != Dtype::I8
        });
        if is_matrix {
            let blocks = self.catalogue.blocks(&name);
            self.current = Some((name, blocks));
            return Ok(());
        }
        let mut tensor = self.catalogue.read(&name)?;
        if self.matrices.contains(&name) {
            tensor = to_int8(&name, tensor)?;
        }
        match tensor.values() {
            Values::Int8 { data, scale } => {
                self.file.write_integers(&name, 0, data);
                self.file.write_scales(&name, 0, scale);
            }
            Values::F32(data) => self.file.write_floats(&name, data),
        }
        Ok(())
    }

    /// Quantises what is left; the files by name.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn finish(mut self) -> Result<[(&'static str, Vec<u8>); 3]> {
        while self.step()? {}
        Ok([
            (WEIGHTS, self.file.into_bytes()),
            (GENERATION_CONFIG, self.generation_config),
            (CONFIG, self.config),
        ])
    }
}

/// Symmetric, per row: scale = largest magnitude / 127, values rounded to nearest, halves to even.
/// So no value is off by more than half its row's scale. A row of zeros has scale 0.
///
/// # Shapes
/// data (rows, columns); integers and scales (rows) are appended.
fn rows_to_int8(data: &[f32], columns: usize, integers: &mut Vec<i8>, scales: &mut Vec<f32>) {
    for row in data.chunks_exact(columns) {
        let scale = row.iter().fold(0.0f32, |most, value| most.max(value.abs())) / LARGEST;
        // A row so small that its scale underflows is a row of zeros.
        let inverse = if scale.is_normal() {
            1.0 / f64::from(scale)
        } else {
            0.0
        };
        let quantise = |value: &f32| (f64::from(*value) * inverse).round_ties_even() as i8;
        integers.extend(row.iter().map(quantise));
        scales.push(if inverse == 0.0 { 0.0 } else { scale });
    }
}

/// A matrix of integers; see [`rows_to_int8`].
fn matrix_to_int8(data: &[f32], rows: usize, columns: usize) -> Tensor {
    let mut integers = Vec::with_capacity(data.len());
    let mut scales = Vec::with_capacity(rows);
    rows_to_int8(data, columns, &mut integers, &mut scales);
    Tensor::int8([rows, columns], integers, scales)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::Role;
    use crate::model::config::Positions;

    #[test]
    fn no_weight_is_off_by_more_than_half_a_step() {
        let config = Config {
            positions: Positions::Learned,
            ..Config::tiny(40)
        };
        let original = Tensors::random(&config, 3);
        let mut quantised = quantize(&config, original.clone()).unwrap();
        quantised.check(&config).unwrap();
        for entry in layout(&config) {
            let expected = original.clone().take(&entry.name, &entry.shape).unwrap();
            let found = quantised.take(&entry.name, &entry.shape).unwrap();
            if matches!(entry.role, Role::Bias | Role::Gain | Role::Compatibility) {
                assert_eq!(found, expected, "{} stays as it is", entry.name);
                continue;
            }
            for (found, expected) in found
                .chunks(entry.shape[1])
                .zip(expected.chunks(entry.shape[1]))
            {
                let step = expected
                    .iter()
                    .fold(0.0f32, |most, value| most.max(value.abs()))
                    / 127.0;
                for (found, expected) in found.iter().zip(expected) {
                    assert!(
                        (found - expected).abs() <= step * 0.500_01,
                        "{}",
                        entry.name
                    );
                }
            }
        }
    }

    #[test]
    fn halves_round_to_even_and_zeros_stay_zero() {
        let tensor = matrix_to_int8(&[127.0, 0.5, 1.5, -2.5, 0.0, 0.0, 0.0, 1e-44], 2, 4);
        let Values::Int8 { data, scale } = tensor.values() else {
            panic!("not quantised")
        };
        assert_eq!(data, &[127, 0, 2, -2, 0, 0, 0, 0]);
        assert_eq!(scale, &[1.0, 0.0]);
    }

    #[test]
    fn quantising_twice_changes_nothing() {
        let config = Config::tiny(40);
        let once = quantize(&config, Tensors::random(&config, 3)).unwrap();
        assert_eq!(quantize(&config, once.clone()).unwrap(), once);
    }
}
