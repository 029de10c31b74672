//! A loaded model as JavaScript holds it.

use super::{Failure, Job, Measuring, arithmetic, lab_values, values};
use crate::checkpoint::{Model, ModelSummary};
use crate::lab::{self, EmbeddingSteps, PositionLab};
use crate::layers::{Stack, position};
use crate::model::Seq2Seq;
use crate::search::SearchOptions;
use crate::trace::Cell;
use crate::translator::{
    DocumentOptions, Offsets, ScoreOptions, Side, Subwords, Target, Translator as Core,
};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Most rows of a decoder pass, and most pieces that are encoded in one step. Larger groups are faster in all, but
/// a step is the shortest time in which a page hears a new keystroke: with these it stays well below 16 ms for a
/// model of the page's size.
const MAX_ROWS: usize = 16;
const MAX_SOURCE_PIECES: usize = 32;

/// A model with its tokenizer, and the sentences that it translated lately.
#[wasm_bindgen]
pub struct Translator {
    core: Rc<Core>,
    summary: ModelSummary,
    /// The search options of the model's folder.
    search: SearchOptions,
}

thread_local! {
    /// The model that was parked last.
    static PARKED: RefCell<Option<Translator>> = const { RefCell::new(None) };
}

#[wasm_bindgen]
impl Translator {
    /// Puts the model where `resume` finds it: in this memory, and in a copy of it in another instance of the same
    /// build, which then has the model without loading it.
    pub fn park(self) {
        PARKED.set(Some(self));
    }

    /// Takes back the model that was parked in this memory.
    pub fn resume() -> Option<Translator> {
        PARKED.take()
    }

    /// Builds the model from the files of its folder, by name: `config.json`, `model.safetensors`, `source.spm`,
    /// `vocab.json`, and where the folder has them `target.spm`, `target_vocab.json`, `generation_config.json`.
    /// Other names are ignored.
    ///
    /// Throws `ModelFormat`, `ConfigInvalid`, `ShapeMismatch` or `TokenizerFormat`, naming file and fault.
    pub fn load(
        #[wasm_bindgen(unchecked_param_type = "Map<string, Uint8Array | FileContent>")]
        files: &js_sys::Map,
    ) -> Result<Translator, Failure> {
        Ok(Self::new(values::model_files(files)?.load()?))
    }

    /// The model's shape and conventions, and the search options of its folder.
    #[wasm_bindgen(unchecked_return_type = "ModelSummary & { search: SearchOptions }")]
    pub fn info(&self) -> JsValue {
        let object = js_sys::Object::from(values::plain(&self.summary));
        values::set(&object, "search", &values::plain(&self.search));
        object.into()
    }

    /// Begins to translate a document; `Job.step` does the work. Options that are left out are those of the
    /// model's folder; translations hold the targets of the terms whose sources stand in the text.
    ///
    /// Throws `RequestInvalid` naming the option that is outside its domain.
    pub fn begin(
        &self,
        text: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "SearchOptions")] options: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Observe")] observe: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Term[]")] terms: JsValue,
    ) -> Result<Job, Failure> {
        self.job(text, [&options, &observe, &terms], false)
    }

    /// As `begin`, but the text is taken as one sentence.
    ///
    /// Throws `RequestInvalid` naming the option that is outside its domain, `TextTooLong`.
    #[wasm_bindgen(js_name = beginSentence)]
    pub fn begin_sentence(
        &self,
        text: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "SearchOptions")] options: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Observe")] observe: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Term[]")] terms: JsValue,
    ) -> Result<Job, Failure> {
        self.job(text, [&options, &observe, &terms], true)
    }

    /// Follows a given target under forced decoding, every step observed. The source is taken as one sentence;
    /// a target of ids is without the start symbol, a target text is tokenised and ended.
    ///
    /// Throws `TextTooLong` or `RequestInvalid`.
    #[wasm_bindgen(unchecked_return_type = "Scored & { observed: Observation }")]
    pub fn score(
        &self,
        source: &str,
        #[wasm_bindgen(unchecked_param_type = "number[] | string")] target: JsValue,
        #[wasm_bindgen(unchecked_param_type = "TraceRequest")] request: JsValue,
        alternatives: usize,
        #[wasm_bindgen(unchecked_optional_param_type = "Intervention")] intervention: JsValue,
    ) -> Result<JsValue, Failure> {
        let options = ScoreOptions {
            request: values::read(&request, "request")?,
            alternatives,
            intervention: values::read(&intervention, "intervention")?,
            offsets: Offsets::Utf16,
        };
        let text = target.as_string();
        let ids: Vec<u32> = match text {
            Some(_) => Vec::new(),
            None => values::read(&target, "target")?,
        };
        let target = text.as_deref().map_or(Target::Pieces(&ids), Target::Text);
        let scored = self.core.score(source, target, &options)?;
        let object = values::object([
            ("observed", values::observation(&scored.observation).into()),
            ("logprob", scored.logprob().into()),
            ("scores", values::plain(&scored.scores)),
            ("words", values::plain(&scored.words())),
            ("loss", scored.loss().into()),
            ("perplexity", scored.perplexity().into()),
        ]);
        Ok(object.into())
    }

    /// How a target (pieces without the start symbol) fares in the model as it is and under an intervention.
    ///
    /// Throws `TextTooLong` or `RequestInvalid`.
    #[wasm_bindgen(unchecked_return_type = "Comparison")]
    pub fn compare(
        &self,
        source: &str,
        target: &[u32],
        #[wasm_bindgen(unchecked_optional_param_type = "Intervention")] intervention: JsValue,
    ) -> Result<JsValue, Failure> {
        let intervention = values::read(&intervention, "intervention")?;
        let target = Target::Pieces(target);
        let found = self
            .core
            .compare(source, target, &intervention, Offsets::Utf16)?;
        Ok(values::comparison(&found).into())
    }

    /// The steps behind one attention weight, for a source sentence and a target (pieces without the start symbol).
    ///
    /// Throws `TextTooLong`, or `RequestInvalid` naming what the model has not.
    #[wasm_bindgen(unchecked_return_type = "Arithmetic")]
    pub fn arithmetic(
        &self,
        source: &str,
        target: &[u32],
        #[wasm_bindgen(unchecked_param_type = "Cell")] cell: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Intervention")] intervention: JsValue,
    ) -> Result<JsValue, Failure> {
        let cell: Cell = values::read_required(&cell, "cell")?;
        let intervention = values::read(&intervention, "intervention")?;
        let target = Target::Pieces(target);
        let (source, target) = self.core.encode_pair(source, target)?;
        let model = self.core.model();
        let steps = lab::arithmetic(model, &source, &target, cell, &intervention)?;
        Ok(arithmetic::arithmetic(&steps, model.config()))
    }

    /// Positional encodings of the first `length` positions at the model's width.
    ///
    /// Throws `RequestInvalid` if there are more than 10000.
    #[wasm_bindgen(unchecked_return_type = "Positions")]
    pub fn positions(&self, length: usize) -> Result<JsValue, Failure> {
        let model = self.core.model();
        let d_model = model.config().d_model;
        let wavelengths = position::wavelengths(d_model).into_iter();
        let wavelengths: Vec<f32> = wavelengths.map(|length| length as f32).collect();
        let sinusoidal = lab::encodings(length, d_model)?;
        let object = values::object([
            ("sinusoidal", values::tensor(&sinusoidal)),
            (
                "wavelengths",
                js_sys::Float32Array::from(&wavelengths[..]).into(),
            ),
        ]);
        if let Some(table) = model.positions().as_learned() {
            let rows = length.min(table.nrows());
            let learned = table.slice(ndarray::s![..rows, ..]);
            values::set(&object, "learned", &values::tensor(&learned));
        }
        Ok(object.into())
    }

    /// What the positional-encoding lab shows of one position below `length` and one offset.
    ///
    /// Throws `RequestInvalid` if the position is not below `length`, or there are more than 10000.
    #[wasm_bindgen(js_name = positionsLab, unchecked_return_type = "PositionsLab")]
    pub fn positions_lab(
        &self,
        length: usize,
        position: usize,
        offset: i32,
    ) -> Result<JsValue, Failure> {
        let model = self.core.model();
        let found = PositionLab::new(length, model.config().d_model, position, offset.into())?;
        let learned = model.positions().as_learned();
        let learned = learned.filter(|table| position < table.nrows());
        let learned = learned.map(|table| lab::products(table, position));
        Ok(lab_values::position_lab(
            &found,
            (position, offset),
            learned,
        ))
    }

    /// How a piece enters the source's stack or the target's.
    ///
    /// Throws `RequestInvalid` if the piece or the position is not there.
    #[wasm_bindgen(unchecked_return_type = "EmbeddingSteps")]
    pub fn embedding(&self, source: bool, piece: u32, position: usize) -> Result<JsValue, Failure> {
        let (stack, side) = match source {
            true => (Stack::Encoder, Side::Source),
            false => (Stack::Decoder, Side::Target),
        };
        let steps = EmbeddingSteps::new(self.core.model(), stack, piece, position)?;
        let text = Subwords::piece(self.core.tokenizer(), side, piece);
        Ok(lab_values::embedding(text, &steps))
    }

    /// Begins to measure self-attention at a length; `Measuring.step` does the work.
    ///
    /// Throws `RequestInvalid` if it is not 1 to 2048.
    pub fn measure(&self, n: usize) -> Result<Measuring, Failure> {
        Measuring::new(self.core.clone(), n)
    }
}

impl Translator {
    pub(super) fn new(model: Model) -> Self {
        Self {
            summary: ModelSummary::new(model.transformer.config(), model.precision),
            core: Rc::new(Core::new(model.transformer, model.tokenizer)),
            search: model.search,
        }
    }

    fn job(
        &self,
        text: &str,
        [options, observe, terms]: [&JsValue; 3],
        one_sentence: bool,
    ) -> Result<Job, Failure> {
        let options = DocumentOptions {
            search: values::read_over(&self.search, options, "options")?,
            observe: values::read(observe, "observe")?,
            terms: values::read(terms, "terms")?,
            one_sentence,
            offsets: Offsets::Utf16,
            max_rows: MAX_ROWS,
            max_source_pieces: MAX_SOURCE_PIECES,
        };
        let job = self.core.job(text, &options)?;
        Ok(Job::new(self.core.clone(), job))
    }
}
