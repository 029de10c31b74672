//! Loss on the development files: no dropout, no smoothing.

use crate::data::batch::{Batch, SpecialIds};
use crate::data::corpus::Corpus;
use crate::data::lines::Pair;
use crate::data::plan::Limits;
use crate::metrics::Score;
use crate::model::Transformer;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// A development file as ids.
pub struct DevelopmentSet {
    /// Name in the metrics.
    pub name: String,
    /// Its pairs.
    pub corpus: Corpus,
    /// Characters of all its references.
    pub characters: usize,
    /// Its first lines, for BLEU.
    pub lines: Vec<Pair>,
}

/// Loss and perplexity of every set. Pairs longer than `limits.max_length` are left out.
pub fn validate(
    model: &Transformer,
    sets: &[DevelopmentSet],
    limits: Limits,
    special: SpecialIds,
) -> BTreeMap<String, Score> {
    let device = model.device();
    sets.iter()
        .map(|set| {
            let (mut nll, mut tokens) = (0.0, 0);
            let mut rng = ChaCha8Rng::seed_from_u64(0);
            for batch in limits.plan(&set.corpus, &mut rng) {
                let batch = Batch::new(&set.corpus.select(&batch).pairs(), special, device);
                tokens += batch.target_tokens;
                nll += tch::no_grad(|| model.loss(&batch, 1.0, None).nll.double_value(&[]));
            }
            // Pairs that are left out as too long count with the others' mean.
            let pieces = set.corpus.target.pieces() + set.corpus.len();
            let loss = nll / tokens.max(1) as f64;
            let score = Score {
                loss,
                perplexity: loss.exp(),
                loss_per_character: loss * pieces as f64 / set.characters.max(1) as f64,
                bleu: None,
            };
            (set.name.clone(), score)
        })
        .collect()
}
