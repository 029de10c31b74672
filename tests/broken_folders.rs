//! Whatever can be wrong with the files of a model folder has an error of its own, which names what was found and what
//! would be right.
#![cfg(not(target_arch = "wasm32"))]

use serde_json::{Value, json};
use std::path::Path;
use translucent::checkpoint::weights::{self, PYTORCH_WEIGHTS, WEIGHTS, WEIGHTS_INDEX};
use translucent::checkpoint::{FloatType, Tensor, Tensors, TokenizerFiles, open, save};
use translucent::model::Seq2Seq;
use translucent::search::SearchOptions;
use translucent::{Config, Error};

const SPM: &[u8] = include_bytes!("golden/tokenizer/source.spm");
const VOCAB: &[u8] = include_bytes!("golden/tokenizer/vocab.json");

fn pieces() -> usize {
    serde_json::from_slice::<serde_json::Map<String, Value>>(VOCAB)
        .unwrap()
        .len()
}

fn tiny() -> Config {
    Config::tiny(pieces())
}

/// A whole folder.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let tokenizer = TokenizerFiles {
        spm: SPM,
        vocab: VOCAB,
        source_language: "en",
        target_language: "de",
    };
    let tensors = Tensors::random(&tiny(), 1);
    save(
        dir.path(),
        &tiny(),
        &tensors,
        &SearchOptions::default(),
        tokenizer,
    )
    .unwrap();
    dir
}

fn write(dir: &Path, name: &str, bytes: &[u8]) {
    std::fs::write(dir.join(name), bytes).unwrap();
}

/// What is said of a folder after a change to its files.
#[track_caller]
fn said(change: impl Fn(&Path)) -> String {
    let dir = folder();
    change(dir.path());
    match open(dir.path()) {
        Ok(_) => panic!("a broken folder was opened"),
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn assert_says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{part:?} is not said: {message}");
    }
}

/// A safetensors file with this header, and so many bytes of values.
fn safetensors(header: &Value, bytes: usize) -> Vec<u8> {
    let header = header.to_string();
    let length = (header.len() as u64).to_le_bytes();
    [&length[..], header.as_bytes(), &vec![0; bytes]].concat()
}

#[test]
fn missing_files_are_named() {
    for name in ["config.json", "source.spm", "vocab.json", WEIGHTS] {
        let message = said(|dir| std::fs::remove_file(dir.join(name)).unwrap());
        assert_says(&message, &[name, "is missing"]);
    }
    let message = said(|dir| std::fs::remove_file(dir.join(WEIGHTS)).unwrap());
    assert_says(&message, &[PYTORCH_WEIGHTS]);
    let none = open("tests/no such folder").err().unwrap();
    assert_says(&none.to_string(), &["no such folder"]);
}

#[test]
fn a_file_cut_short_is_named() {
    let message = said(|dir| {
        let bytes = std::fs::read(dir.join(WEIGHTS)).unwrap();
        write(dir, WEIGHTS, &bytes[..bytes.len() - 1000]);
    });
    assert_says(&message, &[WEIGHTS, "cut short"]);
}

#[test]
fn a_header_length_that_lies_is_found_out() {
    let lie = |length: u64| {
        said(|dir| {
            let mut bytes = std::fs::read(dir.join(WEIGHTS)).unwrap();
            bytes[..8].copy_from_slice(&length.to_le_bytes());
            write(dir, WEIGHTS, &bytes);
        })
    };
    assert_says(&lie(u64::MAX), &[WEIGHTS, "header length"]);
    assert_says(&lie(90_000_000), &[WEIGHTS, "header length"]);
    assert_says(&lie(3), &[WEIGHTS, "header"]);
}

#[test]
fn offsets_that_overlap_or_lead_out_of_the_file_are_found_out() {
    let tensor = |start: usize, end: usize| json!({"dtype": "F32", "shape": [2], "data_offsets": [start, end]});
    let header = |a: Value, b: Value| json!({"a": a, "b": b});
    let says = |header: &Value, parts: &[&str]| {
        let bytes = safetensors(header, 16);
        assert_says(
            &weights::read(WEIGHTS, &bytes).unwrap_err().to_string(),
            parts,
        );
    };
    says(
        &header(tensor(0, 8), tensor(4, 12)),
        &[WEIGHTS, "data_offsets of b overlap"],
    );
    says(&header(tensor(0, 8), tensor(12, 20)), &[WEIGHTS, "gap"]);
    says(
        &header(tensor(0, 8), tensor(8, 12)),
        &[WEIGHTS, "do not fit its shape"],
    );
    says(
        &header(
            tensor(0, 8),
            json!({"dtype": "F32", "shape": [4], "data_offsets": [8, 24]}),
        ),
        &["cut short"],
    );
    says(
        &json!({"a": {"dtype": "F32", "shape": [u64::MAX, 3], "data_offsets": [0, 16]}}),
        &["no memory holds"],
    );
}

#[test]
fn a_wrong_type_is_named_with_those_that_are_right() {
    let message = said(|dir| {
        let bytes = std::fs::read(dir.join(WEIGHTS)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let at = text.find("final_logits_bias").unwrap();
        let dtype = at
            + bytes[at..]
                .windows(5)
                .position(|w| w == b"\"F32\"")
                .unwrap();
        let mut bytes = bytes.clone();
        bytes[dtype..dtype + 5].copy_from_slice(b"\"I32\"");
        write(dir, WEIGHTS, &bytes);
    });
    assert_says(&message, &["final_logits_bias", "I32", "F32, F16, BF16"]);
}

#[test]
fn a_wrong_shape_names_tensor_found_and_expected() {
    let name = "model.decoder.layers.0.fc1.weight";
    let message = said(|dir| {
        let mut tensors = Tensors::random(&tiny(), 1);
        tensors.insert(name, Tensor::f32([16, 32], vec![0.0; 512]));
        write(
            dir,
            WEIGHTS,
            &weights::write(&tensors, FloatType::F32).unwrap(),
        );
    });
    assert_says(&message, &[name, "[16, 32]", "[32, 16]"]);
}

#[test]
fn vocabulary_and_embedding_that_disagree_are_both_named() {
    // The vocabulary has one piece more than configuration and embedding.
    let message = said(|dir| {
        let mut vocab: Value = serde_json::from_slice(VOCAB).unwrap();
        vocab["one more"] = json!(pieces());
        write(dir, "vocab.json", vocab.to_string().as_bytes());
    });
    let (found, wanted) = ((pieces() + 1).to_string(), pieces().to_string());
    assert_says(&message, &["vocab.json", &found, "config.json", &wanted]);
    // The embedding has one row more than configuration and vocabulary.
    let message = said(|dir| {
        let mut tensors = Tensors::random(&tiny(), 1);
        let rows = pieces() + 1;
        tensors.insert(
            "model.shared.weight",
            Tensor::f32([rows, 16], vec![0.0; rows * 16]),
        );
        write(
            dir,
            WEIGHTS,
            &weights::write(&tensors, FloatType::F32).unwrap(),
        );
    });
    assert_says(
        &message,
        &[
            "model.shared.weight",
            &format!("[{found}, 16]"),
            &format!("[{wanted}, 16]"),
        ],
    );
}

#[test]
fn a_pickle_that_asks_for_code_is_refused_by_name() {
    for (file, reason) in [
        ("evil.bin", "posix.system"),
        ("protocol4.bin", "protocol 4"),
    ] {
        let message = said(|dir| {
            std::fs::remove_file(dir.join(WEIGHTS)).unwrap();
            std::fs::copy(
                format!("tests/golden/torch/{file}"),
                dir.join(PYTORCH_WEIGHTS),
            )
            .unwrap();
        });
        assert_says(&message, &[PYTORCH_WEIGHTS, reason]);
    }
}

#[test]
fn a_file_of_three_gigabytes_is_refused_before_it_is_read() {
    for name in [WEIGHTS, "vocab.json", "config.json", "source.spm"] {
        let message = said(|dir| {
            // Nothing but a length: no disk and no memory is asked for so much.
            let file = std::fs::File::create(dir.join(name)).unwrap();
            file.set_len(3_000_000_000).unwrap();
        });
        assert_says(&message, &[name, "3.0 GB"]);
    }
}

#[test]
fn parts_are_put_together_and_missing_ones_are_named() {
    let split = |dir: &Path| {
        let (mut first, mut second) = (Tensors::new(), Tensors::new());
        let mut map = serde_json::Map::new();
        for (name, tensor) in Tensors::random(&tiny(), 1) {
            let decoder = name.starts_with("model.decoder");
            let part = if decoder {
                "model-00002-of-00002.safetensors"
            } else {
                "model-00001-of-00002.safetensors"
            };
            map.insert(name.clone(), json!(part));
            if decoder { &mut second } else { &mut first }.insert(name, tensor);
        }
        std::fs::remove_file(dir.join(WEIGHTS)).unwrap();
        for (name, tensors) in [
            ("model-00001-of-00002.safetensors", first),
            ("model-00002-of-00002.safetensors", second),
        ] {
            write(
                dir,
                name,
                &weights::write(&tensors, FloatType::F32).unwrap(),
            );
        }
        write(
            dir,
            WEIGHTS_INDEX,
            json!({"weight_map": map}).to_string().as_bytes(),
        );
    };
    let dir = folder();
    split(dir.path());
    open(dir.path()).unwrap();
    let message = said(|dir| {
        split(dir);
        std::fs::remove_file(dir.join("model-00002-of-00002.safetensors")).unwrap();
    });
    assert_says(
        &message,
        &["model-00002-of-00002.safetensors", "is missing"],
    );
    let message = said(|dir| {
        split(dir);
        write(
            dir,
            WEIGHTS_INDEX,
            br#"{"weight_map": {"a": "../../etc/passwd"}}"#,
        );
    });
    assert_says(&message, &[WEIGHTS_INDEX, "of this folder"]);
}

#[test]
fn untied_tables_and_the_norms_of_bart_are_read_from_a_marian_config() {
    let with = |config: &Config, keys: &[(&str, Value)]| {
        let dir = folder();
        let tensors = Tensors::random(config, 3);
        write(
            dir.path(),
            WEIGHTS,
            &weights::write(&tensors, FloatType::F32).unwrap(),
        );
        let json = std::fs::read(dir.path().join("config.json")).unwrap();
        let mut json: Value = serde_json::from_slice(&json).unwrap();
        for (key, value) in keys {
            json[*key] = value.clone();
        }
        write(dir.path(), "config.json", json.to_string().as_bytes());
        open(dir.path()).map(|model| model.transformer.config().clone())
    };
    let before = Config {
        normalize_before: true,
        normalize_embedding: true,
        ..tiny()
    };
    let keys = [
        ("normalize_before", json!(true)),
        ("add_final_layer_norm", json!(true)),
        ("normalize_embedding", json!(true)),
    ];
    assert_eq!(with(&before, &keys).unwrap(), before);
    // Norms that the configuration has and the file lacks are missed, not passed over.
    let error = with(&tiny(), &keys).unwrap_err();
    assert!(
        matches!(&error, Error::ModelFormat { name, .. } if name.contains("norm")),
        "{error}"
    );
    let error = with(&before, &keys[..1]).unwrap_err();
    assert_says(
        &error.to_string(),
        &["normalize_before", "add_final_layer_norm"],
    );
    let untied = Config {
        share_embeddings: false,
        ..tiny()
    };
    let keys = [("tie_word_embeddings", json!(false))];
    assert_eq!(with(&untied, &keys).unwrap(), untied);
}
