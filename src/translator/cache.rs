//! LRU cache of translated sentences, so that after a change only the changed sentences are decoded.

use super::Hypothesis;
use super::constraints::RequiredPhrase;
use crate::search::{Scoring, SearchOptions};
use crate::text::Encoding;
use crate::trace::Intervention;
use std::collections::HashMap;
use std::sync::Arc;

/// A translated sentence.
#[derive(Debug)]
pub(super) struct Finished {
    /// Pieces of the source, so that a cached sentence is not tokenised again.
    pub source: Arc<Encoding>,
    /// The n best, best first; ranges are in bytes.
    pub n_best: Vec<Hypothesis>,
}

impl Finished {
    /// The cache entry: node ids are only valid in the search that gave them.
    pub fn without_node_ids(&self) -> Arc<Self> {
        let mut n_best = self.n_best.clone();
        for hypothesis in &mut n_best {
            hypothesis.node = None;
        }
        Arc::new(Self {
            source: self.source.clone(),
            n_best,
        })
    }

    /// The best translation.
    pub fn best(&self) -> &Hypothesis {
        // Made from at least one hypothesis.
        &self.n_best[0]
    }
}

/// Everything that a sentence's translation depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    sentence: String,
    /// Language code of its line, which need not stand in the sentence itself.
    language: Option<u32>,
    options: Vec<u32>,
    intervention: Intervention,
    phrases: Vec<RequiredPhrase>,
}

impl Key {
    pub fn new(
        sentence: &str,
        language: Option<u32>,
        options: &SearchOptions,
        phrases: Vec<RequiredPhrase>,
    ) -> Self {
        // Alternatives are left out: they are reported, and change nothing.
        let SearchOptions {
            beam,
            scoring,
            max_extra,
            n_best,
            prefix,
            no_repeat_ngram,
            renormalize,
            sampling,
            alternatives: _,
            intervention,
        } = options;
        let scoring = match scoring {
            Scoring::Wu { alpha } => [0, alpha.to_bits(), 0],
            Scoring::Hf {
                length_penalty,
                early_stopping,
            } => [1, length_penalty.to_bits(), *early_stopping as u32],
        };
        let sampling = sampling.map_or([0; 4], |sampling| {
            let top_k = sampling.top_k.min(u32::MAX as usize) as u32;
            // A temperature is above 0, so these are never all 0.
            [
                sampling.temperature.to_bits(),
                top_k,
                sampling.top_p.to_bits(),
                sampling.seed,
            ]
        });
        let counts = [
            *beam,
            *max_extra,
            *n_best,
            *no_repeat_ngram,
            usize::from(*renormalize),
        ]
        .map(|n| n.min(u32::MAX as usize) as u32);
        Self {
            sentence: sentence.to_owned(),
            language,
            options: [&counts[..], &scoring, &sampling, prefix].concat(),
            intervention: intervention.clone(),
            phrases,
        }
    }
}

/// An LRU cache.
#[derive(Debug, Default)]
pub(super) struct Cache {
    entries: HashMap<Key, (u64, Arc<Finished>)>,
    clock: u64,
}

impl Cache {
    /// Most sentences kept: a few thousand words with their alternatives, some MiB.
    const CAPACITY: usize = 1000;

    pub fn get(&mut self, key: &Key) -> Option<Arc<Finished>> {
        self.clock += 1;
        let (used, finished) = self.entries.get_mut(key)?;
        *used = self.clock;
        Some(finished.clone())
    }

    pub fn insert(&mut self, key: Key, finished: Arc<Finished>) {
        self.clock += 1;
        if self.entries.len() >= Self::CAPACITY && !self.entries.contains_key(&key) {
            let oldest = self.entries.iter().min_by_key(|(_, (used, _))| *used);
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                self.entries.remove(&oldest);
            }
        }
        self.entries.insert(key, (self.clock, finished));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Sampling;

    #[test]
    fn the_least_recently_used_entry_is_evicted() {
        let key = |i: usize| Key::new(&i.to_string(), None, &SearchOptions::default(), Vec::new());
        let finished = || {
            Arc::new(Finished {
                source: Arc::default(),
                n_best: Vec::new(),
            })
        };
        let mut cache = Cache::default();
        for i in 0..Cache::CAPACITY {
            cache.insert(key(i), finished());
        }
        assert!(cache.get(&key(0)).is_some());
        cache.insert(key(Cache::CAPACITY), finished());
        assert!(cache.get(&key(0)).is_some());
        assert!(cache.get(&key(1)).is_none());
        assert_eq!(cache.entries.len(), Cache::CAPACITY);
    }

    #[test]
    fn options_that_change_the_translation_change_the_key() {
        let base = SearchOptions::default();
        let key = |options: SearchOptions| Key::new("a", None, &options, Vec::new());
        let held = |range| {
            let pieces = vec![1];
            Key::new(
                "a",
                None,
                &base,
                vec![RequiredPhrase {
                    pieces,
                    forms: Vec::new(),
                    range,
                }],
            )
        };
        assert_ne!(key(base.clone()), held(0..1));
        assert_ne!(held(0..0), held(0..1));
        for other in [
            SearchOptions {
                beam: 1,
                ..base.clone()
            },
            SearchOptions {
                n_best: 2,
                ..base.clone()
            },
            SearchOptions {
                prefix: vec![3],
                ..base.clone()
            },
            base.clone().with_sampling(Sampling::default()),
            SearchOptions {
                scoring: Scoring::Wu { alpha: 1.0 },
                ..base.clone()
            },
            SearchOptions {
                intervention: Intervention {
                    neighbourhood: Some(2),
                    ..Intervention::default()
                },
                ..base.clone()
            },
        ] {
            assert_ne!(key(base.clone()), key(other));
        }
        assert_eq!(
            key(base.clone()),
            key(SearchOptions {
                alternatives: 5,
                ..base
            })
        );
    }
}
