//! Against PyTorch (`tests/golden/attribution.py`), finite differences, and the core's own scores.

use super::*;
use safetensors::SafeTensors;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use translucent::checkpoint::{Tensor, Tensors};

#[derive(Deserialize)]
struct Golden {
    source: Vec<u32>,
    target: Vec<u32>,
    step: usize,
    bias: Vec<f32>,
    logprob: f64,
    baseline: f64,
    gradient_input: Vec<f32>,
    integrated: Vec<f32>,
    left_out: Vec<f64>,
    mean: Vec<f32>,
    rollout: Vec<f32>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn golden() -> BTreeMap<String, Golden> {
    let text = std::fs::read(root().join("tests/golden/attribution.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// The model whose weights `tests/golden/learn.py` wrote.
fn model(name: &str, bias: &[f32]) -> Attributor {
    let path = root().join(format!("tests/golden/learn_{name}.safetensors"));
    let bytes = std::fs::read(path).unwrap();
    let (_, metadata) = SafeTensors::read_metadata(&bytes).unwrap();
    let about = &metadata.metadata().as_ref().unwrap()["about"];
    let about: serde_json::Value = serde_json::from_str(about).unwrap();
    let config: Config = serde_json::from_value(about["config"].clone()).unwrap();
    let mut tensors = Tensors::new();
    for (name, view) in SafeTensors::deserialize(&bytes).unwrap().iter() {
        if let Some(name) = name.strip_prefix("weight.") {
            let values = view.data().chunks_exact(4);
            let values = values.map(|b| f32::from_le_bytes(b.try_into().unwrap()));
            tensors.insert(name, Tensor::f32(view.shape(), values.collect()));
        }
    }
    let parameters = Parameters::from_tensors(&config, &mut tensors).unwrap();
    Attributor::new(config, parameters, bias.to_vec())
}

fn joined(source: &[f32], input: &[f32]) -> Vec<f32> {
    [source, input].concat()
}

fn integrated(model: &mut Attributor) -> Integral {
    loop {
        let integral = model.integrate();
        if integral.is_done() {
            return integral;
        }
    }
}

#[track_caller]
fn assert_close(found: &[f32], expected: &[f32], tolerance: f32, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(1e-3f32, |m, x| m.max(x.abs()));
    for (found, expected) in found.iter().zip(expected) {
        let error = (found - expected).abs() / scale;
        assert!(
            error <= tolerance,
            "{what}: {found}, PyTorch has {expected}"
        );
    }
}

#[test]
fn all_measures_agree_with_pytorch() {
    let golden = golden();
    assert_eq!(golden.len(), 3);
    for (name, golden) in golden {
        let mut model = model(&name, &golden.bias);
        let found = model
            .ask(&golden.source, &golden.target, golden.step)
            .unwrap();
        assert!((found.logprob - golden.logprob).abs() < 1e-5, "{name}");
        let Shares { source, input } = &found.gradient_input;
        assert_close(&joined(source, input), &golden.gradient_input, 1e-4, &name);
        let attention = &found.attention;
        assert_close(&attention.mean, &golden.mean, 1e-4, &name);
        let rollout = joined(&attention.rollout, &attention.rollout_input);
        assert_close(&rollout, &golden.rollout, 1e-4, &name);
        assert!((rollout.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{name}");

        let integral = integrated(&mut model);
        assert_eq!(integral.steps, STEPS);
        assert!((integral.baseline - golden.baseline).abs() < 1e-5, "{name}");
        let Shares { source, input } = &integral.shares;
        // PyTorch's come from a thousand equal steps.
        assert_close(&joined(source, input), &golden.integrated, 0.01, &name);

        let left_out = model.leave_out(0);
        assert_eq!(left_out.len(), golden.source.len());
        for (found, expected) in left_out.iter().zip(&golden.left_out) {
            let error = (found - expected).abs();
            assert!(error < 1e-5, "{name}: {found}, PyTorch has {expected}");
        }
    }
}

/// With learned positions one place's row of the table changes that place's input alone.
#[test]
fn gradients_of_single_pieces_agree_with_finite_differences() {
    const SHIFT: f32 = 2e-3;
    let golden = &golden()["additive"];
    let mut attributor = model("additive", &golden.bias);
    let ask = |attributor: &mut Attributor| {
        attributor
            .ask(&golden.source, &golden.target, golden.step)
            .unwrap()
    };
    let found = ask(&mut attributor).gradient_input;
    let d_model = attributor.config.d_model;
    let table = attributor.parameters.range("model.shared.weight").start;
    let input = [attributor.config.decoder_start_id]
        .into_iter()
        .chain(golden.target[..golden.step].iter().copied())
        .collect();
    for (stack, ids, shares) in [
        ("encoder", golden.source.clone(), &found.source),
        ("decoder", input, &found.input),
    ] {
        let positions = format!("model.{stack}.embed_positions.weight");
        let positions = attributor.parameters.range(&positions).start;
        for (place, (id, share)) in ids.iter().zip(shares).enumerate() {
            let mut at_shifted = |shift: f32| {
                let before = attributor.parameters.values.clone();
                for i in 0..d_model {
                    let embedding = before[table + *id as usize * d_model + i];
                    attributor.parameters.values[positions + place * d_model + i] +=
                        shift * embedding * (d_model as f32).sqrt();
                }
                let logprob = ask(&mut attributor).logprob;
                attributor.parameters.values = before;
                logprob
            };
            let difference = (at_shifted(SHIFT) - at_shifted(-SHIFT)) / (2.0 * f64::from(SHIFT));
            let error = (difference - f64::from(*share)).abs();
            assert!(
                error <= 0.02 * difference.abs() + 2e-3,
                "{stack} {place}: {share} by backward, {difference} by difference"
            );
        }
    }
}

#[test]
fn leaving_a_piece_out_is_asking_about_the_shorter_source() {
    let golden = &golden()["paper"];
    let mut model = model("paper", &golden.bias);
    let whole = model.ask(&golden.source, &golden.target, golden.step);
    let whole = whole.unwrap().logprob;
    let left_out = model.leave_out(2);
    assert_eq!(left_out.len(), golden.source.len() - 2);
    let mut shorter = golden.source.clone();
    shorter.remove(2);
    let without = model.ask(&shorter, &golden.target, golden.step).unwrap();
    assert!((left_out[0] - (whole - without.logprob)).abs() < 1e-5);
    // Nothing can be left out of a single piece.
    model.ask(&[0], &golden.target, 0).unwrap();
    assert!(model.leave_out(0).is_empty());
}

#[test]
fn a_wrong_question_is_refused() {
    let golden = &golden()["paper"];
    let mut model = model("paper", &golden.bias);
    for (source, target, step) in [
        (vec![], vec![1], 0),
        (vec![1, 0], vec![1], 1),
        (vec![99, 0], vec![1], 0),
        (vec![1, 0], vec![99], 0),
        (vec![1; 13], vec![1], 0),
    ] {
        assert!(model.ask(&source, &target, step).is_err());
    }
}

#[test]
fn on_the_shipped_model_shares_add_up_to_the_difference_of_log_probabilities() {
    let dir = root().join("models/en-de");
    let mut attributor = Attributor::from_files(&ModelFiles::from_dir(&dir).unwrap()).unwrap();
    let translator = translucent::translator::Translator::open(&dir).unwrap();
    let tokenizer = translator.tokenizer();
    let source = tokenizer
        .encode_source("The old man reads a book by the river.")
        .ids;
    let target = tokenizer
        .encode_source("Der alte Mann liest am Fluss ein Buch.")
        .ids;
    for step in [0, 1, 3, 6] {
        let whole = attributor.ask(&source, &target, step).unwrap().logprob;
        let integral = integrated(&mut attributor);
        assert_eq!(integral.difference, whole - integral.baseline);
        assert!(
            integral.error() <= TOLERANCE,
            "step {step}: the shares sum to {}, the difference is {}",
            integral.sum(),
            integral.difference
        );
    }
}

#[test]
fn ranks_of_ties_are_shared() {
    assert_eq!(
        rank_correlation(&[1.0, 2.0, 3.0], &[2.0, 4.0, 9.0]),
        Some(1.0)
    );
    assert_eq!(
        rank_correlation(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]),
        Some(-1.0)
    );
    assert_eq!(rank_correlation(&[1.0, 1.0, 1.0], &[3.0, 2.0, 1.0]), None);
    // scipy.stats.spearmanr([1, 2, 2, 4], [1, 3, 2, 4])
    let found = rank_correlation(&[1.0, 2.0, 2.0, 4.0], &[1.0, 3.0, 2.0, 4.0]).unwrap();
    assert!((found - 0.948_683_298_050_513_8).abs() < 1e-12);
}
