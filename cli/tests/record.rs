//! The recorded example says what a translation says.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use translucent::Config;
use translucent::checkpoint::{ModelSummary, Precision};
use translucent::model::{Seq2Seq, Transformer};
use translucent::search::SearchOptions;
use translucent::text::Tokenizer;
use translucent::trace::TraceRequest;
use translucent::translator::{ScoreOptions, Target, Translator};
use translucent_cli::record::record;

const TEXT: &str = "A girl reads.";

fn translator() -> Translator {
    let spm = include_bytes!("../../tests/golden/tokenizer/source.spm");
    let vocab = include_bytes!("../../tests/golden/tokenizer/vocab.json");
    let tokenizer = Tokenizer::from_parts(spm, spm, vocab).unwrap();
    let model = Transformer::random(Config::tiny(tokenizer.vocab_size()), 7).unwrap();
    Translator::new(model, tokenizer)
}

fn search() -> SearchOptions {
    SearchOptions::default().with_max_extra(4)
}

/// The values of a packed tensor.
fn unpacked(packed: &Value) -> Vec<f32> {
    let bytes = BASE64.decode(packed["data"].as_str().unwrap()).unwrap();
    let scale = packed["scale"].as_f64().unwrap() as f32;
    match packed["packed"].as_str().unwrap() {
        "u16" => bytes
            .chunks_exact(2)
            .map(|b| f32::from(u16::from_le_bytes([b[0], b[1]])) * scale)
            .collect(),
        "i8" => bytes.iter().map(|b| f32::from(*b as i8) * scale).collect(),
        other => panic!("{other}"),
    }
}

#[test]
fn a_record_holds_the_answers_of_a_translation_and_its_very_weights() {
    let translator = translator();
    let file = record(&translator, TEXT, &search(), json!({ "name": "tiny" })).unwrap();
    let file: Value = serde_json::from_str(&file).unwrap();
    assert_eq!((&file["format"], &file["text"]), (&json!(1), &json!(TEXT)));
    let answers = file["answers"].as_array().unwrap();
    assert_eq!(answers[0]["event"]["kind"], "sentences");
    let [.., sentence, trace, done] = &answers[..] else {
        panic!("too few answers")
    };
    assert_eq!(sentence["event"]["kind"], "sentence");
    assert_eq!(
        (&trace["type"], &trace["final"]),
        (&json!("trace"), &json!(true))
    );
    assert_eq!(
        done["result"]["text"],
        translator.translate(TEXT, &search()).unwrap()
    );

    let target = trace["target"].as_array().unwrap().iter();
    let target: Vec<u32> = target
        .map(|piece| piece["id"].as_u64().unwrap() as u32)
        .collect();
    let request = TraceRequest::attention().with_hidden();
    let mut options = ScoreOptions::default();
    options.request = request;
    let observed = translator
        .score(TEXT, Target::Pieces(&target), &options)
        .unwrap()
        .observation
        .trace;
    for (name, expected) in [
        ("encoderSelf", observed.encoder_self.unwrap()),
        ("decoderSelf", observed.decoder_self.unwrap()),
        ("cross", observed.cross.unwrap()),
    ] {
        let found = unpacked(&trace["trace"][name]);
        assert_eq!(trace["trace"][name]["shape"], json!(expected.shape()));
        assert!(
            found
                .iter()
                .zip(&expected)
                .all(|(a, b)| (a - b).abs() < 1e-5),
            "{name}"
        );
    }
    let expected = observed.memory.unwrap();
    let largest = expected.iter().fold(0.0, |m: f32, x| m.max(x.abs()));
    let found = unpacked(&trace["trace"]["memory"]);
    assert!(
        found
            .iter()
            .zip(&expected)
            .all(|(a, b)| (a - b).abs() <= largest / 250.0)
    );
}

#[test]
fn several_sentences_or_a_long_one_are_refused() {
    let translator = translator();
    let fails = |text: &str| {
        record(&translator, text, &search(), json!({}))
            .unwrap_err()
            .to_string()
    };
    assert!(fails("A girl reads. Two dogs run.").contains("2 sentences"));
    assert!(fails(&"and ".repeat(35)).contains("choose a shorter sentence"));
}

#[test]
fn the_example_of_the_page_is_of_the_model_that_ships() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let json = |path: &str| -> Value {
        serde_json::from_slice(&std::fs::read(format!("{root}/{path}")).unwrap()).unwrap()
    };
    let (example, index) = (
        json("www/app/recorded/example.json"),
        json("models/index.json"),
    );
    let files = index["models"][0]["files"].as_array().unwrap();
    let weights = files
        .iter()
        .find(|file| file["name"] == "model.safetensors");
    assert_eq!(example["model"]["hash"], weights.unwrap()["sha256"]);
    // Its summary has the fields of today.
    let translator = Translator::open(format!("{root}/models/en-de-free")).unwrap();
    let summary = ModelSummary::new(translator.model().config(), Precision::Int8);
    assert_eq!(example["model"]["config"], json!(summary.config));
}

#[test]
fn the_indexes_name_the_files_as_they_are() {
    let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    for folder in [models.clone(), models.join("table3")] {
        let index: Value =
            serde_json::from_slice(&std::fs::read(folder.join("index.json")).unwrap()).unwrap();
        for model in index["models"].as_array().unwrap() {
            let name = model["name"].as_str().unwrap();
            for file in model["files"].as_array().unwrap() {
                let path = folder.join(name).join(file["name"].as_str().unwrap());
                let digest = translucent_cli::digest::sha256(&std::fs::read(&path).unwrap());
                assert_eq!(
                    file["sha256"],
                    digest,
                    "{}: run `translucent index` again",
                    path.display()
                );
            }
        }
    }
}
