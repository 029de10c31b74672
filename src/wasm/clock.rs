//! The clock of pages, workers and Node.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds.
    #[wasm_bindgen(js_namespace = performance)]
    pub fn now() -> f64;
}
