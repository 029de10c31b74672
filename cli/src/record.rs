//! The page's recorded example: the worker's answers for one sentence in ≤ 60 KB.
//!
//! The format is `RecordedFile` of `www/engine/protocol.d.ts`; `www/app/recorded.js` reads it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value, json};
use translucent::model::Seq2Seq;
use translucent::model::config::Positions;
use translucent::model::sinusoidal;
use translucent::search::SearchOptions;
use translucent::trace::{Trace, TraceRequest};
use translucent::translator::{
    DocumentOptions, JobEvent, Observation, Observe, Offsets, Subwords, Translator,
};
use translucent::{Error, Result};

/// Largest file that the page is to wait for before it shows anything.
pub const MOST_BYTES: usize = 60_000;

/// Next-piece probabilities that are recorded for every step.
const ALTERNATIVES: usize = 6;

/// Translates one sentence as the page's worker does, everything observed. `model` is the `ModelInfo` to show.
///
/// # Errors
/// [`Error::RequestInvalid`] if the text is not one sentence, or its record is larger than [`MOST_BYTES`];
/// whatever the translation reports.
pub fn record<M: Seq2Seq, T: Subwords>(
    translator: &Translator<M, T>,
    text: &str,
    search: &SearchOptions,
    model: Value,
) -> Result<String> {
    let request = TraceRequest::attention().with_hidden();
    let mut options = DocumentOptions::new(search.clone());
    options.offsets = Offsets::Utf16;
    let mut observe = Observe::new(0, request);
    observe.alternatives = ALTERNATIVES;
    options.observe = Some(observe);
    let mut job = translator.job(text, &options)?;
    let mut answers = Vec::new();
    let mut longest = 0;
    while !job.is_done() {
        for event in job.step(translator)? {
            match &event {
                JobEvent::Sentences { sentences } => match &sentences[..] {
                    [sentence] => longest = sentence.source.len(),
                    _ => {
                        return invalid(format!(
                            "has {} sentences, it must be one",
                            sentences.len()
                        ));
                    }
                },
                JobEvent::Sentence { target, .. } => longest = longest.max(target.len()),
                _ => {}
            }
            if let JobEvent::Translated(_) = event {
                if let Some(observed) = job.observation(translator) {
                    answers.push(trace_answer(&observed));
                }
                let mut result = serde_json::to_value(&event).unwrap_or_default();
                // Nobody waited for a recording: its times would mean nothing.
                result["firstTokenMs"] = json!(0);
                result["totalMs"] = json!(0);
                answers.push(json!({ "type": "done", "id": 0, "result": result }));
            } else {
                answers.push(json!({ "type": "event", "id": 0, "event": event }));
            }
        }
    }
    let d_model = translator.model().config().d_model;
    let positions = sinusoidal(longest, d_model, Positions::SinusoidalInterleaved);
    let file = json!({
        "format": 1,
        "text": text,
        "model": model,
        "answers": answers,
        "positions": vectors(positions.shape(), positions.iter().copied()),
    });
    let json = rounded(file).to_string() + "\n";
    if json.len() > MOST_BYTES {
        return invalid(format!(
            "gives {} bytes, the record must have at most {MOST_BYTES}: choose a shorter sentence",
            json.len()
        ));
    }
    Ok(json)
}

/// Log-probabilities, scores and probabilities to five digits, as they are shown; scales keep all of theirs.
fn rounded(value: Value) -> Value {
    match value {
        Value::Number(n) if n.is_f64() => n
            .as_f64()
            .and_then(|x| format!("{x:.4e}").parse::<f64>().ok())
            .map_or(Value::Null, Value::from),
        Value::Array(values) => values.into_iter().map(rounded).collect(),
        Value::Object(map) if map.contains_key("packed") => map.into(),
        Value::Object(map) => map
            .into_iter()
            .map(|(name, inner)| (name, rounded(inner)))
            .collect(),
        other => other,
    }
}

fn invalid<T>(reason: String) -> Result<T> {
    Err(Error::RequestInvalid {
        field: "text",
        reason,
    })
}

fn trace_answer(observed: &Observation) -> Value {
    json!({
        "type": "trace",
        "id": 0,
        "sentence": observed.sentence,
        "final": observed.is_final,
        "target": observed.target,
        "text": observed.text,
        "steps": observed.steps,
        "trace": packed(&observed.trace),
    })
}

/// The protocol's `Trace` with every tensor packed.
fn packed(trace: &Trace) -> Value {
    let mut object = Map::new();
    for (name, block) in [
        ("encoderSelf", &trace.encoder_self),
        ("decoderSelf", &trace.decoder_self),
        ("cross", &trace.cross),
    ] {
        if let Some(block) = block {
            let values = block.iter().copied();
            object.insert(name.into(), weights(block.shape(), values));
        }
    }
    for (name, block) in [
        ("sourceEmbedding", &trace.source_embedding),
        ("targetEmbedding", &trace.target_embedding),
        ("memory", &trace.memory),
        ("decoderOutput", &trace.decoder_output),
    ] {
        if let Some(block) = block {
            let values = block.iter().copied();
            object.insert(name.into(), vectors(block.shape(), values));
        }
    }
    object.into()
}

/// Weights in [0, 1] as u16: exact to half a step of 1 / 65535.
fn weights(shape: &[usize], values: impl Iterator<Item = f32>) -> Value {
    let top = f32::from(u16::MAX);
    let bytes = values.flat_map(|w| ((w * top).round() as u16).to_le_bytes());
    let data = BASE64.encode(bytes.collect::<Vec<u8>>());
    json!({ "packed": "u16", "shape": shape, "scale": 1.0 / f64::from(u16::MAX), "data": data })
}

/// Signed values as i8: exact to 1 / 254 of the largest magnitude.
fn vectors(shape: &[usize], values: impl Iterator<Item = f32> + Clone) -> Value {
    let largest = values
        .clone()
        .fold(f32::MIN_POSITIVE, |m, x| m.max(x.abs()));
    let scale = largest / 127.0;
    let bytes = values.flat_map(|x| ((x / scale).round() as i8).to_le_bytes());
    let data = BASE64.encode(bytes.collect::<Vec<u8>>());
    json!({ "packed": "i8", "shape": shape, "scale": scale, "data": data })
}
