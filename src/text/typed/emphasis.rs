//! Words in capitals among others ("This is VERY good"): what is meant as emphasis is read in lower case.

use super::case::in_lower_case;
use super::english::spelled;
use super::{Language, Rewrite, around, capitalised, is_apostrophe, is_joined, words};

/// Words of two and three letters that are no abbreviations in capitals.
const ENGLISH: [&str; 16] = [
    "not", "now", "all", "no", "so", "too", "you", "my", "yes", "and", "but", "any", "her", "his",
    "our", "one",
];
const GERMAN: [&str; 13] = [
    "nie", "nur", "so", "ja", "ich", "du", "wir", "sie", "und", "das", "ein", "mal", "zu",
];
const FRENCH: [&str; 5] = ["pas", "non", "oui", "moi", "toi"];

/// The words in capitals of a text that has others, in lower case. An abbreviation ("NATO") is hardly fewer `pieces` in lower
/// case; a word is far fewer, a long one half of them.
pub fn emphasis(text: &str, language: Language, pieces: impl Fn(&str) -> usize) -> Vec<Rewrite> {
    if !text.contains(char::is_lowercase) {
        return Vec::new();
    }
    let short: &[&str] = match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
        Language::French => &FRENCH,
        Language::Other => &[],
    };
    let mut found: Vec<Rewrite> = Vec::new();
    for (i, range) in words(text).enumerate() {
        let word = &text[range.clone()];
        if !word.chars().all(char::is_uppercase) || is_joined(text, &range) {
            continue;
        }
        let [is_tail, is_head] = around(text, &range).map(is_apostrophe);
        // "DON'T" is two words.
        let follows = is_tail
            && found
                .last()
                .is_some_and(|last| last.range.end + 1 == range.start);
        let is_contraction = || {
            let tail = words(&text[range.end..]).next();
            let tail = tail.map_or("", |tail| &text[range.end..][tail]);
            let is_typed_so = language == Language::English && tail.chars().all(char::is_uppercase);
            is_typed_so && spelled(&format!("{word}{tail}")).is_some()
        };
        let read = in_lower_case(word, language, &pieces);
        let letters = word.chars().count();
        let is_word = if is_tail {
            follows
        } else if is_head && (2..4).contains(&letters) {
            is_contraction()
        } else if letters < 4 {
            short.contains(&word.to_lowercase().as_str())
        } else {
            let [in_capitals, in_lower_case] = [word, &read].map(&pieces);
            in_capitals + 1 >= 3 * in_lower_case || letters > 6 && in_capitals >= 2 * in_lower_case
        };
        if is_word {
            let text = match i == 0 {
                true => capitalised(&read),
                false => read,
            };
            found.push(Rewrite { range, text });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::with;
    use super::*;

    /// Of a vocabulary that has these words as pieces, and letters.
    fn read(text: &str, language: Language) -> String {
        let known = [
            "very", "good", "never", "stop", "Paris", "don", "sehr", "straße",
        ];
        let pieces = |word: &str| match known.contains(&word) {
            true => 1,
            false => word.chars().count(),
        };
        with(text, emphasis(text, language, pieces))
    }

    #[test]
    fn words_that_are_meant_as_emphasis_are_read_in_lower_case() {
        for (typed, meant) in [
            ("This is VERY GOOD", "This is very good"),
            ("NEVER do it, STOP!", "Never do it, stop!"),
            ("I DON'T see PARIS", "I don't see Paris"),
            ("it is NOT so: NO way", "it is not so: no way"),
        ] {
            assert_eq!(read(typed, Language::English), meant);
        }
        let german = read("Das ist SEHR weit, die STRASSE NIE!", Language::German);
        assert_eq!(german, "Das ist sehr weit, die straße nie!");
    }

    #[test]
    fn abbreviations_and_names_in_capitals_stay() {
        for text in [
            "the NATO and the US",
            "IT is in the WHO",
            "I'm here, I'M late",
            "a VERY-good file VERY.txt",
            "VERY GOOD",
            "NATO",
            "",
        ] {
            assert_eq!(read(text, Language::English), text);
        }
    }
}
