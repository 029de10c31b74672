//! Golden values of the model (`tests/golden/model.py`), read from bytes: wasm has no files.

use ndarray::{Array2, ArrayViewD, IxDyn};
use safetensors::SafeTensors;
use serde::Deserialize;
use std::collections::BTreeMap;
use translucent::Config;
use translucent::checkpoint::{Tensor, Tensors};
use translucent::model::{Seq2Seq, Transformer};
use translucent::search::{Batch, Event, Hypothesis, SearchOptions};
use translucent::trace::TraceRequest;

/// Largest absolute error of any value.
const TOLERANCE: f32 = 1e-4;

/// Name, facts and tensors of every configuration.
pub const CONFIGURATIONS: [(&str, &[u8], &[u8]); 5] = [
    (
        "marian",
        include_bytes!("../golden/model_marian.json"),
        include_bytes!("../golden/model_marian.safetensors"),
    ),
    (
        "paper",
        include_bytes!("../golden/model_paper.json"),
        include_bytes!("../golden/model_paper.safetensors"),
    ),
    (
        "additive",
        include_bytes!("../golden/model_additive.json"),
        include_bytes!("../golden/model_additive.safetensors"),
    ),
    (
        "restricted",
        include_bytes!("../golden/model_restricted.json"),
        include_bytes!("../golden/model_restricted.safetensors"),
    ),
    (
        "before",
        include_bytes!("../golden/model_before.json"),
        include_bytes!("../golden/model_before.safetensors"),
    ),
];

#[derive(Deserialize)]
pub struct Facts {
    config: Config,
    pub sources: Vec<Vec<u32>>,
    pub targets: Vec<Vec<u32>>,
    translations: Vec<Vec<Translation>>,
}

#[derive(Deserialize)]
struct Translation {
    tokens: Vec<u32>,
    logprobs: Vec<f32>,
    score: f32,
}

pub struct Golden {
    pub facts: Facts,
    pub model: Transformer,
    /// By name, without `golden.`.
    values: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
}

impl Golden {
    pub fn read((name, facts, tensors): (&str, &[u8], &[u8])) -> Self {
        let facts: Facts = serde_json::from_slice(facts).unwrap();
        let mut weights = Tensors::new();
        let mut values = BTreeMap::new();
        for (name, (shape, data)) in self::tensors(tensors) {
            match name.strip_prefix("golden.") {
                Some(name) => drop(values.insert(name.to_owned(), (shape, data))),
                None => weights.insert(&name, Tensor::f32(shape, data)),
            }
        }
        let model = Transformer::from_tensors(facts.config.clone(), &mut weights).unwrap();
        assert!(weights.is_empty(), "{name}: every weight is used");
        Self {
            facts,
            model,
            values,
        }
    }

    /// Asserts that `found` is the golden value of this name.
    #[track_caller]
    fn compare(&self, name: &str, found: ArrayViewD<'_, f32>) -> f32 {
        let (shape, values) = &self.values[name];
        let expected = ArrayViewD::from_shape(IxDyn(shape), values).unwrap();
        assert_eq!(found.shape(), expected.shape(), "{name}");
        assert!(found.iter().all(|value| value.is_finite()), "{name}");
        let error = found.iter().zip(&expected).map(|(a, b)| (a - b).abs());
        let worst = error.fold(0.0, f32::max);
        assert!(worst <= TOLERANCE, "{name}: error {worst}");
        worst
    }
}

/// Shapes and values of a file's tensors, by name.
pub fn tensors(file: &[u8]) -> impl Iterator<Item = (String, (Vec<usize>, Vec<f32>))> {
    let tensors = SafeTensors::deserialize(file).unwrap();
    let read: Vec<_> = tensors
        .iter()
        .map(|(name, tensor)| {
            let data = tensor.data().chunks_exact(4);
            let data = data.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            (name.to_owned(), (tensor.shape().to_vec(), data.collect()))
        })
        .collect();
    read.into_iter()
}

/// Asserts that what a forced decoding computes is what PyTorch computed.
pub fn positions_memory_logits_and_all_weights_equal_pytorch() {
    for files in CONFIGURATIONS {
        let golden = Golden::read(files);
        let name = files.0;
        let positions = golden.model.positions();
        let shape = (positions.len(), golden.model.config().d_model);
        let table = Array2::from_shape_fn(shape, |(row, column)| positions.row(row)[column]);
        let mut worst = golden.compare("positions", table.view().into_dyn());
        let request = TraceRequest::attention().with_hidden();
        for (i, (source, target)) in golden
            .facts
            .sources
            .iter()
            .zip(&golden.facts.targets)
            .enumerate()
        {
            let forced = golden
                .model
                .teacher_force(source, target, &request)
                .unwrap();
            let trace = forced.trace;
            for (what, found) in [
                ("memory", trace.memory.unwrap().into_dyn()),
                ("logits", forced.logits.into_dyn()),
                ("encoder_self", trace.encoder_self.unwrap().into_dyn()),
                ("decoder_self", trace.decoder_self.unwrap().into_dyn()),
                ("cross", trace.cross.unwrap().into_dyn()),
            ] {
                worst = worst.max(golden.compare(&format!("{i}.{what}"), found.view()));
            }
        }
        println!("{name}: largest error {worst:e}");
    }
}

/// The n best of every sentence, all decoded together.
fn translate(model: &Transformer, sources: &[Vec<u32>]) -> Vec<Vec<Hypothesis>> {
    let sources: Vec<&[u32]> = sources.iter().map(Vec::as_slice).collect();
    let options = SearchOptions::default().with_n_best(4);
    let mut batch = Batch::new(model, &sources, &options, &[]).unwrap();
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

/// Asserts that beam search finds what the plain one in Python found.
pub fn beam_search_finds_the_same_translations_and_scores_as_an_exhaustive_one_in_python() {
    for files in CONFIGURATIONS {
        let golden = Golden::read(files);
        let name = files.0;
        assert_eq!(
            golden.model.config().banned_ids,
            golden.facts.config.banned_ids
        );
        let found = translate(&golden.model, &golden.facts.sources);
        for (found, expected) in found.iter().zip(&golden.facts.translations) {
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(expected) {
                assert_eq!(found.tokens, expected.tokens, "{name}");
                assert!((found.score - expected.score).abs() <= TOLERANCE, "{name}");
                for (a, b) in found.logprobs.iter().zip(&expected.logprobs) {
                    assert!((a - b).abs() <= TOLERANCE, "{name}");
                }
            }
        }
    }
}
