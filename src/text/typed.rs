//! What people type: forms that have one certain reading are rewritten before a text is split into pieces, so that "dont"
//! reaches the model as "don't", "germany" as "Germany" and a text of capitals in lower case. What is uncertain ("its",
//! "ill", "were") is left to the model.

mod case;
mod emphasis;
mod english;
mod figures;
mod french;
mod german;
mod headline;
mod misspelt;
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
pub(super) use questions::question;
pub(super) use repeated::{repeated_letters, repeated_marks};
pub(super) use subjects::subject;
pub(super) use umlauts::umlauts;
pub(super) use weekdays::weekdays;

use std::ops::Range;

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
                    question(text, 0, Language::English),
                    subject(text, 0, Language::German),
                    misspelt(text, Language::English),
                    umlauts(text, str::len),
                    repeated_letters(text, Language::German, str::len),
                    repeated_marks(text),
                ));
            });
        }
    }
}
