//! Matrices as 8-bit integers with a scale for each output row.

use super::config_json::{self, CONFIG, Storage};
use super::generation_json::{self, GENERATION_CONFIG};
use super::layout::layout;
use super::tensors::{Tensor, Tensors, Values};
use super::weights::{self, Content, WEIGHTS};
use super::{FloatType, ModelFiles};
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
    quantize_each(config, tensors.into_iter().map(Ok))
}

/// The same of checked tensors that come one by one, so that no more than one of them needs to be in memory as floats.
fn quantize_each(
    config: &Config,
    tensors: impl Iterator<Item = Result<(String, Tensor)>>,
) -> Result<Tensors> {
    let entries = layout(config).into_iter();
    let matrices: BTreeSet<String> = entries
        .filter(|entry| entry.role.is_quantised())
        .map(|entry| entry.name)
        .collect();
    let mut quantised = Tensors::new();
    for tensor in tensors {
        let (name, tensor) = tensor?;
        let tensor = match matrices.contains(&name) {
            true => to_int8(&name, tensor)?,
            false => tensor,
        };
        quantised.insert(name, tensor);
    }
    Ok(quantised)
}

fn to_int8(name: &str, tensor: Tensor) -> Result<Tensor> {
    match (tensor.values(), tensor.shape()) {
        (Values::Int8 { .. }, _) => Ok(tensor),
        (Values::F32(data), &[rows, columns]) => Ok(rows_to_int8(data, rows, columns)),
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
    let config = &described.config;
    let catalogue = files.catalogue(&described)?;
    let names = catalogue.iter().map(|(name, _)| name.to_owned());
    let tensors = quantize_each(
        config,
        names.map(|name| catalogue.read(&name).map(|tensor| (name, tensor))),
    )?;
    Ok([
        (WEIGHTS, weights::write(&tensors, FloatType::F32)?),
        (GENERATION_CONFIG, generation_json::write(config, &search)),
        (
            CONFIG,
            config_json::write(config, Storage::of(&tensors, FloatType::F32)),
        ),
    ])
}

/// Symmetric, per row: scale = largest magnitude / 127, values rounded to nearest, halves to even.
/// So no value is off by more than half its row's scale. A row of zeros has scale 0.
fn rows_to_int8(data: &[f32], rows: usize, columns: usize) -> Tensor {
    let mut integers = Vec::with_capacity(data.len());
    let mut scales = Vec::with_capacity(rows);
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
        let tensor = rows_to_int8(&[127.0, 0.5, 1.5, -2.5, 0.0, 0.0, 0.0, 1e-44], 2, 4);
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
