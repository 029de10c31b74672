//! Numbers that a model reads, unlike those that are literals ([`super::numbers`], [`super::amounts`]). A small one writes
//! another for every fiftieth or leaves it out: *21 Millionen* became *9 million*. Their translation has to hold them.

use super::amounts::Notation;
use super::clock;
use super::named_dates::figures;
use super::style::Style;
use std::ops::Range;

/// Smaller ones have words for which there is more than one (*two*, *both*, *twice*), up to twelve in all languages here.
const LEAST: u32 = 13;
/// Hours of a day: a smaller number may be one, which English writes otherwise.
const HOURS: u32 = 24;

/// The numbers of a text in the first notation, with their bytes there, each with the forms in which a translation into the
/// second one may hold it; the first is the usual one.
pub fn find(text: &str, [from, to]: [Notation; 2]) -> Vec<(Range<usize>, Vec<Box<str>>)> {
    let has_times = tells_times(text, from.style);
    let mut before = None;
    let mut last = 0;
    let starts = text.char_indices().filter(move |(_, c)| {
        let starts = c.is_ascii_digit() && !before.is_some_and(joins);
        before = Some(*c);
        starts
    });
    starts
        .filter_map(|(start, _)| {
            if start < last {
                return None;
            }
            let number = Number::read(&text[start..], from)?;
            let range = start..start + number.len;
            last = range.end;
            let is_hour = has_times && number.integer <= HOURS;
            let is_decade = text[..start].trim_end().ends_with("années");
            (!is_hour && !is_decade).then(|| (range, number.forms(to)))
        })
        .collect()
}

/// A number of up to four figures before its decimals.
struct Number<'t> {
    integer: u32,
    decimals: Option<&'t str>,
    /// Its bytes.
    len: usize,
}

impl<'t> Number<'t> {
    /// The number that a text begins with, if it is one that has the same meaning in every place.
    fn read(text: &'t str, notation: Notation) -> Option<Self> {
        let integer = figures(text);
        let has_sign = text[integer..].starts_with(notation.point);
        let decimals = match has_sign {
            true => figures(&text[integer + 1..]),
            false => 0,
        };
        let len = match decimals {
            0 => integer,
            _ => integer + 1 + decimals,
        };
        let is_plain = !text.starts_with('0') || integer == 1 && decimals > 0;
        if integer > 4 || !is_plain || !closes(&text[len..], notation) {
            return None;
        }
        let number = Self {
            integer: text[..integer].parse().ok()?,
            decimals: (decimals > 0).then(|| &text[len - decimals..len]),
            len,
        };
        (number.decimals.is_some() || number.integer >= LEAST).then_some(number)
    }

    fn forms(&self, to: Notation) -> Vec<Box<str>> {
        let Self { integer, .. } = *self;
        let mut forms = Vec::new();
        match self.decimals {
            Some(decimals) => {
                forms.push(format!("{integer}{}{decimals}", to.point));
                // Of a section or a version.
                forms.push(format!("{integer}.{decimals}"));
                let zeros = decimals.trim_end_matches('0');
                forms.extend(zeros.is_empty().then(|| integer.to_string()));
            }
            None => {
                forms.push(integer.to_string());
                if integer >= 1_000 {
                    let [thousands, rest] = [integer / 1_000, integer % 1_000];
                    let groups = [to.group, ' '];
                    forms.extend(groups.map(|group| format!("{thousands}{group}{rest:03}")));
                }
                forms.extend(word(integer, to.style).map(str::to_owned));
            }
        }
        forms.into_iter().map(String::into_boxed_str).collect()
    }
}

/// The word of a number that is often said for many.
fn word(number: u32, style: Style) -> Option<&'static str> {
    match (number, style) {
        (100, Style::English) => Some("hundred"),
        (100, Style::German) => Some("hundert"),
        (100, Style::French) => Some("cent"),
        (1_000, Style::English) => Some("thousand"),
        (1_000, Style::German) => Some("tausend"),
        (1_000, Style::French) => Some("mille"),
        _ => None,
    }
}

/// Whether a digit behind this character is a part of what stands before it.
fn joins(c: char) -> bool {
    clock::joins(c) || matches!(c, '\'' | '’' | '_')
}

/// Whether a number may end before this: not a part of a longer one, of a decade (*90er*) or of an ordinal.
fn closes(rest: &str, notation: Notation) -> bool {
    let mut after = rest.chars();
    let Some(sign) = after.next() else {
        return true;
    };
    let next = after.next();
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    match sign {
        '.' if notation.style == Style::German => !(next == Some(' ') || is_digit(next)),
        '.' | ',' | ':' | '-' | '–' => !is_digit(next),
        '/' => false,
        // *200 000*
        ' ' => figures(&rest[1..]) != 3,
        _ => !sign.is_alphanumeric(),
    }
}

/// Whether a text may tell times of day.
fn tells_times(text: &str, style: Style) -> bool {
    let words: &[&str] = match style {
        Style::English => &["o'clock", "o’clock", "am", "pm", "a.m", "p.m"],
        Style::German => &["Uhr"],
        Style::French => &["h", "heure", "heures"],
    };
    let mut tokens = text.split(|c: char| !(c.is_alphabetic() || matches!(c, '.' | '\'' | '’')));
    tokens.any(|token| words.contains(&token.trim_end_matches('.')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::timing::assert_in_proportion;

    fn notation(language: &str) -> Notation {
        Notation::of(language).expect("a known language")
    }

    #[test]
    fn numbers_are_found_with_the_forms_of_the_target_language() {
        for (from, to, text, expected) in [
            (
                "de",
                "en",
                "Mit 21 Millionen, 14,5 Grad, 18-Jährige und 17% im Jahr 2010.",
                &[
                    ("21", &["21"][..]),
                    ("14,5", &["14.5"]),
                    ("18", &["18"]),
                    ("17", &["17"]),
                    ("2010", &["2010", "2,010", "2 010"]),
                ][..],
            ),
            (
                "en",
                "de",
                "In Figure 3.2 are 100 of 8733 values, 5.0 each.",
                &[
                    ("3.2", &["3,2", "3.2"]),
                    ("100", &["100", "hundert"]),
                    ("8733", &["8733", "8.733", "8 733"]),
                    ("5.0", &["5,0", "5.0", "5"]),
                ],
            ),
            ("fr", "en", "Les années 1960, 42 ans", &[("42", &["42"])]),
            ("de", "en", "Von 13 bis 14 Uhr 25 Gäste", &[("25", &["25"])]),
            // Small ones, parts of others, ordinals, decades, groups, and what may be a name.
            (
                "de",
                "en",
                "3 von 12, 200 000, G20, 9/11, der 21. Tag, 90er, 2.5.1, 007, 1:30, 20-30, U-21, 3.50",
                &[],
            ),
            ("en", "fr", "The 21st, the 1960s, the '90s, 1.2.3, #14", &[]),
        ] {
            let found = find(text, [from, to].map(notation));
            let found: Vec<(&str, Vec<&str>)> = found
                .iter()
                .map(|(range, forms)| {
                    let forms: Vec<&str> = forms.iter().map(|form| &**form).collect();
                    let mut once = forms.clone();
                    once.dedup();
                    (&text[range.clone()], once)
                })
                .collect();
            let expected: Vec<(&str, Vec<&str>)> = expected
                .iter()
                .map(|(number, forms)| (*number, forms.to_vec()))
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn time_grows_with_the_length_of_the_text() {
        for part in ["42 ", "3,5 ", "1", "200 000 ", "4.4.", "12 h "] {
            for language in ["en", "de", "fr"] {
                let both = [language, "en"].map(notation);
                assert_in_proportion(5_000, &|n| part.repeat(n), |text| {
                    std::hint::black_box(find(text, both));
                });
            }
        }
    }
}
