//! Errors on their way to JavaScript: an `Error` with a `code`.

use wasm_bindgen::{JsError, JsValue};

/// A failure as JavaScript sees it: an `Error` whose `message` is the sentence and whose `code` the stable name.
pub struct Failure(crate::Error);

impl From<crate::Error> for Failure {
    fn from(error: crate::Error) -> Self {
        Self(error)
    }
}

impl From<Failure> for JsValue {
    fn from(Failure(error): Failure) -> Self {
        let value = JsValue::from(JsError::new(&error.to_string()));
        // Setting a property of a fresh `Error` cannot fail.
        let _ = js_sys::Reflect::set(&value, &"code".into(), &error.code().into());
        value
    }
}
