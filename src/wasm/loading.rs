//! Work over all of a model's weights, in steps that JavaScript makes: between two of them a file that is not in memory is read ahead.

use super::{Failure, Translator, values};
use crate::checkpoint;
use wasm_bindgen::prelude::*;

/// The building of a model, in steps of a few milliseconds.
#[wasm_bindgen]
pub struct Loading(checkpoint::Loading<'static>);

#[wasm_bindgen]
impl Loading {
    /// Begins to build the model from the files of its folder, as `Translator.load`.
    ///
    /// Throws as `Translator.load` does.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "Map<string, Uint8Array | FileContent>")]
        files: &js_sys::Map,
    ) -> Result<Loading, Failure> {
        Ok(Self(values::model_files(files)?.loading()?))
    }

    /// Reads some of the weights; returns whether there were any.
    ///
    /// Throws as `Translator.load` does.
    pub fn step(&mut self) -> Result<bool, Failure> {
        Ok(self.0.step()?)
    }

    /// Reads what is left.
    ///
    /// Throws as `Translator.load` does.
    pub fn finish(self) -> Result<Translator, Failure> {
        Ok(Translator::new(self.0.finish()?))
    }
}

/// The making of a folder with 8-bit matrices, in steps of a few milliseconds.
#[wasm_bindgen]
pub struct Quantizing(checkpoint::quantize::Quantizing<'static>);

#[wasm_bindgen]
impl Quantizing {
    /// Begins; see `quantizeFolder`.
    ///
    /// Throws as `Translator.load` does.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "Map<string, Uint8Array | FileContent>")]
        files: &js_sys::Map,
    ) -> Result<Quantizing, Failure> {
        Ok(Self(values::model_files(files)?.quantizing()?))
    }

    /// Quantises some of the weights; returns whether there were any.
    ///
    /// Throws as `Translator.load` does.
    pub fn step(&mut self) -> Result<bool, Failure> {
        Ok(self.0.step()?)
    }

    /// Quantises what is left, and gives the files that differ from the folder given: a name, and one part after the other of
    /// its bytes, so that a large file is not in memory a second time.
    ///
    /// Throws as `Translator.load` does, and what `give` throws.
    pub fn finish(
        self,
        #[wasm_bindgen(
            unchecked_param_type = "(name: string, part: Uint8Array<ArrayBuffer>) => void"
        )]
        give: &js_sys::Function,
    ) -> Result<(), JsValue> {
        const PART: usize = 8 << 20;
        for (name, bytes) in self.0.finish().map_err(Failure::from)? {
            for part in bytes.chunks(PART) {
                let part = js_sys::Uint8Array::from(part);
                give.call2(&JsValue::UNDEFINED, &name.into(), &part)?;
            }
        }
        Ok(())
    }
}
