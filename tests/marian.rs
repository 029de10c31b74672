//! MarianMT models with random weights (`tests/golden/marian.py`): encoder, logits, all attentions and the pieces found
//! are those of `transformers`.
//!
//! With `MARIAN_FOLDERS=FOLDER`, the same for the whole folders that the script writes there.
#![cfg(not(target_arch = "wasm32"))]

#[path = "common/marian.rs"]
mod common;

use ndarray::{ArrayViewD, IxDyn};
use safetensors::SafeTensors;
use safetensors::tensor::Dtype;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use translucent::checkpoint::ModelFiles;
use translucent::checkpoint::weights::{PYTORCH_WEIGHTS, WEIGHTS, WeightFile};
use translucent::model::Transformer;
use translucent::trace::TraceRequest;

/// Largest absolute error of any value.
const TOLERANCE: f32 = 1e-4;

#[derive(Deserialize)]
struct Facts {
    max_extra: usize,
    sources: Vec<Vec<u32>>,
    targets: Vec<Vec<u32>>,
    /// By beam width.
    translations: Vec<BTreeMap<usize, Vec<u32>>>,
}

#[derive(Deserialize)]
struct Shape {
    shape: Vec<usize>,
    dtype: String,
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// `model.safetensors` as `save_pretrained` wrote it, made from the names, shapes and types in it.
fn weights(folder: &Path) -> Vec<u8> {
    let shapes: BTreeMap<String, Shape> =
        serde_json::from_slice(&read(&folder.join("tensors.json"))).unwrap();
    let tensors = shapes.into_iter().map(|(name, Shape { shape, dtype })| {
        let dtype = match dtype.as_str() {
            "torch.float16" => Dtype::F16,
            "torch.bfloat16" => Dtype::BF16,
            _ => Dtype::F32,
        };
        (name, shape, dtype)
    });
    common::weights(tensors, (0, 35.0))
}

/// The files of a folder; the script gives these models no tokenizer.
fn files(folder: &Path) -> ModelFiles {
    let stored = [WEIGHTS, PYTORCH_WEIGHTS].map(|name| (name, folder.join(name)));
    let weights = match stored.iter().find(|(_, path)| path.is_file()) {
        Some((name, path)) => WeightFile {
            name: (*name).to_owned(),
            bytes: read(path),
        },
        None => WeightFile::safetensors(weights(folder)),
    };
    ModelFiles {
        config: read(&folder.join("config.json")),
        generation_config: Some(read(&folder.join("generation_config.json"))),
        weights: vec![weights],
        ..ModelFiles::default()
    }
}

/// Compares one model with what `transformers` computed; the largest error.
fn compare(folder: &Path) -> f32 {
    let name = folder.display();
    let files = files(folder);
    let (described, search) = files.describe().unwrap();
    let mut catalogue = files.catalogue(&described).unwrap();
    let model = Transformer::from_tensors(described.config, &mut catalogue).unwrap();
    assert_eq!(catalogue.iter().count(), 0, "{name}: every tensor is used");
    let facts: Facts = serde_json::from_slice(&read(&folder.join("facts.json"))).unwrap();
    let golden = read(&folder.join("golden.safetensors"));
    let golden = SafeTensors::deserialize(&golden).unwrap();
    let request = TraceRequest::attention().with_hidden();
    let mut worst = 0f32;
    for (i, (source, target)) in facts.sources.iter().zip(&facts.targets).enumerate() {
        let forced = model.teacher_force(source, target, &request).unwrap();
        let trace = forced.trace;
        for (what, found) in [
            ("memory", trace.memory.unwrap().into_dyn()),
            ("logits", forced.logits.into_dyn()),
            ("encoder_self", trace.encoder_self.unwrap().into_dyn()),
            ("decoder_self", trace.decoder_self.unwrap().into_dyn()),
            ("cross", trace.cross.unwrap().into_dyn()),
        ] {
            let expected = golden.tensor(&format!("{i}.{what}")).unwrap();
            let values = expected.data().as_chunks::<4>().0.iter();
            let values: Vec<f32> = values.map(|b| f32::from_le_bytes(*b)).collect();
            let expected = ArrayViewD::from_shape(IxDyn(expected.shape()), &values).unwrap();
            assert_eq!(found.shape(), expected.shape(), "{name}: {i}.{what}");
            let errors = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
            let error = errors.fold(
                0.0,
                |worst: f32, e| if e > worst || e.is_nan() { e } else { worst },
            );
            assert!(error <= TOLERANCE, "{name}: {i}.{what} is off by {error}");
            worst = worst.max(error);
        }
        for (beam, expected) in &facts.translations[i] {
            let options = search
                .clone()
                .with_beam(*beam)
                .with_max_extra(facts.max_extra);
            let found = common::translate(&model, source, &options);
            assert_eq!(
                found[0].tokens, *expected,
                "{name}: {source:?}, beam {beam}"
            );
        }
    }
    worst
}

fn compare_all(root: &Path) {
    let mut folders: Vec<_> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    assert!(folders.len() >= 6, "{}", root.display());
    for folder in folders {
        let worst = compare(&folder);
        println!("{}: largest error {worst:e}", folder.display());
    }
}

#[test]
fn every_model_computes_and_translates_as_in_transformers() {
    compare_all(Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/golden/marian"
    )));
}

#[test]
fn whole_folders_compute_and_translate_as_in_transformers() {
    match std::env::var_os("MARIAN_FOLDERS") {
        Some(root) => compare_all(Path::new(&root)),
        None => println!("left out: MARIAN_FOLDERS names no folder of tests/golden/marian.py"),
    }
}
