//! Byte-pair encoding learned from words and their counts (Sennrich et al., 2016): the most frequent pair
//! of neighbouring symbols becomes a new symbol, until enough are learned.

use super::boundary::may_be_a_piece;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A symbol: index into [`Merges::symbols`].
type Symbol = u32;
/// Two neighbouring symbols.
type Pair = (Symbol, Symbol);

/// Longest piece in characters, as sentencepiece has it.
const MAX_PIECE_CHARS: usize = 16;

/// Marks a character outside the alphabet: no pair contains it, so it stays for the byte pieces.
const OUTSIDE: Symbol = Symbol::MAX;

/// A merge candidate: most frequent first, then the shorter, then by its letters, so that the
/// same data always gives the same vocabulary.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    count: u64,
    length: Reverse<usize>,
    text: Reverse<String>,
    pair: Pair,
}

/// The state of learning: every word as its present symbols.
struct Merges {
    symbols: Vec<String>,
    /// Symbols by their text: two ways of merging may give the same piece.
    by_text: HashMap<String, Symbol>,
    words: Vec<(Vec<Symbol>, u64)>,
    counts: HashMap<Pair, u64>,
    /// Words that contain, or once contained, a pair.
    places: HashMap<Pair, Vec<u32>>,
    agenda: BinaryHeap<Candidate>,
}

/// Learns up to `merges` new pieces over `alphabet` from `words` with their counts; best first.
/// Returns fewer if no mergeable pair is left.
pub fn learn_merges(words: &HashMap<String, u64>, alphabet: &[char], merges: usize) -> Vec<String> {
    let mut state = Merges::new(words, alphabet);
    let mut pieces = Vec::with_capacity(merges);
    while pieces.len() < merges {
        let Some(text) = state.merge_best() else {
            break;
        };
        pieces.extend(text);
    }
    pieces
}

impl Merges {
    fn new(words: &HashMap<String, u64>, alphabet: &[char]) -> Self {
        let symbols: Vec<String> = alphabet.iter().map(char::to_string).collect();
        let by_text: HashMap<String, Symbol> = symbols.iter().cloned().zip(0..).collect();
        let by_char: HashMap<char, Symbol> = alphabet.iter().copied().zip(0..).collect();
        let mut sorted: Vec<(&String, u64)> =
            words.iter().map(|(word, &count)| (word, count)).collect();
        sorted.sort_unstable();
        let words = sorted
            .into_iter()
            .map(|(word, count)| {
                let symbols = word
                    .chars()
                    .map(|c| by_char.get(&c).copied().unwrap_or(OUTSIDE));
                (symbols.collect(), count)
            })
            .collect();
        let mut state = Self {
            symbols,
            by_text,
            words,
            counts: HashMap::new(),
            places: HashMap::new(),
            agenda: BinaryHeap::new(),
        };
        for word in 0..state.words.len() {
            state.count_word(word, true);
        }
        let pairs: Vec<Pair> = state.counts.keys().copied().collect();
        for pair in pairs {
            state.propose(pair);
        }
        state
    }

    /// Adds (or subtracts) the pairs of a word.
    fn count_word(&mut self, word: usize, add: bool) -> Vec<Pair> {
        let (symbols, times) = &self.words[word];
        let pairs: Vec<Pair> = symbols.windows(2).map(|w| (w[0], w[1])).collect();
        for &pair in pairs.iter().filter(|p| p.0 != OUTSIDE && p.1 != OUTSIDE) {
            let count = self.counts.entry(pair).or_default();
            if add {
                *count += times;
                let places = self.places.entry(pair).or_default();
                if places.last() != Some(&(word as u32)) {
                    places.push(word as u32);
                }
            } else {
                *count -= times;
            }
        }
        pairs
    }

    /// Queues a pair with its current count, if it may become a piece.
    fn propose(&mut self, pair: Pair) {
        let count = self.counts.get(&pair).copied().unwrap_or(0);
        if count == 0 {
            return;
        }
        let text = self.text(pair);
        let length = text.chars().count();
        if length <= MAX_PIECE_CHARS && may_be_a_piece(&text) {
            self.agenda.push(Candidate {
                count,
                length: Reverse(length),
                text: Reverse(text),
                pair,
            });
        }
    }

    fn text(&self, (left, right): Pair) -> String {
        [
            &*self.symbols[left as usize],
            &*self.symbols[right as usize],
        ]
        .concat()
    }

    /// Merges the best pair everywhere. `None`: no pair is left; `Some(None)`: the piece existed already.
    fn merge_best(&mut self) -> Option<Option<String>> {
        let pair = loop {
            let best = self.agenda.pop()?;
            let count = self.counts.get(&best.pair).copied().unwrap_or(0);
            if count == best.count {
                break best.pair;
            }
            // Its count fell since it was queued: queue it again with the new one.
            self.propose(best.pair);
        };
        let text = self.text(pair);
        let known = self.by_text.get(&text).copied();
        let merged = known.unwrap_or(self.symbols.len() as Symbol);
        if known.is_none() {
            self.symbols.push(text.clone());
            self.by_text.insert(text.clone(), merged);
        }
        let mut changed = Vec::new();
        let mut places = self.places.remove(&pair).unwrap_or_default();
        places.sort_unstable();
        places.dedup();
        for word in places {
            let word = word as usize;
            if !self.words[word].0.windows(2).any(|w| (w[0], w[1]) == pair) {
                continue;
            }
            self.count_word(word, false);
            replace(&mut self.words[word].0, pair, merged);
            changed.extend(self.count_word(word, true));
        }
        self.counts.remove(&pair);
        changed.sort_unstable();
        changed.dedup();
        for pair in changed
            .into_iter()
            .filter(|p| p.0 == merged || p.1 == merged)
        {
            self.propose(pair);
        }
        Some(known.is_none().then_some(text))
    }
}

/// Replaces every occurrence of a pair, from the left.
fn replace(symbols: &mut Vec<Symbol>, (left, right): Pair, merged: Symbol) {
    let mut to = 0;
    let mut from = 0;
    while from < symbols.len() {
        if symbols[from] == left && symbols.get(from + 1) == Some(&right) {
            symbols[to] = merged;
            from += 2;
        } else {
            symbols[to] = symbols[from];
            from += 1;
        }
        to += 1;
    }
    symbols.truncate(to);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(words: &[(&str, u64)]) -> HashMap<String, u64> {
        words
            .iter()
            .map(|&(word, count)| (word.to_string(), count))
            .collect()
    }

    #[test]
    fn merges_of_the_classic_example_come_in_order() {
        // Sennrich et al., 2016, algorithm 1, with the word boundary in front.
        let words = counts(&[("▁low", 5), ("▁lower", 2), ("▁newest", 6), ("▁widest", 3)]);
        let alphabet: Vec<char> = "▁lowernstid".chars().collect();
        let merges = learn_merges(&words, &alphabet, 4);
        assert_eq!(merges, ["es", "est", "lo", "low"]);
    }

    #[test]
    fn learning_ends_when_nothing_is_left_to_merge() {
        let alphabet: Vec<char> = "▁ab".chars().collect();
        assert_eq!(
            learn_merges(&counts(&[("▁ab", 3)]), &alphabet, 100),
            ["ab", "▁ab"]
        );
    }

    #[test]
    fn characters_outside_the_alphabet_are_never_merged() {
        let alphabet: Vec<char> = "▁ab".chars().collect();
        let merges = learn_merges(&counts(&[("▁aXb", 9)]), &alphabet, 100);
        assert_eq!(merges, ["▁a"]);
    }

    #[test]
    fn overlapping_pairs_are_replaced_from_the_left() {
        let mut symbols = vec![1, 1, 1, 2];
        replace(&mut symbols, (1, 1), 9);
        assert_eq!(symbols, [9, 1, 2]);
    }
}
