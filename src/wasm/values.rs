//! Values that cross: settings from plain objects, numbers as typed arrays.

use super::Failure;
use crate::Error;
use crate::checkpoint::weights::Content;
use crate::checkpoint::{FileSource, ModelFiles};
use crate::trace::Trace;
use crate::translator::{Comparison, JobEvent, Observation};
use js_sys::{Array, Float32Array, Map, Object, Reflect, Uint8Array};
use ndarray::{Array4, ArrayBase, Data, Dimension};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

/// Reads settings from a plain object; `undefined` means the defaults. Through JSON, so that a misspelt field is
/// noticed: reading by name would pass it over.
///
/// # Errors
/// `RequestInvalid` naming what was read and the field that does not fit.
pub fn read<T: DeserializeOwned + Default>(
    value: &JsValue,
    what: &'static str,
) -> Result<T, Failure> {
    if value.is_undefined() {
        return Ok(T::default());
    }
    read_required(value, what)
}

/// Reads a plain object that has no defaults.
///
/// # Errors
/// As [`read`].
pub fn read_required<T: DeserializeOwned>(
    value: &JsValue,
    what: &'static str,
) -> Result<T, Failure> {
    let invalid = |reason: String| {
        Failure::from(Error::RequestInvalid {
            field: what,
            reason,
        })
    };
    // Only a cycle or a BigInt has no JSON.
    let json = js_sys::JSON::stringify(value).map_err(|_| invalid("is no plain object".into()))?;
    if json.is_undefined() {
        return Err(invalid("is missing".into()));
    }
    serde_json::from_str(&String::from(json)).map_err(|error| {
        // The position in the intermediate JSON means nothing to the caller.
        let reason = error.to_string();
        invalid(reason.split(" at line ").next().unwrap_or_default().into())
    })
}

/// Reads settings that lie over others: what the object leaves out stays as in `base`.
///
/// # Errors
/// As [`read`].
pub fn read_over<T: Serialize + DeserializeOwned + Default>(
    base: &T,
    value: &JsValue,
    what: &'static str,
) -> Result<T, Failure> {
    let settings = Object::from(plain(base));
    if let Some(own) = Object::try_from(value) {
        for entry in Object::entries(own) {
            let entry = Array::from(&entry);
            // A fresh object takes every property.
            let _ = Reflect::set(&settings, &entry.get(0), &entry.get(1));
        }
    }
    read(&settings, what)
}

#[wasm_bindgen]
extern "C" {
    /// A file that is not in memory, of which ranges are read: `FileContent` of `types.d.ts`.
    #[derive(Clone, Debug)]
    pub type FileContent;

    #[wasm_bindgen(method, getter)]
    fn length(this: &FileContent) -> f64;

    #[wasm_bindgen(method, catch)]
    fn read(this: &FileContent, start: f64, end: f64) -> Result<Uint8Array, JsValue>;
}

/// The files of a model folder from a `Map` of name to `Uint8Array` or `FileContent`.
///
/// # Errors
/// `ModelFormat` naming a file that is missing or too large; `Io` naming one that cannot be read.
pub fn model_files(files: &Map) -> Result<ModelFiles<FileInJs>, Failure> {
    Ok(ModelFiles::gather(&Files(files))?)
}

struct Files<'m>(&'m Map);

impl Files<'_> {
    fn get(&self, name: &str) -> Option<FileInJs> {
        let file = self.0.get(&name.into());
        let bytes = match file.dyn_into::<Uint8Array>() {
            Ok(bytes) => Bytes::InMemory(bytes),
            Err(other) if other.is_object() => Bytes::Elsewhere(other.unchecked_into()),
            Err(_) => return None,
        };
        Some(FileInJs {
            name: name.to_owned(),
            bytes,
        })
    }
}

impl FileSource for Files<'_> {
    type Weights = FileInJs;

    fn size(&self, name: &str) -> crate::Result<Option<u64>> {
        Ok(self.get(name).map(|file| file.bytes.length()))
    }

    fn read(&self, name: &str) -> crate::Result<Vec<u8>> {
        let Some(file) = self.get(name) else {
            return Ok(Vec::new());
        };
        let mut bytes = vec![0; file.len()];
        Content::read(&file, 0, &mut bytes)?;
        Ok(bytes)
    }

    fn weights(&self, name: &str) -> crate::Result<FileInJs> {
        self.get(name).ok_or_else(|| Error::ModelFormat {
            name: name.to_owned(),
            reason: "is missing".into(),
        })
    }
}

/// A file that stays in JavaScript's hands.
#[derive(Clone, Debug)]
pub struct FileInJs {
    name: String,
    bytes: Bytes,
}

#[derive(Clone, Debug)]
enum Bytes {
    InMemory(Uint8Array),
    Elsewhere(FileContent),
}

impl Bytes {
    fn length(&self) -> u64 {
        match self {
            Self::InMemory(bytes) => bytes.length().into(),
            Self::Elsewhere(file) => file.length() as u64,
        }
    }
}

impl Content for FileInJs {
    fn len(&self) -> usize {
        // What is larger than the memory of 32 bits was refused.
        usize::try_from(self.bytes.length()).unwrap_or(usize::MAX)
    }

    fn read(&self, start: usize, out: &mut [u8]) -> crate::Result<()> {
        let end = start + out.len();
        assert!(end <= self.len());
        let unreadable = |reason: String| Error::Io {
            path: self.name.clone(),
            source: std::io::Error::other(reason),
        };
        let part = match &self.bytes {
            // In 32 bits of memory every length is one of 32 bits.
            Bytes::InMemory(bytes) => bytes.subarray(start as u32, end as u32),
            Bytes::Elsewhere(file) => file.read(start as f64, end as f64).map_err(|error| {
                let message = Reflect::get(&error, &"message".into());
                let message = message.ok().and_then(|message| message.as_string());
                unreadable(format!(
                    "could not be read: {}",
                    message.unwrap_or_else(|| "for no reason given".into())
                ))
            })?,
        };
        if part.length() as usize != out.len() {
            return Err(unreadable(
                "could not be read: it has another length by now".into(),
            ));
        }
        part.copy_to(out);
        Ok(())
    }
}

/// A block (layers, heads, rows, columns) of an object, if it is there.
///
/// # Errors
/// `RequestInvalid` naming the block if it is no tensor of four dimensions.
pub fn read_block(object: &Object, name: &'static str) -> Result<Option<Array4<f32>>, Failure> {
    let block = property(object, name);
    if block.is_undefined() {
        return Ok(None);
    }
    let shape: Vec<usize> = read(&property(&block, "shape"), name)?;
    let data = property(&block, "data").dyn_into::<Float32Array>();
    let data = data.map(|data| data.to_vec()).unwrap_or_default();
    let array = match shape[..] {
        [layers, heads, rows, columns] => {
            Array4::from_shape_vec((layers, heads, rows, columns), data).ok()
        }
        _ => None,
    };
    let Some(array) = array else {
        let reason = "is no tensor (layers, heads, rows, columns)".into();
        return Err(Error::RequestInvalid {
            field: name,
            reason,
        }
        .into());
    };
    Ok(Some(array))
}

/// A plain object of small metadata: maps become objects, absent values `null`.
pub fn plain(value: &impl Serialize) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    // These types hold nothing that JSON cannot: this never fails.
    value.serialize(&serializer).unwrap_or(JsValue::UNDEFINED)
}

/// The events of a job. The pieces of a translation and of its best hypothesis are one array, which is made, and sent to the
/// page, once.
pub fn events(mut events: Vec<JobEvent>) -> JsValue {
    for event in &mut events {
        if let JobEvent::Sentence { target, .. } = event {
            target.clear();
        }
    }
    let list = Array::from(&plain(&events));
    for (event, value) in events.iter().zip(list.iter()) {
        if matches!(event, JobEvent::Sentence { .. }) {
            let best = Array::from(&property(&value, "nBest")).get(0);
            set(value.unchecked_ref(), "target", &property(&best, "target"));
        }
    }
    list.into()
}

/// `{ data: Float32Array, shape: number[] }`.
pub fn tensor<S: Data<Elem = f32>, D: Dimension>(array: &ArrayBase<S, D>) -> JsValue {
    let standard = array.as_standard_layout();
    let data = Float32Array::from(standard.as_slice().unwrap_or_default());
    let shape: Array = array.shape().iter().map(|n| JsValue::from(*n)).collect();
    object([("data", data.into()), ("shape", shape.into())]).into()
}

/// An object of these properties.
pub fn object<const N: usize>(properties: [(&str, JsValue); N]) -> Object {
    let object = Object::new();
    for (name, value) in properties {
        set(&object, name, &value);
    }
    object
}

/// A property; `undefined` where there is none.
fn property(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &name.into()).unwrap_or_default()
}

/// Sets a property of an object of ours, which cannot fail.
pub fn set(object: &Object, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}

/// The protocol's `Trace`: the requested blocks only.
fn trace(trace: &Trace) -> JsValue {
    let object = Object::new();
    for (name, block) in [
        ("encoderSelf", &trace.encoder_self),
        ("decoderSelf", &trace.decoder_self),
        ("cross", &trace.cross),
        ("encoderSelfNorms", &trace.encoder_self_norms),
        ("decoderSelfNorms", &trace.decoder_self_norms),
        ("crossNorms", &trace.cross_norms),
    ] {
        if let Some(block) = block {
            set(&object, name, &tensor(block));
        }
    }
    for (name, block) in [
        ("sourceEmbedding", &trace.source_embedding),
        ("targetEmbedding", &trace.target_embedding),
        ("memory", &trace.memory),
        ("decoderOutput", &trace.decoder_output),
        ("alignment", &trace.alignment),
    ] {
        if let Some(block) = block {
            set(&object, name, &tensor(block));
        }
    }
    object.into()
}

/// The protocol's `Observation`.
pub fn observation(observed: &Observation) -> Object {
    object([
        ("sentence", observed.sentence.into()),
        ("final", observed.is_final.into()),
        ("target", plain(&observed.target)),
        ("text", (&observed.text).into()),
        ("steps", plain(&observed.steps)),
        ("trace", trace(&observed.trace)),
    ])
}

/// The protocol's `Comparison`.
pub fn comparison(found: &Comparison) -> Object {
    let [before, after, change] = found.sums();
    object([
        ("target", plain(&found.target)),
        ("before", before.into()),
        ("beforePieces", floats(&found.before)),
        ("after", after.into()),
        ("afterPieces", floats(&found.after)),
        ("change", change.into()),
        ("changePieces", floats(&found.changes())),
    ])
}

/// A typed array.
pub fn floats(values: &[f32]) -> JsValue {
    Float32Array::from(values).into()
}
