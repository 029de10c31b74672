//! Which pairs of a machine's translation and its original are of no use.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Most words of a sentence.
const WORDS: usize = 100;
/// One side may have so many times the words or characters of the other; short sentences vary more.
const RATIO: f64 = 2.0;

/// Why a pair is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// One side is empty, or has a tab.
    Empty,
    /// Too many words.
    TooLong,
    /// One side is much longer than the other.
    Ratio,
    /// Most words are the original's.
    Copy,
    /// Words come again and again, as when a search loops.
    Repetition,
    /// The numbers differ.
    Numbers,
}

/// What is wrong with a translation of `original`, if anything.
pub fn fault(translation: &str, original: &str) -> Option<Fault> {
    let (made, given) = (words(translation), words(original));
    if made.is_empty() || given.is_empty() || original.contains('\t') || translation.contains('\t')
    {
        return Some(Fault::Empty);
    }
    if made.len().max(given.len()) > WORDS {
        return Some(Fault::TooLong);
    }
    let far =
        |a: usize, b: usize, slack: usize| a.max(b) as f64 > RATIO * a.min(b) as f64 + slack as f64;
    let characters = |text: &str| text.chars().count();
    if far(made.len(), given.len(), 3) || far(characters(translation), characters(original), 20) {
        return Some(Fault::Ratio);
    }
    if is_copy(&made, &given) {
        return Some(Fault::Copy);
    }
    // A loop of the original's own is none of the model's.
    if repeats(&made) > repeats(&given) {
        return Some(Fault::Repetition);
    }
    (numbers(translation) != numbers(original)).then_some(Fault::Numbers)
}

/// Lower-case words without punctuation around them.
fn words(text: &str) -> Vec<String> {
    text.split_whitespace()
        .map(|word| {
            word.trim_matches(|c: char| !c.is_alphanumeric())
                .to_lowercase()
        })
        .filter(|word| !word.is_empty())
        .collect()
}

/// Whether a sentence of six words and more has over half of its longer words in common with the original. Shorter ones
/// may well be names.
fn is_copy(made: &[String], given: &[String]) -> bool {
    let long = |words: &[String]| -> BTreeSet<String> {
        let long = words.iter().filter(|word| word.chars().count() > 3);
        long.cloned().collect()
    };
    let (long_made, long_given) = (long(made), long(given));
    let same = long_made.intersection(&long_given).count();
    made.len() > 5 && same * 2 > long_made.len()
}

/// How often one to four words are followed by themselves, and two to six letters twice by themselves.
fn repeats(words: &[String]) -> usize {
    let of_words: usize = (1..=4)
        .map(|len| {
            let windows = words.windows(2 * len);
            windows.filter(|w| w[..len] == w[len..]).count()
        })
        .sum();
    let of_letters = words.iter().filter(|word| {
        let letters: Vec<char> = word.chars().collect();
        (2..=6).any(|len| {
            letters
                .windows(3 * len)
                .any(|w| w[..len] == w[len..2 * len] && w[..len] == w[2 * len..])
        })
    });
    of_words
        + of_letters
            .filter(|word| !word.chars().all(|c| c.is_ascii_digit()))
            .count()
}

/// Digits of each number, in order of size: points and commas differ between languages, and so does word order.
fn numbers(text: &str) -> Vec<String> {
    let mut numbers: Vec<String> = text
        .split(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','))
        .map(|run| run.chars().filter(char::is_ascii_digit).collect())
        .filter(|digits: &String| !digits.is_empty())
        .collect();
    numbers.sort();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sound_pairs_pass() {
        for (made, given) in [
            ("He had 1,250.5 euros.", "Er hatte 1.250,5 Euro."),
            ("Yes!", "Ja, natürlich!"),
            (
                "He knew that that was wrong.",
                "Er wusste, dass das das Falsche war.",
            ),
            (
                "Angela Merkel met Emmanuel Macron.",
                "Angela Merkel traf Emmanuel Macron.",
            ),
            ("On 7 May 1999 it rained.", "Am 7. Mai 1999 regnete es."),
            (
                "Bananas and couscous for 333333333.",
                "Bananen und Couscous für 333333333.",
            ),
        ] {
            assert_eq!(fault(made, given), None, "{made}");
        }
    }

    #[test]
    fn each_fault_is_seen() {
        let long = "wort ".repeat(101);
        for (made, given, expected) in [
            ("", "Hallo.", Fault::Empty),
            ("Hello.", "...", Fault::Empty),
            ("Hello\tthere.", "Hallo.", Fault::Empty),
            (
                &*"one two three four five ".repeat(21),
                &*long,
                Fault::TooLong,
            ),
            (
                "Hello there.",
                "Das war ein sehr langer Satz mit vielen Wörtern.",
                Fault::Ratio,
            ),
            (
                "Die Wiener Straßenbahn fährt heute nicht.",
                "Die Wiener Straßenbahn fährt heute nicht.",
                Fault::Copy,
            ),
            (
                "He went to the to the house.",
                "Er ging zu dem Haus dort.",
                Fault::Repetition,
            ),
            (
                "The sanananananation is here.",
                "Die Sanierung ist da drüben.",
                Fault::Repetition,
            ),
            ("It cost 80 euros.", "Es kostete 90 Euro.", Fault::Numbers),
            ("It cost 80 euros.", "Es kostete viel Geld.", Fault::Numbers),
        ] {
            assert_eq!(fault(made, given), Some(expected), "{made}");
        }
    }
}
