//! The search under `Scoring::Hf` finds what `generate` of `transformers` finds: the same pieces, the same
//! scores, for beams of 1, 4 and 6 under every setting of length penalty and early stopping.
#![cfg(not(target_arch = "wasm32"))]

use safetensors::SafeTensors;
use serde::Deserialize;
use translucent::model::config::{Activation, Positions};
use translucent::model::{TensorSource, Transformer};
use translucent::search::{Batch, EarlyStopping, Event, Hypothesis, Scoring, SearchOptions};
use translucent::trace::TraceRequest;
use translucent::{Config, Error, Result};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/hf");

#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
}

/// One call of `generate`.
#[derive(Debug, Deserialize)]
struct Case {
    source: Vec<u32>,
    prefix: Vec<u32>,
    max_extra: usize,
    beam: usize,
    n_best: usize,
    length_penalty: f32,
    early_stopping: EarlyStopping,
    no_repeat_ngram: usize,
    renormalize: bool,
    sequences: Vec<Vec<u32>>,
    /// `transformers` scores no greedy output.
    scores: Option<Vec<f32>>,
}

/// The golden model's tensors, read without the crate's own reader.
struct Golds<'a>(SafeTensors<'a>);

impl TensorSource for Golds<'_> {
    fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let missing = |reason: String| Error::ModelFormat {
            name: name.into(),
            reason,
        };
        let tensor = self
            .0
            .tensor(name)
            .map_err(|error| missing(error.to_string()))?;
        assert_eq!(tensor.shape(), shape, "{name}");
        let values = tensor.data().chunks_exact(4);
        Ok(values
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect())
    }

    fn has(&self, name: &str) -> bool {
        self.0.tensor(name).is_ok()
    }
}

fn model() -> Transformer {
    let config = Config {
        d_model: 24,
        n_heads: 3,
        d_k: 8,
        d_v: 8,
        d_ff: 40,
        encoder_layers: 2,
        decoder_layers: 3,
        activation: Activation::Swish,
        positions: Positions::SinusoidalHalves,
        max_positions: 64,
        ..Config::small(60)
    };
    let bytes = std::fs::read(format!("{FOLDER}/model.safetensors")).unwrap();
    Transformer::from_tensors(
        config,
        &mut Golds(SafeTensors::deserialize(&bytes).unwrap()),
    )
    .unwrap()
}

fn options(case: &Case) -> SearchOptions {
    let mut options = SearchOptions::default()
        .with_beam(case.beam)
        .with_n_best(case.n_best)
        .with_max_extra(case.max_extra);
    options.scoring = Scoring::Hf {
        length_penalty: case.length_penalty,
        early_stopping: case.early_stopping,
    };
    options.prefix = case.prefix.clone();
    options.no_repeat_ngram = case.no_repeat_ngram;
    options.renormalize = case.renormalize;
    options
}

fn search(
    model: &Transformer,
    sources: &[&[u32]],
    options: &SearchOptions,
) -> Vec<Vec<Hypothesis>> {
    let mut batch = Batch::new(model, sources, options, &[]).unwrap();
    let mut found = vec![Vec::new(); sources.len()];
    while !batch.is_done() {
        for event in batch.step(model).unwrap() {
            if let Event::Done {
                sentence,
                hypotheses,
            } = event
            {
                found[sentence] = hypotheses;
            }
        }
    }
    found
}

fn cases() -> Vec<Case> {
    let text = std::fs::read_to_string(format!("{FOLDER}/cases.json")).unwrap();
    serde_json::from_str::<Golden>(&text).unwrap().cases
}

#[test]
fn finds_what_transformers_finds() {
    let model = model();
    let mut largest: f32 = 0.0;
    for case in cases() {
        let found = search(&model, &[&case.source], &options(&case)).remove(0);
        let tokens: Vec<&Vec<u32>> = found.iter().map(|hypothesis| &hypothesis.tokens).collect();
        assert_eq!(
            tokens,
            case.sequences.iter().collect::<Vec<_>>(),
            "{case:?}"
        );
        for (hypothesis, score) in found.iter().zip(case.scores.iter().flatten()) {
            let error = (hypothesis.score - score).abs() / score.abs().max(1.0);
            assert!(
                error <= 1e-5,
                "{} instead of {score}: {case:?}",
                hypothesis.score
            );
            largest = largest.max(error);
        }
    }
    println!("largest error of a score: {largest:e}");
}

#[test]
fn a_batch_of_the_real_model_finds_what_each_sentence_finds_alone() {
    let model = model();
    let mut sources: Vec<Vec<u32>> = cases().into_iter().map(|case| case.source).collect();
    sources.dedup();
    let sources: Vec<&[u32]> = sources.iter().map(Vec::as_slice).collect();
    let options = SearchOptions::default();
    let together = search(&model, &sources, &options);
    for (source, together) in sources.iter().zip(together) {
        let alone = search(&model, &[source], &options).remove(0);
        assert_eq!(alone[0].tokens, together[0].tokens);
        assert!((alone[0].score - together[0].score).abs() < 1e-5);
    }
}

#[test]
fn observing_changes_no_event_and_shows_what_forced_decoding_shows() {
    let model = model();
    let request = TraceRequest::attention().with_hidden();
    let options = SearchOptions::default();
    let mut sources: Vec<Vec<u32>> = cases().into_iter().map(|case| case.source).collect();
    sources.dedup();
    for source in sources {
        let requests = std::slice::from_ref(&request);
        let mut observed = Batch::new(&model, &[&source], &options, requests).unwrap();
        let mut plain = Batch::new(&model, &[&source], &options, &[]).unwrap();
        while !observed.is_done() {
            assert_eq!(observed.step(&model).unwrap(), plain.step(&model).unwrap());
        }
        let node = observed.best(0);
        let tokens = observed.hypothesis(node.unwrap()).unwrap().tokens;
        let trace = observed.trace(&model, 0, node);
        let forced = model
            .teacher_force(&source, &tokens, &request)
            .unwrap()
            .trace;
        for (found, expected) in [
            (&trace.encoder_self, &forced.encoder_self),
            (&trace.decoder_self, &forced.decoder_self),
            (&trace.cross, &forced.cross),
        ] {
            close(found.as_ref().unwrap(), expected.as_ref().unwrap());
        }
        for (found, expected) in [
            (&trace.memory, &forced.memory),
            (&trace.source_embedding, &forced.source_embedding),
            (&trace.target_embedding, &forced.target_embedding),
            (&trace.decoder_output, &forced.decoder_output),
        ] {
            close(found.as_ref().unwrap(), expected.as_ref().unwrap());
        }
    }
}

/// The same shape, and the same values within 1e-5 of the largest.
fn close<D: ndarray::Dimension>(found: &ndarray::Array<f32, D>, expected: &ndarray::Array<f32, D>) {
    assert_eq!(found.shape(), expected.shape());
    let largest = expected.iter().fold(0f32, |a, x| a.max(x.abs()));
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() <= 1e-5 * largest,
            "{found} instead of {expected}"
        );
    }
}
