//! Every request that a page can make, to one model.

use crate::folder::Folder;
use crate::{Outcome, request};
use arbitrary::Unstructured;
use ndarray::Array4;
use translucent::checkpoint::quantize::quantize_files;
use translucent::checkpoint::{FileSource, Model, ModelFiles};
use translucent::lab::{
    self, EmbeddingSteps, Ends, Order, Part, PositionLab, SelfAttentionBench, Sweep, Variable,
};
use translucent::model::Seq2Seq;
use translucent::model::Stack;
use translucent::trace::aggregate::{self, Labels, Measure, PieceLabel};
use translucent::trace::{AttentionKind, Trace};
use translucent::translator::{
    DocumentOptions, JobEvent, LineOptions, Observation, Observe, Offsets, Piece, ScoreOptions,
    Target, Translator,
};
use translucent::{Error, Result};

/// No job of three short lines takes more steps: a line has at most 40 positions, and each step adds one.
const MOST_STEPS: usize = 20_000;

/// Counts what was answered and what was refused.
#[derive(Default)]
struct Count {
    answered: u32,
    refused: u32,
}

impl Count {
    /// Counts a result, and gives its value.
    fn of<T>(&mut self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => {
                self.answered += 1;
                Some(value)
            }
            Err(error) => {
                check_error(&error);
                self.refused += 1;
                None
            }
        }
    }
}

/// An error has a code and a sentence.
fn check_error(error: &Error) {
    assert!(
        !error.code().is_empty() && error.to_string().len() > 4,
        "{error:?}"
    );
}

/// Loads a folder and asks it everything.
///
/// # Panics
/// On a fault.
pub fn ask(folder: &Folder, choices: &mut Unstructured) -> Outcome {
    let loaded = ModelFiles::gather(folder).and_then(|files| files.load());
    let Model {
        transformer,
        tokenizer,
        search,
        ..
    } = match loaded {
        Ok(model) => model,
        Err(error) if folder.is_damaged => {
            check_error(&error);
            return Outcome::Refused;
        }
        Err(error) => panic!("a whole folder was refused: {error}\n{:?}", folder.config),
    };
    let translator = Translator::new(transformer, tokenizer);
    let mut count = Count::default();
    // The bytes of a case may end at any request: those before it were asked.
    let _ = (|| {
        translations(&translator, &search, choices, &mut count)?;
        scores(&translator, choices, &mut count)?;
        laboratory(&translator, choices, &mut count)
    })();
    if !folder.is_damaged {
        quantised(folder);
    }
    Outcome::Ran {
        answered: count.answered,
        refused: count.refused,
    }
}

/// A document of three lines, once plainly and once observed (mostly from the cache), and its lines on their own.
fn translations(
    translator: &Translator,
    of_folder: &translucent::search::SearchOptions,
    choices: &mut Unstructured,
    count: &mut Count,
) -> arbitrary::Result<()> {
    let config = translator.model().config();
    let text = request::text(choices)?;
    let mut options = DocumentOptions::default();
    options.search = match choices.ratio(1, 3)? {
        true => of_folder.clone(),
        false => request::search(choices, config.target_vocab(), config.eos_id)?,
    };
    options.offsets = *choices.choose(&[Offsets::Utf8, Offsets::Utf16])?;
    options.max_rows = choices.int_in_range(1..=20)?;
    options.max_source_pieces = choices.int_in_range(1..=64)?;
    options.one_sentence = choices.ratio(1, 6)?;
    let plain = count.of(run(translator, &text, &options));
    let mut observe = Observe::new(choices.int_in_range(0..=3)?, request::trace(choices)?);
    observe.alternatives = choices.int_in_range(0..=3)?;
    observe.tree = choices.arbitrary()?;
    options.observe = Some(observe);
    let observed = count.of(run(translator, &text, &options));
    // Decoded beside others a sentence's products are of another shape, and so their last bits are.
    let alone = options.max_rows < options.search.beam.saturating_mul(2)
        && options.search.prefix.is_empty();
    if let (Some((plain, _)), Some((observed, _))) = (&plain, &observed)
        && alone
    {
        assert_eq!(
            plain, observed,
            "observing changed the translation: {options:?} {config:?}"
        );
    }
    if let Some((_, Some(observation))) = &observed {
        check_observation(translator, observation, choices, count)?;
    }
    let lines: Vec<&str> = text.lines().collect();
    let one = LineOptions::new(options.search.clone(), 1);
    count.of(translator.translate_lines(&lines, &one, &|_| {}));
    Ok(())
}

/// Steps a job to its end: its text, and what was observed last.
fn run(
    translator: &Translator,
    text: &str,
    options: &DocumentOptions,
) -> Result<(String, Option<Observation>)> {
    let mut job = translator.job(text, options)?;
    let (mut last, mut ended) = (None, false);
    for _ in 0..MOST_STEPS {
        if job.is_done() {
            assert!(ended, "a job was done without its last event");
            return Ok((job.text(), last));
        }
        for event in job.step(translator)? {
            assert!(serde_json::to_string(&event).is_ok(), "an event is no JSON");
            ended |= matches!(event, JobEvent::Translated(_));
        }
        last = job.observation(translator).or(last);
    }
    panic!("a job did not end: {text:?} {options:?}")
}

/// Blocks have the shapes that the pieces have, and can be summed up.
fn check_observation(
    translator: &Translator,
    observation: &Observation,
    choices: &mut Unstructured,
    count: &mut Count,
) -> arbitrary::Result<()> {
    let trace = &observation.trace;
    for (name, values) in [
        ("target_embedding", &trace.target_embedding),
        ("decoder_output", &trace.decoder_output),
    ] {
        if let Some(values) = values {
            let expected = [
                observation.target.len(),
                translator.model().config().d_model,
            ];
            assert_eq!(values.shape(), expected, "{name}");
        }
    }
    let Some(len_src) = len_src(trace) else {
        return Ok(());
    };
    let source = vec![
        PieceLabel {
            text: "▁a".into(),
            range: Some([0, 1]),
            word: Some(0)
        };
        len_src
    ];
    let target: Vec<PieceLabel> = observation.target.iter().map(label).collect();
    let labels = Labels {
        source: &source,
        target: &target,
    };
    let options = request::view(choices)?;
    for (kind, measure, block) in blocks(trace) {
        if let Some(block) = block {
            count.of(aggregate::view(
                kind,
                measure,
                block.view(),
                labels,
                options,
            ));
        }
    }
    Ok(())
}

fn len_src(trace: &Trace) -> Option<usize> {
    let columns = |block: &Option<Array4<f32>>| block.as_ref().map(|block| block.dim().3);
    columns(&trace.encoder_self).or_else(|| columns(&trace.cross))
}

fn label(piece: &Piece) -> PieceLabel {
    PieceLabel {
        text: piece.text.clone(),
        range: piece.range,
        word: piece.word,
    }
}

fn blocks(trace: &Trace) -> [(AttentionKind, Measure, &Option<Array4<f32>>); 6] {
    use AttentionKind::{Cross, DecoderSelf, EncoderSelf};
    [
        (EncoderSelf, Measure::Weights, &trace.encoder_self),
        (DecoderSelf, Measure::Weights, &trace.decoder_self),
        (Cross, Measure::Weights, &trace.cross),
        (EncoderSelf, Measure::Norms, &trace.encoder_self_norms),
        (DecoderSelf, Measure::Norms, &trace.decoder_self_norms),
        (Cross, Measure::Norms, &trace.cross_norms),
    ]
}

/// Forced decoding, comparison and the arithmetic of one weight.
fn scores(
    translator: &Translator,
    choices: &mut Unstructured,
    count: &mut Count,
) -> arbitrary::Result<()> {
    let config = translator.model().config();
    let source = request::text(choices)?;
    let ids = request::ids(choices, config.target_vocab(), config.eos_id)?;
    let text = request::text(choices)?;
    let target = match choices.arbitrary()? {
        true => Target::Pieces(&ids),
        false => Target::Text(&text),
    };
    let mut options = ScoreOptions::default();
    options.request = request::trace(choices)?;
    options.alternatives = choices.int_in_range(0..=70)?;
    options.intervention = request::intervention(choices)?;
    if let Some(scored) = count.of(translator.score(&source, target, &options)) {
        assert_eq!(scored.scores.len(), scored.observation.target.len());
        assert!(serde_json::to_string(&scored.words()).is_ok());
        check_observation(translator, &scored.observation, choices, count)?;
    }
    count.of(translator.compare(&source, target, &options.intervention, Offsets::Utf16));
    let cell = request::cell(choices)?;
    let pair = count.of(translator.encode_pair(&source, target));
    if let Some((source, target)) = pair {
        count.of(lab::arithmetic(
            translator.model(),
            &source,
            &target,
            cell,
            &options.intervention,
        ));
    }
    Ok(())
}

/// What teaches: positions, embeddings, complexity, paths, measurements.
fn laboratory(
    translator: &Translator,
    choices: &mut Unstructured,
    count: &mut Count,
) -> arbitrary::Result<()> {
    let model = translator.model();
    let mut number = |most: usize| match choices.int_in_range(0..=15)? {
        0 => Ok(usize::MAX),
        _ => choices.int_in_range(0..=most),
    };
    let (a, b, c, d) = (number(40)?, number(70)?, number(70)?, number(9)?);
    count.of(lab::encodings(a, model.config().d_model));
    if let Some(found) = count.of(PositionLab::new(a, model.config().d_model, b, d as i64)) {
        drop(found);
        if let Some(table) = model
            .positions()
            .as_learned()
            .filter(|table| b < table.nrows())
        {
            lab::products(table, b);
        }
    }
    for stack in [Stack::Encoder, Stack::Decoder] {
        count.of(EmbeddingSteps::new(model, stack, b as u32, a));
    }
    let order = Order {
        n: a,
        d: b,
        k: c,
        r: d,
    };
    lab::complexity(order);
    for over in [Variable::N, Variable::D, Variable::K, Variable::R] {
        count.of(lab::curves(
            order,
            Sweep {
                over,
                from: b,
                to: c,
                points: d,
            },
        ));
    }
    count.of(lab::paths(
        order,
        Ends {
            n: a,
            from: b.min(80),
            to: c,
        },
    ));
    if let Some(mut bench) = count.of(SelfAttentionBench::new(model, a.min(4096))) {
        Part::ALL
            .into_iter()
            .for_each(|part| bench.run(model, part));
    }
    Ok(())
}

/// The folder as 8-bit integers loads and translates.
fn quantised(folder: &Folder) {
    let files = ModelFiles::gather(folder).unwrap_or_else(|error| panic!("{error}"));
    let changed = match quantize_files(&files) {
        Ok(changed) => changed,
        Err(error) => panic!("a whole folder cannot be quantised: {error}"),
    };
    let mut files = folder.files.clone();
    files.extend(changed.map(|(name, bytes)| (name.to_owned(), bytes)));
    let folder = Folder {
        files,
        config: folder.config.clone(),
        is_damaged: false,
    };
    assert!(
        folder
            .size("model.safetensors")
            .is_ok_and(|size| size.is_some())
    );
    let loaded = ModelFiles::gather(&folder).and_then(|files| files.load());
    let model = loaded.unwrap_or_else(|error| panic!("a quantised folder was refused: {error}"));
    let translator = Translator::new(model.transformer, model.tokenizer);
    if let Err(error) = translator.translate("the dog", &model.search) {
        check_error(&error);
    }
}
