//! What a prediction depends on, as JavaScript asks it.

use super::{Failure, object};
use crate::attribution::{Attributor as Core, Shares, rank_correlation};
use crate::error::Error;
use js_sys::{Float32Array, Map, Uint8Array};
use translucent::checkpoint::ModelFiles;
use translucent::checkpoint::weights::WeightFile;
use wasm_bindgen::prelude::*;

/// A model whose predictions can be asked about.
#[wasm_bindgen]
pub struct Attributor(Core);

#[wasm_bindgen]
impl Attributor {
    /// The model of a folder's files by name: `config.json` and `model.safetensors` are read.
    ///
    /// Throws `ModelFormat`, `ConfigInvalid`, `ShapeMismatch`, or `SettingInvalid` if its layout is not the paper's.
    pub fn load(
        #[wasm_bindgen(unchecked_param_type = "Map<string, Uint8Array>")] files: &Map,
    ) -> Result<Attributor, Failure> {
        let file = |name: &str| {
            let bytes: Option<Uint8Array> = files.get(&name.into()).dyn_into().ok();
            let missing = || Failure(Error::Setting(format!("the model has no {name}")));
            bytes.map(|bytes| bytes.to_vec()).ok_or_else(missing)
        };
        let files = ModelFiles {
            config: file("config.json")?,
            weights: vec![WeightFile::safetensors(file("model.safetensors")?)],
            ..ModelFiles::default()
        };
        Ok(Self(Core::from_files(&files)?))
    }

    /// Asks about piece `step` of a target (ids without the start symbol), given a source (ids with its end mark).
    ///
    /// Throws `SettingInvalid` naming a piece that the model does not have, or a sentence that is too long.
    #[wasm_bindgen(unchecked_return_type = "Dependence")]
    pub fn ask(&mut self, source: &[u32], target: &[u32], step: usize) -> Result<JsValue, Failure> {
        let found = self.0.ask(source, target, step)?;
        let attention = &found.attention;
        Ok(object([
            ("logprob", found.logprob.into()),
            ("gradientInput", shares(&found.gradient_input)),
            ("cross", floats(&attention.cross)),
            ("mean", pair(&attention.mean, &attention.mean_input)),
            (
                "rollout",
                pair(&attention.rollout, &attention.rollout_input),
            ),
        ]))
    }

    /// Goes on with the integrated gradients of the piece that was asked about.
    #[wasm_bindgen(unchecked_return_type = "Integral")]
    pub fn integrate(&mut self) -> JsValue {
        let found = self.0.integrate();
        object([
            ("steps", found.steps.into()),
            ("done", found.is_done().into()),
            ("sum", found.sum().into()),
            ("difference", found.difference.into()),
            ("shares", shares(&found.shares)),
        ])
    }

    /// What leaving out source pieces from `first` on takes from log p, as many as one batch has; none at the end.
    #[wasm_bindgen(js_name = leaveOut)]
    pub fn leave_out(&mut self, first: usize) -> Vec<f64> {
        self.0.leave_out(first)
    }
}

/// Spearman's rank correlation; undefined where all values of one list are the same.
#[wasm_bindgen(js_name = rankCorrelation)]
pub fn rank_correlation_of(a: &[f32], b: &[f32]) -> Option<f64> {
    rank_correlation(a, b)
}

fn floats(values: &[f32]) -> JsValue {
    Float32Array::from(values).into()
}

fn pair(source: &[f32], input: &[f32]) -> JsValue {
    object([("source", floats(source)), ("input", floats(input))])
}

fn shares(Shares { source, input }: &Shares) -> JsValue {
    pair(source, input)
}
