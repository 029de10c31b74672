//! The JavaScript face of the learning package. No logic stands here.
//!
//! Errors cross as `Error` with a `code` ([`Error::code`]); weights and maps as typed arrays; everything else as plain
//! objects, through JSON.
#![allow(clippy::missing_errors_doc)]

mod attribution;

use crate::{Answer, Error, Run, Settings, Task, Vocabulary};
use js_sys::{Array, Float32Array, JSON, Map, Object, Reflect, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use translucent::random::SplitMix64;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("../types.d.ts");

/// A panic is a bug: its place and message go to the console before the instance stops.
#[wasm_bindgen(start)]
fn start() {
    console_error_panic_hook::set_once();
}

/// An error on its way to JavaScript.
pub struct Failure(Error);

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl From<Failure> for JsValue {
    fn from(Failure(error): Failure) -> Self {
        let value = JsValue::from(JsError::new(&error.to_string()));
        // Setting a property of a fresh `Error` cannot fail.
        let _ = Reflect::set(&value, &"code".into(), &error.code().into());
        value
    }
}

fn read<T: DeserializeOwned>(value: &JsValue, what: &str) -> Result<T, Failure> {
    let invalid = |reason: &str| Failure(Error::Setting(format!("{what}: {reason}")));
    let json = JSON::stringify(value).map_err(|_| invalid("no plain object"))?;
    let json = json.as_string().ok_or_else(|| invalid("missing"))?;
    serde_json::from_str(&json).map_err(|error| {
        let reason = error.to_string();
        invalid(reason.split(" at line ").next().unwrap_or_default())
    })
}

fn plain(value: &impl Serialize) -> JsValue {
    let json = serde_json::to_string(value).unwrap_or_default();
    JSON::parse(&json).unwrap_or(JsValue::UNDEFINED)
}

fn object<const N: usize>(properties: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in properties {
        // A fresh object takes every property.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

fn pairs_array(pairs: impl Iterator<Item = (String, String)>) -> Array {
    pairs
        .map(|(source, target)| Array::of2(&source.into(), &target.into()))
        .collect()
}

/// A task: one of ours by its name, or `{ pairs, words }`, the lines of own pairs.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum TaskChoice {
    Named(String),
    Pairs { pairs: String, words: bool },
}

fn task(value: &JsValue) -> Result<Task, Failure> {
    Ok(match read(value, "task")? {
        TaskChoice::Named(name) => Task::named(&name)?,
        TaskChoice::Pairs { pairs, words } => Task::of_pairs(&pairs, words)?,
    })
}

/// The settings that a run has where nothing else is said.
#[wasm_bindgen(js_name = defaultSettings, unchecked_return_type = "Settings")]
pub fn default_settings() -> JsValue {
    plain(&Settings::default())
}

/// Checks settings, and estimates what a run with them needs.
///
/// Throws `SettingInvalid` naming what contradicts what.
#[wasm_bindgen(unchecked_return_type = "Described")]
pub fn describe(
    #[wasm_bindgen(unchecked_param_type = "TaskChoice")] choice: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "Settings")] settings: &JsValue,
) -> Result<JsValue, Failure> {
    let task = task(choice)?;
    let settings: Settings = read(settings, "settings")?;
    let bytes = settings.memory(&task)?;
    let draw = |held_out: bool| {
        // Not the seed of a run: these are examples only.
        let mut random = SplitMix64::new(u64::from(held_out));
        pairs_array((0..4).map(|_| task.draw(&mut random, held_out)))
    };
    Ok(object([
        ("rule", task.rule().into()),
        ("memory", (bytes as f64).into()),
        ("pieces", task.vocabulary().pieces().len().into()),
        ("examples", draw(false).into()),
        ("heldOut", draw(true).into()),
    ]))
}

/// A run in training.
#[wasm_bindgen]
pub struct Learner(Run);

#[wasm_bindgen]
impl Learner {
    /// A run at its first step.
    ///
    /// Throws as `describe`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "TaskChoice")] choice: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Settings")] settings: &JsValue,
    ) -> Result<Learner, Failure> {
        Ok(Self(Run::new(task(choice)?, read(settings, "settings")?)?))
    }

    /// The run that `save` stored.
    ///
    /// Throws `StoredRun` if the bytes are no such run.
    pub fn restore(bytes: &[u8]) -> Result<Learner, Failure> {
        Ok(Self(Run::restore(bytes)?))
    }

    /// The run as bytes: weights, moments, random states.
    pub fn save(&self) -> Result<Vec<u8>, Failure> {
        Ok(self.0.save()?)
    }

    /// Steps so far.
    #[wasm_bindgen(getter)]
    pub fn steps(&self) -> f64 {
        self.0.steps() as f64
    }

    /// Number of weights.
    #[wasm_bindgen(getter)]
    pub fn weights(&self) -> usize {
        self.0.parameters().values.len()
    }

    /// Trains on one batch: [step, learning rate, smoothed loss, loss, gradient norm, tokens].
    ///
    /// Throws `Diverged` if the loss is no number; the weights are then as before the step.
    pub fn step(&mut self) -> Result<Vec<f64>, Failure> {
        let step = self.0.step()?;
        Ok(vec![
            step.step as f64,
            step.learning_rate,
            step.loss.mean_smoothed(),
            step.loss.mean_nll(),
            step.gradient_norm,
            step.loss.tokens as f64,
        ])
    }

    /// Measures on the first `pairs` held-out pairs: [loss, exact matches].
    pub fn measure(&mut self, pairs: usize) -> Result<Vec<f64>, Failure> {
        let measured = self.0.measure(pairs)?;
        Ok(vec![measured.loss.mean_nll(), measured.exact as f64])
    }

    /// The greedy answer to an input, with its maps.
    ///
    /// Throws `SettingInvalid` naming a piece that the task does not have.
    #[wasm_bindgen(unchecked_return_type = "Answer")]
    pub fn answer(&mut self, text: &str) -> Result<JsValue, Failure> {
        let answer = self.0.answer(text)?;
        Ok(answer_object(&answer, self.0.vocabulary()))
    }

    /// The tensors: name, shape, and where their values begin among all weights.
    #[wasm_bindgen(unchecked_return_type = "TensorEntry[]")]
    pub fn tensors(&self) -> Array {
        let entries = self.0.parameters().entries().iter();
        entries
            .map(|entry| {
                object([
                    ("name", (&entry.name).into()),
                    ("shape", plain(&entry.shape)),
                    ("start", entry.range.start.into()),
                ])
            })
            .collect()
    }

    /// The last step's update of one weight, by its place among all weights; undefined before the first step.
    ///
    /// Throws `SettingInvalid` if there is no such weight.
    #[wasm_bindgen(js_name = lastUpdate, unchecked_return_type = "WeightUpdate | undefined")]
    pub fn last_update(&mut self, weight: usize) -> Result<JsValue, Failure> {
        let weights = self.weights();
        if weight >= weights {
            return Err(Failure(Error::Setting(format!(
                "weight {weight}: the model has {weights}"
            ))));
        }
        Ok(self
            .0
            .last_update(weight)
            .map_or(JsValue::UNDEFINED, |update| plain(&update)))
    }

    /// The files of a model folder with the present weights.
    #[wasm_bindgen(unchecked_return_type = "Map<string, Uint8Array<ArrayBuffer>>")]
    pub fn folder(&self) -> Result<Map, Failure> {
        let files = Map::new();
        for (name, bytes) in self.0.folder()? {
            files.set(&name.into(), &Uint8Array::from(&bytes[..]).into());
        }
        Ok(files)
    }
}

fn answer_object(answer: &Answer, vocabulary: &Vocabulary) -> JsValue {
    let labels = |ids: &[u32]| -> JsValue {
        let label = |id: &u32| match *id {
            Vocabulary::END => JsValue::from("⟨/s⟩"),
            id if id == vocabulary.start() => JsValue::from("⟨s⟩"),
            id => JsValue::from(vocabulary.decode(&[id])),
        };
        ids.iter().map(label).collect::<Array>().into()
    };
    let map = |layers: &[Vec<f32>], queries: usize, keys: usize| {
        let data = Float32Array::from(&layers.concat()[..]);
        let heads = layers
            .first()
            .map_or(0, |layer| layer.len() / queries / keys);
        let shape = plain(&[layers.len(), heads, queries, keys]);
        object([("data", data.into()), ("shape", shape)])
    };
    let (n, m) = (answer.input.len(), answer.source.len());
    let maps = &answer.maps;
    object([
        ("text", (&answer.text).into()),
        ("source", labels(&answer.source)),
        ("input", labels(&answer.input)),
        ("predicted", labels(&answer.predicted)),
        ("probabilities", plain(&answer.probabilities)),
        ("encoderSelf", map(&maps.encoder_self, m, m)),
        ("decoderSelf", map(&maps.decoder_self, n, n)),
        ("cross", map(&maps.cross, n, m)),
    ])
}
