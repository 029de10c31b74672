//! BLEU and chrF2 of translations against references, as sacrebleu computes them.
//!
//! ```
//! let bleu = translucent_metrics::bleu(&["the cat sat on the mat"], &["the cat sat on the mat"]);
//! assert!(bleu.score > 99.9);
//! ```
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod bleu;
mod chrf;
mod tokenize;

pub use bleu::{Bleu, SIGNATURE as BLEU_SIGNATURE, bleu};
pub use chrf::{SIGNATURE as CHRF_SIGNATURE, chrf};
pub use tokenize::tokenize_13a;

use std::collections::HashMap;
use std::hash::Hash;

/// How often each n-gram occurs.
fn count_ngrams<T: Eq + Hash>(items: &[T], n: usize) -> HashMap<&[T], usize> {
    let mut counts = HashMap::new();
    for ngram in items.windows(n) {
        *counts.entry(ngram).or_insert(0) += 1;
    }
    counts
}

/// How many n-grams two counts have in common, each as often as in the one that has it less often.
fn common<T: Eq + Hash>(left: &HashMap<&[T], usize>, right: &HashMap<&[T], usize>) -> usize {
    let matches = left
        .iter()
        .filter_map(|(ngram, count)| right.get(ngram).map(|other| count.min(other)));
    matches.sum()
}
