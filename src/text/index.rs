//! A hash table from texts to ids that stores no texts: the caller maps ids to texts.
//!
//! A tokenizer has tens of thousands of pieces, and loading a model makes several tables of them in code that the
//! browser has not optimised yet: one allocation for each table, and a hash of few instructions.

use std::hash::{BuildHasher, RandomState};

/// Ids by their texts; the caller maps ids to texts.
#[derive(Clone, Debug)]
pub struct Index {
    /// Ids, each in the first free slot from its text's hash on (linear probing); a power of two, at most half full.
    slots: Vec<u32>,
    /// A random seed for each table, so that no file can be made of texts that collide.
    seed: u32,
}

/// An empty slot.
const FREE: u32 = u32::MAX;

impl Index {
    /// A table for at most so many ids.
    pub fn with_capacity(ids: usize) -> Self {
        Self {
            slots: vec![FREE; (2 * ids.max(1)).next_power_of_two()],
            seed: RandomState::new().hash_one(0) as u32,
        }
    }

    /// Adds an id. If another one has its text, nothing changes and that is returned.
    ///
    /// # Panics
    /// If there are more ids than the table was made for.
    pub fn insert<'t>(
        &mut self,
        id: u32,
        text: &str,
        text_of: impl Fn(u32) -> &'t str,
    ) -> Option<u32> {
        let place = self.place(text, text_of);
        match self.slots[place] {
            FREE => {
                self.slots[place] = id;
                None
            }
            other => Some(other),
        }
    }

    /// The id of a text.
    pub fn find<'t>(&self, text: &str, text_of: impl Fn(u32) -> &'t str) -> Option<u32> {
        Some(self.slots[self.place(text, text_of)]).filter(|id| *id != FREE)
    }

    /// Where the id of a text stands, or would.
    fn place<'t>(&self, text: &str, text_of: impl Fn(u32) -> &'t str) -> usize {
        let mask = self.slots.len() - 1;
        let start = hash(text, self.seed) as usize & mask;
        let mut places = (0..=mask).map(|step| (start + step) & mask);
        let fits = |place: &usize| {
            let id = self.slots[*place];
            id == FREE || text_of(id) == text
        };
        // At least half of the slots are empty, whatever the file holds: tables are sized by its number of ids.
        places.find(fits).expect("a table has more places than ids")
    }
}

/// Fowler, Noll and Vo's FNV-1a from a seed, its upper bits mixed into the lower ones.
// Not inlined for the same reason as `spm::proto::parse_piece`.
#[inline(never)]
fn hash(text: &str, seed: u32) -> u32 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    let hash = text.bytes().fold(seed ^ 0x811c_9dc5, step);
    hash ^ hash >> 15
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_by_their_texts_alone() {
        let texts: Vec<String> = (0..1000).map(|i| format!("▁{}", i * i)).collect();
        let text_of = |id: u32| texts[id as usize].as_str();
        let mut index = Index::with_capacity(texts.len());
        for (text, id) in texts.iter().zip(0..) {
            assert_eq!(index.find(text, text_of), None);
            assert_eq!(index.insert(id, text, text_of), None);
        }
        for (text, id) in texts.iter().zip(0..) {
            assert_eq!(index.find(text, text_of), Some(id));
        }
        assert_eq!(index.find("▁2", text_of), None);
        assert_eq!(index.insert(7, "▁16", text_of), Some(4));
        assert_eq!(index.find("▁16", text_of), Some(4));
    }

    #[test]
    fn an_empty_table_finds_nothing() {
        let index = Index::with_capacity(0);
        assert_eq!(index.find("", |_| ""), None);
    }
}
