//! BLEU and chrF2 against sacrebleu's own values (tests/golden/sacrebleu_golden.py).

use serde::Deserialize;
use translucent_metrics::{bleu, chrf};

#[derive(Deserialize)]
struct Case {
    hypotheses: Vec<String>,
    references: Vec<String>,
    bleu: f64,
    precisions: [f64; 4],
    brevity_penalty: f64,
    chrf: f64,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("../../tests/golden/sacrebleu.json")).unwrap()
}

#[test]
fn bleu_is_that_of_sacrebleu() {
    for case in cases() {
        let found = bleu(&case.hypotheses, &case.references);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        let precisions = found
            .precisions
            .iter()
            .zip(case.precisions)
            .all(|(a, b)| near(*a, b));
        assert!(
            near(found.score, case.bleu)
                && precisions
                && near(found.brevity_penalty, case.brevity_penalty),
            "{found}, sacrebleu {} {:?}: {:?}",
            case.bleu,
            case.precisions,
            case.hypotheses
        );
    }
}

#[test]
fn chrf_is_that_of_sacrebleu() {
    for case in cases() {
        let found = chrf(&case.hypotheses, &case.references);
        assert!(
            (found - case.chrf).abs() < 1e-6,
            "{found}, sacrebleu {}: {:?}",
            case.chrf,
            case.hypotheses
        );
    }
}
