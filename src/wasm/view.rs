//! Observed blocks summed up, from JavaScript to JavaScript.

use super::{Failure, values};
use crate::trace::AttentionKind;
use crate::trace::aggregate::{self, Labels, Measure, PieceLabel, ViewOptions};
use js_sys::Object;
use wasm_bindgen::prelude::*;

/// The blocks of a trace that can be summed up.
const BLOCKS: [(&str, AttentionKind, Measure); 6] = [
    ("encoderSelf", AttentionKind::EncoderSelf, Measure::Weights),
    ("decoderSelf", AttentionKind::DecoderSelf, Measure::Weights),
    ("cross", AttentionKind::Cross, Measure::Weights),
    (
        "encoderSelfNorms",
        AttentionKind::EncoderSelf,
        Measure::Norms,
    ),
    (
        "decoderSelfNorms",
        AttentionKind::DecoderSelf,
        Measure::Norms,
    ),
    ("crossNorms", AttentionKind::Cross, Measure::Norms),
];

/// Sums up the blocks of a trace by words, means, or without special pieces. Needs no model.
///
/// Throws `RequestInvalid` naming what does not fit.
#[wasm_bindgen(js_name = viewTrace, unchecked_return_type = "TraceView")]
pub fn view_trace(
    #[wasm_bindgen(unchecked_param_type = "Trace")] trace: &Object,
    #[wasm_bindgen(unchecked_param_type = "Piece[]")] source: JsValue,
    #[wasm_bindgen(unchecked_param_type = "Piece[]")] target: JsValue,
    #[wasm_bindgen(unchecked_param_type = "ViewOptions")] options: JsValue,
) -> Result<JsValue, Failure> {
    let source: Vec<PieceLabel> = values::read(&source, "source")?;
    let target: Vec<PieceLabel> = values::read(&target, "target")?;
    let options: ViewOptions = values::read(&options, "options")?;
    let labels = Labels {
        source: &source,
        target: &target,
    };
    let views = Object::new();
    for (name, kind, measure) in BLOCKS {
        let Some(block) = values::read_block(trace, name)? else {
            continue;
        };
        let view = aggregate::view(kind, measure, block.view(), labels, options)?;
        let object = values::object([
            ("values", values::tensor(&view.values)),
            ("rows", values::plain(&view.rows)),
            ("cols", values::plain(&view.cols)),
        ]);
        if let Some(shown) = &view.shown {
            values::set(&object, "shown", &values::tensor(shown));
        }
        values::set(&views, name, &object);
    }
    Ok(views.into())
}
