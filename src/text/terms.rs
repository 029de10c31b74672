//! Terms: words of a source, and what stands for them in its translation.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Words of a source, and the words of its translation that stand for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// As in the source; upper and lower case are the same.
    pub source: String,
    /// As in the translation.
    pub target: String,
}

/// A text in lower case, and of each of its bytes where the character begins that it comes from.
fn folded(text: &str) -> (String, Vec<usize>) {
    let (mut lower, mut places) = (String::with_capacity(text.len()), Vec::new());
    for (at, character) in text.char_indices() {
        for character in character.to_lowercase() {
            // A sigma at the end of a word is another letter only in print.
            lower.push(if character == 'ς' { 'σ' } else { character });
            places.resize(lower.len(), at);
        }
    }
    places.push(text.len());
    (lower, places)
}

/// The terms that a text holds as whole words, one for each place, with its bytes in the text; of two that overlap the
/// longer one counts.
pub fn find<'t>(text: &str, terms: &'t [Term]) -> Vec<(Range<usize>, &'t Term)> {
    let (text, at) = folded(text);
    let mut places = Vec::new();
    for term in terms {
        let (words, _) = folded(term.source.trim());
        if words.is_empty() || term.target.trim().is_empty() {
            continue;
        }
        for (start, found) in text.match_indices(&words) {
            let end = start + found.len();
            let before = text[..start].chars().next_back();
            let after = text[end..].chars().next();
            let stands_alone = !before.is_some_and(char::is_alphanumeric)
                && !after.is_some_and(char::is_alphanumeric);
            places.extend(stands_alone.then_some((at[start]..at[end], term)));
        }
    }
    places.sort_by_key(|(range, _)| (std::cmp::Reverse(range.len()), range.start));
    let mut kept: Vec<(Range<usize>, &Term)> = Vec::new();
    for (range, term) in places {
        let is_free = kept
            .iter()
            .all(|(other, _)| range.end <= other.start || other.end <= range.start);
        kept.extend(is_free.then_some((range, term)));
    }
    kept.sort_by_key(|(range, _)| range.start);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(source: &str, target: &str) -> Term {
        Term {
            source: source.into(),
            target: target.into(),
        }
    }

    #[test]
    fn whole_words_are_found_once_for_each_place_and_the_longest_counts() {
        let terms = [
            term("dog", "Köter"),
            term("guide dog", "Blindenhund"),
            term("", "nichts"),
        ];
        let targets = |text| {
            let found = find(text, &terms).into_iter();
            found.map(|(_, term)| &*term.target).collect::<Vec<_>>()
        };
        assert_eq!(
            targets("Dogs? The dog, a guide dog, and a DOG."),
            ["Köter", "Blindenhund", "Köter"]
        );
        assert_eq!(targets("hotdog stand"), [""; 0]);
    }
}
