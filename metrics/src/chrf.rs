//! chrF2 of a corpus (Popović, 2015), as sacrebleu defines it: character 1- to 6-grams, β = 2, white space left out.

use crate::tokenize::is_space;
use crate::{common, count_ngrams};

/// What sacrebleu calls this measure in full.
pub const SIGNATURE: &str = "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no";

/// Longest n-gram.
const ORDER: usize = 6;
/// β²: recall counts so many times as much as precision.
const BETA_SQUARED: f64 = 4.0;

/// chrF2 of hypotheses, each with its one reference: 0 to 100.
///
/// # Panics
/// If there are not as many references as hypotheses.
pub fn chrf<H: AsRef<str>, R: AsRef<str>>(hypotheses: &[H], references: &[R]) -> f64 {
    assert_eq!(
        hypotheses.len(),
        references.len(),
        "one reference for each hypothesis"
    );
    // For each order: n-grams of the hypotheses, of the references, and in common.
    let mut counts = [[0usize; 3]; ORDER];
    for (hypothesis, reference) in hypotheses.iter().zip(references) {
        let hypothesis: Vec<char> = hypothesis
            .as_ref()
            .chars()
            .filter(|c| !is_space(*c))
            .collect();
        let reference: Vec<char> = reference
            .as_ref()
            .chars()
            .filter(|c| !is_space(*c))
            .collect();
        for (n, counts) in (1..).zip(&mut counts) {
            let wanted = (reference.len() + 1).saturating_sub(n);
            if wanted == 0 {
                // A reference too short for this order says nothing of the hypothesis.
                continue;
            }
            counts[0] += (hypothesis.len() + 1).saturating_sub(n);
            counts[1] += wanted;
            counts[2] += common(&count_ngrams(&hypothesis, n), &count_ngrams(&reference, n));
        }
    }
    let used: Vec<&[usize; 3]> = counts
        .iter()
        .filter(|counts| counts[0] > 0 && counts[1] > 0)
        .collect();
    let mean = |of: usize| {
        used.iter().map(|c| c[2] as f64 / c[of] as f64).sum::<f64>() / used.len().max(1) as f64
    };
    let (precision, recall) = (mean(0), mean(1));
    if precision + recall == 0.0 {
        return 0.0;
    }
    100.0 * (1.0 + BETA_SQUARED) * precision * recall / (BETA_SQUARED * precision + recall)
}
