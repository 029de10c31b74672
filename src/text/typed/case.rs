//! Texts in capitals and in lower case: which words the model reads with a capital.

use super::english::{quotes, spelled};
use super::{Language, Rewrite, around, capitalised, is_apostrophe, is_joined, words};

/// Words in lower case that are read with a capital, as names are and in German all nouns. The vocabulary decides, which was
/// learned from text: what was mostly seen with a capital is fewer pieces with one. `pieces` gives the number of a word's
/// pieces.
///
/// Among other capitals a word is mostly in lower case because it is meant to be: it is read with a capital only if that
/// makes one piece of three or more.
pub fn capitals(text: &str, language: Language, pieces: impl Fn(&str) -> usize) -> Vec<Rewrite> {
    let is_lower_case = !text.contains(char::is_uppercase);
    let mut found = Vec::new();
    for range in words(text) {
        let word = &text[range.clone()];
        // The tail of "don't" is no word.
        let is_tail = language == Language::English && is_apostrophe(around(text, &range)[0]);
        let is_word = word.chars().count() > 1 && word.chars().all(char::is_lowercase);
        if !is_word || is_tail || is_joined(text, &range) {
            continue;
        }
        let title = capitalised(word);
        let gets_capital = match is_lower_case {
            true => pieces(&title) < pieces(word),
            false => pieces(word) > 2 && pieces(&title) == 1,
        };
        if gets_capital {
            found.push(Rewrite { range, text: title });
        }
    }
    found
}

/// Whether a text is typed in capitals alone, by which it says no more than in lower case. One word may be an abbreviation
/// ("NATO"): it is typed so if it is at most half as many `pieces` in lower case ("STOP").
pub fn is_upper_case(text: &str, pieces: impl Fn(&str) -> usize) -> bool {
    if text.contains(char::is_lowercase) {
        return false;
    }
    let letters = |word: &str| word.chars().filter(|c| c.is_uppercase()).count();
    let mut capital_words = words(text)
        .map(|range| &text[range])
        .filter(|word| letters(word) > 1);
    match (capital_words.next(), capital_words.next()) {
        (Some(_), Some(_)) => letters(text) > 5,
        (Some(word), None) if letters(text) > 3 => {
            2 * fewest(&word.to_lowercase(), &pieces) <= pieces(word)
        }
        _ => false,
    }
}

/// A text of capitals in lower case, word by word, in English with what [`super::english`] rewrites. The first word and "I" keep
/// their first capital.
pub fn lower_case(text: &str, language: Language, pieces: impl Fn(&str) -> usize) -> Vec<Rewrite> {
    let is_english = language == Language::English;
    let mut found = match is_english {
        true => quotes(text),
        false => Vec::new(),
    };
    for (i, range) in words(text).enumerate() {
        let word = &text[range.clone()];
        let [is_tail, is_head] = around(text, &range).map(is_apostrophe);
        let full = spelled(word).filter(|_| is_english && !is_tail && !is_head && word.len() > 1);
        let read = in_lower_case(full.as_deref().unwrap_or(word), language, &pieces);
        let is_first_person = is_english && read.split('\'').next() == Some("i") && !is_tail;
        let text = match i == 0 || is_first_person {
            true => capitalised(&read),
            false => read,
        };
        if text != word {
            found.push(Rewrite { range, text });
        }
    }
    found.sort_unstable_by_key(|rewrite| rewrite.range.start);
    found
}

/// A word in lower case, with its first capital if that is fewer `pieces`; in German with ß where that is fewer.
pub(super) fn in_lower_case(
    word: &str,
    language: Language,
    pieces: impl Fn(&str) -> usize,
) -> String {
    let mut lower = word.to_lowercase();
    if language == Language::German && lower.contains("ss") {
        let sharp = lower.replace("ss", "ß");
        if fewest(&sharp, &pieces) < fewest(&lower, &pieces) {
            lower = sharp;
        }
    }
    let title = capitalised(&lower);
    if pieces(&title) < pieces(&lower) {
        title
    } else {
        lower
    }
}

/// Number of pieces of a word in lower case, with a capital first if that makes fewer.
fn fewest(word: &str, pieces: impl Fn(&str) -> usize) -> usize {
    pieces(word).min(pieces(&capitalised(word)))
}

#[cfg(test)]
mod tests {
    use super::super::with;
    use super::*;

    /// Of a vocabulary that has these words as pieces, and letters.
    fn pieces(of: &[&str]) -> impl Fn(&str) -> usize {
        move |word| match of.contains(&word) {
            true => 1,
            false => word.chars().count(),
        }
    }

    #[test]
    fn capitals_are_lowered_but_for_names() {
        let lowered = |text: &str| {
            let pieces = pieces(&["Berlin"]);
            with(text, lower_case(text, Language::English, pieces))
        };
        assert_eq!(
            lowered("CAN I COME TO BERLIN? I'M HERE. IM “OK”, HE DOESNT."),
            "Can I come to Berlin? I'm here. I'm \"ok\", he doesn't."
        );
    }

    #[test]
    fn a_word_in_capitals_may_be_an_abbreviation() {
        let is_upper_case = |text| is_upper_case(text, pieces(&["Halt", "stop", "if"]));
        for text in ["DO NOT TOUCH!", "ÜBER ALLES", "HALT!", "“STOP” 1"] {
            assert!(is_upper_case(text), "{text}");
        }
        for text in [
            "NATO", "THE eND", "STOp", "IF", "A 1 B 2", "", "123 456", "AN IF",
        ] {
            assert!(!is_upper_case(text), "{text}");
        }
    }

    #[test]
    fn capitals_of_other_languages_are_lowered_as_their_vocabulary_has_the_words() {
        let german = |text: &str| {
            let pieces = pieces(&["Tür", "schließen", "Straße", "dass", "i"]);
            with(text, lower_case(text, Language::German, pieces))
        };
        assert_eq!(
            german("DIE TÜR ZUR STRASSE SCHLIESSEN, DASS I IM WONT"),
            "Die Tür zur Straße schließen, dass i im wont"
        );
        let french = "J’AI “FAIM” À PARIS";
        let lowered = lower_case(french, Language::Other, pieces(&["Paris"]));
        assert_eq!(with(french, lowered), "J’ai “faim” à Paris");
    }

    #[test]
    fn what_is_a_name_by_the_vocabulary_is_read_with_a_capital() {
        let known = ["Germany", "Tom", "to", "Or"];
        let read = |text: &str| with(text, capitals(text, Language::English, pieces(&known)));
        for (typed, meant) in [
            ("tom went to germany or x", "Tom went to Germany Or x"),
            // Two pieces may be a rare word as well as a name.
            ("Is tom in germany or not", "Is Tom in Germany or not"),
            (
                "see tom's germany.txt, tom-tom, /germany",
                "see Tom's germany.txt, tom-tom, /germany",
            ),
            ("he'germany GERMANY gerMany", "he'germany GERMANY gerMany"),
            ("", ""),
        ] {
            assert_eq!(read(typed), meant);
        }
        let french = "l’algérie";
        let algérie = ["Algérie"];
        let found = capitals(french, Language::Other, pieces(&algérie));
        assert_eq!(with(french, found), "l’Algérie");
    }
}
