//! Dates with the month's name. A model reads them, and of two in a sentence a small one loses a part of every fourth or so:
//! *24. Oktober bis 12. Juli 2020* became *October 24 to 12, 2020*. Their translation has to hold them in one of the forms
//! that the target language has for them.

use super::style::Style;
use crate::text::typed::{Rewrite, words};
use std::ops::Range;

/// A date in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    /// From 1 on.
    pub day: u8,
    /// From 0 on.
    pub month: usize,
    pub year: Option<u16>,
}

/// The months of a language, each in the ways that it is written; the first is the usual one.
fn months(style: Style) -> [&'static [&'static str]; 12] {
    match style {
        Style::English => [
            &["January", "Jan"],
            &["February", "Feb"],
            &["March", "Mar"],
            &["April", "Apr"],
            &["May"],
            &["June", "Jun"],
            &["July", "Jul"],
            &["August", "Aug"],
            &["September", "Sept", "Sep"],
            &["October", "Oct"],
            &["November", "Nov"],
            &["December", "Dec"],
        ],
        Style::German => [
            &["Januar", "Jänner", "Jan"],
            &["Februar", "Feb"],
            &["März", "Mär", "Mrz"],
            &["April", "Apr"],
            &["Mai"],
            &["Juni", "Jun"],
            &["Juli", "Jul"],
            &["August", "Aug"],
            &["September", "Sept", "Sep"],
            &["Oktober", "Okt"],
            &["November", "Nov"],
            &["Dezember", "Dez"],
        ],
        Style::French => [
            &["janvier", "janv"],
            &["février", "févr", "fév"],
            &["mars"],
            &["avril", "avr"],
            &["mai"],
            &["juin"],
            &["juillet", "juil"],
            &["août"],
            &["septembre", "sept"],
            &["octobre", "oct"],
            &["novembre", "nov"],
            &["décembre", "déc"],
        ],
    }
}

/// The usual name of a month, counted from 0, in a language.
pub fn month_name(month: usize, style: Style) -> &'static str {
    months(style)[month][0]
}

/// The dates of a text in a language, with their bytes there.
pub fn find(text: &str, style: Style) -> Vec<(Range<usize>, Date)> {
    let mut found: Vec<(Range<usize>, Date)> = Vec::new();
    for mut word in words(text) {
        let Some(month) = month(&text[word.clone()], style) else {
            continue;
        };
        word.end += stop_of(&text[word.clone()], &text[word.end..], month, style);
        let start = found.last().map_or(0, |(range, _)| range.end);
        let before = day_before(&text[start..word.start], style).map(|(at, day)| (start + at, day));
        let after = || day_after(&text[word.end..]).filter(|_| style == Style::English);
        let (range, day) = match (before, after()) {
            (Some((start, day)), _) => (start..word.end, day),
            (None, Some((len, day))) => (word.start..word.end + len, day),
            (None, None) => continue,
        };
        if !(1..=31).contains(&day) {
            continue;
        }
        let year = year_after(&text[range.end..], style);
        let end = year.as_ref().map_or(range.end, |year| range.end + year.end);
        let year = year.and_then(|year| text[range.end..][year].parse().ok());
        found.push((range.start..end, Date { day, month, year }));
    }
    found
}

/// The months of dates that stand there in short, spelled out: a model that reads *Mar 3* may leave *Mar* beside the date that its
/// translation must hold.
pub fn spelled_out(text: &str, style: Style) -> Vec<Rewrite> {
    let months = find(text, style).into_iter().filter_map(|(range, date)| {
        let name = month_name(date.month, style);
        let all = &text[range.clone()];
        let word = words(all).find(|word| month(&all[word.clone()], style) == Some(date.month))?;
        let has_stop = word.end < all.len() && all[word.end..].starts_with('.');
        is_short(&all[word.clone()], name).then(|| Rewrite {
            range: range.start + word.start..range.start + word.end + usize::from(has_stop),
            text: name.to_owned(),
        })
    });
    months.collect()
}

fn is_short(month: &str, name: &str) -> bool {
    month.chars().count() < name.chars().count()
}

/// A date as a language usually writes it.
pub fn written(date: Date, style: Style) -> String {
    forms(date, style).swap_remove(0).into()
}

/// Every form in which a translation may hold a date; the first is the usual one.
pub fn forms(date: Date, style: Style) -> Vec<Box<str>> {
    let Date { day, month, year } = date;
    let name = month_name(month, style);
    let forms: Vec<String> = match style {
        Style::English => {
            let nth = format!("{day}{}", ordinal_ending(day.into()));
            let plain = day.to_string();
            let days = [&plain, &nth];
            let month_first = days.map(|day| format!("{name} {day}"));
            let day_first = days.map(|day| format!("{day} {name}"));
            let all = month_first.into_iter().chain(day_first);
            let all = all.chain([format!("{nth} of {name}"), format!("{name} the {nth}")]);
            match year {
                Some(year) => all
                    .flat_map(|form| {
                        [", ", " ", " of "].map(|joint| format!("{form}{joint}{year}"))
                    })
                    .collect(),
                None => all.collect(),
            }
        }
        Style::German | Style::French => {
            let days = match (style, day) {
                (Style::German, _) => vec![format!("{day}."), format!("{day:02}.")],
                (_, 1) => vec!["1er".to_owned(), "1".to_owned()],
                _ => vec![day.to_string()],
            };
            let year = year.map_or_else(String::new, |year| format!(" {year}"));
            let forms = days.iter().map(|day| format!("{day} {name}{year}"));
            forms.collect()
        }
    };
    forms.into_iter().map(String::into_boxed_str).collect()
}

/// What English writes behind the figures of an ordinal.
pub(super) fn ordinal_ending(number: u32) -> &'static str {
    match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

/// Whether a word is a German month, which an ordinal stands before.
pub fn is_german_month(word: &str) -> bool {
    month(word, Style::German).is_some()
}

/// The month, counted from 0, that a word names.
fn month(word: &str, style: Style) -> Option<usize> {
    // *des 21. Dezembers*
    let genitive = word.strip_suffix('s').filter(|_| style == Style::German);
    let is = |name: &&str| match style {
        Style::German if genitive == Some(*name) => true,
        Style::French => name.chars().eq(word.chars().flat_map(char::to_lowercase)),
        _ => *name == word || name.chars().flat_map(char::to_uppercase).eq(word.chars()),
    };
    months(style).iter().position(|names| names.iter().any(is))
}

/// The bytes of the full stop behind a short form, where it is not the sentence's.
fn stop_of(word: &str, rest: &str, month: usize, style: Style) -> usize {
    let after = rest.strip_prefix('.').map(str::trim_start);
    let goes_on =
        after.is_some_and(|after| !(after.is_empty() || after.starts_with(char::is_uppercase)));
    usize::from(is_short(word, month_name(month, style)) && goes_on)
}

/// The day that a text ends with before a month, and where it begins.
fn day_before(text: &str, style: Style) -> Option<(usize, u8)> {
    let rest = text.trim_end();
    let rest = match style {
        Style::German => rest.strip_suffix('.')?,
        Style::English => {
            let rest = rest.strip_suffix(" of").unwrap_or(rest);
            let endings = ["st", "nd", "rd", "th"].into_iter();
            endings.fold(rest, |rest, ending| {
                rest.strip_suffix(ending).unwrap_or(rest)
            })
        }
        Style::French => rest.strip_suffix("er").unwrap_or(rest),
    };
    let figures = rest.len() - rest.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let start = rest.len() - figures;
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '/' | '-' | ':');
    let is_day =
        (1..=2).contains(&figures) && text.len() > rest.len() && !rest[..start].ends_with(joins);
    is_day
        .then(|| Some((start, rest[start..].parse().ok()?)))
        .flatten()
}

/// *May 3rd*: the day that a text begins with after a month, and its bytes.
fn day_after(text: &str) -> Option<(usize, u8)> {
    let rest = text.strip_prefix([' ', '\u{a0}'])?;
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    let figures = figures(rest);
    let day = rest[..figures].parse().ok()?;
    let rest = &rest[figures..];
    let endings = ["st", "nd", "rd", "th"].into_iter();
    let rest = endings.fold(rest, |rest, ending| {
        rest.strip_prefix(ending).unwrap_or(rest)
    });
    closes(rest).then_some((text.len() - rest.len(), day))
}

/// The place of the year that follows a date.
fn year_after(text: &str, style: Style) -> Option<Range<usize>> {
    let rest = match style {
        Style::English => text.strip_prefix(',').unwrap_or(text),
        _ => text,
    };
    let rest = rest.strip_prefix([' ', '\u{a0}'])?;
    let start = text.len() - rest.len();
    let is_year = figures(rest) == 4 && rest.starts_with(['1', '2']) && closes(&rest[4..]);
    is_year.then_some(start..start + 4)
}

/// The number of ASCII digits that a text begins with.
pub(super) fn figures(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Whether a number may end before this.
pub(super) fn closes(rest: &str) -> bool {
    let mut after = rest.chars();
    match after.next() {
        Some('.' | ',' | ':') => !after.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => !(c.is_alphanumeric() || matches!(c, '-' | '/' | '%' | '°')),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::timing::assert_in_proportion;

    /// The dates of a text, each with what it is usually called in English.
    fn dates(text: &str, style: Style) -> Vec<(&str, String)> {
        let found = find(text, style).into_iter();
        let found = found.map(|(range, date)| (&text[range], written(date, Style::English)));
        found.collect()
    }

    #[test]
    fn dates_with_the_months_name_are_found_with_what_belongs_to_them() {
        for (style, text, expected) in [
            (
                Style::German,
                "Vom 24. Dezember 2023 bis 6. Jänner, am 03. Mai, des 1. Mais.",
                vec![
                    ("24. Dezember 2023", "December 24, 2023"),
                    ("6. Jänner", "January 6"),
                    ("03. Mai", "May 3"),
                    ("1. Mais", "May 1"),
                ],
            ),
            (
                Style::German,
                "Im Mai 2024, am 32. Mai, 3 Mai, 1.3. März, Maiglöckchen, 5. Mai 2024-A",
                vec![("5. Mai", "May 5")],
            ),
            (
                Style::French,
                "Du 1er avril au 2 Août 1999, le 14 juillet.",
                vec![
                    ("1er avril", "April 1"),
                    ("2 Août 1999", "August 2, 1999"),
                    ("14 juillet", "July 14"),
                ],
            ),
            (
                Style::English,
                "On May 3rd, 2025 or 4 JULY, the 5th of June 1999, March the 2nd and 6 August 1945.",
                vec![
                    ("May 3rd, 2025", "May 3, 2025"),
                    ("4 JULY", "July 4"),
                    ("5th of June 1999", "June 5, 1999"),
                    ("March the 2nd", "March 2"),
                    ("6 August 1945", "August 6, 1945"),
                ],
            ),
            (
                Style::English,
                "On Mar 3, 2025, from Jan. 5 to 9 Sept. 2026, by Oct 1st. Dec. 2. Jan said 5, on 3 Feb.",
                vec![
                    ("Mar 3, 2025", "March 3, 2025"),
                    ("Jan. 5", "January 5"),
                    ("9 Sept. 2026", "September 9, 2026"),
                    ("Oct 1st", "October 1"),
                    ("Dec. 2", "December 2"),
                    ("3 Feb", "February 3"),
                ],
            ),
            (
                Style::German,
                "Am 5. Okt. 2020, ab 3. Jan und am 1. Dez. Das ist Jan.",
                vec![
                    ("5. Okt. 2020", "October 5, 2020"),
                    ("3. Jan", "January 3"),
                    ("1. Dez", "December 1"),
                ],
            ),
            (
                Style::French,
                "Le 3 févr. 2020 et le 14 juil.",
                vec![("3 févr. 2020", "February 3, 2020"), ("14 juil", "July 14")],
            ),
            (Style::English, "May I have 3? In May 2025, march 3", vec![]),
            (Style::English, "March 3.5, 2,3 May 40, April 1,000", vec![]),
        ] {
            let expected: Vec<(&str, String)> = expected
                .into_iter()
                .map(|(date, english)| (date, english.to_owned()))
                .collect();
            assert_eq!(dates(text, style), expected, "{text}");
        }
    }

    #[test]
    fn months_in_short_are_spelled_out_in_dates_alone() {
        for (style, text, expected) in [
            (
                Style::English,
                "On Mar 3, 2025 or 9 Sept. 2026 in Jan",
                vec![("Mar", "March"), ("Sept.", "September")],
            ),
            (
                Style::German,
                "Am 5. Okt. 2020, 6. Jänner, 1. Dez.",
                vec![("Okt.", "Oktober"), ("Dez", "Dezember")],
            ),
        ] {
            let found = spelled_out(text, style);
            let found = found
                .iter()
                .map(|one| (&text[one.range.clone()], &*one.text));
            assert_eq!(found.collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn a_date_has_the_forms_of_its_language() {
        let date = |day, year| Date {
            day,
            month: 2,
            year,
        };
        let english = forms(date(22, Some(2024)), Style::English);
        for form in [
            "March 22nd, 2024",
            "22 March 2024",
            "22nd of March 2024",
            "March 22 2024",
        ] {
            assert!(english.iter().any(|one| &**one == form), "{form}");
        }
        assert_eq!(&*forms(date(13, None), Style::English)[1], "March 13th");
        assert_eq!(written(date(1, Some(2024)), Style::German), "1. März 2024");
        assert_eq!(written(date(1, None), Style::French), "1er mars");
        assert_eq!(written(date(2, None), Style::French), "2 mars");
    }

    #[test]
    fn time_grows_with_the_length_of_the_text() {
        for part in ["3. Mai ", "Mai ", "1 ", "May 3rd, 2024 ", "the 3rd of "] {
            for style in [Style::German, Style::English, Style::French] {
                assert_in_proportion(5_000, &|n| part.repeat(n), |text| {
                    std::hint::black_box(find(text, style));
                });
            }
        }
    }
}
