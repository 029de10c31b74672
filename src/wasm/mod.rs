//! The JavaScript face: `wasm-bindgen` types over [`crate::translator`]. No logic stands here.
//!
//! Errors cross as `Error` with a `code` ([`crate::Error::code`]), numbers as typed arrays, small metadata as
//! plain objects; their types, `www/engine/types.d.ts`, are written from the Rust types (`tests/types.mjs`) and are part
//! of the generated `.d.ts`.
// These comments are read in the `.d.ts`: there *Throws* says what `# Errors` says elsewhere.
#![allow(clippy::missing_errors_doc)]

mod arithmetic;
#[cfg(feature = "bench")]
mod bench;
mod clock;
mod error;
mod job;
mod lab_values;
mod loading;
mod measure;
mod translator;
mod values;
mod view;

#[cfg(feature = "bench")]
pub use bench::Products;
pub use error::Failure;
pub use job::Job;
pub use loading::{Loading, Quantizing};
pub use measure::Measuring;
pub use translator::Translator;
pub use view::view_trace;

use crate::checkpoint::quantize::quantize_files;
use crate::lab::{self, Ends, Order, Sweep};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("../../www/engine/types.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const FILE_CONTENT: &str = "
/** A file that is not in memory: its ranges are read when they are needed, what `read` gave until the next call. */
export interface FileContent {
  readonly length: number;
  read(start: number, end: number): Uint8Array;
}
";

/// A panic is a bug: logs its location and message to the console before the instance stops.
#[wasm_bindgen(start)]
fn start() {
    console_error_panic_hook::set_once();
}

/// The SIMD instructions that this build uses: `relaxed-simd`, `simd128` or `none`.
#[wasm_bindgen(js_name = simdLevel)]
pub fn simd_level() -> String {
    if cfg!(target_feature = "relaxed-simd") {
        "relaxed-simd"
    } else if cfg!(target_feature = "simd128") {
        "simd128"
    } else {
        "none"
    }
    .into()
}

/// The engine's version.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}

/// The files of a model folder with 8-bit matrices, by name: those that differ from the folder given. Its other
/// weights (`pytorch_model.bin`, parts) go, everything else stays.
///
/// Throws as `Translator.load` does.
#[wasm_bindgen(js_name = quantizeFolder, unchecked_return_type = "Map<string, Uint8Array<ArrayBuffer>>")]
pub fn quantize_folder(
    #[wasm_bindgen(unchecked_param_type = "Map<string, Uint8Array | FileContent>")]
    files: &js_sys::Map,
) -> Result<js_sys::Map, Failure> {
    let changed = js_sys::Map::new();
    for (name, bytes) in quantize_files(&values::model_files(files)?)? {
        changed.set(&name.into(), &js_sys::Uint8Array::from(&bytes[..]).into());
    }
    Ok(changed)
}

/// The language of a text (`en`, `de`, `fr`, `es`) where it is plain.
#[wasm_bindgen(js_name = detectLanguage)]
pub fn detect_language(text: &str) -> Option<String> {
    crate::text::language::detect(text).map(str::to_owned)
}

/// Footnote 4 of the paper on random vectors of d_k components.
///
/// Throws `RequestInvalid` naming the number that is outside its domain.
#[wasm_bindgen(js_name = randomProducts, unchecked_return_type = "RandomProducts")]
pub fn random_products(d_k: usize, samples: usize, seed: u32) -> Result<JsValue, Failure> {
    let found = lab::RandomProducts::draw(d_k, samples, seed)?;
    Ok(values::plain(&found))
}

/// The rows of Table 1, and two more of §4, for sequence length `n`, width `d`, neighbourhood `r` and kernel `k`.
#[wasm_bindgen(unchecked_return_type = "ComplexityRow[]")]
pub fn complexity(n: usize, d: usize, r: usize, k: usize) -> JsValue {
    values::plain(&lab::complexity(Order { n, d, k, r }))
}

/// The same as curves over one variable: `{ over, from, to, points }`.
///
/// Throws `RequestInvalid` if they have no points, or too many.
#[wasm_bindgen(js_name = complexityCurves, unchecked_return_type = "ComplexityCurves")]
pub fn complexity_curves(
    n: usize,
    d: usize,
    r: usize,
    k: usize,
    sweep: JsValue,
) -> Result<JsValue, Failure> {
    let sweep: Sweep = values::read_required(&sweep, "curves")?;
    let curves = lab::curves(Order { n, d, k, r }, sweep)?;
    Ok(lab_values::curves(values::plain(&sweep.over), &curves))
}

/// Graphs of the layer types with the way between two positions: `{ n, from, to }`.
///
/// Throws `RequestInvalid` if there are too many positions, or the ends are not among them.
#[wasm_bindgen(js_name = pathGraphs, unchecked_return_type = "PathGraph[]")]
pub fn path_graphs(r: usize, k: usize, ends: JsValue) -> Result<JsValue, Failure> {
    let ends: Ends = values::read_required(&ends, "paths")?;
    let order = Order {
        n: ends.n,
        d: 1,
        k,
        r,
    };
    Ok(values::plain(&lab::paths(order, ends)?))
}
