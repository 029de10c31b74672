//! Token ids of a corpus, packed: two flat u16 arrays with the end of every sentence.

/// One side of a corpus: all sentences one after the other, without their end mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    ids: Vec<u16>,
    /// End of sentence i in `ids`; its start is the end of sentence i − 1.
    ends: Vec<u32>,
}

impl Packed {
    /// Appends a sentence. Vocabularies have at most 65 536 pieces, which the recipe's check guarantees.
    pub fn push(&mut self, ids: &[u32]) {
        self.ids.extend(ids.iter().map(|&id| id as u16));
        self.ends.push(self.ids.len() as u32);
    }

    /// Appends a sentence of another corpus.
    pub fn push_packed(&mut self, ids: &[u16]) {
        self.ids.extend_from_slice(ids);
        self.ends.push(self.ids.len() as u32);
    }

    /// Number of sentences.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no sentence.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn clear(&mut self) {
        self.ids.clear();
        self.ends.clear();
    }

    /// Number of pieces of all sentences.
    pub fn pieces(&self) -> usize {
        self.ids.len()
    }

    /// Pieces of sentence `i`.
    pub fn get(&self, i: usize) -> &[u16] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.ids[start..self.ends[i] as usize]
    }
}

/// The sentence pairs of one file as ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corpus {
    /// Source side.
    pub source: Packed,
    /// Target side.
    pub target: Packed,
}

impl Corpus {
    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.source.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.source.is_empty()
    }

    /// Forgets all pairs, and keeps the memory for others.
    pub fn clear(&mut self) {
        self.source.clear();
        self.target.clear();
    }

    /// Appends pair `i` of another corpus.
    pub fn push_from(&mut self, other: &Corpus, i: usize) {
        self.source.push_packed(other.source.get(i));
        self.target.push_packed(other.target.get(i));
    }

    /// The pairs of these indices.
    pub fn select(&self, indices: &[u32]) -> Corpus {
        let mut corpus = Corpus::default();
        for &i in indices {
            corpus.push_from(self, i as usize);
        }
        corpus
    }

    /// Leaves out pairs with a side of more pieces.
    pub fn keep_up_to(&mut self, pieces: usize) {
        let fits = |i: usize| {
            let longest = self.source.get(i).len().max(self.target.get(i).len());
            longest <= pieces
        };
        if (0..self.len()).all(fits) {
            return;
        }
        let kept: Vec<u32> = (0..self.len() as u32)
            .filter(|&i| fits(i as usize))
            .collect();
        *self = self.select(&kept);
    }

    /// The pairs as slices of ids, source first.
    pub fn pairs(&self) -> Vec<(&[u16], &[u16])> {
        (0..self.len())
            .map(|i| (self.source.get(i), self.target.get(i)))
            .collect()
    }
}
