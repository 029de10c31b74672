//! German that is typed without umlauts and ß ("fuer", "Gruesse", "Strasse").

use super::{Rewrite, words};
use std::ops::Range;

/// What is typed for an umlaut.
const TYPED: [(&str, &str); 6] = [
    ("ae", "ä"),
    ("oe", "ö"),
    ("ue", "ü"),
    ("Ae", "Ä"),
    ("Oe", "Ö"),
    ("Ue", "Ü"),
];

/// Letters of a word with *ae* and the like: shorter ones are names (*Moe*, *Koen*).
const SHORTEST: usize = 5;

/// Words of a German text that the vocabulary has as one of its `pieces` with umlauts or ß, and not as they are typed.
pub fn umlauts(text: &str, pieces: impl Fn(&str) -> usize) -> Vec<Rewrite> {
    let read = |range: Range<usize>| {
        let word = &text[range.clone()];
        let is_long = word.chars().count() >= SHORTEST;
        let umlauts = |word: &str| match is_long {
            true => (TYPED.iter()).fold(word.to_owned(), |word, (typed, umlaut)| {
                word.replace(typed, umlaut)
            }),
            false => word.to_owned(),
        };
        let sharp = word.replace("ss", "ß");
        let candidates = [umlauts(word), umlauts(&sharp), sharp];
        let known = candidates
            .into_iter()
            .find(|candidate| candidate != word && pieces(candidate) == 1)?;
        (pieces(word) > 1).then_some(Rewrite { range, text: known })
    };
    words(text).filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::super::with;
    use super::*;

    #[test]
    fn umlauts_are_read_where_the_vocabulary_has_them() {
        let known = ["über", "Grüße", "Straße", "große", "neue", "Küsse"];
        let pieces = |word: &str| match known.contains(&word) {
            true => 1,
            false => 2,
        };
        let typed = "ueber Gruesse, Strasse, neue Kuesse, Moe und grosse Steuer";
        let meant = "über Grüße, Straße, neue Küsse, Moe und große Steuer";
        assert_eq!(with(typed, umlauts(typed, pieces)), meant);
    }
}
