//! Misspelt words that are no other words ("recieve", "vieleicht", "quesque"), of which small models make anything: "my freind
//! is comming" became "Mein Freilicht beauftragt mich". And words for which another is certain beside their neighbours: "could
//! of", "taller then me", "lets go".

mod english;
mod french;
mod german;

use super::{Language, Rewrite, capitalised, is_joined, words};
use std::iter::once;
use std::ops::Range;

/// Letters that a stem has at least.
const STEM: usize = 4;

/// A word between neighbours: words of which one stands before it, the word, words of which one stands behind it, and what is
/// meant. No neighbours: any.
type Between = (
    &'static [&'static str],
    &'static str,
    &'static [&'static str],
    &'static str,
);

/// Adjectives and adverbs that *than* follows.
const COMPARED: [&str; 20] = [
    "better", "worse", "bigger", "smaller", "taller", "older", "younger", "faster", "slower",
    "more", "less", "cheaper", "stronger", "longer", "shorter", "higher", "lower", "easier",
    "harder", "nicer",
];
const ENGLISH: [Between; 8] = [
    // By itself it is a temple.
    (
        &[],
        "wat",
        &[
            "are", "r", "do", "did", "is", "the", "time", "about", "if", "you", "u", "a", "should",
            "can", "was", "were",
        ],
        "what",
    ),
    (
        &[],
        "ill",
        &[
            "be", "have", "go", "call", "see", "try", "do", "get", "let", "come", "take", "make",
            "send", "ask", "bring", "think", "pay", "write", "text", "wait",
        ],
        "I'll",
    ),
    (
        &[],
        "id",
        &["love", "like", "rather", "say", "prefer", "be"],
        "I'd",
    ),
    (
        &["could", "should", "would", "might", "must"],
        "of",
        &[
            "been", "done", "gone", "had", "seen", "known", "told", "taken", "made", "come",
            "said", "asked", "got",
        ],
        "have",
    ),
    (
        &["dont", "don't"],
        "no",
        &["what", "how", "where", "if", "why", "when", "who", "that"],
        "know",
    ),
    (
        &COMPARED,
        "then",
        &[
            "me", "you", "him", "her", "us", "them", "mine", "yours", "ever", "before", "expected",
            "usual", "others",
        ],
        "than",
    ),
    (
        &[],
        "its",
        &[
            "a", "an", "the", "not", "been", "my", "your", "his", "our", "raining", "snowing",
            "ok", "okay", "because",
        ],
        "it's",
    ),
    (
        &[],
        "lets",
        &[
            "go", "see", "do", "try", "get", "talk", "start", "eat", "meet", "play", "have",
            "make", "take", "not", "say", "hope", "move", "call", "wait", "find", "dance", "watch",
            "stop", "keep", "leave", "be",
        ],
        "let's",
    ),
];
const GERMAN: [Between; 1] = [(
    &[],
    "seid",
    &[
        "gestern", "wann", "einem", "einer", "letzter", "letztem", "langem", "kurzem", "jahren",
        "monaten", "wochen", "tagen",
    ],
    "seit",
)];

/// The words of a text that are misspelt, as they are meant.
pub fn misspelt(text: &str, language: Language) -> Vec<Rewrite> {
    let (table, between): (_, &[Between]) = match language {
        Language::English => (english::MISSPELT, &ENGLISH),
        Language::German => (german::MISSPELT, &GERMAN),
        Language::French => (french::MISSPELT, &[]),
        Language::Other => return Vec::new(),
    };
    let words: Vec<Range<usize>> = words(text).collect();
    let lower: Vec<String> = (words.iter())
        .map(|range| text[range.clone()].to_lowercase())
        .collect();
    let mut found = Vec::new();
    for (at, range) in words.iter().enumerate() {
        let word = &text[range.clone()];
        let has_capital = *word != lower[at];
        let is_plain = !has_capital || word.chars().skip(1).all(char::is_lowercase);
        if !is_plain || is_joined(text, range) {
            continue;
        }
        let neighbour = |other: Option<usize>| other.and_then(|other| lower.get(other));
        let stands = |any: &[&str], other: Option<usize>| {
            any.is_empty() || neighbour(other).is_some_and(|word| any.contains(&word.as_str()))
        };
        let beside = || {
            let row = between.iter().find(|(before, typed, behind, _)| {
                *typed == lower[at]
                    && stands(before, at.checked_sub(1))
                    && stands(behind, Some(at + 1))
            });
            row.map(|(.., meant)| (*meant).to_owned())
        };
        let Some(meant) = meant(&lower[at], table).or_else(beside) else {
            continue;
        };
        // With a capital in the middle it may be a name, *Schoenberg*, but for German nouns.
        if has_capital && at > 0 && !meant.starts_with(char::is_uppercase) {
            continue;
        }
        let text = match has_capital {
            false => meant,
            true => capitalised(&meant),
        };
        found.push(Rewrite {
            range: range.clone(),
            text,
        });
    }
    found
}

/// What a word in lower case is meant to be.
fn meant(word: &str, table: &[(&str, &str)]) -> Option<String> {
    if let Ok(at) = table.binary_search_by_key(&word, |(typed, _)| typed) {
        return Some(table[at].1.to_owned());
    }
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
    ends.skip(STEM - 1).find_map(|end| {
        let (stem, ending) = word.split_at(end);
        let typed = |row: &(&str, &str)| row.0.bytes().cmp(stem.bytes().chain(once(b'*')));
        let at = table.binary_search_by(typed).ok()?;
        Some(format!("{}{ending}", table[at].1))
    })
}

#[cfg(test)]
mod tests {
    use super::super::with;
    use super::*;

    #[test]
    fn tables_are_sorted() {
        for table in [english::MISSPELT, german::MISSPELT, french::MISSPELT] {
            assert!(table.is_sorted_by(|a, b| a.0 < b.0));
        }
    }

    #[test]
    fn misspelt_words_are_read_as_they_are_meant() {
        for (language, typed, meant) in [
            (
                Language::English,
                "I recieved teh adress tommorow.",
                "I received the address tomorrow.",
            ),
            (
                Language::English,
                "Its not alot, wich is beautifull",
                "It's not a lot, which is beautiful",
            ),
            (
                Language::English,
                "I could of been taller then you, ill be ill, lets go",
                "I could have been taller than you, I'll be ill, let's go",
            ),
            (
                Language::German,
                "Vieleicht ist der Standart garkeine Adresse",
                "Vielleicht ist der Standard gar keine Adresse",
            ),
            (Language::German, "seid gestern krank", "seit gestern krank"),
            (
                Language::French,
                "Quesque jai dit ?",
                "Qu'est-ce que j'ai dit ?",
            ),
        ] {
            assert_eq!(with(typed, misspelt(typed, language)), meant);
        }
        for (language, text) in [
            (
                Language::English,
                "Holliday saw Wat Arun; the Thier family of course lost its way; wich.com, a_teh, TEH, could of course",
            ),
            (
                Language::German,
                "Ihr seid zwei, seid leise, Standarten, Manschetten und Schoenberg",
            ),
            (Language::French, "Le jais, Jai"),
            (Language::English, ""),
        ] {
            assert_eq!(with(text, misspelt(text, language)), text);
        }
    }
}
