//! A checkpoint's tensors by name, as they lie in memory between a file and a model.

use super::layout::{Entry, Role, layout};
use crate::layers::Weight;
use crate::model::{TensorSource, Transformer};
use crate::random::SplitMix64;
use crate::{Config, Error, Result};
use std::collections::BTreeMap;

/// The numbers of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// 32-bit floats.
    F32(Vec<f32>),
    /// Integers −127..=127 of a matrix (rows, columns), to be multiplied by their row's scale.
    Int8 {
        /// (rows, columns), row-major.
        data: Vec<i8>,
        /// (rows)
        scale: Vec<f32>,
    },
}

/// A row-major tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    shape: Vec<usize>,
    values: Values,
}

impl Tensor {
    /// A tensor of 32-bit floats.
    ///
    /// # Panics
    /// If `data` has not as many values as the shape.
    pub fn f32(shape: impl Into<Vec<usize>>, data: Vec<f32>) -> Self {
        let shape = shape.into();
        assert_eq!(
            data.len(),
            shape.iter().product::<usize>(),
            "values of a tensor {shape:?}"
        );
        Self {
            shape,
            values: Values::F32(data),
        }
    }

    /// A matrix (rows, columns) of integers with a scale for each row.
    ///
    /// # Panics
    /// If `data` or `scale` have not as many values as the shape.
    pub fn int8(shape: [usize; 2], data: Vec<i8>, scale: Vec<f32>) -> Self {
        assert_eq!(
            data.len(),
            shape[0] * shape[1],
            "values of a matrix {shape:?}"
        );
        assert_eq!(scale.len(), shape[0], "scales of a matrix {shape:?}");
        Self {
            shape: shape.to_vec(),
            values: Values::Int8 { data, scale },
        }
    }

    /// Its shape.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Its numbers as stored.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Whether it is a matrix of integers.
    pub fn is_int8(&self) -> bool {
        matches!(self.values, Values::Int8 { .. })
    }

    /// Its numbers as 32-bit floats; integers are multiplied by their row's scale.
    pub fn into_f32(self) -> Vec<f32> {
        match self.values {
            Values::F32(data) => data,
            Values::Int8 { data, scale } => {
                let columns = self.shape[1].max(1);
                let rows = data.chunks_exact(columns).zip(scale);
                rows.flat_map(|(row, scale)| row.iter().map(move |&q| f32::from(q) * scale))
                    .collect()
            }
        }
    }
}

/// Named tensors, ordered by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tensors {
    map: BTreeMap<String, Tensor>,
}

impl Tensors {
    /// No tensors.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a tensor; one that had the name is replaced.
    pub fn insert(&mut self, name: impl Into<String>, tensor: Tensor) {
        self.map.insert(name.into(), tensor);
    }

    /// Takes a tensor out as 32-bit floats, row-major.
    ///
    /// # Errors
    /// [`Error::ModelFormat`] with the expected shape if there is none of that name,
    /// [`Error::ShapeMismatch`] if it has another shape.
    pub fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        self.take_tensor(name, shape).map(Tensor::into_f32)
    }

    /// Takes a tensor out as it is stored.
    ///
    /// # Errors
    /// As [`Tensors::take`].
    pub fn take_tensor(&mut self, name: &str, shape: &[usize]) -> Result<Tensor> {
        self.expect(name, shape)?;
        // `expect` has checked that it is there.
        self.map.remove(name).ok_or_else(|| missing(name, shape))
    }

    /// Checks that a tensor is there with the given shape.
    ///
    /// # Errors
    /// As [`Tensors::take`].
    pub fn expect(&self, name: &str, shape: &[usize]) -> Result<()> {
        let tensor = self.map.get(name).ok_or_else(|| missing(name, shape))?;
        expect_shape(name, &tensor.shape, shape)
    }

    /// The tensor of a name.
    pub fn get(&self, name: &str) -> Option<&Tensor> {
        self.map.get(name)
    }

    /// Takes a tensor out, whatever its shape.
    pub fn remove(&mut self, name: &str) -> Option<Tensor> {
        self.map.remove(name)
    }

    /// Names and tensors, ordered by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        self.map
            .iter()
            .map(|(name, tensor)| (name.as_str(), tensor))
    }

    /// Number of tensors.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Number of values in all tensors.
    pub fn parameters(&self) -> usize {
        self.map
            .values()
            .map(|tensor| tensor.shape.iter().product::<usize>())
            .sum()
    }

    /// Checks that the tensors are exactly those of `config`, and all values finite.
    ///
    /// # Errors
    /// [`Error::ModelFormat`] or [`Error::ShapeMismatch`] naming the first tensor that is missing,
    /// has another shape, is unknown, or holds a value that is no finite number.
    pub fn check(&self, config: &Config) -> Result<()> {
        check_shapes(
            config,
            self.iter().map(|(name, tensor)| (name, tensor.shape())),
        )?;
        for (name, tensor) in self.iter() {
            let numbers = match &tensor.values {
                Values::F32(data) => data,
                Values::Int8 { scale, .. } => scale,
            };
            if let Some(at) = numbers.iter().position(|value| !value.is_finite()) {
                return Err(Error::ModelFormat {
                    name: name.to_owned(),
                    reason: format!("value {at} is {}, all must be finite numbers", numbers[at]),
                });
            }
        }
        Ok(())
    }

    /// Random tensors for `config`: matrices uniform with Glorot's bound √(6 / (inputs + outputs)),
    /// embeddings with deviation 1/√d_model, and biases and gains a little off 0 and 1, so that a test
    /// notices every one of them. The same seed gives the same model everywhere.
    pub fn random(config: &Config, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut tensors = Self::new();
        for Entry {
            name, shape, role, ..
        } in layout(config)
        {
            let (centre, bound) = match role {
                Role::Embedding | Role::Positions => (0.0, (3.0 / config.d_model as f32).sqrt()),
                Role::Matrix => (0.0, (6.0 / (shape[0] + shape[1]) as f32).sqrt()),
                Role::Compatibility => (0.0, (3.0 / shape[1] as f32).sqrt()),
                Role::Bias => (0.0, 0.1),
                Role::Gain => (1.0, 0.1),
            };
            let count = shape.iter().product();
            let data = (0..count)
                .map(|_| centre + bound * random.next_symmetric())
                .collect();
            tensors.insert(name, Tensor::f32(shape, data));
        }
        tensors
    }
}

impl TensorSource for Tensors {
    fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        self.take(name, shape)
    }

    fn take_weight(&mut self, name: &str, outputs: usize, inputs: usize) -> Result<Weight> {
        let tensor = self.take_tensor(name, &[outputs, inputs])?;
        Ok(match tensor.values {
            Values::F32(data) => Weight::new(data, outputs, inputs),
            Values::Int8 { data, scale } => Weight::int8(&data, scale, inputs),
        })
    }

    fn has(&self, name: &str) -> bool {
        self.map.contains_key(name)
    }
}

impl Transformer {
    /// A model with [`Tensors::random`] weights: for tests and benchmarks.
    ///
    /// # Errors
    /// [`Error::ConfigInvalid`] if the configuration is.
    pub fn random(config: Config, seed: u64) -> Result<Self> {
        config.validate()?;
        let mut tensors = Tensors::random(&config, seed);
        Self::from_tensors(config, &mut tensors)
    }
}

impl IntoIterator for Tensors {
    type Item = (String, Tensor);
    type IntoIter = std::collections::btree_map::IntoIter<String, Tensor>;

    fn into_iter(self) -> Self::IntoIter {
        self.map.into_iter()
    }
}

/// Checks that tensors of these names and shapes are exactly those of `config`.
///
/// # Errors
/// As [`Tensors::check`].
pub(super) fn check_shapes<'n>(
    config: &Config,
    found: impl Iterator<Item = (&'n str, &'n [usize])>,
) -> Result<()> {
    let mut found: BTreeMap<&str, &[usize]> = found.collect();
    for entry in layout(config) {
        match found.remove(entry.name.as_str()) {
            Some(shape) => expect_shape(&entry.name, shape, &entry.shape)?,
            None if entry.optional => {}
            None => return Err(missing(&entry.name, &entry.shape)),
        }
    }
    match found.keys().next() {
        None => Ok(()),
        Some(name) => Err(Error::ModelFormat {
            name: (*name).to_owned(),
            reason:
                "the configuration has no such tensor; take it out or correct the configuration"
                    .into(),
        }),
    }
}

/// Checks the shape of a tensor.
///
/// # Errors
/// [`Error::ShapeMismatch`] if it is another.
pub(super) fn expect_shape(name: &str, found: &[usize], expected: &[usize]) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::ShapeMismatch {
        name: name.to_owned(),
        found: found.to_vec(),
        expected: expected.to_vec(),
    })
}

fn missing(name: &str, shape: &[usize]) -> Error {
    Error::ModelFormat {
        name: name.to_owned(),
        reason: format!("missing; the configuration needs it with shape {shape:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_tensors_fit_their_configuration() {
        let config = Config::tiny(50);
        let tensors = Tensors::random(&config, 1);
        tensors.check(&config).unwrap();
        assert_eq!(tensors, Tensors::random(&config, 1));
        assert_ne!(tensors, Tensors::random(&config, 2));
    }

    #[test]
    fn base_has_the_papers_65_million_parameters() {
        // Table 3 says 65 M, with the 37 000 pieces of §5.1.
        let count: usize = layout(&Config::base(37_000))
            .iter()
            .map(|entry| entry.shape.iter().product::<usize>())
            .sum();
        assert!((62_000_000..66_000_000).contains(&count), "{count}");
    }

    #[test]
    fn errors_name_the_tensor_and_the_shape() {
        let mut tensors = Tensors::new();
        let error = tensors
            .take("model.shared.weight", &[5, 4])
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("model.shared.weight") && error.contains("[5, 4]"),
            "{error}"
        );
        tensors.insert("model.shared.weight", Tensor::f32([4, 5], vec![0.0; 20]));
        let error = tensors
            .take("model.shared.weight", &[5, 4])
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("[4, 5]") && error.contains("[5, 4]"),
            "{error}"
        );
        assert_eq!(tensors.len(), 1, "a refused tensor stays");
    }

    #[test]
    fn integers_are_multiplied_by_their_rows_scale() {
        let mut tensors = Tensors::new();
        tensors.insert(
            "w",
            Tensor::int8([2, 2], vec![1, -127, 3, 0], vec![0.5, 2.0]),
        );
        assert_eq!(tensors.take("w", &[2, 2]).unwrap(), [0.5, -63.5, 6.0, 0.0]);
        assert!(tensors.is_empty());
    }
}
