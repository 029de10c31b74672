//! What must hold of the model whatever its weights are.
#![cfg(not(target_arch = "wasm32"))]

use ndarray::{Array2, ArrayView2, Axis, s};
use translucent::Config;
use translucent::lab::EmbeddingSteps;
use translucent::model::Stack;
use translucent::model::config::{Activation, Compatibility, Positions};
use translucent::model::{Row, Seq2Seq, Slot, Transformer};
use translucent::trace::{AttentionKind, Trace, TraceRequest};

const VOCAB: usize = 60;

/// Configurations that between them use every choice the model has.
fn configs() -> Vec<(&'static str, Config)> {
    let tiny = Config::tiny(VOCAB);
    vec![
        ("tiny", tiny.clone()),
        (
            "learned positions, additive, one head",
            Config {
                positions: Positions::Learned,
                compatibility: Compatibility::Additive,
                n_heads: 1,
                ..tiny.clone()
            },
        ),
        (
            "d_k and d_v free of d_model / h, unscaled, swish, separate vocabularies",
            Config {
                d_model: 18,
                n_heads: 3,
                d_k: 5,
                d_v: 7,
                compatibility: Compatibility::DotProduct,
                activation: Activation::Swish,
                target_vocab_size: Some(VOCAB),
                share_embeddings: false,
                ..tiny.clone()
            },
        ),
        (
            "restricted to a neighbourhood, 3 + 1 layers",
            Config {
                neighbourhood: Some(4),
                encoder_layers: 3,
                decoder_layers: 1,
                ..tiny.clone()
            },
        ),
        (
            "norms before the sub-layers and on the embeddings",
            Config {
                normalize_before: true,
                normalize_embedding: true,
                positions: Positions::SinusoidalInterleaved,
                ..tiny
            },
        ),
    ]
}

fn models() -> impl Iterator<Item = (&'static str, Transformer)> {
    configs().into_iter().map(|(name, config)| {
        (
            name,
            Transformer::random(config, 11).expect("valid configuration"),
        )
    })
}

const SOURCE: [u32; 7] = [5, 17, 3, 42, 8, 8, 0];
const TARGET: [u32; 9] = [9, 33, 2, 51, 51, 4, 20, 7, 0];

fn everything() -> TraceRequest {
    TraceRequest::attention().with_hidden()
}

/// Largest difference, relative to the largest magnitude of `b`.
fn difference(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>) -> f32 {
    assert_eq!(a.dim(), b.dim());
    let largest = b.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    let apart = a
        .iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f32::max);
    assert!(apart.is_finite());
    apart / largest
}

/// Feeds a target piece by piece; logits (len, vocab) and the slots' trace.
fn step_through(
    model: &Transformer,
    source: &[u32],
    target: &[u32],
    request: &TraceRequest,
) -> (Array2<f32>, Trace) {
    let mut state = model
        .encode(&[source], std::slice::from_ref(request))
        .unwrap();
    let mut logits = Array2::zeros((0, model.config().target_vocab()));
    let mut path = Vec::new();
    let mut token = model.config().decoder_start_id;
    for &next in target {
        let row = Row {
            sentence: 0,
            parent: path.last().copied(),
            token,
        };
        let step = model.step(&mut state, &[row]).unwrap();
        logits.append(Axis(0), step).unwrap();
        path.push(Slot(path.len() as u32));
        token = next;
    }
    let trace = model.trace(&state, 0, &path);
    (logits, trace)
}

#[test]
fn token_by_token_decoding_equals_decoding_the_prefix_at_once() {
    for (name, model) in models() {
        let (stepped, stepped_trace) = step_through(&model, &SOURCE, &TARGET, &everything());
        let forced = model
            .teacher_force(&SOURCE, &TARGET, &everything())
            .unwrap();
        let apart = difference(stepped.view(), forced.logits.view());
        assert!(apart <= 1e-5, "{name}: {apart}");
        for (stepped, forced) in [
            (&stepped_trace.decoder_self, &forced.trace.decoder_self),
            (&stepped_trace.cross, &forced.trace.cross),
            (&stepped_trace.encoder_self, &forced.trace.encoder_self),
        ] {
            let (stepped, forced) = (stepped.as_ref().unwrap(), forced.as_ref().unwrap());
            assert_eq!(stepped.dim(), forced.dim(), "{name}");
            assert!(
                stepped
                    .iter()
                    .zip(forced)
                    .all(|(a, b)| (a - b).abs() < 1e-5),
                "{name}"
            );
        }
        let hidden = |trace: &Trace| trace.decoder_output.clone().unwrap();
        assert!(difference(hidden(&stepped_trace).view(), hidden(&forced.trace).view()) <= 1e-5);
    }
}

#[test]
fn alignment_is_the_mean_of_cross_attention_over_layers_and_heads() {
    for (name, model) in models() {
        // Whatever layers and heads the blocks are of.
        let mut request = TraceRequest::attention().with_layers([0]).with_heads([0]);
        request.alignment = true;
        let (_, trace) = step_through(&model, &SOURCE, &TARGET, &request);
        // Of a slot alone, wherever it stands.
        let mut state = model.encode(&[&SOURCE], &[request]).unwrap();
        let token = model.config().decoder_start_id;
        let row = |parent| Row {
            sentence: 0,
            parent,
            token,
        };
        model.step(&mut state, &[row(None)]).unwrap();
        model.step(&mut state, &[row(Some(Slot(0)))]).unwrap();
        let rows = [0, 1].map(|slot| model.alignment(&state, Slot(slot)).unwrap());
        assert_eq!(
            rows[0],
            trace.alignment.as_ref().unwrap().row(0).as_slice().unwrap()
        );
        assert!((rows[1].iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let (_, all) = step_through(&model, &SOURCE, &TARGET, &everything());
        let mean = all.cross.unwrap().mean_axis(Axis(0)).unwrap();
        let mean = mean.mean_axis(Axis(0)).unwrap();
        let apart = difference(trace.alignment.unwrap().view(), mean.view());
        assert!(apart <= 1e-5, "{name}: {apart}");
        assert!(all.alignment.is_none());
    }
}

#[test]
fn masked_positions_get_zero_weight() {
    for (name, model) in models() {
        let trace = model
            .teacher_force(&SOURCE, &TARGET, &everything())
            .unwrap()
            .trace;
        let reach = model.config().neighbourhood.map_or(usize::MAX, |r| r / 2);
        for ((_, _, query, key), &weight) in trace.decoder_self.unwrap().indexed_iter() {
            let visible = key <= query && query - key <= reach;
            assert_eq!(
                weight > 0.0,
                visible,
                "{name}: query {query}, key {key}, weight {weight}"
            );
        }
        for ((_, _, query, key), &weight) in trace.encoder_self.unwrap().indexed_iter() {
            assert_eq!(
                weight > 0.0,
                query.abs_diff(key) <= reach,
                "{name}: query {query}, key {key}"
            );
        }
    }
}

#[test]
fn weights_of_every_query_sum_to_one() {
    for (name, model) in models() {
        let trace = model
            .teacher_force(&SOURCE, &TARGET, &everything())
            .unwrap()
            .trace;
        for block in [trace.encoder_self, trace.decoder_self, trace.cross] {
            let sums = block.unwrap().sum_axis(Axis(3));
            assert!(
                sums.iter().all(|sum| (sum - 1.0).abs() < 1e-5),
                "{name}: {sums}"
            );
        }
    }
}

#[test]
fn what_comes_later_changes_no_earlier_logit() {
    for (name, model) in models() {
        let off = TraceRequest::default();
        let whole = model.teacher_force(&SOURCE, &TARGET, &off).unwrap().logits;
        let mut other = TARGET;
        other[4..].reverse();
        let changed = model.teacher_force(&SOURCE, &other, &off).unwrap().logits;
        // Piece 4 is first read by row 5.
        assert!(
            difference(whole.slice(s![..5, ..]), changed.slice(s![..5, ..])) <= 1e-6,
            "{name}"
        );
        assert!(
            difference(whole.slice(s![5.., ..]), changed.slice(s![5.., ..])) > 1e-3,
            "{name}"
        );
    }
}

#[test]
fn a_trace_changes_no_bit() {
    for (name, model) in models() {
        let (with, _) = step_through(&model, &SOURCE, &TARGET, &everything());
        let (without, nothing) = step_through(&model, &SOURCE, &TARGET, &TraceRequest::default());
        assert_eq!(with, without, "{name}");
        assert_eq!(nothing, Trace::default());
        let with = model
            .teacher_force(&SOURCE, &TARGET, &everything())
            .unwrap()
            .logits;
        let without = model
            .teacher_force(&SOURCE, &TARGET, &TraceRequest::default())
            .unwrap()
            .logits;
        assert_eq!(with, without, "{name}");
    }
}

#[test]
fn a_trace_keeps_the_layers_and_heads_asked_for() {
    let model = Transformer::random(Config::tiny(VOCAB), 3).unwrap();
    let all = model
        .teacher_force(&SOURCE, &TARGET, &everything())
        .unwrap()
        .trace;
    let request = TraceRequest::of(&[AttentionKind::Cross])
        .with_layers([1])
        .with_heads([1, 0]);
    let (_, some) = step_through(&model, &SOURCE, &TARGET, &request);
    assert!(some.encoder_self.is_none() && some.decoder_self.is_none() && some.memory.is_none());
    let (all, some) = (all.cross.unwrap(), some.cross.unwrap());
    assert_eq!(some.dim(), (1, 2, TARGET.len(), SOURCE.len()));
    for (kept, head) in [(0, 1), (1, 0)] {
        assert!(
            difference(
                some.slice(s![0, kept, .., ..]),
                all.slice(s![1, head, .., ..])
            ) < 1e-5
        );
    }
    let beyond = everything().with_heads([2]);
    let error = model
        .teacher_force(&SOURCE, &TARGET, &beyond)
        .err()
        .unwrap();
    assert!(error.to_string().contains("heads"), "{error}");
}

#[test]
fn several_sentences_at_once_equal_one_by_one() {
    let sentences: [&[u32]; 3] = [&SOURCE, &[44, 0], &[7, 7, 7, 12, 30, 31, 32, 33, 0]];
    for (name, model) in models() {
        let requests = vec![everything(); sentences.len()];
        let mut together = model.encode(&sentences, &requests).unwrap();
        let mut paths = vec![Vec::new(); sentences.len()];
        let mut slots = 0;
        let mut logits = vec![Array2::zeros((0, VOCAB)); sentences.len()];
        let mut read = vec![model.config().decoder_start_id; sentences.len()];
        for &next in &TARGET[..4] {
            let rows: Vec<Row> = (0..sentences.len())
                .map(|sentence| Row {
                    sentence,
                    parent: paths[sentence].last().copied(),
                    token: read[sentence],
                })
                .collect();
            let step = model.step(&mut together, &rows).unwrap();
            for sentence in 0..sentences.len() {
                logits[sentence].push_row(step.row(sentence)).unwrap();
                paths[sentence].push(Slot(slots));
                slots += 1;
                read[sentence] = next;
            }
        }
        for (number, sentence) in sentences.iter().enumerate() {
            let (alone, alone_trace) = step_through(&model, sentence, &TARGET[..4], &everything());
            let apart = difference(logits[number].view(), alone.view());
            assert!(apart <= 1e-5, "{name}: {apart}");
            let trace = model.trace(&together, number, &paths[number]);
            let memory = |trace: Trace| trace.memory.unwrap();
            assert!(
                difference(memory(trace).view(), memory(alone_trace).view()) <= 1e-5,
                "{name}"
            );
        }
    }
}

#[test]
fn hypotheses_that_share_slots_equal_separate_decoding() {
    for (name, model) in models() {
        // One common piece, then three continuations, one of which forks again.
        let mut state = model.encode(&[&SOURCE], &[everything()]).unwrap();
        let start = model.config().decoder_start_id;
        let row = |parent: Option<u32>, token| Row {
            sentence: 0,
            parent: parent.map(Slot),
            token,
        };
        model.step(&mut state, &[row(None, start)]).unwrap();
        model
            .step(
                &mut state,
                &[row(Some(0), 21), row(Some(0), 22), row(Some(0), 23)],
            )
            .unwrap();
        let step = model
            .step(
                &mut state,
                &[row(Some(2), 5), row(Some(2), 6), row(Some(1), 5)],
            )
            .unwrap();
        let hypotheses: [(&[u32], &[u32]); 3] = [
            (&[22, 5, 0], &[0, 2, 4]),
            (&[22, 6, 0], &[0, 2, 5]),
            (&[21, 5, 0], &[0, 1, 6]),
        ];
        let step = step.to_owned();
        for (number, (target, slots)) in hypotheses.into_iter().enumerate() {
            let (alone, alone_trace) = step_through(&model, &SOURCE, target, &everything());
            let apart = difference(
                step.slice(s![number..=number, ..]),
                alone.slice(s![2..3, ..]),
            );
            assert!(apart <= 1e-5, "{name}: {apart}");
            let path: Vec<Slot> = slots.iter().copied().map(Slot).collect();
            let (shared, alone) = (
                model.trace(&state, 0, &path).cross.unwrap(),
                alone_trace.cross.unwrap(),
            );
            assert!(
                shared.iter().zip(&alone).all(|(a, b)| (a - b).abs() < 1e-5),
                "{name}"
            );
        }
    }
}

#[test]
fn a_chain_of_rows_in_one_pass_equals_one_pass_each() {
    for (name, model) in models() {
        let mut state = model.encode(&[&SOURCE], &[]).unwrap();
        let read = std::iter::once(model.config().decoder_start_id).chain(TARGET);
        let rows: Vec<Row> = read
            .take(TARGET.len())
            .enumerate()
            .map(|(position, token)| Row {
                sentence: 0,
                parent: position.checked_sub(1).map(|parent| Slot(parent as u32)),
                token,
            })
            .collect();
        let chained = model.step(&mut state, &rows).unwrap().to_owned();
        let (stepped, _) = step_through(&model, &SOURCE, &TARGET, &TraceRequest::default());
        assert!(difference(chained.view(), stepped.view()) <= 1e-5, "{name}");
    }
}

#[test]
fn released_sentences_make_room_and_keep_their_observations() {
    let model = Transformer::random(Config::tiny(VOCAB), 3).unwrap();
    let other: &[u32] = &[44, 0];
    let mut state = model
        .encode(&[&SOURCE, other], &[everything(), everything()])
        .unwrap();
    let start = model.config().decoder_start_id;
    let row = |sentence, parent: Option<u32>, token| Row {
        sentence,
        parent: parent.map(Slot),
        token,
    };
    model
        .step(&mut state, &[row(0, None, start), row(1, None, start)])
        .unwrap();
    let before = model.trace(&state, 0, &[Slot(0)]);
    model.release(&mut state, 0);
    assert_eq!(model.trace(&state, 0, &[Slot(0)]), before);
    assert!(
        model.step(&mut state, &[row(0, Some(0), 5)]).is_err(),
        "a released sentence is refused"
    );
    // The other sentence goes on, over the places that were freed.
    model.step(&mut state, &[row(1, Some(1), 9)]).unwrap();
    let step = model
        .step(&mut state, &[row(1, Some(2), 33)])
        .unwrap()
        .to_owned();
    let (alone, _) = step_through(&model, other, &TARGET[..3], &everything());
    assert!(difference(step.view(), alone.slice(s![2..3, ..])) <= 1e-5);
}

#[test]
fn bad_requests_are_refused_by_name() {
    let model = Transformer::random(Config::tiny(VOCAB), 3).unwrap();
    let message = |result: translucent::Result<_>| {
        result
            .err()
            .map(|error: translucent::Error| error.to_string())
    };
    let encode = |ids: &[u32]| message(model.encode(&[ids], &[]).map(|_| ())).unwrap();
    assert!(encode(&[]).contains("source"));
    assert!(encode(&[VOCAB as u32]).contains("60"));
    assert!(encode(&[1; 65]).contains("64"));
    let mut state = model.encode(&[&SOURCE], &[]).unwrap();
    let mut step = |sentence, parent: Option<u32>, token| {
        let row = Row {
            sentence,
            parent: parent.map(Slot),
            token,
        };
        message(model.step(&mut state, &[row]).map(|_| ()))
    };
    assert!(step(1, None, 0).unwrap().contains("sentence 1"));
    assert!(step(0, Some(0), 0).unwrap().contains("slot 0"));
    assert!(step(0, None, 60).unwrap().contains("60"));
    assert_eq!(step(0, None, 59), None);
    for position in 1..64 {
        assert_eq!(step(0, Some(position - 1), 1), None);
    }
    assert!(step(0, Some(63), 1).unwrap().contains("position 64"));
}

#[test]
fn pieces_enter_as_the_sum_of_scaled_embedding_and_position() {
    for (name, model) in models() {
        let found = EmbeddingSteps::new(&model, Stack::Encoder, SOURCE[2], 2).unwrap();
        let trace = model
            .teacher_force(&SOURCE, &TARGET, &everything())
            .unwrap()
            .trace;
        let (embedding, table) = (trace.source_embedding.unwrap(), model.positions());
        // Halves are told in the paper's order: a permutation, which changes no length.
        let length = |row: ndarray::ArrayView1<'_, f32>| row.dot(&row).sqrt();
        for (told, expected) in [
            (&found.scaled, embedding.row(2).to_owned()),
            (&found.encoding, table.row(2).to_owned()),
            (&found.sum, &embedding.row(2) + &table.row(2)),
        ] {
            let apart = length(told.view()) - length(expected.view());
            assert!(apart.abs() < 1e-4, "{name}: {apart}");
        }
        assert!(EmbeddingSteps::new(&model, Stack::Decoder, VOCAB as u32, 0).is_err());
        assert!(EmbeddingSteps::new(&model, Stack::Decoder, 0, 64).is_err());
    }
}

#[test]
fn growing_traces_leave_out_the_encoder_alone() {
    for (name, model) in models() {
        let request = everything().with_norms();
        let mut state = model.encode(&[&SOURCE], &[request]).unwrap();
        let row = Row {
            sentence: 0,
            parent: None,
            token: model.config().decoder_start_id,
        };
        model.step(&mut state, &[row]).unwrap();
        let whole = model.trace(&state, 0, &[Slot(0)]);
        let part = model.decoder_trace(&state, 0, &[Slot(0)]);
        let mut expected = whole;
        expected.encoder_self = None;
        expected.encoder_self_norms = None;
        expected.source_embedding = None;
        expected.memory = None;
        assert_eq!(part, expected, "{name}");
    }
}
