//! What a search must hold, on models small enough to enumerate every translation.

mod fake;
mod sampled;

use super::*;
use crate::model::Seq2Seq;
use crate::trace::TraceRequest;
use crate::{Error, Result};
use fake::{EOS, Fake, random};
use std::sync::Arc;

fn options(beam: usize, max_extra: usize) -> SearchOptions {
    SearchOptions {
        beam,
        max_extra,
        ..SearchOptions::default()
    }
}

/// Runs a batch to its end; every sentence's hypotheses, and all events.
fn run<M: Seq2Seq>(model: &M, mut batch: Batch<M>) -> Result<(Vec<Vec<Hypothesis>>, Vec<Event>)> {
    let mut events = Vec::new();
    while !batch.is_done() {
        events.extend(batch.step(model)?);
    }
    assert_eq!(batch.step(model)?, Vec::new());
    let mut done: Vec<(usize, Vec<Hypothesis>)> = Vec::new();
    for event in &events {
        if let Event::Done {
            sentence,
            hypotheses,
        } = event
        {
            done.push((*sentence, hypotheses.clone()));
        }
    }
    done.sort_by_key(|(sentence, _)| *sentence);
    Ok((
        done.into_iter().map(|(_, hypotheses)| hypotheses).collect(),
        events,
    ))
}

fn search<M: Seq2Seq>(model: &M, source: &[u32], options: &SearchOptions) -> Vec<Hypothesis> {
    let batch = Batch::new(model, &[source], options, &[]).unwrap();
    run(model, batch).unwrap().0.remove(0)
}

#[test]
fn greedy_takes_the_likeliest_piece_until_the_end_mark() {
    for seed in 0..50 {
        let model = random(seed, 6);
        let source = [3, EOS];
        let mut expected = Vec::new();
        while expected.last() != Some(&EOS) && expected.len() < 10 {
            let logit = |next: &u32| (model.logit)(&source, &expected, *next);
            let best = (0..5).max_by(|a, b| logit(a).total_cmp(&logit(b))).unwrap();
            expected.push(best);
        }
        for scoring in [
            Scoring::Wu { alpha: 0.6 },
            Scoring::Hf {
                length_penalty: 1.0,
                early_stopping: EarlyStopping::No,
            },
        ] {
            let found = search(
                &model,
                &source,
                &SearchOptions {
                    scoring,
                    ..options(1, 8)
                },
            );
            assert_eq!(found[0].tokens, expected, "seed {seed}");
        }
    }
}

#[test]
fn a_beam_that_holds_everything_finds_the_best_translations() {
    for seed in 0..60 {
        let model = random(seed, 5);
        for alpha in [0.0, 0.6, 1.5, -0.5] {
            let options = SearchOptions {
                n_best: 5,
                scoring: Scoring::Wu { alpha },
                ..options(64, 3)
            };
            let found = search(&model, &[EOS], &options);
            for (hypothesis, (tokens, score)) in
                found.iter().zip(model.every_translation(&[EOS], 4, alpha))
            {
                assert_eq!(hypothesis.tokens, tokens, "seed {seed}, α {alpha}");
                assert!((hypothesis.score - score).abs() < 1e-5);
            }
            assert_eq!(found.len(), 5);
        }
    }
}

/// Phrases without places in the source.
fn anywhere(phrases: &[Vec<u32>]) -> Vec<Phrase> {
    let phrases = phrases.iter().map(|pieces| Phrase {
        pieces: pieces.clone(),
        ..Phrase::default()
    });
    phrases.collect()
}

/// Whether pieces stand one after the other in a translation.
fn holds(tokens: &[u32], phrase: &[u32]) -> bool {
    tokens.windows(phrase.len()).any(|window| window == phrase)
}

#[test]
fn a_wide_beam_finds_the_best_translations_that_hold_a_phrase() {
    for seed in 0..40 {
        let model = random(seed, 5);
        for phrase in [vec![3], vec![2, 1], vec![1, 1]] {
            let options = SearchOptions {
                n_best: 3,
                ..options(60, 3)
            };
            let mut batch = Batch::new(&model, &[&[EOS]], &options, &[]).unwrap();
            batch.require(0, anywhere(std::slice::from_ref(&phrase)), &Arc::default());
            let (found, _) = run(&model, batch).unwrap();
            let all = model.every_translation(&[EOS], 4, 0.6).into_iter();
            // The last place is the end mark's.
            let mut wanted = all.filter(|(tokens, _)| holds(&tokens[..tokens.len() - 1], &phrase));
            for hypothesis in &found[0] {
                let (tokens, score) = wanted.next().unwrap();
                assert_eq!(hypothesis.tokens, tokens, "seed {seed}, {phrase:?}");
                assert!((hypothesis.score - score).abs() < 1e-5);
            }
            assert_eq!(found[0].len(), 3);
        }
    }
}

#[test]
fn every_translation_holds_its_phrases_and_ends() {
    for seed in 0..200 {
        let model = random(seed, 9);
        let phrases = vec![vec![4, 5], vec![4, 2, 2], vec![7]];
        let beam = 1 + (seed % 4) as usize;
        for scoring in [
            Scoring::Wu { alpha: 0.6 },
            Scoring::Hf {
                length_penalty: 1.0,
                early_stopping: EarlyStopping::No,
            },
        ] {
            let options = SearchOptions {
                scoring,
                ..options(beam, 9)
            };
            let sources: [&[u32]; 2] = [&[1, 2, EOS], &[3, EOS]];
            let mut batch = Batch::new(&model, &sources, &options, &[]).unwrap();
            batch.require(0, anywhere(&phrases), &Arc::default());
            let (found, _) = run(&model, batch).unwrap();
            let tokens = &found[0][0].tokens;
            for phrase in &phrases {
                assert!(
                    holds(tokens, phrase),
                    "seed {seed}, beam {beam}: {tokens:?}"
                );
            }
            // The other sentence is translated as without.
            let alone = search(&model, sources[1], &options);
            assert_eq!(found[1][0].tokens, alone[0].tokens, "seed {seed}");
        }
    }
}

#[test]
fn early_termination_never_changes_the_result_and_saves_passes() {
    let (mut early, mut late) = (0, 0);
    for seed in 0..600 {
        let model = random(seed, 4 + (seed % 9) as usize);
        let beam = 2 + (seed % 5) as usize;
        let options = SearchOptions {
            n_best: 1 + (seed % 2) as usize,
            scoring: Scoring::Wu {
                alpha: [0.6, 0.0, 1.0, 2.0, -0.7][(seed % 5) as usize],
            },
            ..options(beam, 12)
        };
        let source = [1, 2, EOS];
        let batch = Batch::new(&model, &[&source], &options, &[]).unwrap();
        let (stopped, _) = run(&model, batch).unwrap();
        early += model.passes.take();
        let batch = Batch::new(&model, &[&source], &options, &[])
            .unwrap()
            .without_early_stop();
        let (full, _) = run(&model, batch).unwrap();
        late += model.passes.take();
        let tokens = |found: &[Vec<Hypothesis>]| -> Vec<_> {
            found[0]
                .iter()
                .map(|h| (h.tokens.clone(), h.logprobs.clone(), h.score))
                .collect()
        };
        assert_eq!(tokens(&stopped), tokens(&full), "seed {seed}");
    }
    assert!(
        early < late,
        "{early} passes with, {late} without early termination"
    );
}

#[test]
fn n_best_are_sorted_distinct_and_scored_by_their_pieces() {
    for seed in 0..50 {
        let model = random(seed, 8);
        let source = [4, EOS];
        let found = search(
            &model,
            &source,
            &SearchOptions {
                n_best: 6,
                ..options(6, 10)
            },
        );
        assert_eq!(found.len(), 6);
        for pair in found.windows(2) {
            assert!(pair[0].score >= pair[1].score);
        }
        for (i, hypothesis) in found.iter().enumerate() {
            assert!(
                found[..i]
                    .iter()
                    .all(|other| other.tokens != hypothesis.tokens)
            );
            for (found, expected) in hypothesis
                .logprobs
                .iter()
                .zip(model.logprobs(&source, &hypothesis.tokens))
            {
                assert!((found - expected).abs() < 1e-4);
            }
            let penalty = ((5.0 + hypothesis.tokens.len() as f32) / 6.0).powf(0.6);
            let score = hypothesis.logprobs.iter().sum::<f32>() / penalty;
            assert!((hypothesis.score - score).abs() < 1e-5);
        }
    }
}

#[test]
fn output_is_at_most_the_input_and_fifty_and_the_models_positions() {
    let endless = |_: &[u32], _: &[u32], next: u32| if next == EOS { -30.0 } else { next as f32 };
    let mut model = Fake::new(5, endless);
    model.config.max_positions = 200;
    let found = search(&model, &[1, 2, EOS], &SearchOptions::default());
    assert_eq!(found[0].tokens.len(), 53);
    model.config.forced_eos_id = Some(EOS);
    let found = search(&model, &[1, 2, EOS], &SearchOptions::default());
    assert_eq!(found[0].tokens.len(), 53);
    assert_eq!(found[0].tokens.last(), Some(&EOS));
    model.config.max_positions = 20;
    let found = search(
        &model,
        &[1, 2, EOS],
        &SearchOptions {
            max_extra: usize::MAX,
            ..SearchOptions::default()
        },
    );
    assert_eq!(found[0].tokens.len(), 20);
}

#[test]
fn a_prefix_is_forced_and_the_search_goes_on_from_it() {
    for seed in 0..30 {
        let model = random(seed, 7);
        let source = [1, EOS];
        let prefix = vec![5, 5, 2];
        let forced = SearchOptions {
            prefix: prefix.clone(),
            ..options(4, 8)
        };
        let found = search(&model, &source, &forced);
        assert_eq!(found[0].tokens[..3], prefix);
        let continued = Fake::new(7, |source: &[u32], rest: &[u32], next: u32| {
            (model.logit)(source, &[&prefix[..], rest].concat(), next)
        });
        // `transformers` scores what follows the prefix as if it stood alone.
        let scoring = Scoring::Hf {
            length_penalty: 1.0,
            early_stopping: EarlyStopping::Never,
        };
        let alone = search(
            &continued,
            &source,
            &SearchOptions {
                scoring,
                ..options(4, 5)
            },
        );
        let found = search(&model, &source, &SearchOptions { scoring, ..forced });
        assert_eq!(found[0].tokens[3..], alone[0].tokens);
        assert_eq!(found[0].score, alone[0].score);
    }
}

#[test]
fn a_whole_translation_as_prefix_is_only_scored() {
    let model = random(3, 7);
    let prefix = vec![4, 1, 1, 6, EOS];
    let found = search(
        &model,
        &[2, EOS],
        &SearchOptions {
            prefix: prefix.clone(),
            ..options(4, 0)
        },
    );
    assert_eq!(found[0].tokens, prefix);
    assert_eq!(model.passes.get(), prefix.len());
    for (found, expected) in found[0]
        .logprobs
        .iter()
        .zip(model.logprobs(&[2, EOS], &prefix))
    {
        assert!((found - expected).abs() < 1e-5);
    }
}

#[test]
fn a_prefix_that_no_translation_could_have_is_refused() {
    let model = random(0, 7);
    for (prefix, word) in [
        (vec![7], "vocabulary"),
        (vec![1, EOS, 2], "end mark at 1"),
        (vec![1; 65], "64"),
    ] {
        let error = Batch::new(
            &model,
            &[&[EOS]],
            &SearchOptions {
                prefix,
                ..options(4, 5)
            },
            &[],
        )
        .err()
        .unwrap();
        assert_eq!(error.code(), "RequestInvalid");
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn no_ngram_is_repeated_and_no_banned_piece_generated() {
    let loops = |_: &[u32], prefix: &[u32], next: u32| match (prefix.last(), next) {
        (_, EOS) => -9.0,
        (Some(last), next) if next == last % 3 + 1 => 5.0,
        (_, next) => -(next as f32),
    };
    let model = Fake::new(6, loops);
    let free = search(&model, &[1, EOS], &options(3, 18));
    assert_eq!(free[0].tokens[..6], [1, 2, 3, 1, 2, 3]);
    for n in 1..4 {
        let found = search(
            &model,
            &[1, EOS],
            &SearchOptions {
                no_repeat_ngram: n,
                ..options(3, 18)
            },
        );
        let grams: Vec<&[u32]> = found[0].tokens.windows(n).collect();
        for (i, gram) in grams.iter().enumerate() {
            assert!(
                !grams[..i].contains(gram),
                "{n}-gram {gram:?} twice in {:?}",
                found[0].tokens
            );
        }
    }
    let start = model.config.decoder_start_id;
    let tempting = Fake::new(
        6,
        move |_: &[u32], _: &[u32], next: u32| if next == start { 9.0 } else { 0.0 },
    );
    assert!(
        !search(&tempting, &[1, EOS], &options(4, 5))[0]
            .tokens
            .contains(&start)
    );
}

#[test]
fn a_batch_gives_what_each_sentence_gives_alone() {
    let model = random(11, 9);
    let sources: [&[u32]; 4] = [&[1, EOS], &[2, 3, 4, 5, EOS], &[EOS], &[7, 7, EOS]];
    for scoring in [
        Scoring::Wu { alpha: 0.6 },
        Scoring::Hf {
            length_penalty: 1.0,
            early_stopping: EarlyStopping::Yes,
        },
    ] {
        let options = SearchOptions {
            scoring,
            n_best: 3,
            ..options(4, 9)
        };
        let (together, _) =
            run(&model, Batch::new(&model, &sources, &options, &[]).unwrap()).unwrap();
        for (source, together) in sources.iter().zip(together) {
            let alone = search(&model, source, &options);
            assert_eq!(alone.len(), together.len());
            for (a, b) in alone.iter().zip(&together) {
                assert_eq!(
                    (&a.tokens, &a.logprobs, a.score),
                    (&b.tokens, &b.logprobs, b.score)
                );
            }
        }
    }
}

#[test]
fn two_runs_and_an_observed_one_tell_the_same_events() {
    let model = random(5, 9);
    let source: &[u32] = &[1, 2, EOS];
    let options = SearchOptions {
        n_best: 4,
        ..options(4, 9)
    };
    let observed = [TraceRequest::attention()];
    let requests: [&[TraceRequest]; 3] = [&[], &[], &observed];
    let events = requests.map(|r| {
        run(&model, Batch::new(&model, &[source], &options, r).unwrap())
            .unwrap()
            .1
    });
    assert_eq!(events[0], events[1]);
    assert_eq!(events[0], events[2]);
}

#[test]
fn a_stable_prefix_is_a_prefix_of_the_translation() {
    let mut early = 0;
    for seed in 0..200 {
        let model = random(seed, 6);
        for scoring in [
            Scoring::Wu { alpha: 0.6 },
            Scoring::Hf {
                length_penalty: 1.0,
                early_stopping: EarlyStopping::Never,
            },
        ] {
            let options = SearchOptions {
                scoring,
                ..options(3, 9)
            };
            let (found, events) = run(
                &model,
                Batch::new(&model, &[&[1, EOS]], &options, &[]).unwrap(),
            )
            .unwrap();
            let best = &found[0][0].tokens;
            let mut last = 0;
            for event in &events {
                if let Event::Token {
                    tokens,
                    stable_prefix_len: stable,
                    ..
                } = event
                {
                    assert!(*stable >= last && *stable <= tokens.len());
                    assert_eq!(tokens[..*stable], best[..*stable]);
                    last = *stable;
                    early += usize::from(*stable > 0 && *stable < best.len());
                }
            }
            assert_eq!(
                last,
                best.len(),
                "the last event tells the whole translation"
            );
        }
    }
    assert!(early > 0);
}

#[test]
fn nodes_form_one_tree_whose_ids_count_up() {
    let model = random(8, 9);
    let options = SearchOptions {
        alternatives: 3,
        ..options(4, 9)
    };
    let mut batch = Batch::new(&model, &[&[1, EOS], &[2, EOS]], &options, &[]).unwrap();
    let mut nodes: Vec<(usize, Node)> = Vec::new();
    while !batch.is_done() {
        for event in batch.step(&model).unwrap() {
            if let Event::Nodes {
                sentence,
                nodes: new,
            } = event
            {
                for node in new {
                    assert_eq!(node.id.0 as usize, nodes.len());
                    if let Some(NodeId(parent)) = node.parent {
                        let (of, parent) = &nodes[parent as usize];
                        assert_eq!((*of, parent.state), (sentence, NodeState::Open));
                    }
                    nodes.push((sentence, node));
                }
            }
        }
    }
    assert!(
        nodes
            .iter()
            .any(|(_, node)| node.state == NodeState::Pruned)
    );
    for (sentence, node) in &nodes {
        let hypothesis = batch.hypothesis(node.id).unwrap();
        assert_eq!(
            (hypothesis.tokens.last(), hypothesis.score),
            (Some(&node.token), node.score)
        );
        let read = batch
            .trace(&model, *sentence, Some(node.id))
            .decoder_output
            .unwrap();
        let shifted = [model.config.decoder_start_id]
            .into_iter()
            .chain(hypothesis.tokens.iter().copied());
        assert!(
            read.iter()
                .zip(shifted)
                .all(|(read, token)| *read == token as f32)
        );
        assert_eq!(read.len(), hypothesis.tokens.len());
        let alternatives = batch.alternatives(node.id);
        assert_eq!(alternatives.len(), hypothesis.tokens.len());
        for (step, (token, logprob)) in alternatives
            .iter()
            .zip(hypothesis.tokens.iter().zip(&hypothesis.logprobs))
        {
            assert_eq!(step.len(), 3);
            assert!(step[0].1 >= step[1].1 && step[1].1 >= step[2].1);
            assert!(
                step.iter().all(|(t, l)| (t == token) == (l == logprob)) || step[2].1 >= *logprob
            );
        }
    }
    assert_eq!(batch.hypothesis(NodeId(nodes.len() as u32)), None);
}

#[test]
fn logits_that_are_not_finite_are_an_error() {
    for bad in [f32::NAN, f32::INFINITY] {
        let model = Fake::new(9, move |_: &[u32], prefix: &[u32], next: u32| {
            if prefix.len() == 1 && next == 7 {
                bad
            } else {
                1.0 / (1.0 + next as f32)
            }
        });
        let batch = Batch::new(&model, &[&[1, EOS]], &options(2, 9), &[]).unwrap();
        let error = run(&model, batch).unwrap_err();
        assert!(matches!(error, Error::ModelFormat { .. }), "{error}");
        assert!(error.to_string().contains("finite"));
    }
}

#[test]
fn options_outside_their_domain_are_refused() {
    let model = random(0, 5);
    let refuse = |options: SearchOptions, requests: &[TraceRequest]| {
        let error = Batch::new(&model, &[&[EOS], &[EOS]], &options, requests)
            .err()
            .unwrap();
        assert_eq!(error.code(), "RequestInvalid");
    };
    refuse(options(0, 5), &[]);
    refuse(
        SearchOptions {
            n_best: 3,
            ..options(2, 5)
        },
        &[],
    );
    refuse(
        SearchOptions {
            scoring: Scoring::Wu { alpha: f32::NAN },
            ..options(2, 5)
        },
        &[],
    );
    refuse(options(2, 5), &[TraceRequest::attention()]);
}

/// The message with which searching and forced decoding refuse a model.
#[track_caller]
fn refused<M: Seq2Seq>(model: &M) -> String {
    let request = ForceRequest {
        trace: &TraceRequest::default(),
        alternatives: 0,
        intervention: &Default::default(),
    };
    let forced = force_decode(model, &[1, EOS], &[1, EOS], request).unwrap_err();
    assert_eq!(forced.code(), "ConfigInvalid");
    let searched = Batch::new(model, &[&[1, EOS]], &options(2, 9), &[]).err();
    let searched = searched.unwrap().to_string();
    assert_eq!(searched, forced.to_string());
    searched
}

#[test]
fn ids_outside_the_vocabulary_are_an_error_before_anything_is_searched() {
    let mut model = random(3, 9);
    model.config.forced_eos_id = Some(9);
    assert!(refused(&model).contains("forced_eos_id"));
    model.config.forced_eos_id = None;
    model.config.banned_ids = vec![9];
    assert!(refused(&model).contains("banned_ids"));
    model.config.banned_ids = (0..9).collect();
    assert!(refused(&model).contains("no translation could end"));
}

#[test]
fn every_placeholder_of_a_source_comes_once_and_no_other_comes() {
    for seed in 0..40 {
        let mut model = random(seed, 9);
        model.config.placeholder_ids = vec![3, 4, 5];
        model.config.forced_eos_id = Some(EOS);
        for source in [
            &[1, EOS][..],
            &[3, 1, EOS],
            &[1, 4, 2, 3, EOS],
            &[5, 3, 4, EOS],
        ] {
            // Room for the placeholders and the end mark alone, and for more.
            for max_extra in [0, 1, 6] {
                for beam in [1, 3] {
                    for renormalize in [false, true] {
                        let options = SearchOptions {
                            max_extra,
                            n_best: beam,
                            renormalize,
                            ..options(beam, 9)
                        };
                        let batch = Batch::new(&model, &[source], &options, &[]).unwrap();
                        for hypothesis in run(&model, batch).unwrap().0.remove(0) {
                            for id in [3, 4, 5] {
                                let count =
                                    |ids: &[u32]| ids.iter().filter(|other| **other == id).count();
                                assert_eq!(
                                    count(&hypothesis.tokens),
                                    count(source),
                                    "seed {seed}, {source:?}, {hypothesis:?}"
                                );
                            }
                            assert_eq!(hypothesis.tokens.last(), Some(&EOS));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn no_placeholder_follows_another_but_at_the_end() {
    let tokens = |word: f32| {
        let mut model = Fake::new(9, move |_: &[u32], read: &[u32], next: u32| {
            let has = |id| read.contains(&id);
            match next {
                3 if !has(3) => 5.0,
                4 if read.last() == Some(&3) => 5.0,
                4 => 3.0,
                7 if !has(7) => word,
                EOS => 1.0,
                _ => -5.0,
            }
        });
        model.config.placeholder_ids = vec![3, 4];
        let batch = Batch::new(&model, &[&[3, 1, 4, EOS]], &options(1, 9), &[]).unwrap();
        run(&model, batch).unwrap().0.remove(0).remove(0).tokens
    };
    // A word comes between them, unless the translation would end there.
    assert_eq!(tokens(2.0), [3, 7, 4, EOS]);
    assert_eq!(tokens(-2.0), [3, 4, EOS]);
}

#[test]
fn a_search_without_any_continuation_is_an_error() {
    // Further apart than any f32: the prefix has the probability 0.
    let model = Fake::new(
        9,
        |_: &[u32], _: &[u32], next: u32| {
            if next == 7 { -f32::MAX } else { f32::MAX / 2.0 }
        },
    );
    for renormalize in [false, true] {
        let options = SearchOptions {
            prefix: vec![7],
            renormalize,
            ..options(2, 9)
        };
        let batch = Batch::new(&model, &[&[1, EOS]], &options, &[]).unwrap();
        let error = run(&model, batch).unwrap_err();
        assert!(matches!(error, Error::ModelFormat { .. }), "{error}");
    }
}
