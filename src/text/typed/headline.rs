//! Headlines in which each word has a capital ("How To Lose Weight"): read as sentences are written.

use super::{Language, Rewrite, around, capitalised, is_apostrophe, is_joined, words};
use std::cmp::Ordering;

/// Words in lower case that headlines have.
const SMALL: [&str; 22] = [
    "a", "an", "the", "and", "or", "but", "nor", "for", "of", "in", "on", "at", "to", "by", "with",
    "from", "as", "into", "via", "per", "vs", "up",
];
const SMALL_FRENCH: [&str; 27] = [
    "de", "du", "des", "la", "le", "les", "l", "d", "à", "au", "aux", "en", "et", "ou", "sur",
    "pour", "par", "dans", "un", "une", "avec", "sans", "ne", "s", "n", "c", "qu",
];
/// Words that have a capital inside of a sentence in headlines alone.
const GRAMMAR: [&str; 40] = [
    "is", "are", "was", "were", "be", "been", "do", "does", "did", "have", "has", "had", "can",
    "could", "should", "would", "not", "no", "my", "your", "his", "her", "our", "their", "it",
    "he", "she", "we", "you", "they", "this", "that", "these", "what", "when", "where", "who",
    "why", "how", "all",
];

/// What is read in lower case in an English or French headline, but for names. A text is no headline if it has words in lower
/// case beside those of [`SMALL`], or capitals on names alone. The vocabulary tells words from names: a word was mostly seen in
/// lower case, and is fewer `pieces` so. German nouns have capitals in any sentence.
pub fn headline(text: &str, language: Language, pieces: impl Fn(&str) -> usize) -> Vec<Rewrite> {
    let (small, least): (&[&str], _) = match language {
        Language::English => (&SMALL, 1),
        // French writes few of its headlines so.
        Language::French => (&SMALL_FRENCH, 2),
        Language::German | Language::Other => return Vec::new(),
    };
    let is_english = language == Language::English;
    let mut found = Vec::new();
    // Capitals that sentences do not have.
    let mut unusual = 0;
    let mut has_grammar = false;
    let mut count_of_small = 0;
    for range in words(text) {
        let word = &text[range.clone()];
        if !word.chars().all(char::is_alphabetic) || is_apostrophe(around(text, &range)[0]) {
            continue;
        }
        if word.starts_with(char::is_lowercase) {
            if !small.contains(&word) {
                return Vec::new();
            }
            count_of_small += 1;
            continue;
        }
        let lower = word.to_lowercase();
        let is_small = small.contains(&&*lower);
        // One letter is a name's, or the article.
        let is_capitalised = capitalised(&lower) == word && (word.chars().count() > 1 || is_small);
        if !is_capitalised || begins(&text[..range.start]) || is_joined(text, &range) {
            continue;
        }
        let [pieces_of_lower, pieces_of_word] = [&*lower, word].map(&pieces);
        let is_grammar = is_small || is_english && GRAMMAR.contains(&&*lower);
        has_grammar |= is_grammar;
        unusual += usize::from(is_grammar || pieces_of_lower < pieces_of_word);
        // What is many pieces in either case is a name that the vocabulary does not know.
        let is_word = match pieces_of_lower.cmp(&pieces_of_word) {
            Ordering::Less => true,
            Ordering::Equal => is_grammar || pieces_of_word < 4,
            Ordering::Greater => false,
        };
        if is_word {
            found.push(Rewrite { range, text: lower });
        }
    }
    // "Mount Everest" has no word of grammar, and what ends as a sentence does must look the more like a headline.
    let is_sentence = text.trim_end().ends_with('.');
    let enough = if has_grammar { least } else { 3 } + if is_sentence { 2 } else { 0 };
    match unusual >= enough && count_of_small <= found.len() + 1 {
        true => found,
        false => Vec::new(),
    }
}

/// Whether a sentence or a quotation begins behind this text.
fn begins(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty()
        || before.ends_with(['.', '!', '?', '…', '/', '"', '“', '„', '«', '(', '‘', '\''])
}

#[cfg(test)]
mod tests {
    use super::super::with;
    use super::*;

    /// Of a vocabulary that has these words as pieces, and letters.
    fn read(text: &str, language: Language) -> String {
        let known = [
            "How", "how", "To", "to", "Lose", "lose", "weight", "Paris", "policy", "news", "vie",
            "belle", "Is", "is",
        ];
        let pieces = |word: &str| match known.contains(&word) {
            true => 1,
            false => word.chars().count(),
        };
        with(text, headline(text, language, pieces))
    }

    #[test]
    fn words_of_a_headline_are_read_as_in_a_sentence() {
        for (typed, meant) in [
            ("How To Lose Weight in Paris", "How to lose weight in Paris"),
            (
                "What Is News? And How Is Paris?",
                "What is news? And how is Paris?",
            ),
            (
                "News of Policy, Policy, Weight",
                "News of policy, policy, weight",
            ),
            ("How To Lose A B", "How to lose a B"),
            // Many pieces either way: a name.
            ("How To Lose Wachowski", "How to lose Wachowski"),
            (
                "News: This Is How To Lose Weight.",
                "News: this is how to lose weight.",
            ),
        ] {
            assert_eq!(read(typed, Language::English), meant);
        }
        assert_eq!(read("Vie De La Belle", Language::French), "Vie de la belle");
    }

    #[test]
    fn sentences_and_names_stay() {
        for text in [
            "We went to see Lose and Weight",
            "Paris Policy",
            "Mount Everest",
            "Breaking News",
            "Paris of the Paris",
            "\"How?\" \"Weight.\"",
            "Welcome to News Weight.",
            "I am to Lose",
            "News",
            "",
        ] {
            assert_eq!(read(text, Language::English), text);
        }
        assert_eq!(read("La Belle Vie", Language::French), "La Belle Vie");
        assert_eq!(read("Die Belle Vie", Language::German), "Die Belle Vie");
    }
}
