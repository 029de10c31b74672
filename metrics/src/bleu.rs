//! BLEU of a corpus (Papineni et al., 2002), as sacrebleu defines it: 13a, exponential smoothing, one reference.

use crate::tokenize::tokenize_13a;
use crate::{common, count_ngrams};
use std::fmt;

/// What sacrebleu calls this measure in full.
pub const SIGNATURE: &str = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp";

/// A corpus' BLEU and what it is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bleu {
    /// 0 to 100.
    pub score: f64,
    /// Precision of 1- to 4-grams, in per cent.
    pub precisions: [f64; 4],
    /// Brevity penalty.
    pub brevity_penalty: f64,
    /// Words of all hypotheses.
    pub hypothesis_words: usize,
    /// Words of all references.
    pub reference_words: usize,
}

/// BLEU of hypotheses, each with its one reference.
///
/// # Panics
/// If there are not as many references as hypotheses.
pub fn bleu<H: AsRef<str>, R: AsRef<str>>(hypotheses: &[H], references: &[R]) -> Bleu {
    assert_eq!(
        hypotheses.len(),
        references.len(),
        "one reference for each hypothesis"
    );
    let (mut correct, mut total) = ([0usize; 4], [0usize; 4]);
    let (mut hypothesis_words, mut reference_words) = (0, 0);
    for (hypothesis, reference) in hypotheses.iter().zip(references) {
        let hypothesis = tokenize_13a(hypothesis.as_ref());
        let reference = tokenize_13a(reference.as_ref());
        hypothesis_words += hypothesis.len();
        reference_words += reference.len();
        for n in 1..=4 {
            correct[n - 1] += common(&count_ngrams(&hypothesis, n), &count_ngrams(&reference, n));
            total[n - 1] += (hypothesis.len() + 1).saturating_sub(n);
        }
    }
    let brevity_penalty = match (hypothesis_words, reference_words) {
        (found, wanted) if found >= wanted => 1.0,
        (0, _) => 0.0,
        (found, wanted) => (1.0 - wanted as f64 / found as f64).exp(),
    };
    let mut precisions = [0.0; 4];
    if correct.iter().any(|count| *count > 0) {
        // Orders without a match count as 1/2, 1/4, … of a match (NIST's mteval).
        let mut smoothing = 1.0;
        for (precision, (correct, total)) in precisions.iter_mut().zip(correct.iter().zip(total)) {
            if total == 0 {
                break;
            }
            *precision = match *correct {
                0 => {
                    smoothing *= 2.0;
                    100.0 / (smoothing * total as f64)
                }
                correct => 100.0 * correct as f64 / total as f64,
            };
        }
    }
    let score = match precisions.contains(&0.0) {
        true => 0.0,
        false => {
            brevity_penalty * (precisions.iter().map(|p: &f64| p.ln()).sum::<f64>() / 4.0).exp()
        }
    };
    Bleu {
        score,
        precisions,
        brevity_penalty,
        hypothesis_words,
        reference_words,
    }
}

impl fmt::Display for Bleu {
    /// As sacrebleu prints it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, two, three, four] = self.precisions;
        let ratio = self.hypothesis_words as f64 / self.reference_words.max(1) as f64;
        write!(
            f,
            "BLEU = {:.2} {one:.1}/{two:.1}/{three:.1}/{four:.1} (BP = {:.3} ratio = {ratio:.3} hyp_len = {} ref_len = {})",
            self.score, self.brevity_penalty, self.hypothesis_words, self.reference_words
        )
    }
}
