//! The JavaScript face on the real wasm. The same binary runs in Node, in a page and in a worker: whoever runs it
//! chooses by `WASM_BINDGEN_…` variables, so nothing is configured here.
#![cfg(target_arch = "wasm32")]

#[path = "common/golden.rs"]
mod golden;
#[path = "common/look.rs"]
mod look;

use js_sys::{Array, Error, Float32Array, Map, Object, Reflect, Uint8Array};
use translucent::Config;
use translucent::checkpoint::{FloatType, Precision, Tensors, config_json, weights};
use translucent::wasm::{
    Failure, Job, Loading, Quantizing, Translator, complexity, complexity_curves, path_graphs,
    quantize_folder, random_products, simd_level, view_trace,
};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

const TEXT: &str = "A girl reads. Two dogs run!\n\nThe end";

/// The files of a tiny model with random weights.
fn files() -> Map {
    let vocab = include_bytes!("golden/tokenizer/vocab.json");
    let spm = include_bytes!("golden/tokenizer/source.spm");
    let pieces: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(vocab).unwrap();
    let config = Config::tiny(pieces.len());
    let tensors = weights::write(&Tensors::random(&config, 7), FloatType::F32).unwrap();
    let files = Map::new();
    for (name, bytes) in [
        (
            "config.json",
            &config_json::write(&config, Precision::F32)[..],
        ),
        ("model.safetensors", &tensors),
        ("source.spm", spm),
        ("vocab.json", vocab),
    ] {
        files.set(&name.into(), &Uint8Array::from(bytes));
    }
    files
}

/// The same with weights that are not in memory; `range` is the body of their `read(start, end)`.
fn elsewhere(range: &str) -> Map {
    let files = files();
    let bytes: Uint8Array = files.get(&"model.safetensors".into()).dyn_into().unwrap();
    let content = Object::new();
    let read = js_sys::Function::new_with_args("start, end", range);
    Reflect::set(&content, &"bytes".into(), &bytes).unwrap();
    Reflect::set(&content, &"length".into(), &bytes.length().into()).unwrap();
    Reflect::set(&content, &"read".into(), &read).unwrap();
    files.set(&"model.safetensors".into(), &content);
    files
}

const READ: &str = "return this.bytes.subarray(start, end);";

#[wasm_bindgen_test]
fn weights_that_are_not_in_memory_make_the_same_model() {
    let translate = |translator: &Translator| {
        let options = json(r#"{"beam": 2, "maxExtra": 4}"#);
        let job = translator
            .begin(TEXT, options, JsValue::UNDEFINED, JsValue::UNDEFINED)
            .unwrap_or_else(|failure| panic!("{:?}", code(failure)));
        let (events, _) = run(job);
        get(events.last().unwrap(), "text").as_string().unwrap()
    };
    let whole = Translator::load(&files()).unwrap_or_else(|failure| panic!("{:?}", code(failure)));
    let mut loading =
        Loading::new(&elsewhere(READ)).unwrap_or_else(|failure| panic!("{:?}", code(failure)));
    let mut steps = 0;
    while loading
        .step()
        .unwrap_or_else(|failure| panic!("{:?}", code(failure)))
    {
        steps += 1;
    }
    assert!(steps > 20, "{steps}");
    let stepped = loading
        .finish()
        .unwrap_or_else(|failure| panic!("{:?}", code(failure)));
    assert_eq!(translate(&stepped), translate(&whole));
}

#[wasm_bindgen_test]
fn a_folder_that_is_quantised_in_steps_has_the_same_files() {
    let expected =
        quantize_folder(&files()).unwrap_or_else(|failure| panic!("{:?}", code(failure)));
    let quantizing = Quantizing::new(&elsewhere(READ));
    let mut quantizing = quantizing.unwrap_or_else(|failure| panic!("{:?}", code(failure)));
    quantizing
        .step()
        .unwrap_or_else(|failure| panic!("{:?}", code(failure)));
    let found = Map::new();
    let keep = js_sys::Function::new_with_args(
        "name, part",
        "const before = this.get(name) ?? []; this.set(name, [...before, ...part]);",
    );
    quantizing.finish(&keep.bind0(&found)).unwrap();
    assert_eq!(found.size(), expected.size());
    for name in ["config.json", "generation_config.json", "model.safetensors"] {
        let found = Uint8Array::new(&found.get(&name.into())).to_vec();
        let expected = Uint8Array::new(&expected.get(&name.into())).to_vec();
        assert!(found == expected, "{name}");
    }
}

#[wasm_bindgen_test]
fn weights_that_cannot_be_read_are_named() {
    for (range, reason) in [
        (
            "if (start > 99) throw new Error('gone'); return this.bytes.subarray(start, end);",
            "gone",
        ),
        (
            "return this.bytes.subarray(start, end - (start > 99));",
            "another length",
        ),
    ] {
        let Err(failure) = Translator::load(&elsewhere(range)) else {
            panic!("it was read")
        };
        let (code, message) = code(failure);
        assert_eq!(code, "Io");
        assert!(
            message.contains("model.safetensors") && message.contains(reason),
            "{message}"
        );
    }
}

fn json(text: &str) -> JsValue {
    js_sys::JSON::parse(text).unwrap()
}

fn get(object: &JsValue, path: &str) -> JsValue {
    path.split('.').fold(object.clone(), |value, name| {
        Reflect::get(&value, &name.into()).unwrap()
    })
}

fn numbers(tensor: &JsValue) -> (Vec<f32>, Vec<usize>) {
    let data: Float32Array = get(tensor, "data").dyn_into().unwrap();
    let shape = Array::from(&get(tensor, "shape"));
    let shape = shape.iter().map(|n| n.as_f64().unwrap() as usize);
    (data.to_vec(), shape.collect())
}

fn code(failure: Failure) -> (String, String) {
    let error: Error = JsValue::from(failure).dyn_into().unwrap();
    let code = get(&error, "code").as_string().unwrap();
    (code, error.message().into())
}

/// Steps a job to its end: all events, and the last observation.
fn run(mut job: Job) -> (Vec<JsValue>, JsValue) {
    let (mut events, mut observed) = (Vec::new(), JsValue::UNDEFINED);
    while !job.is_done() {
        events.extend(Array::from(&job.step(None).unwrap_or_else(|_| panic!("step"))).iter());
        let now = job.trace();
        if !now.is_undefined() {
            observed = now;
        }
    }
    (events, observed)
}

fn load() -> Translator {
    Translator::load(&files()).unwrap_or_else(|failure| panic!("{:?}", code(failure)))
}

fn begin(translator: &Translator, options: &str, observe: &str) -> Result<Job, Failure> {
    translator.begin(TEXT, json(options), json(observe), JsValue::UNDEFINED)
}

fn begun(translator: &Translator, options: &str, observe: &str) -> Job {
    begin(translator, options, observe).unwrap_or_else(|failure| panic!("{:?}", code(failure)))
}

const PLAIN: &str = r#"{ "maxExtra": 4 }"#;
const OBSERVED: &str = r#"{ "sentence": 0, "alternatives": 3, "request":
    { "encoderSelf": true, "decoderSelf": true, "cross": true, "hidden": true } }"#;

#[wasm_bindgen_test]
fn simd_is_on() {
    assert!(
        simd_level().contains("simd"),
        "built without simd128: a RUSTFLAGS variable replaces what .cargo/config.toml sets"
    );
}

#[wasm_bindgen_test]
fn positions_memory_logits_and_all_weights_equal_pytorch() {
    golden::positions_memory_logits_and_all_weights_equal_pytorch();
}

#[wasm_bindgen_test]
fn beam_search_finds_the_same_translations_and_scores_as_an_exhaustive_one_in_python() {
    golden::beam_search_finds_the_same_translations_and_scores_as_an_exhaustive_one_in_python();
}

#[wasm_bindgen_test]
fn interventions_norms_and_arithmetic_equal_pytorch() {
    look::interventions_equal_pytorch();
    look::value_weighted_norms_equal_pytorch();
    look::arithmetic_equals_pytorch();
}

#[wasm_bindgen_test]
fn a_parked_model_is_taken_back_once_and_translates_as_before() {
    let text = |translator: &Translator| {
        let (events, _) = run(begun(translator, PLAIN, "null"));
        get(events.last().unwrap(), "text").as_string().unwrap()
    };
    let translator = load();
    let before = text(&translator);
    assert!(Translator::resume().is_none());
    translator.park();
    let again = Translator::resume().unwrap();
    assert_eq!(text(&again), before);
    assert!(Translator::resume().is_none());
}

#[wasm_bindgen_test]
fn a_model_says_its_shape() {
    let info = load().info();
    assert_eq!(get(&info, "config.dModel"), 16);
    assert_eq!(get(&info, "config.positions"), "sinusoidal_halves");
    assert_eq!(get(&info, "precision"), "f32");
    assert!(get(&info, "parameters").as_f64().unwrap() > 1000.0);
}

#[wasm_bindgen_test]
fn a_job_with_time_does_several_passes_in_one_step() {
    let translator = load();
    let mut job = begun(&translator, PLAIN, "null");
    let step = job.step(Some(60_000.0));
    let events = Array::from(&step.unwrap_or_else(|_| panic!("step")));
    assert!(job.is_done());
    assert_eq!(
        job.text(),
        get(&events.get(events.length() - 1), "text")
            .as_string()
            .unwrap()
    );
    let sentence = events
        .iter()
        .find(|event| get(event, "kind") == "sentence")
        .unwrap();
    // The best hypothesis is the translation: its pieces are the same array.
    assert_eq!(get(&sentence, "target"), get(&sentence, "nBest.0.target"));
}

#[wasm_bindgen_test]
fn events_arrive_in_order_and_add_up_to_the_translation() {
    let (events, _) = run(begun(&load(), PLAIN, "null"));
    let kind = |event: &JsValue| get(event, "kind").as_string().unwrap();
    assert_eq!(kind(&events[0]), "sentences");
    let sentences = Array::from(&get(&events[0], "sentences"));
    assert_eq!(sentences.length(), 3);
    assert_eq!(get(&sentences.get(1), "after"), "\n\n");
    assert_eq!(kind(events.last().unwrap()), "translated");
    let mut finished = Vec::new();
    for event in &events[1..events.len() - 1] {
        let sentence = get(event, "sentence").as_f64().unwrap();
        match &kind(event)[..] {
            "partial" => assert!(!finished.contains(&sentence), "told after its end"),
            "sentence" => finished.push(sentence),
            other => panic!("{other} in between"),
        }
    }
    finished.sort_by(f64::total_cmp);
    assert_eq!(finished, [0.0, 1.0, 2.0]);
    let text = get(events.last().unwrap(), "text").as_string().unwrap();
    assert_eq!(text.matches('\n').count(), 2);
}

#[wasm_bindgen_test]
fn observation_has_its_shapes_and_every_row_sums_to_one() {
    let (_, observed) = run(begun(&load(), PLAIN, OBSERVED));
    assert_eq!(get(&observed, "final"), true);
    let target = Array::from(&get(&observed, "target")).length() as usize;
    assert_eq!(
        Array::from(&get(&observed, "steps")).length() as usize,
        target
    );
    let (memory, shape) = numbers(&get(&observed, "trace.memory"));
    let source = shape[0];
    assert_eq!((memory.len(), shape[1]), (source * 16, 16));
    for (name, rows, columns) in [
        ("encoderSelf", source, source),
        ("decoderSelf", target, target),
        ("cross", target, source),
    ] {
        let (data, shape) = numbers(&get(&observed, &format!("trace.{name}")));
        assert_eq!(shape, [2, 2, rows, columns], "{name}");
        for (i, row) in data.chunks_exact(columns).enumerate() {
            assert!(
                (row.iter().sum::<f32>() - 1.0).abs() < 1e-5,
                "{name}, row {i}"
            );
            if name == "decoderSelf" {
                assert!(
                    row[i % rows + 1..].iter().all(|w| *w == 0.0),
                    "row {i} sees the future"
                );
            }
        }
    }
}

#[wasm_bindgen_test]
fn observing_changes_nothing_that_is_told() {
    // An observed sentence is decoded by itself, so the order in which sentences end may differ; nothing else may.
    let told = |observe| {
        let (events, _) = run(begun(&load(), PLAIN, observe));
        let ended = events.iter().filter(|e| get(e, "kind") == "sentence");
        let mut told: Vec<String> = ended
            .map(|event| {
                // Nodes are numbered per decoder batch, and an observed sentence has one of its own.
                for best in Array::from(&get(event, "nBest")).iter() {
                    js_sys::Reflect::set(&best, &"node".into(), &JsValue::NULL).unwrap();
                }
                js_sys::JSON::stringify(event).unwrap().into()
            })
            .collect();
        told.sort();
        told
    };
    assert_eq!(told("null"), told(OBSERVED));
}

#[wasm_bindgen_test]
fn scoring_a_translation_observes_what_translating_it_did() {
    let translator = load();
    let (events, observed) = run(begun(&translator, PLAIN, OBSERVED));
    let sentence = events
        .iter()
        .find(|e| get(e, "kind") == "sentence")
        .unwrap();
    let target: Array = Array::from(&get(sentence, "target"));
    let ids: Array = target.iter().map(|piece| get(&piece, "id")).collect();
    let request = get(&json(OBSERVED), "request");
    let scored = translator
        .score("A girl reads.", ids.into(), request, 3, JsValue::UNDEFINED)
        .unwrap_or_else(|failure| panic!("{:?}", code(failure)));
    let logprobs = target
        .iter()
        .map(|piece| get(&piece, "logprob").as_f64().unwrap());
    let sum: f64 = logprobs.sum();
    assert!((get(&scored, "logprob").as_f64().unwrap() - sum).abs() < 1e-4);
    for name in ["encoderSelf", "decoderSelf", "cross", "decoderOutput"] {
        let path = format!("trace.{name}");
        let ((a, _), (b, _)) = (
            numbers(&get(&observed, &path)),
            numbers(&get(&scored, &format!("observed.{path}"))),
        );
        assert_eq!(a.len(), b.len(), "{name}");
        assert!(
            a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-4),
            "{name}"
        );
    }
}

#[wasm_bindgen_test]
fn a_broken_model_file_is_named() {
    let weights: Uint8Array = files().get(&"model.safetensors".into()).dyn_into().unwrap();
    for (name, bytes, expected) in [
        (
            "model.safetensors",
            weights.slice(0, weights.length() / 2),
            "ModelFormat",
        ),
        (
            "model.safetensors",
            Uint8Array::from(&b"<!doctype html>"[..]),
            "ModelFormat",
        ),
        ("config.json", Uint8Array::from(&b"{"[..]), "ConfigInvalid"),
        (
            "source.spm",
            Uint8Array::from(&[0xff_u8; 40][..]),
            "TokenizerFormat",
        ),
    ] {
        let files = files();
        files.set(&name.into(), &bytes);
        let (code, message) = code(Translator::load(&files).err().unwrap());
        assert_eq!(code, expected, "{message}");
        assert!(message.contains(name), "{message}");
    }
    let files = files();
    files.delete(&"vocab.json".into());
    let (code, message) = code(Translator::load(&files).err().unwrap());
    assert!(
        code == "ModelFormat" && message.contains("vocab.json"),
        "{code}: {message}"
    );
}

#[wasm_bindgen_test]
fn a_wrong_option_is_named() {
    let translator = load();
    for (options, word) in [
        (r#"{ "beam": 0 }"#, "beam"),
        (r#"{ "beem": 4 }"#, "beem"),
        (r#"{ "prefix": [123456789] }"#, "123456789"),
    ] {
        let failure = begin(&translator, options, "null").and_then(|mut job| {
            while !job.is_done() {
                job.step(None)?;
            }
            Ok(())
        });
        let (code, message) = code(failure.err().unwrap());
        assert_eq!(code, "RequestInvalid");
        assert!(message.contains(word), "{message}");
    }
}

#[wasm_bindgen_test]
fn positions_are_those_of_the_paper() {
    let positions = load().positions(9).map_err(JsValue::from).unwrap();
    let (table, shape) = numbers(&get(&positions, "sinusoidal"));
    assert_eq!(shape, [9, 16]);
    // §3.5: PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos(the same).
    for (position, row) in table.chunks_exact(16).enumerate() {
        for (i, pair) in row.chunks_exact(2).enumerate() {
            let angle = position as f64 / 10000_f64.powf(2.0 * i as f64 / 16.0);
            assert!((f64::from(pair[0]) - angle.sin()).abs() < 1e-6);
            assert!((f64::from(pair[1]) - angle.cos()).abs() < 1e-6);
        }
    }
    assert!(!Object::keys(&positions.into()).includes(&"learned".into(), 0));
    // Longer than any text: refused, no memory taken.
    assert!(load().positions(1_000_000_000).is_err());
}

#[wasm_bindgen_test]
fn table_1_has_its_four_rows_and_two_of_section_4() {
    let rows = Array::from(&complexity(64, 512, 16, 4));
    assert_eq!(rows.length(), 6);
    assert_eq!(get(&rows.get(0), "layer"), "self_attention");
    assert_eq!(get(&rows.get(0), "operations"), f64::from(64 * 64 * 512));
}

#[wasm_bindgen_test]
fn a_view_sums_an_observation_up_by_words() {
    let (events, observed) = run(begun(&load(), PLAIN, OBSERVED));
    let source = get(&Array::from(&get(&events[0], "sentences")).get(0), "source");
    let options = json(r#"{ "unit": "words", "specialTokens": "hidden", "heads": "mean" }"#);
    let trace: Object = get(&observed, "trace").into();
    let target = get(&observed, "target");
    let views = view_trace(&trace, source.clone(), target.clone(), options)
        .unwrap_or_else(|failure| panic!("{:?}", code(failure)));
    let (_, shape) = numbers(&get(&views, "encoderSelf.values"));
    // "A girl reads." without its end mark, one mean head, two layers; the full stop is a word of its own.
    assert_eq!(shape, [2, 1, 4, 4]);
    let items = Array::from(&get(&views, "encoderSelf.rows"));
    let range: Vec<u32> = values_of(&get(&items.get(1), "range"));
    assert_eq!(
        (get(&items.get(1), "text"), range),
        ("girl".into(), vec![2, 6])
    );
    let (shown, _) = numbers(&get(&views, "cross.shown"));
    assert!(shown.iter().all(|left| (0.0..=1.0).contains(left)));
    let refused = view_trace(&trace, json("[]"), target, json("{}"));
    let (code, message) = code(refused.err().unwrap());
    assert!(
        code == "RequestInvalid" && message.contains("trace"),
        "{message}"
    );
    let odd = json(r#"{ "cross": { "data": 1, "shape": [2] } }"#);
    let refused = view_trace(&odd.into(), source, json("[]"), json("{}"));
    assert!(refused.is_err());
}

/// The numbers of a plain array.
fn values_of(array: &JsValue) -> Vec<u32> {
    let values = Array::from(array);
    values.iter().map(|n| n.as_f64().unwrap() as u32).collect()
}

#[wasm_bindgen_test]
fn a_sentence_is_steered_and_its_search_watched() {
    let translator = load();
    let off = r#"{ "heads": [{ "kind": "cross", "change": "off" }] }"#;
    let steered = |intervention: &str| {
        let options = format!(r#"{{ "maxExtra": 4, "nBest": 4, "intervention": {intervention} }}"#);
        let observe = json(r#"{ "sentence": 0, "request": { "cross": true }, "tree": true }"#);
        let job = translator
            .begin_sentence(
                "A girl reads. Dogs run.",
                json(&options),
                observe,
                JsValue::UNDEFINED,
            )
            .unwrap_or_else(|failure| panic!("{:?}", code(failure)));
        run(job)
    };
    let (events, observed) = steered(off);
    let (weights, _) = numbers(&get(&observed, "trace.cross"));
    assert!(
        weights.iter().all(|weight| *weight == 0.0),
        "heads that are off read nothing"
    );
    let of_kind = |kind: &str| {
        let found = events.iter().filter(|event| get(event, "kind") == kind);
        found.cloned().collect::<Vec<_>>()
    };
    let nodes = of_kind("nodes");
    let nodes: Vec<JsValue> = nodes
        .iter()
        .flat_map(|event| Array::from(&get(event, "nodes")).to_vec())
        .collect();
    let [sentence] = &of_kind("sentence")[..] else {
        panic!("one sentence")
    };
    // The best translation is what the tree says on the way to its node.
    let best = Array::from(&get(sentence, "nBest")).get(0);
    let mut at = get(&best, "node");
    let mut path = Vec::new();
    while let Some(id) = at.as_f64() {
        let node = &nodes[id as usize];
        assert_eq!(get(node, "id"), id);
        path.push(get(node, "token"));
        at = get(node, "parent");
    }
    path.reverse();
    let target = Array::from(&get(&best, "target"));
    let ids: Vec<JsValue> = target.iter().map(|piece| get(&piece, "id")).collect();
    assert_eq!(path, ids);

    let ids: Vec<u32> = ids.iter().map(|id| id.as_f64().unwrap() as u32).collect();
    let compared = |intervention| {
        translator
            .compare("A girl reads. Dogs run.", &ids, json(intervention))
            .unwrap_or_else(|failure| panic!("{:?}", code(failure)))
    };
    assert_eq!(get(&compared("{}"), "change"), 0);
    let changed = compared(off);
    let (after, found) = (get(&changed, "after"), get(&best, "logprob"));
    assert!((after.as_f64().unwrap() - found.as_f64().unwrap()).abs() < 1e-4);
    let refused = translator.compare(
        "A",
        &ids,
        json(r#"{ "heads": [{ "head": 9, "change": "off" }] }"#),
    );
    let (code, message) = code(refused.err().unwrap());
    assert!(
        code == "RequestInvalid" && message.contains("head 9"),
        "{message}"
    );
}

#[wasm_bindgen_test]
fn the_arithmetic_of_a_weight_has_its_shapes() {
    let translator = load();
    let cell = r#"{ "kind": "cross", "layer": 1, "head": 0, "query": 1, "key": 2 }"#;
    let steps = translator
        .arithmetic("A girl reads.", &[5, 6, 0], json(cell), JsValue::UNDEFINED)
        .unwrap_or_else(|failure| panic!("{:?}", code(failure)));
    assert_eq!(numbers(&get(&steps, "query")).1, [8]);
    assert_eq!(numbers(&get(&steps, "feedForward.hidden")).1, [32]);
    let (weights, shape) = numbers(&get(&steps, "weights"));
    assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    assert_eq!(numbers(&get(&steps, "contributions")).1, [shape[0], 8]);
    let missing = translator.arithmetic("A", &[0], JsValue::UNDEFINED, JsValue::UNDEFINED);
    assert_eq!(code(missing.err().unwrap()).0, "RequestInvalid");
}

#[wasm_bindgen_test]
fn the_laboratories_answer() {
    let translator = load();
    let lab = translator
        .positions_lab(40, 7, -3)
        .unwrap_or_else(|_| panic!("lab"));
    assert!(get(&lab, "error").as_f64().unwrap() < 1e-5);
    assert_eq!(numbers(&get(&lab, "rotations")).1, [8, 2, 2]);
    let piece = translator
        .embedding(true, 5, 3)
        .unwrap_or_else(|_| panic!("embedding"));
    // The model's positions stand in halves; what is told is in the paper's order.
    let positions = translator.positions(4).map_err(JsValue::from).unwrap();
    let (table, _) = numbers(&get(&positions, "sinusoidal"));
    assert_eq!(numbers(&get(&piece, "encoding")).0, table[3 * 16..4 * 16]);
    let sweep = json(r#"{ "over": "n", "from": 1, "to": 100, "points": 9 }"#);
    let curves = complexity_curves(1, 512, 16, 4, sweep).unwrap_or_else(|_| panic!("curves"));
    let (_, shape) = numbers(&get(&curves, "path"));
    assert_eq!(shape[0], 6);
    let graphs = path_graphs(4, 3, json(r#"{ "n": 8, "from": 0, "to": 7 }"#));
    let graphs = Array::from(&graphs.unwrap_or_else(|_| panic!("paths")));
    assert_eq!(get(&graphs.get(1), "length"), 8);
    let products = random_products(64, 2000, 1).unwrap_or_else(|_| panic!("products"));
    let scaled = get(&products, "scaledVariance").as_f64().unwrap();
    assert!((scaled - 1.0).abs() < 0.2, "{scaled}");
    let mut measuring = translator.measure(16).unwrap_or_else(|_| panic!("measure"));
    let found = loop {
        let found = measuring.step();
        if !found.is_undefined() {
            break found;
        }
    };
    for part in ["projectionsMs", "attentionMs", "recurrentMs"] {
        assert!(get(&found, part).as_f64().unwrap() > 0.0, "{part}");
    }
    assert!(translator.measure(0).is_err());
}
