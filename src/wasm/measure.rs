//! Timing self-attention, a little at a time.

use super::clock::now;
use super::{Failure, values};
use crate::lab::{Part, SelfAttentionBench};
use crate::translator::Translator as Core;
use serde::Serialize;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Times that each part is measured; the best counts.
const REPEATS: usize = 5;
/// A clock with a resolution of 0.1 ms measures times of this length to 5 %.
const LONG_ENOUGH_MS: f64 = 2.0;

/// The measurement of one length. Step it until it gives a result, or `free()` it at any moment.
#[wasm_bindgen]
pub struct Measuring {
    core: Rc<Core>,
    bench: SelfAttentionBench,
    n: usize,
    /// Repetitions of each part, enough for the clock's resolution.
    times: [usize; 3],
    /// Of each part: the shortest time so far.
    best: [f64; 3],
    step: usize,
}

/// The protocol's `Measurement`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Measurement {
    n: usize,
    repeats: usize,
    projections_ms: f64,
    attention_ms: f64,
    recurrent_ms: f64,
}

impl Measuring {
    pub(super) fn new(core: Rc<Core>, n: usize) -> Result<Self, Failure> {
        Ok(Self {
            bench: SelfAttentionBench::new(core.model(), n)?,
            core,
            n,
            times: [1; 3],
            best: [f64::INFINITY; 3],
            step: 0,
        })
    }

    /// Milliseconds of doing a part so often.
    fn time(&mut self, part: usize) -> f64 {
        let start = now();
        for _ in 0..self.times[part] {
            self.bench.run(self.core.model(), Part::ALL[part]);
        }
        now() - start
    }
}

#[wasm_bindgen]
impl Measuring {
    /// Measures one part once; the result after the last of them.
    #[wasm_bindgen(unchecked_return_type = "Measurement | undefined")]
    pub fn step(&mut self) -> JsValue {
        let part = self.step % 3;
        let mut took = self.time(part);
        // Each time anew: the one before may have been long because the machine did something else.
        while took < LONG_ENOUGH_MS {
            self.times[part] *= 2;
            took = self.time(part);
        }
        self.best[part] = self.best[part].min(took / self.times[part] as f64);
        self.step += 1;
        if self.step < 3 * REPEATS {
            return JsValue::UNDEFINED;
        }
        let [projections_ms, attention_ms, recurrent_ms] = self.best;
        values::plain(&Measurement {
            n: self.n,
            repeats: REPEATS,
            projections_ms,
            attention_ms,
            recurrent_ms,
        })
    }
}
