//! The translation of a document as JavaScript steps it.

use super::{Failure, values};
use crate::model::Transformer;
use crate::translator::Translator as Core;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// The translation of one document. Step it until `isDone()`, or `free()` it at any moment.
#[wasm_bindgen]
pub struct Job {
    core: Rc<Core>,
    job: crate::translator::Job<Transformer>,
}

/// What the events of a job have reported; `free()` it when no other is to follow.
#[wasm_bindgen]
pub struct Reported(crate::translator::Reported);

impl Job {
    pub(super) fn new(core: Rc<Core>, job: crate::translator::Job<Transformer>) -> Self {
        Self { core, job }
    }
}

#[wasm_bindgen]
impl Job {
    /// One decoder pass over a group of sentences, and what happened in it.
    ///
    /// Throws `RequestInvalid` for a prefix that no translation can have; after an error the job is to be freed.
    #[wasm_bindgen(unchecked_return_type = "JobEvent[]")]
    pub fn step(&mut self) -> Result<JsValue, Failure> {
        Ok(values::plain(&self.job.step(&self.core)?))
    }

    /// Whether everything is translated and observed, and all events are emitted.
    #[wasm_bindgen(js_name = isDone)]
    pub fn is_done(&self) -> bool {
        self.job.is_done()
    }

    /// What is known of the observed sentence, if that has changed since the last call. Ask before showing it,
    /// not after every step: it is put together here.
    #[wasm_bindgen(unchecked_return_type = "Observation | undefined")]
    pub fn trace(&mut self) -> JsValue {
        match self.job.observation(&self.core) {
            Some(observed) => values::observation(&observed).into(),
            None => JsValue::UNDEFINED,
        }
    }

    /// What this job's events have reported so far; `undefined` before the first.
    pub fn reported(&self) -> Option<Reported> {
        self.job.reported().map(Reported)
    }

    /// Leaves out of this job's events what those of an earlier one have reported: its first event is then `changed`.
    /// To be called before the first step.
    pub fn follow(&mut self, reported: &Reported) {
        self.job.follow(&reported.0);
    }

    /// The translation as far as it is finished, line breaks and white space kept.
    pub fn text(&self) -> String {
        self.job.text()
    }
}
