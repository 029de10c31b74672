use super::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    rows: Vec<Vec<f32>>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    row: usize,
    temperature: f32,
    top_k: usize,
    top_p: f32,
    kept: Vec<u32>,
    shares: Vec<f64>,
    draws: Vec<(f64, u32)>,
}

/// Made by `tests/golden/sampling.py`.
fn golden() -> Golden {
    serde_json::from_str(include_str!("../../../tests/golden/sampling.json")).unwrap()
}

#[test]
fn pieces_are_cut_off_and_drawn_as_transformers_does() {
    let Golden { rows, cases } = golden();
    assert_eq!(cases.len(), 36);
    for case in cases {
        let sampling = Sampling {
            temperature: case.temperature,
            top_k: case.top_k,
            top_p: case.top_p,
            seed: 0,
        };
        let row = &rows[case.row];
        let ranked = Ranked::new(&sampling, row, &[], None, 0);
        let (kept, shares): (Vec<u32>, Vec<f64>) = ranked.shares().unzip();
        assert_eq!(kept, case.kept, "{sampling:?}");
        for (share, expected) in shares.iter().zip(&case.shares) {
            assert!(
                (share - expected).abs() < 1e-5,
                "{sampling:?}: {share} {expected}"
            );
        }
        assert!(!case.draws.is_empty());
        for (uniform, id) in case.draws {
            assert_eq!(
                ranked.draw(uniform).unwrap().0,
                id,
                "{sampling:?} {uniform}"
            );
        }
    }
}

#[test]
fn banned_pieces_are_never_left_and_the_rest_shares_all() {
    let row = &golden().rows[0];
    let all = Ranked::new(&Sampling::default(), row, &[], None, 0);
    let best = all.draw(0.0).unwrap().0;
    let ranked = Ranked::new(&Sampling::default(), row, &[best, best, 999], None, 0);
    assert_eq!(ranked.shares().count(), row.len() - 1);
    assert!(ranked.shares().all(|(id, _)| id != best));
    assert!((ranked.shares().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-12);
    assert_eq!(ranked.odds(best).cut, Some(Cut::Banned));
    // Raised above all others it is the likeliest, although it is excluded.
    let ranked = Ranked::new(&Sampling::default(), row, &[best], Some((best, 99.0)), 0);
    assert_eq!(ranked.draw(0.5).unwrap().0, best);
}

#[test]
fn a_report_says_what_cut_each_piece_off() {
    let row = [4.0, 3.0, 2.0, 1.0, 0.0];
    let sampling = Sampling {
        top_k: 3,
        top_p: 0.8,
        ..Sampling::default()
    };
    let alternatives: Vec<(u32, f32)> = (0..5).map(|id| (id, 0.0)).collect();
    let ranked = Ranked::new(&sampling, &row, &[4], None, 5);
    let draw = ranked.report(0.9, &alternatives).unwrap();
    let cuts: Vec<Option<Cut>> = draw.odds.iter().map(|odds| odds.cut).collect();
    let expected = [
        None,
        None,
        Some(Cut::TopP),
        Some(Cut::TopK),
        Some(Cut::Banned),
    ];
    assert_eq!(cuts, expected);
    assert_eq!((draw.kept, draw.rank), (2, 2));
    let e = std::f32::consts::E;
    assert!((draw.odds[0].share - e / (e + 1.0)).abs() < 1e-6);
    assert!((draw.share - 1.0 / (e + 1.0)).abs() < 1e-6);
    let tempered: f32 = draw.odds.iter().map(|odds| odds.tempered).sum();
    assert!((tempered - 1.0).abs() < 1e-6);
}

#[test]
fn random_numbers_depend_on_seed_sentence_and_step() {
    let sampling = |seed| Sampling {
        seed,
        ..Sampling::default()
    };
    let number = |seed: u32, source: &[u32], step| uniform(sampling(seed).stream(source), step);
    assert_eq!(number(1, &[4, 5], 3), number(1, &[4, 5], 3));
    for other in [
        number(2, &[4, 5], 3),
        number(1, &[5, 4], 3),
        number(1, &[4, 5], 4),
    ] {
        assert_ne!(number(1, &[4, 5], 3), other);
    }
    let mean = (0..4000).map(|seed| number(seed, &[7], 0)).sum::<f64>() / 4000.0;
    assert!((mean - 0.5).abs() < 0.02, "{mean}");
}
