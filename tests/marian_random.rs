//! MarianMT models of random valid configurations (`tests/golden/marian_random.py`): logits, n best and scores are those of
//! `transformers`.
//!
//! With `MARIAN_RANDOM=FILE`, the same for the models that the script writes there.
#![cfg(not(target_arch = "wasm32"))]

#[path = "common/marian.rs"]
mod common;

use common::{translate, weights};
use safetensors::tensor::Dtype;
use serde::Deserialize;
use serde_json::Value;
use translucent::checkpoint::ModelFiles;
use translucent::checkpoint::weights::WeightFile;
use translucent::model::Transformer;
use translucent::trace::TraceRequest;

/// Largest error of a logit, relative to 1 or to the logit.
const TOLERANCE: f32 = 1e-4;

/// Bias of the end mark before it is scaled.
const END: f32 = 15.0;

#[derive(Deserialize)]
struct Golden {
    models: Vec<Model>,
}

#[derive(Deserialize)]
struct Model {
    dtype: String,
    config: Value,
    generation: Value,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    source: Vec<u32>,
    target: Vec<u32>,
    ids: Vec<usize>,
    /// Of each step: those of `ids`, and ln Σ exp of all.
    logits: Vec<Vec<f32>>,
    max_extra: usize,
    found: Vec<Vec<u32>>,
    /// `transformers` scores no greedy output.
    scores: Option<Vec<f32>>,
}

/// Names and shapes as `save_pretrained` writes them.
fn tensors(config: &Value) -> Vec<(String, Vec<usize>)> {
    let count = |key: &str| config[key].as_u64().unwrap() as usize;
    let flag = |key: &str| config[key].as_bool().unwrap();
    let d = count("d_model");
    let (source, target) = (count("vocab_size"), count("decoder_vocab_size"));
    let mut found = vec![("final_logits_bias".to_owned(), vec![1, target])];
    let one_table = flag("share_encoder_decoder_embeddings");
    let tied = flag("tie_word_embeddings");
    if one_table {
        found.push(("model.shared.weight".to_owned(), vec![source, d]));
    }
    if !(one_table && tied) {
        found.push((
            "model.encoder.embed_tokens.weight".to_owned(),
            vec![source, d],
        ));
        found.push((
            "model.decoder.embed_tokens.weight".to_owned(),
            vec![target, d],
        ));
    }
    if !tied {
        found.push(("lm_head.weight".to_owned(), vec![target, d]));
    }
    for (stack, layers, attentions) in [
        ("encoder", count("encoder_layers"), &["self_attn"][..]),
        (
            "decoder",
            count("decoder_layers"),
            &["self_attn", "encoder_attn"],
        ),
    ] {
        let f = count(&format!("{stack}_ffn_dim"));
        for layer in 0..layers {
            let mut push = |name: String, shape: &[usize]| {
                found.push((
                    format!("model.{stack}.layers.{layer}.{name}"),
                    shape.to_vec(),
                ));
            };
            for attention in attentions {
                for projection in ["q_proj", "k_proj", "v_proj", "out_proj"] {
                    push(format!("{attention}.{projection}.weight"), &[d, d]);
                    push(format!("{attention}.{projection}.bias"), &[d]);
                }
                push(format!("{attention}_layer_norm.weight"), &[d]);
                push(format!("{attention}_layer_norm.bias"), &[d]);
            }
            push("fc1.weight".into(), &[f, d]);
            push("fc1.bias".into(), &[f]);
            push("fc2.weight".into(), &[d, f]);
            push("fc2.bias".into(), &[d]);
            push("final_layer_norm.weight".into(), &[d]);
            push("final_layer_norm.bias".into(), &[d]);
        }
    }
    found
}

/// The files of a model's folder; the script gives these models no tokenizer.
fn files(model: &Model) -> ModelFiles {
    let dtype = match model.dtype.as_str() {
        "F16" => Dtype::F16,
        "BF16" => Dtype::BF16,
        _ => Dtype::F32,
    };
    let eos = model.config["eos_token_id"].as_u64().unwrap() as usize;
    let tensors = tensors(&model.config).into_iter();
    let bytes = weights(
        tensors.map(|(name, shape)| (name, shape, dtype)),
        (eos, END),
    );
    ModelFiles {
        config: model.config.to_string().into_bytes(),
        generation_config: Some(model.generation.to_string().into_bytes()),
        weights: vec![WeightFile::safetensors(bytes)],
        ..ModelFiles::default()
    }
}

fn near(found: f32, expected: f32) -> bool {
    (found - expected).abs() <= TOLERANCE * expected.abs().max(1.0)
}

fn compare(model: &Model) {
    let files = files(model);
    let (described, search) = files.describe().unwrap();
    let mut catalogue = files.catalogue(&described).unwrap();
    let transformer = Transformer::from_tensors(described.config, &mut catalogue).unwrap();
    assert_eq!(catalogue.iter().count(), 0, "every tensor is used");
    for case in &model.cases {
        let request = TraceRequest::default();
        let forced = transformer.teacher_force(&case.source, &case.target, &request);
        let logits = forced.unwrap().logits;
        assert_eq!(logits.nrows(), case.logits.len());
        for (row, expected) in logits.rows().into_iter().zip(&case.logits) {
            let sum: f64 = row.iter().map(|x| f64::from(*x).exp()).sum();
            let found = case.ids.iter().map(|id| row[*id]).chain([sum.ln() as f32]);
            for (found, expected) in found.zip(expected) {
                assert!(near(found, *expected), "a logit is {found}, not {expected}");
            }
        }
        let options = search
            .clone()
            .with_max_extra(case.max_extra)
            .with_n_best(case.found.len());
        let found = translate(&transformer, &case.source, &options);
        let tokens: Vec<&Vec<u32>> = found.iter().map(|one| &one.tokens).collect();
        assert_eq!(
            tokens,
            case.found.iter().collect::<Vec<_>>(),
            "{:?}",
            case.source
        );
        for (found, expected) in found.iter().zip(case.scores.iter().flatten()) {
            assert!(
                near(found.score, *expected),
                "scored {}, not {expected}",
                found.score
            );
        }
    }
}

#[test]
fn random_configurations_compute_and_translate_as_in_transformers() {
    let committed = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/golden/marian_random.json"
    );
    let path = std::env::var("MARIAN_RANDOM").unwrap_or_else(|_| committed.to_owned());
    let golden: Golden = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(golden.models.len() >= 20);
    let mut failed = Vec::new();
    for (seed, model) in golden.models.iter().enumerate() {
        if std::panic::catch_unwind(|| compare(model)).is_err() {
            failed.push(seed);
        }
    }
    assert!(
        failed.is_empty(),
        "seeds {failed:?}; what each lacks stands above"
    );
}
