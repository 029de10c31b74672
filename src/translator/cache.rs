//! The sentences translated lately, so that a document that was changed in one place is decoded only there.

use super::Found;
use crate::search::{Scoring, SearchOptions};
use crate::trace::Intervention;
use std::collections::HashMap;
use std::sync::Arc;

/// A finished sentence.
#[derive(Debug)]
pub(super) struct Finished {
    /// The n best, best first; ranges are in bytes.
    pub n_best: Vec<Found>,
}

impl Finished {
    /// The same for a later search, whose tree has other nodes.
    pub fn without_node_ids(&self) -> Arc<Self> {
        let mut n_best = self.n_best.clone();
        for found in &mut n_best {
            found.node = None;
        }
        Arc::new(Self { n_best })
    }

    /// The best translation.
    pub fn best(&self) -> &Found {
        // Made from at least one hypothesis.
        &self.n_best[0]
    }
}

/// What decides a sentence's translation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    sentence: String,
    options: Vec<u32>,
    intervention: Intervention,
}

impl Key {
    pub fn new(sentence: &str, options: &SearchOptions) -> Self {
        // Alternatives are left out: they change what is told, not what is chosen.
        let SearchOptions {
            beam,
            scoring,
            max_extra,
            n_best,
            prefix,
            no_repeat_ngram,
            renormalize,
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
            options: [&counts[..], &scoring, prefix].concat(),
            intervention: intervention.clone(),
        }
    }
}

/// A bounded store of finished sentences; the one that was not asked for the longest gives way.
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

    #[test]
    fn the_least_recently_used_gives_way() {
        let key = |i: usize| Key::new(&i.to_string(), &SearchOptions::default());
        let finished = || Arc::new(Finished { n_best: Vec::new() });
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
        let key = |options: SearchOptions| Key::new("a", &options);
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
