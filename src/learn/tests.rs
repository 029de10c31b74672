//! Gradients and training against PyTorch (`tests/golden/learn.py`), and against finite differences.

use crate::dropout::Masks;
use crate::{Adam, Batch, Model, Parameters, Regularization, Schedule};
use safetensors::SafeTensors;
use serde::Deserialize;
use std::path::Path;
use translucent::Config;
use translucent::checkpoint::{Tensor, Tensors};

const CONFIGURATIONS: [&str; 6] = [
    "paper",
    "dropout",
    "additive",
    "unscaled",
    "restricted",
    "orderless",
];

type Pair = (Vec<u32>, Vec<u32>);

#[derive(Deserialize)]
struct About {
    config: Config,
    batches: Vec<Vec<Pair>>,
    warmup: u64,
    factor: f64,
    losses: Vec<f64>,
}

struct Golden {
    about: About,
    parameters: Parameters,
    gradient: Parameters,
    masks: Option<Vec<f32>>,
}

impl Golden {
    fn read(name: &str) -> Self {
        let path = format!("../../tests/golden/learn_{name}.safetensors");
        let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        let (_, metadata) = SafeTensors::read_metadata(&bytes).unwrap();
        let about: About =
            serde_json::from_str(&metadata.metadata().as_ref().unwrap()["about"]).unwrap();
        let file = SafeTensors::deserialize(&bytes).unwrap();
        let floats = |data: &[u8]| -> Vec<f32> {
            let values = data.chunks_exact(4);
            values
                .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
                .collect()
        };
        let parameters = |prefix: &str| {
            let mut tensors = Tensors::new();
            for (name, view) in file.iter() {
                if let Some(name) = name.strip_prefix(prefix) {
                    tensors.insert(name, Tensor::f32(view.shape(), floats(view.data())));
                }
            }
            Parameters::from_tensors(&about.config, &mut tensors).unwrap()
        };
        Self {
            parameters: parameters("weight."),
            gradient: parameters("gradient."),
            masks: file.tensor("masks").ok().map(|view| floats(view.data())),
            about,
        }
    }

    fn regularization(&self) -> Regularization {
        Regularization {
            masks: match &self.masks {
                Some(factors) => Masks::Given(factors.clone().into_iter()),
                None => Masks::Off,
            },
            label_smoothing: self.about.config.label_smoothing,
        }
    }

    fn batch(&self, step: usize) -> Batch {
        let mut batch = Batch::default();
        let pairs = &self.about.batches[step % self.about.batches.len()];
        batch.pack(
            pairs
                .iter()
                .map(|(source, target)| (&source[..], &target[..])),
            &self.about.config,
        );
        batch
    }

    /// Loss and gradient of a batch.
    fn differentiate(
        &self,
        model: &mut Model,
        parameters: &Parameters,
        step: usize,
        gradient: &mut [f32],
    ) -> f64 {
        let batch = self.batch(step);
        model.check(&batch).unwrap();
        let loss = model.forward(parameters, &batch, &mut self.regularization(), |_, _| {});
        model.backward(parameters, &batch, gradient);
        loss.mean_smoothed()
    }
}

#[test]
fn gradients_of_every_parameter_agree_with_pytorch() {
    for name in CONFIGURATIONS {
        let golden = Golden::read(name);
        let mut model = Model::new(&golden.about.config, &golden.parameters);
        let mut gradient = vec![f32::NAN; golden.parameters.values.len()];
        let loss = golden.differentiate(&mut model, &golden.parameters, 0, &mut gradient);
        let expected = golden.about.losses[0];
        assert!(
            (loss - expected).abs() < 1e-5,
            "{name}: loss {loss}, PyTorch has {expected}"
        );
        let mut largest = (0.0f32, "");
        for entry in golden.gradient.entries() {
            let expected = &golden.gradient.values[entry.range.clone()];
            // A key's bias shifts all scores of a query alike: its true gradient is zero, and what stands there rounding.
            let scale = expected.iter().fold(1e-3f32, |m, x| m.max(x.abs()));
            for (found, expected) in gradient[entry.range.clone()].iter().zip(expected) {
                let error = (found - expected).abs() / scale;
                // Not a number is the largest of all.
                if error.total_cmp(&largest.0).is_gt() {
                    largest = (error, &entry.name);
                }
            }
        }
        let (error, tensor) = largest;
        println!("{name}: largest relative error {error:.1e}, {tensor}");
        assert!(error <= 1e-4, "{name}: {tensor}: relative error {error}");
    }
}

#[test]
fn a_hundred_steps_follow_pytorch() {
    for name in CONFIGURATIONS {
        let golden = Golden::read(name);
        let About {
            config,
            warmup,
            factor,
            losses,
            ..
        } = &golden.about;
        let mut parameters = golden.parameters.clone();
        let mut model = Model::new(config, &parameters);
        let mut adam = Adam::new(parameters.values.len());
        let mut gradient = vec![0.0; parameters.values.len()];
        let schedule = Schedule {
            warmup_steps: *warmup,
            factor: *factor,
        };
        assert_eq!(losses.len(), 100);
        for (i, expected) in losses.iter().enumerate() {
            let loss = golden.differentiate(&mut model, &parameters, i, &mut gradient);
            assert!(
                (loss - expected).abs() < 1e-3,
                "{name}: loss {loss} at step {}, PyTorch has {expected}",
                i + 1
            );
            let rate = schedule.learning_rate(i as u64 + 1, config.d_model);
            adam.step(&mut parameters.values, &gradient, rate);
        }
    }
}

#[test]
fn gradients_agree_with_finite_differences() {
    const SHIFT: f32 = 2e-3;
    for name in CONFIGURATIONS {
        let golden = Golden::read(name);
        let mut parameters = golden.parameters.clone();
        let mut model = Model::new(&golden.about.config, &parameters);
        let mut gradient = vec![0.0; parameters.values.len()];
        golden.differentiate(&mut model, &parameters, 1, &mut gradient);
        let mut unused = gradient.clone();
        for entry in golden.parameters.entries() {
            let range = entry.range.clone();
            let at = range
                .clone()
                .max_by(|a, b| gradient[*a].abs().total_cmp(&gradient[*b].abs()))
                .unwrap();
            let mut at_shifted = |shift: f32| {
                let value = parameters.values[at];
                parameters.values[at] = value + shift;
                let loss = golden.differentiate(&mut model, &parameters, 1, &mut unused);
                parameters.values[at] = value;
                loss
            };
            let difference = (at_shifted(SHIFT) - at_shifted(-SHIFT)) / (2.0 * f64::from(SHIFT));
            let error = (difference - f64::from(gradient[at])).abs();
            assert!(
                error <= 0.05 * difference.abs() + 1e-3,
                "{name}: {}: {} by backward, {difference} by difference",
                entry.name,
                gradient[at]
            );
        }
    }
}
