//! The arithmetic of one weight as JavaScript sees it.

use super::values::{object, plain, set, tensor};
use crate::Config;
use crate::lab::{Arithmetic, FeedForwardSteps, NormSteps};
use js_sys::Object;
use wasm_bindgen::JsValue;

/// The protocol's `Arithmetic`.
pub fn arithmetic(steps: &Arithmetic, config: &Config) -> JsValue {
    let object = object([
        ("cell", plain(&steps.cell)),
        ("compatibility", plain(&config.compatibility)),
        ("sum", steps.sum.into()),
        ("divisor", steps.divisor.into()),
        ("score", (steps.sum / steps.divisor).into()),
        ("maximum", steps.maximum.into()),
        ("exponentialSum", steps.exponential_sum.into()),
        ("entropyScaled", steps.entropy_scaled.into()),
        ("entropyUnscaled", steps.entropy_unscaled.into()),
        (
            "normPlace",
            if steps.norm_before { "before" } else { "after" }.into(),
        ),
        ("norm", norm(&steps.norm)),
        ("feedForward", feed_forward(&steps.feed_forward)),
        ("feedForwardNorm", norm(&steps.feed_forward_norm)),
        ("statistics", plain(&steps.statistics)),
        ("values", tensor(&steps.values)),
        ("contributions", tensor(&steps.contributions)),
    ]);
    for (name, vector) in [
        ("xQuery", &steps.x_query),
        ("xKey", &steps.x_key),
        ("query", &steps.query),
        ("key", &steps.key),
        ("value", &steps.value),
        ("queryBias", &steps.query_bias),
        ("keyBias", &steps.key_bias),
        ("valueBias", &steps.value_bias),
        ("products", &steps.products),
        ("mask", &steps.mask),
        ("scores", &steps.scores),
        ("exponentials", &steps.exponentials),
        ("weights", &steps.weights),
        ("weightsScaled", &steps.weights_scaled),
        ("weightsUnscaled", &steps.weights_unscaled),
        ("norms", &steps.norms),
        ("head", &steps.head),
        ("concatenation", &steps.concatenation),
        ("headOutput", &steps.head_output),
        ("outputBias", &steps.output_bias),
        ("output", &steps.output),
        ("residual", &steps.residual),
        ("residualSum", &steps.residual_sum),
        ("feedForwardResidual", &steps.feed_forward_residual),
        ("feedForwardSum", &steps.feed_forward_sum),
        ("layerOutput", &steps.layer_output),
    ] {
        set(&object, name, &tensor(vector));
    }
    if let Some(hidden) = &steps.additive_hidden {
        set(&object, "additiveHidden", &tensor(hidden));
    }
    object.into()
}

fn norm(steps: &NormSteps) -> JsValue {
    Object::into(object([
        ("input", tensor(&steps.input)),
        ("mean", steps.mean.into()),
        ("variance", steps.variance.into()),
        ("normalised", tensor(&steps.normalised)),
        ("gain", tensor(&steps.gain)),
        ("bias", tensor(&steps.bias)),
        ("output", tensor(&steps.output)),
    ]))
}

fn feed_forward(steps: &FeedForwardSteps) -> JsValue {
    Object::into(object([
        ("input", tensor(&steps.input)),
        ("inner", tensor(&steps.inner)),
        ("hidden", tensor(&steps.hidden)),
        ("active", steps.active().into()),
        ("activation", plain(&steps.activation)),
        ("output", tensor(&steps.output)),
    ]))
}
