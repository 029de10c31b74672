//! The translation of a document as JavaScript steps it.

use super::clock::now;
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
    /// One decoder pass over a group of sentences, and what happened in it. With `ms`, as many passes as fit into this time,
    /// at least one; of the partial states of a sentence only the last is given.
    ///
    /// Throws `RequestInvalid` for a prefix that no translation can have; after an error the job is to be freed.
    #[wasm_bindgen(unchecked_return_type = "JobEvent[]")]
    pub fn step(&mut self, ms: Option<f64>) -> Result<JsValue, Failure> {
        let mut before = now();
        let end = before + ms.unwrap_or(0.0);
        let events = self.job.step_while(&self.core, || {
            let now = now();
            // The next pass will take about as long as this one did.
            let took = now - std::mem::replace(&mut before, now);
            now + took < end
        })?;
        Ok(values::events(events))
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
