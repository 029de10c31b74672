//! What people type: forms that have one certain reading are rewritten before a text is split into pieces, so that "dont"
//! reaches the model as "don't", "germany" as "Germany" and a text of capitals in lower case. What is uncertain by itself ("its",
//! "ill", "were") is left to the model.

mod case;
mod emphasis;
mod english;
mod figures;
mod french;
mod german;
mod headline;
mod misspelt;
mod openers;
mod questions;
mod repeated;
mod sentence;
mod short_forms;
mod subjects;
mod umlauts;
mod weekdays;

pub(super) use case::{capitals, is_upper_case, lower_case};
pub(super) use emphasis::emphasis;
pub(super) use english::english;
pub(super) use figures::is_stopped_time;
pub(super) use french::french;
pub(super) use german::german;
pub(super) use headline::headline;
pub(super) use misspelt::misspelt;
pub(super) use repeated::{repeated_letters, repeated_marks};
pub(super) use umlauts::umlauts;
pub(super) use weekdays::weekdays;

use std::iter;
use std::ops::Range;

/// What stands in place of each byte of a mark for all that looks for something in a text: no word, no space, no punctuation.
pub(super) const BLANK: char = '\u{1}';

/// A range of a text, and what the model reads instead of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rewrite {
    pub range: Range<usize>,
    pub text: String,
}

/// A language in which there is more to read than capitals, or any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    English,
    German,
    French,
    Other,
}

impl Language {
    /// The language of a code (`en`).
    pub fn of(code: &str) -> Self {
        match code {
            "en" => Self::English,
            "de" => Self::German,
            "fr" => Self::French,
            _ => Self::Other,
        }
    }
}

/// How the words of a sentence are read: with its subject, with its question mark, and with the comma behind what it opens with.
///
/// `text` has blanks for its marks of markup; the sentence begins at `start`, behind a lead.
pub(super) fn sentence(text: &str, start: usize, language: Language) -> Vec<Rewrite> {
    let said = openers::said(text, start, language);
    let marked = (said.iter().any(|said| said.asks)).then(|| format!("{text}?"));
    let text = marked.as_deref().unwrap_or(text);
    let starts = || iter::once(start).chain(said.iter().map(|said| said.start));
    let subjects = starts().map(|start| subjects::subject(text, start, language));
    let mut rewrites = subjects
        .into_iter()
        .find(|found| !found.is_empty())
        .unwrap_or_default();
    if marked.is_some() {
        let end = sentence::end_of_words(text);
        rewrites.push(Rewrite {
            range: end..end,
            text: "?".to_owned(),
        });
    } else if !rewrites.iter().any(|rewrite| rewrite.text == "?") {
        rewrites.extend(starts().find_map(|start| questions::question(text, start, language)));
    }
    rewrites.extend(said.filter(|said| !said.has_comma).map(|said| Rewrite {
        range: said.end_of_opener..said.end_of_opener,
        text: ",".to_owned(),
    }));
    rewrites
}

/// The characters before and after a range of a text.
fn around(text: &str, range: &Range<usize>) -> [Option<char>; 2] {
    [
        text[..range.start].chars().next_back(),
        text[range.end..].chars().next(),
    ]
}

/// Whether a word is part of a name, a path or an abbreviation: "u.s.", "i.e.", "dont-care.txt".
fn is_joined(text: &str, range: &Range<usize>) -> bool {
    let [before, after] = around(text, range);
    let joins = |c: Option<char>| {
        c.is_some_and(|c| {
            matches!(
                c,
                '-' | '_' | '/' | '\\' | '@' | '#' | '&' | '+' | '*' | '='
            )
        })
    };
    let is_abbreviation =
        after == Some('.') && text[range.end + 1..].starts_with(char::is_alphanumeric);
    joins(before) || joins(after) || before == Some('.') || is_abbreviation
}

fn is_apostrophe(c: Option<char>) -> bool {
    matches!(c, Some('\'' | '’'))
}

/// Runs of letters and digits.
pub(super) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| {
            // A slice of `text`, so its place there is known.
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            start..start + word.len()
        })
}

/// A word with a capital first.
fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters)
        .collect()
}

/// A text with what is read instead of its ranges.
#[cfg(test)]
fn with(text: &str, rewrites: Vec<Rewrite>) -> String {
    let mut text = text.to_owned();
    for rewrite in rewrites.into_iter().rev() {
        text.replace_range(rewrite.range, &rewrite.text);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::timing::assert_in_proportion;

    #[test]
    fn what_is_said_behind_an_opener_is_read_as_a_sentence() {
        for (language, pairs) in [
            (
                Language::English,
                &[
                    (
                        "hey, did you see my message",
                        "hey, did you see my message?",
                    ),
                    ("hi Anna, where are you", "hi Anna, where are you?"),
                    (
                        "hi tom how was your weekend",
                        "hi tom, how was your weekend?",
                    ),
                    ("no problem take your time", "no problem, take your time"),
                    // Marks of markup are blanked.
                    (
                        "\u{1}\u{1}Running late\u{1}\u{1}, sorry",
                        "\u{1}\u{1}I'm running late\u{1}\u{1}, sorry",
                    ),
                    (
                        "hi \u{1}tom\u{1} how are you",
                        "hi \u{1}tom\u{1}, how are you?",
                    ),
                    (
                        "Hi Anna, hope you slept well 😊",
                        "Hi Anna, I hope you slept well 😊",
                    ),
                    ("Thanks, just got home", "Thanks, I just got home"),
                    (
                        "happy birthday hope you are well",
                        "happy birthday, I hope you are well",
                    ),
                    (
                        "good morning how did you sleep",
                        "good morning, how did you sleep?",
                    ),
                    (
                        "thank you so much i love it",
                        "thank you so much, i love it",
                    ),
                ][..],
            ),
            (
                Language::German,
                &[
                    ("kein problem ich warte", "kein problem, ich warte"),
                    ("hallo alles gut", "hallo, alles gut?"),
                    (
                        "Hallo Frau Meier wie geht es Ihnen",
                        "Hallo Frau Meier, wie geht es Ihnen?",
                    ),
                    ("Danke, bin schon da", "Danke, ich bin schon da"),
                ],
            ),
            (
                Language::French,
                &[
                    ("merci je vais bien", "merci, je vais bien"),
                    ("salut Marie ça va", "salut Marie, comment ça va?"),
                    (
                        "Merci, arrive dans dix minutes",
                        "Merci, j'arrive dans dix minutes",
                    ),
                    (
                        "bonjour à tous j'ai une question",
                        "bonjour à tous, j'ai une question",
                    ),
                ],
            ),
        ] {
            for (text, meant) in pairs {
                let mut rewrites = sentence(text, 0, language);
                rewrites.sort_by_key(|rewrite| rewrite.range.start);
                assert_eq!(&with(text, rewrites), meant);
            }
        }
        for (language, text) in [
            (Language::English, "Thanks for the invitation"),
            (Language::English, "Hello from Berlin"),
            (Language::English, "No one knows"),
            (Language::English, "Hi! You know me."),
            (Language::German, "Ja und nein"),
            (Language::German, "Hallo an alle"),
            (Language::French, "Merci à vous"),
            (Language::French, "Bonjour à tous"),
        ] {
            assert_eq!(sentence(text, 0, language), [], "{text}");
        }
    }

    #[test]
    fn time_grows_with_the_length_of_the_text() {
        for part in [
            "dont ",
            "i’",
            "u.",
            "a wont ",
            "wont,",
            "“A’B ",
            "z. B. ",
            "z.",
            "u. ",
            "'60s ",
            "at 3.30 ",
            "3.",
            "Mo-",
            "doin' ",
            "A'",
            "Is A ",
            "n*innen ",
            "aaa",
            "aaa ",
            "!?",
            "recieve ",
            "uess",
        ] {
            assert_in_proportion(5_000, &|n| part.repeat(n), |text| {
                std::hint::black_box((
                    is_upper_case(&text.to_uppercase(), str::len),
                    english(text),
                    german(text),
                    french(text),
                    lower_case(text, Language::English, str::len),
                    capitals(text, Language::German, str::len),
                    emphasis(text, Language::English, str::len),
                    headline(text, Language::English, str::len),
                    weekdays(text, Language::German),
                    sentence(text, 0, Language::English),
                    sentence(text, 0, Language::German),
                    misspelt(text, Language::English),
                    umlauts(text, str::len),
                    repeated_letters(text, Language::German, str::len),
                    repeated_marks(text),
                ));
            });
        }
    }
}
