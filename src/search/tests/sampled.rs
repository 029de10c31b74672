//! What a sampled translation must hold.

use super::*;

fn sampled(sampling: Sampling) -> SearchOptions {
    options(1, 9).with_sampling(sampling)
}

fn seeded(seed: u32) -> Sampling {
    Sampling {
        seed,
        ..Sampling::default()
    }
}

#[test]
fn the_likeliest_piece_alone_is_greedy() {
    for seed in 0..30 {
        let model = random(seed, 9);
        let tokens = |options: &SearchOptions| search(&model, &[3, EOS], options).remove(0).tokens;
        let greedy = tokens(&options(1, 9));
        let cold = Sampling {
            temperature: 1e-30,
            ..seeded(5)
        };
        let first = Sampling {
            top_k: 1,
            ..seeded(6)
        };
        let small = Sampling {
            top_p: 1e-9,
            ..seeded(7)
        };
        for sampling in [cold, first, small] {
            assert_eq!(tokens(&sampled(sampling)), greedy);
        }
    }
}

#[test]
fn a_seed_gives_one_translation_whatever_is_decoded_beside_it() {
    let model = random(4, 9);
    let sources: [&[u32]; 3] = [&[1, EOS], &[2, 5, EOS], &[6, EOS]];
    let together = Batch::new(&model, &sources, &sampled(seeded(11)), &[]).unwrap();
    let together = run(&model, together).unwrap().0;
    for (source, found) in sources.iter().zip(&together) {
        let alone = &search(&model, source, &sampled(seeded(11)))[0];
        assert_eq!(
            (&alone.tokens, &alone.logprobs),
            (&found[0].tokens, &found[0].logprobs)
        );
        // ln P is the model's, whatever it was drawn from.
        let logprobs = model.logprobs(source, &alone.tokens);
        assert!(
            alone
                .logprobs
                .iter()
                .zip(&logprobs)
                .all(|(a, b)| (a - b).abs() < 1e-4)
        );
    }
    let translations = |source: &[u32]| -> std::collections::HashSet<Vec<u32>> {
        let seeds = (0..200).map(seeded);
        seeds
            .map(|sampling| search(&model, source, &sampled(sampling))[0].tokens.clone())
            .collect()
    };
    assert!(translations(sources[0]).len() > 5);
}

#[test]
fn pieces_come_as_often_as_they_are_likely() {
    let model = random(2, 8);
    let source = [1, EOS];
    let draws = 4000;
    let sampling = Sampling {
        temperature: 1.5,
        top_k: 5,
        ..Sampling::default()
    };
    let mut counts = [0u32; 8];
    for seed in 0..draws {
        let options = sampled(Sampling { seed, ..sampling });
        counts[search(&model, &source, &options)[0].tokens[0] as usize] += 1;
    }
    let banned = &model.config.banned_ids;
    let mut weights: Vec<(usize, f64)> = (0..8)
        .filter(|id| !banned.contains(id))
        .map(|id| {
            (
                id as usize,
                f64::from((model.logit)(&source, &[], id) / 1.5).exp(),
            )
        })
        .collect();
    weights.sort_by(|a, b| b.1.total_cmp(&a.1));
    weights.truncate(5);
    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let mut chi_squared = 0.0;
    for (id, weight) in weights {
        let expected = f64::from(draws) * weight / sum;
        chi_squared += (f64::from(counts[id]) - expected).powi(2) / expected;
        counts[id] = 0;
    }
    assert_eq!(counts, [0; 8], "a piece was drawn that is cut off");
    // 4 degrees of freedom: exceeded once in 1000 by chance; the seeds are fixed.
    assert!(chi_squared < 18.5, "{chi_squared}");
}

#[test]
fn every_drawn_piece_is_reported_with_its_odds() {
    let model = random(9, 9);
    let options = SearchOptions {
        alternatives: 9,
        prefix: vec![3, 4],
        ..sampled(Sampling {
            top_k: 4,
            top_p: 0.9,
            ..seeded(3)
        })
    };
    let mut batch = Batch::new(&model, &[&[1, EOS], &[2, EOS]], &options, &[]).unwrap();
    while !batch.is_done() {
        batch.step(&model).unwrap();
    }
    for sentence in 0..2 {
        let node = batch.best(sentence).unwrap();
        let hypothesis = batch.hypothesis(node).unwrap();
        let (draws, alternatives) = (batch.draws(node), batch.alternatives(node));
        assert_eq!(
            (draws.len(), alternatives.len()),
            (hypothesis.tokens.len(), hypothesis.tokens.len())
        );
        assert_eq!(&draws[..2], [None, None], "a forced piece is not drawn");
        for ((draw, alternatives), token) in draws
            .iter()
            .zip(alternatives)
            .zip(&hypothesis.tokens)
            .skip(2)
        {
            let draw = draw.unwrap();
            let (mut before, mut shares) = (0.0, 0.0);
            for ((id, _), odds) in alternatives.iter().zip(&draw.odds) {
                if id == token {
                    before = shares;
                    assert_eq!((odds.share, odds.cut), (draw.share, None));
                }
                shares += odds.share;
            }
            assert!((shares - 1.0).abs() < 1e-5);
            assert!((before - 1e-6..before + draw.share + 1e-6).contains(&draw.uniform));
            assert!(draw.rank <= draw.kept && draw.kept <= 4);
        }
    }
}

#[test]
fn placeholders_come_once_in_what_is_drawn() {
    for seed in 0..30 {
        let mut model = random(seed, 9);
        model.config.placeholder_ids = vec![3, 4, 5];
        for source in [&[1, EOS][..], &[3, 1, EOS], &[5, 3, 4, EOS]] {
            for max_extra in [0, 6] {
                let options = sampled(seeded(seed as u32)).with_max_extra(max_extra);
                let tokens = search(&model, source, &options).remove(0).tokens;
                for id in [3, 4, 5] {
                    let count = |ids: &[u32]| ids.iter().filter(|other| **other == id).count();
                    assert_eq!(count(&tokens), count(source), "{source:?} {tokens:?}");
                }
            }
        }
    }
}

#[test]
fn settings_outside_their_domain_are_refused_by_name() {
    let model = random(0, 5);
    let refused = |options: SearchOptions| {
        let error = Batch::new(&model, &[&[EOS]], &options, &[]).err().unwrap();
        assert_eq!(error.code(), "RequestInvalid");
        error.to_string()
    };
    for temperature in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let sampling = Sampling {
            temperature,
            ..seeded(0)
        };
        assert!(refused(sampled(sampling)).contains("temperature"));
    }
    for top_p in [0.0, -0.1, 1.1, f32::NAN] {
        assert!(refused(sampled(Sampling { top_p, ..seeded(0) })).contains("topP"));
    }
    assert!(refused(sampled(seeded(0)).with_beam(2)).contains("beam"));
}
