//! Model folders: what is written is read again, and whatever is broken is named.
#![cfg(not(target_arch = "wasm32"))]

use serde_json::{Value, json};
use std::cell::Cell;
use translucent::checkpoint::weights::{Content, WEIGHTS, WeightFile};
use translucent::checkpoint::{
    FloatType, ModelFiles, Precision, Tensor, Tensors, TokenizerFiles, config_json, open, quantize,
    save, weights,
};
use translucent::model::config::{Activation, Compatibility, Positions};
use translucent::model::sinusoidal;
use translucent::model::{Seq2Seq, Transformer};
use translucent::search::{EarlyStopping, Scoring, SearchOptions};
use translucent::trace::TraceRequest;
use translucent::{Config, Error};

const SPM: &[u8] = include_bytes!("golden/tokenizer/source.spm");
const VOCAB: &[u8] = include_bytes!("golden/tokenizer/vocab.json");

/// Pieces of the tokenizer above.
fn pieces() -> usize {
    serde_json::from_slice::<serde_json::Map<String, Value>>(VOCAB)
        .unwrap()
        .len()
}

fn tiny() -> Config {
    Config::tiny(pieces())
}

fn files(config: &Config, tensors: &Tensors) -> ModelFiles {
    let int8 = tensors.iter().any(|(_, tensor)| tensor.is_int8());
    ModelFiles {
        config: config_json::write(
            config,
            if int8 {
                Precision::Int8
            } else {
                Precision::F32
            },
        ),
        weights: weight_file(weights::write(tensors, FloatType::F32).unwrap()),
        source_spm: SPM.to_vec(),
        vocab: VOCAB.to_vec(),
        ..ModelFiles::default()
    }
}

fn weight_file(bytes: Vec<u8>) -> Vec<WeightFile> {
    vec![WeightFile::safetensors(bytes)]
}

fn tiny_files() -> ModelFiles {
    files(&tiny(), &Tensors::random(&tiny(), 1))
}

fn failure(files: &ModelFiles) -> Error {
    match files.load() {
        Ok(_) => panic!("a broken folder was loaded"),
        Err(error) => error,
    }
}

/// `config.json` of the tiny model with one key changed (`null` takes it out).
fn with_key(key: &str, value: Value) -> ModelFiles {
    let mut files = tiny_files();
    let mut config: Value = serde_json::from_slice(&files.config).unwrap();
    config[key] = value;
    files.config = config.to_string().into_bytes();
    files
}

#[test]
fn a_saved_folder_is_the_model_that_was_saved() {
    let dir = tempfile::tempdir().unwrap();
    let (config, tensors) = (tiny(), Tensors::random(&tiny(), 1));
    let mut search = SearchOptions::default().with_beam(6);
    search.scoring = Scoring::Wu { alpha: 0.8 };
    let tokenizer = TokenizerFiles {
        spm: SPM,
        vocab: VOCAB,
        source_language: "en",
        target_language: "de",
    };
    save(dir.path(), &config, &tensors, &search, tokenizer).unwrap();
    let files = ModelFiles::from_dir(dir.path()).unwrap();
    let (described, found) = files.describe().unwrap();
    assert_eq!((&described.config, &found), (&config, &search));
    assert_eq!(files.tensors(&described).unwrap(), tensors);
    let model = open(dir.path()).unwrap();
    let ids = model.tokenizer.encode_source("Two dogs run.").ids;
    let request = TraceRequest::default();
    let expected = Transformer::random(config, 1)
        .unwrap()
        .teacher_force(&ids, &ids, &request)
        .unwrap();
    assert_eq!(
        model
            .transformer
            .teacher_force(&ids, &ids, &request)
            .unwrap()
            .logits,
        expected.logits
    );
    let leftovers = std::fs::read_dir(dir.path()).unwrap().filter(|entry| {
        entry
            .as_ref()
            .unwrap()
            .file_name()
            .to_string_lossy()
            .starts_with('.')
    });
    assert_eq!(leftovers.count(), 0);
}

#[test]
fn every_configuration_survives_its_file() {
    let tiny = tiny();
    let variants = [
        tiny.clone(),
        Config {
            d_k: 4,
            d_v: 12,
            ..tiny.clone()
        },
        Config {
            positions: Positions::Learned,
            compatibility: Compatibility::Additive,
            ..tiny.clone()
        },
        Config {
            positions: Positions::SinusoidalInterleaved,
            neighbourhood: Some(4),
            ..tiny.clone()
        },
        Config {
            normalize_before: true,
            normalize_embedding: true,
            ..tiny.clone()
        },
        Config {
            share_embeddings: false,
            activation: Activation::Swish,
            ..tiny.clone()
        },
        Config {
            banned_ids: vec![],
            forced_eos_id: None,
            dropout: 0.15,
            label_smoothing: 0.2,
            ..tiny.clone()
        },
        Config {
            compatibility: Compatibility::DotProduct,
            encoder_layers: 3,
            ..tiny.clone()
        },
    ];
    for config in variants {
        for precision in [Precision::F32, Precision::Int8] {
            let described = config_json::read(&config_json::write(&config, precision)).unwrap();
            assert_eq!(
                (&described.config, described.precision),
                (&config, precision)
            );
        }
        files(&config, &Tensors::random(&config, 2)).load().unwrap();
    }
}

#[test]
fn what_marian_cannot_express_is_not_called_marian() {
    let kind = |config: &Config, precision| {
        let json: Value = serde_json::from_slice(&config_json::write(config, precision)).unwrap();
        json["model_type"].as_str().unwrap().to_owned()
    };
    assert_eq!(kind(&tiny(), Precision::F32), "marian");
    assert_eq!(kind(&tiny(), Precision::Int8), "translucent");
    assert_eq!(
        kind(&Config { d_v: 4, ..tiny() }, Precision::F32),
        "translucent"
    );
    assert_eq!(kind(&Config::base(100), Precision::F32), "translucent");
    assert_eq!(
        kind(
            &Config {
                normalize_before: true,
                ..tiny()
            },
            Precision::F32
        ),
        "translucent"
    );
}

#[test]
fn bad_keys_are_named() {
    let unknown = |key: &str, value: Value| {
        let mut files = files(&Config { d_v: 4, ..tiny() }, &Tensors::new());
        let mut config: Value = serde_json::from_slice(&files.config).unwrap();
        config[key] = value;
        files.config = config.to_string().into_bytes();
        failure(&files).to_string()
    };
    assert!(unknown("d_modl", json!(4)).contains("d_modl"));
    for (key, value) in [
        ("model_type", json!("bert")),
        ("d_model", Value::Null),
        ("d_model", json!(-4)),
        ("d_model", json!("16")),
        ("decoder_attention_heads", json!(3)),
        ("encoder_attention_heads", json!(3)),
        ("decoder_ffn_dim", json!(0)),
        ("activation_function", json!("gelu")),
        ("max_position_embeddings", json!(1u64 << 40)),
        ("encoder_layers", json!(100_000)),
        ("decoder_vocab_size", json!(7)),
        ("normalize_before", json!(true)),
        ("static_position_embeddings", json!(false)),
        ("positions", json!("learned")),
        ("pad_token_id", json!(1u64 << 33)),
        ("bad_words_ids", json!([[1, 2]])),
        ("format_version", json!(2)),
        ("scale_embedding", json!("yes")),
    ] {
        let error = failure(&with_key(key, value.clone())).to_string();
        let named = error.contains(key) || error.contains(&key.replace("encoder", "decoder"));
        assert!(
            named && error.contains("config.json"),
            "{key} = {value}: {error}"
        );
    }
    // Marian's own irrelevant keys do no harm.
    with_key("num_beam_groups", json!(1)).load().unwrap();
}

#[test]
fn generation_config_overrides() {
    let mut files = tiny_files();
    let search = |files: &ModelFiles| files.describe().unwrap().1;
    assert_eq!(search(&files), SearchOptions::default());
    files.generation_config = Some(
        br#"{"num_beams": 6, "length_penalty": 1.5, "early_stopping": true, "forced_eos_token_id": 2, "bad_words_ids": [[5]], "renormalize_logits": true}"#
            .to_vec(),
    );
    assert_eq!(search(&files).beam, 6);
    assert!(search(&files).renormalize);
    let expected = Scoring::Hf {
        length_penalty: 1.5,
        early_stopping: EarlyStopping::Yes,
    };
    assert_eq!(search(&files).scoring, expected);
    let config = files.describe().unwrap().0.config;
    assert_eq!(
        (config.forced_eos_id, config.banned_ids),
        (Some(2), vec![5])
    );
    assert!(
        failure(&with_generation(
            &files,
            r#"{"early_stopping": 7, "length_penalty": 1}"#
        ))
        .to_string()
        .contains("early_stopping")
    );
    assert!(
        failure(&with_generation(&files, r#"{"num_beams": 0}"#))
            .to_string()
            .contains("beam")
    );
    assert!(
        failure(&with_generation(&files, "[]"))
            .to_string()
            .contains("generation_config.json")
    );
}

fn with_generation(files: &ModelFiles, json: &str) -> ModelFiles {
    ModelFiles {
        generation_config: Some(json.into()),
        ..files.clone()
    }
}

#[test]
fn a_folder_of_transformers_loads() {
    let read = |name: &str| std::fs::read(format!("tests/golden/hf/{name}")).unwrap();
    let files = ModelFiles {
        config: read("config.json"),
        weights: weight_file(read("model.safetensors")),
        generation_config: Some(read("generation_config.json")),
        ..ModelFiles::default()
    };
    let (described, search) = files.describe().unwrap();
    assert!(!described.ours && matches!(search.scoring, Scoring::Hf { .. }));
    let mut tensors = files.tensors(&described).unwrap();
    Transformer::from_tensors(described.config, &mut tensors).unwrap();
}

#[test]
fn repeated_and_unprefixed_names_are_understood() {
    let config = tiny();
    let original = Tensors::random(&config, 4);
    let mut other = Tensors::new();
    for (name, tensor) in original.clone() {
        other.insert(
            name.strip_prefix("model.")
                .map_or(name.clone(), str::to_owned),
            tensor,
        );
    }
    let shared = original.get("model.shared.weight").unwrap().clone();
    other.insert("lm_head.weight", shared.clone());
    other.insert("encoder.embed_tokens.weight", shared.clone());
    let table = sinusoidal(64, 16, config.positions);
    let table = Tensor::f32([64, 16], table.into_iter().collect());
    other.insert("encoder.embed_positions.weight", table.clone());
    other.insert("decoder.embed_positions.weight", table.clone());
    let found = files(&config, &other);
    let (described, _) = found.describe().unwrap();
    assert_eq!(found.tensors(&described).unwrap(), original);

    // Positions that are not computed would be other numbers than the model was trained with.
    let mut learned = other.clone();
    let mut values = table.into_f32();
    values[17] += 0.5;
    learned.insert(
        "decoder.embed_positions.weight",
        Tensor::f32([64, 16], values),
    );
    let error = failure(&files(&config, &learned)).to_string();
    assert!(
        error.contains("decoder.embed_positions.weight")
            && error.contains("position 1, dimension 1"),
        "{error}"
    );
    learned.insert(
        "decoder.embed_positions.weight",
        Tensor::f32([4, 16], vec![0.0; 64]),
    );
    let error = failure(&files(&config, &learned)).to_string();
    assert!(
        error.contains("[4, 16]") && error.contains("[64, 16]"),
        "{error}"
    );

    // Files may keep the shared matrix under another of its names alone.
    other.remove("shared.weight");
    assert_eq!(
        files(&config, &other).tensors(&described).unwrap(),
        original
    );
    let mut changed = shared.into_f32();
    changed[0] += 1.0;
    other.insert(
        "lm_head.weight",
        Tensor::f32([config.vocab_size, 16], changed),
    );
    let error = files(&config, &other)
        .tensors(&described)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("differs") || error.contains("one matrix"),
        "{error}"
    );
}

#[test]
fn wrong_tensors_are_named() {
    let config = tiny();
    let name = "model.decoder.layers.1.encoder_attn.k_proj.weight";
    let changed = |change: &dyn Fn(&mut Tensors)| {
        let mut tensors = Tensors::random(&config, 1);
        change(&mut tensors);
        failure(&files(&config, &tensors)).to_string()
    };
    let error = changed(&|tensors| drop(tensors.remove(name)));
    assert!(
        error.contains(name) && error.contains("[16, 16]"),
        "{error}"
    );
    let error = changed(&|tensors| tensors.insert(name, Tensor::f32([8, 32], vec![0.0; 256])));
    assert!(
        error.contains(name) && error.contains("[8, 32]") && error.contains("[16, 16]"),
        "{error}"
    );
    let error =
        changed(&|tensors| tensors.insert(name, Tensor::f32([16, 16], vec![f32::NAN; 256])));
    assert!(error.contains(name) && error.contains("NaN"), "{error}");
    let error =
        changed(&|tensors| tensors.insert("model.encoder.extra", Tensor::f32([1], vec![0.0])));
    assert!(error.contains("model.encoder.extra"), "{error}");
    let mut mixed = files(&config, &Tensors::random(&config, 1));
    mixed.config = config_json::write(&config, Precision::Int8);
    assert!(failure(&mixed).to_string().contains("quantization"));
}

#[test]
fn learned_positions_of_an_int8_folder_may_be_in_floating_point() {
    let config = Config {
        positions: Positions::Learned,
        ..tiny()
    };
    let tensors = Tensors::random(&config, 1);
    let rounded = quantize::quantize(&config, tensors.clone()).unwrap();
    assert!(files(&config, &rounded).load().is_ok());
    let positions =
        ["model.encoder", "model.decoder"].map(|at| format!("{at}.embed_positions.weight"));
    // As such folders were written before, and the other way round, which nothing ever wrote.
    let (mut older, mut odd) = (rounded.clone(), tensors.clone());
    for name in &positions {
        older.insert(name, tensors.get(name).unwrap().clone());
        odd.insert(name, rounded.get(name).unwrap().clone());
    }
    assert!(files(&config, &older).load().is_ok());
    let mut odd = files(&config, &odd);
    odd.config = config_json::write(&config, Precision::F32);
    assert!(failure(&odd).to_string().contains("quantization"));
}

#[test]
fn a_tokenizer_of_another_size_is_refused() {
    let config = Config::tiny(pieces() + 1);
    let error = failure(&files(&config, &Tensors::random(&config, 1)));
    assert!(matches!(error, Error::TokenizerFormat { .. }), "{error}");
}

#[test]
fn an_int8_folder_gives_nearly_the_same_logits() {
    let (config, tensors) = (tiny(), Tensors::random(&tiny(), 1));
    let int8 = quantize::quantize(&config, tensors.clone()).unwrap();
    let logits = |tensors: &Tensors| {
        let model = files(&config, tensors).load().unwrap();
        model
            .transformer
            .teacher_force(&[5, 9, 0], &[7, 8, 0], &TraceRequest::default())
            .unwrap()
            .logits
    };
    let (exact, rounded) = (logits(&tensors), logits(&int8));
    let most = exact
        .iter()
        .fold(0.0f32, |most, value| most.max(value.abs()));
    let error = exact
        .iter()
        .zip(&rounded)
        .fold(0.0f32, |most, (a, b)| most.max((a - b).abs()));
    assert!(error > 0.0 && error < 0.03 * most, "{error} of {most}");
    let mut widened = Tensors::new();
    for (name, tensor) in int8.clone() {
        let shape = tensor.shape().to_vec();
        widened.insert(name, Tensor::f32(shape, tensor.into_f32()));
    }
    assert_ne!(logits(&widened), rounded, "int8 is what is computed with");
    let stored = files(&config, &int8);
    let (described, _) = stored.describe().unwrap();
    assert_eq!(stored.tensors(&described).unwrap(), int8);
}

#[test]
fn cut_files_are_refused() {
    let whole = tiny_files();
    let length = whole.weights[0].bytes.len();
    for kept in (0..600)
        .chain((600..length).step_by(997))
        .chain([length - 1])
    {
        let cut = ModelFiles {
            weights: weight_file(whole.weights[0].bytes[..kept].to_vec()),
            ..whole.clone()
        };
        let error = failure(&cut).to_string();
        assert!(error.contains("model.safetensors"), "{kept} bytes: {error}");
    }
    for kept in 0..whole.config.len() - 2 {
        let cut = ModelFiles {
            config: whole.config[..kept].to_vec(),
            ..whole.clone()
        };
        assert!(failure(&cut).to_string().contains("config.json"));
    }
    let longer = ModelFiles {
        weights: weight_file([&whole.weights[0].bytes[..], b"x"].concat()),
        ..whole.clone()
    };
    assert!(failure(&longer).to_string().contains("model.safetensors"));
}

#[test]
fn flipped_bits_never_panic() {
    let whole = tiny_files();
    let header = u64::from_le_bytes(whole.weights[0].bytes[..8].try_into().unwrap()) as usize + 8;
    let mut refused = 0;
    // Every byte of the header's length, and a bit of each other byte of the header.
    for at in 0..header {
        for bit in 0..8 {
            if at >= 8 && bit != at % 8 {
                continue;
            }
            let mut files = whole.clone();
            files.weights[0].bytes[at] ^= 1 << bit;
            let described = files.describe().unwrap().0;
            refused += usize::from(files.tensors(&described).is_err());
        }
    }
    assert!(refused > header / 2, "{refused} of {header}");
    for at in 0..whole.config.len() {
        let mut files = whole.clone();
        files.config[at] ^= 1 << (at % 7);
        // A digit may have become another: then the tensors do not fit, or it says nothing of them.
        let _ = files.load();
    }
}

/// A file that lies elsewhere: how many bytes were read of it, the longest part, and how often a part lay before the one
/// read before it.
#[derive(Debug, Default)]
struct Elsewhere {
    bytes: Vec<u8>,
    read: Cell<usize>,
    longest: Cell<usize>,
    backwards: Cell<usize>,
    end: Cell<usize>,
}

impl Content for Elsewhere {
    fn len(&self) -> usize {
        self.bytes.len()
    }

    fn read(&self, start: usize, out: &mut [u8]) -> translucent::Result<()> {
        self.read.set(self.read.get() + out.len());
        self.longest.set(self.longest.get().max(out.len()));
        self.backwards
            .set(self.backwards.get() + usize::from(start < self.end.get()));
        self.end.set(start + out.len());
        out.copy_from_slice(&self.bytes[start..][..out.len()]);
        Ok(())
    }
}

fn elsewhere(files: &ModelFiles) -> ModelFiles<Elsewhere> {
    ModelFiles {
        weights: vec![WeightFile {
            name: WEIGHTS.into(),
            bytes: Elsewhere {
                bytes: files.weights[0].bytes.clone(),
                ..Elsewhere::default()
            },
        }],
        config: files.config.clone(),
        source_spm: files.source_spm.clone(),
        target_spm: None,
        vocab: files.vocab.clone(),
        target_vocab: None,
        generation_config: None,
    }
}

#[test]
fn a_folder_is_quantised_as_its_tensors_are() {
    let config = tiny();
    let tensors = Tensors::random(&config, 7);
    let files = files(&config, &tensors);
    let expected = quantize::quantize(&config, tensors).unwrap();
    let expected = weights::write(&expected, FloatType::F32).unwrap();
    let elsewhere = elsewhere(&files);
    let [(name, found), ..] = quantize::quantize_files(&elsewhere).unwrap();
    assert_eq!(name, WEIGHTS);
    assert!(found == expected, "another file");
    let file = &elsewhere.weights[0].bytes;
    assert!(file.read.get() <= files.weights[0].bytes.len() + 16);
    assert!(file.backwards.get() <= 1, "{}", file.backwards.get());
    // What is quantised already is copied.
    let int8 = ModelFiles {
        weights: vec![WeightFile::safetensors(found.clone())],
        ..files
    };
    let int8 = ModelFiles {
        config: quantize::quantize_files(&elsewhere).unwrap()[2].1.clone(),
        ..int8
    };
    let [(_, again), ..] = quantize::quantize_files(&int8).unwrap();
    assert!(again == found, "another file");
}

#[test]
fn weights_are_read_once_and_in_their_order() {
    let there = tiny_files();
    let whole = there.weights[0].bytes.clone();
    let elsewhere = elsewhere(&there);
    let model = elsewhere.load().unwrap();
    let file = &elsewhere.weights[0].bytes;
    // The first bytes are looked at twice: whether it is a file of torch, and for the header's length.
    assert!(
        file.read.get() <= whole.len() + 16,
        "{} of {}",
        file.read.get(),
        whole.len()
    );
    assert!(file.longest.get() < whole.len() / 2);
    assert!(file.backwards.get() <= 1, "{}", file.backwards.get());
    let logits = |model: &Transformer| {
        let request = TraceRequest::default();
        let decoded = model.teacher_force(&[3, 4, 0], &[5, 6], &request);
        decoded.unwrap().logits
    };
    let expected = there.load().unwrap().transformer;
    assert_eq!(logits(&model.transformer), logits(&expected));
}

#[test]
fn an_absurd_header_length_is_no_allocation() {
    let mut files = tiny_files();
    files.weights[0].bytes[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(failure(&files).to_string().contains("header"));
}

#[test]
fn half_precision_is_widened() {
    use half::{bf16, f16};
    let values = [0.5f32, -1.25, 3.0, 65504.0];
    let header = |dtype: &str| {
        let json = format!(r#"{{"w":{{"dtype":"{dtype}","shape":[2,2],"data_offsets":[0,8]}}}}"#);
        [&(json.len() as u64).to_le_bytes()[..], json.as_bytes()].concat()
    };
    let mut sixteen = header("F16");
    sixteen.extend(
        values
            .iter()
            .flat_map(|value| f16::from_f32(*value).to_le_bytes()),
    );
    assert_eq!(
        weights::read(WEIGHTS, &sixteen)
            .unwrap()
            .take("w", &[2, 2])
            .unwrap(),
        values
    );
    let mut brain = header("BF16");
    brain.extend(
        values[..3]
            .iter()
            .chain(&[2.0])
            .flat_map(|value| bf16::from_f32(*value).to_le_bytes()),
    );
    assert_eq!(
        weights::read(WEIGHTS, &brain)
            .unwrap()
            .take("w", &[2, 2])
            .unwrap(),
        [0.5, -1.25, 3.0, 2.0]
    );
    let mut whole = header("I64");
    whole.extend([0; 8]);
    assert!(weights::read(WEIGHTS, &whole).is_err());
}

#[test]
fn seams_agree_on_the_configuration() {
    let model = tiny_files().load().unwrap();
    assert_eq!(model.transformer.config(), &tiny());
    assert_eq!(model.tokenizer.vocab_size(), pieces());
}

#[test]
fn a_value_that_a_type_has_no_room_for_is_refused_when_it_is_written() {
    for (floats, value) in [(FloatType::F16, 70_000.0), (FloatType::Bf16, f32::MAX)] {
        let mut tensors = Tensors::new();
        tensors.insert("w", Tensor::f32([2], vec![1.0, value]));
        let error = weights::write(&tensors, floats).unwrap_err().to_string();
        assert!(error.contains("too large"), "{error}");
        weights::write(&tensors, FloatType::F32).unwrap();
    }
}
