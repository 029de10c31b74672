//! Positions, embeddings and Table 1 as JavaScript sees them.

use super::values::{floats, object, plain, set, tensor};
use crate::lab::{Curves, EmbeddingSteps, PositionLab};
use js_sys::Object;
use ndarray::Array1;
use wasm_bindgen::JsValue;

/// The protocol's `PositionsLab`.
pub fn position_lab(
    lab: &PositionLab,
    (position, offset): (usize, i32),
    learned: Option<Array1<f32>>,
) -> JsValue {
    let object = object([
        ("position", position.into()),
        ("offset", offset.into()),
        ("products", tensor(&lab.products)),
        ("angles", floats(&lab.angles.to_vec())),
        ("rotations", tensor(&lab.rotations)),
        ("encoding", tensor(&lab.encoding)),
        ("rotated", tensor(&lab.rotated)),
        ("shifted", tensor(&lab.shifted)),
        ("error", lab.error.into()),
        ("checked", lab.checked.into()),
    ]);
    if let Some(learned) = learned {
        set(&object, "learnedProducts", &tensor(&learned));
    }
    object.into()
}

/// The protocol's `EmbeddingSteps`.
pub fn embedding(text: &str, steps: &EmbeddingSteps) -> JsValue {
    Object::into(object([
        ("text", text.into()),
        ("position", steps.position.into()),
        ("scale", steps.scale.into()),
        ("embedding", tensor(&steps.embedding)),
        ("scaled", tensor(&steps.scaled)),
        ("encoding", tensor(&steps.encoding)),
        ("sum", tensor(&steps.sum)),
    ]))
}

/// The protocol's `ComplexityCurves`.
pub fn curves(over: JsValue, curves: &Curves) -> JsValue {
    let at: Vec<f32> = curves.at.iter().map(|value| *value as f32).collect();
    Object::into(object([
        ("over", over),
        ("at", floats(&at)),
        ("layers", plain(&curves.layers)),
        ("operations", tensor(&curves.operations)),
        ("total", tensor(&curves.total)),
        ("sequential", tensor(&curves.sequential)),
        ("path", tensor(&curves.path)),
    ]))
}
