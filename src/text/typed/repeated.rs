//! Letters and marks that are repeated for emphasis: "sooo good", "really???".

use super::{Language, Rewrite, words};
use std::ops::Range;

/// From so many times the same letter on, a word is drawn out.
const DRAWN_OUT: usize = 3;

/// Words drawn out ("loooove"), read as the shorter ones that the vocabulary knows in fewer `pieces`.
pub fn repeated_letters(
    text: &str,
    language: Language,
    pieces: impl Fn(&str) -> usize,
) -> Vec<Rewrite> {
    let read = |range: Range<usize>| {
        let word = &text[range.clone()];
        let is_word = word.chars().all(char::is_alphabetic) && word.contains(char::is_lowercase);
        if !is_word || !is_drawn_out(word, language) {
            return None;
        }
        let [one, two] = [1, 2].map(|most| with_at_most(word, most));
        // "goood" is *good* rather than *god*.
        let [pieces_of_one, pieces_of_two] = [&one, &two].map(|word| pieces(word));
        let (text, count) = match pieces_of_two <= pieces_of_one {
            true => (two, pieces_of_two),
            false => (one, pieces_of_one),
        };
        let is_known = count < pieces(word) && text.chars().nth(1).is_some();
        (is_known && text.contains(is_vowel)).then_some(Rewrite { range, text })
    };
    words(text).filter_map(read).collect()
}

/// Marks of exclamation and question one after another, read as one: small models repeat them without end.
pub fn repeated_marks(text: &str) -> Vec<Rewrite> {
    let mut found: Vec<Rewrite> = Vec::new();
    for (at, mark) in text.match_indices(['!', '?']) {
        match found.last_mut() {
            Some(last) if last.range.end == at => {
                last.range.end += 1;
                // "What?!" asks.
                if mark == "?" {
                    last.text = mark.to_owned();
                }
            }
            _ => found.push(Rewrite {
                range: at..at + 1,
                text: mark.to_owned(),
            }),
        }
    }
    found.retain(|rewrite| rewrite.range.len() > 1);
    found
}

/// Whether a letter stands there three times and more. Three consonants inside of a German word are spelled so: *Schifffahrt*.
fn is_drawn_out(word: &str, language: Language) -> bool {
    let letters: Vec<char> = word.to_lowercase().chars().collect();
    let mut runs = letters.chunk_by(|a, b| a == b).peekable();
    while let Some(run) = runs.next() {
        let is_spelled = language == Language::German
            && run.len() == DRAWN_OUT
            && !is_vowel(run[0])
            && runs.peek().is_some();
        if run.len() >= DRAWN_OUT && !is_spelled {
            return true;
        }
    }
    false
}

/// A word whose drawn out letters stand there at most so many times.
fn with_at_most(word: &str, most: usize) -> String {
    let letters: Vec<char> = word.chars().collect();
    let is_same = |a: &char, b: &char| a.to_lowercase().eq(b.to_lowercase());
    let runs = letters.chunk_by(is_same);
    let kept = |run: &'_ [char]| match run.len() {
        length if length >= DRAWN_OUT => run[..most].iter().collect(),
        _ => run.iter().collect::<String>(),
    };
    runs.map(kept).collect()
}

fn is_vowel(c: char) -> bool {
    "aeiouyäöüàâéèêëîïôûùœæ".contains(c.to_lowercase().next().unwrap_or(c))
}

#[cfg(test)]
mod tests {
    use super::super::with;
    use super::*;

    #[test]
    fn a_drawn_out_word_is_read_as_the_known_one() {
        const KNOWN: [&str; 9] = [
            "so", "good", "god", "love", "Hey", "ja", "liebe", "Kaffee", "ah",
        ];
        let pieces = |word: &str| match KNOWN.contains(&word) {
            true => 1,
            false => word.len(),
        };
        let read = |text: &str, language| with(text, repeated_letters(text, language, pieces));
        let english = read("Heyyy, sooo goood, I loooove it, ahhh", Language::English);
        assert_eq!(english, "Hey, so good, I love it, ah");
        assert_eq!(
            read("jaaa, ich liiiebe Kaffeee", Language::German),
            "ja, ich liebe Kaffee"
        );
        for text in [
            "Schifffahrt",
            "aaa",
            "www.a.de",
            "III",
            "hmmm",
            "shhh",
            "zzz",
            "agree",
            "a3333",
            "",
        ] {
            assert_eq!(read(text, Language::German), text);
        }
    }

    #[test]
    fn marks_are_read_once() {
        let read = |text: &str| with(text, repeated_marks(text));
        assert_eq!(read("What?! No!!! Really???? Oh!"), "What? No! Really? Oh!");
        for text in ["Yes! No?", "Vraiment ?", "...", ""] {
            assert_eq!(read(text), text);
        }
    }
}
