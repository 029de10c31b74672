//! Numbers that a model reads, unlike those that are literals ([`super::numbers`], [`super::amounts`]). A small one writes
//! another for every fiftieth, or leaves it out (*21 Millionen* became *9 million*), and has no rule for ordinals (*43th*). Their
//! translation has to hold them.

mod forms;

use super::amounts::Notation;
use super::clock;
use super::named_dates::figures;
use super::style::Style;
use crate::text::typed::is_stopped_time;
use forms::decades;
use std::ops::Range;

/// Smaller ones have words for which there is more than one (*two*, *both*, *twice*), up to twelve in all languages here.
const LEAST: u32 = 13;
/// Days of a month.
const DAYS: u32 = 31;
/// Hours of a day: a smaller number may be one, which English writes otherwise.
const HOURS: u32 = 24;

/// The numbers of a text in the first notation, with their bytes there, each with the forms in which a translation into the
/// second one may hold it; the first is the usual one.
pub fn find(text: &str, [from, to]: [Notation; 2]) -> Vec<(Range<usize>, Vec<Box<str>>)> {
    let has_times = tells_times(text, from.style);
    let has_decades = from.style == Style::French && text.contains("années");
    let mut before = None;
    let starts = text.char_indices().filter(move |(_, c)| {
        // *mid-1990s*
        let starts = c.is_ascii_digit() && !before.is_some_and(|c| c != '-' && clock::joins(c));
        before = Some(*c);
        starts
    });
    starts
        .filter_map(|(start, _)| {
            let number = Number::read(text, start, from)?;
            let is_hour = has_times && number.is_cardinal() && number.integer <= HOURS;
            let mut forms = number.forms(to);
            if has_decades && number.integer.is_multiple_of(10) {
                // *les années 60 et 70*
                forms.extend(decades(number.integer, to.style));
            }
            let forms = forms.into_iter().map(String::into_boxed_str);
            (!is_hour).then(|| (start..start + number.len, forms.collect()))
        })
        .collect()
}

/// A number of up to four figures before its decimals.
struct Number<'t> {
    integer: u32,
    kind: Kind<'t>,
    /// Its bytes, with what makes it an ordinal or a decade.
    len: usize,
}

enum Kind<'t> {
    Cardinal {
        decimals: Option<&'t str>,
        /// Whether it may be an ordinal as well: *Er wurde 18.*
        may_be_ordinal: bool,
    },
    Ordinal {
        is_of_century: bool,
        /// Whether it may be a day of a month, which French does not count with ordinals: *on the 23rd*.
        is_day: bool,
    },
    /// *the 1960s*, *the 60s*
    Decade,
    /// A time of day.
    Time {
        minute: u32,
        /// Whether a word before it says that it is one.
        is_said: bool,
    },
}

impl<'t> Number<'t> {
    /// The number that begins at a place in a text, if it is one that translations hold.
    fn read(text: &'t str, start: usize, notation: Notation) -> Option<Self> {
        let is_stopped = notation.style == Style::English && is_stopped_time(text, start);
        let [before, text] = [&text[..start], &text[start..]];
        let integer = figures(text);
        let is_plain = !text.starts_with('0') || integer == 1;
        if integer > 4 || !is_plain {
            return None;
        }
        let value = text[..integer].parse().ok()?;
        let style = notation.style;
        let number = |kind, len| Self {
            integer: value,
            kind,
            len,
        };
        if let Some((minute, len)) = time(value, &text[integer..], is_stopped) {
            let len = integer + len;
            let is_said = style == Style::English && ends_with_time_word(before);
            return Some(number(Kind::Time { minute, is_said }, len));
        }
        if let Some(len) = decade(value, [before, &text[integer..]], style) {
            return Some(number(Kind::Decade, integer + len));
        }
        if before.ends_with(['\'', '’', '_', '-']) {
            return None;
        }
        if let Some(len) = ordinal([before, &text[integer..]], style) {
            // *the 19th and 20th centuries*
            let next = text[integer + len..].split_whitespace().take(3);
            let is_of_century = next.into_iter().any(is_century);
            let is_day = value <= DAYS && is_day([before, &text[integer + len..]]);
            let kind = Kind::Ordinal {
                is_of_century,
                is_day,
            };
            return (value >= LEAST).then(|| number(kind, integer + len));
        }
        let decimals = match text[integer..].strip_prefix(notation.point) {
            Some(rest) => &rest[..figures(rest)],
            None => "",
        };
        let len = match decimals.len() {
            0 => integer,
            decimals => integer + 1 + decimals,
        };
        let decimals = (!decimals.is_empty()).then_some(decimals);
        let rest = &text[len..];
        let may_be_ordinal = match style {
            Style::English => false,
            Style::German => rest.starts_with('.'),
            // *le 23*
            Style::French => value <= DAYS,
        };
        let is_held = decimals.is_some() || value >= LEAST;
        (is_held && closes(rest, style)).then(|| {
            let kind = Kind::Cardinal {
                decimals,
                may_be_ordinal,
            };
            number(kind, len)
        })
    }

    fn is_cardinal(&self) -> bool {
        matches!(self.kind, Kind::Cardinal { .. })
    }
}

/// The bytes that make an ordinal of the figures between these texts.
fn ordinal([before, rest]: [&str; 2], style: Style) -> Option<usize> {
    let endings: &[&str] = match style {
        Style::English => &["st", "nd", "rd", "th"],
        Style::French => &["ème", "e"],
        Style::German => &["."],
    };
    let ending = endings.iter().find(|ending| rest.starts_with(**ending))?;
    let rest = &rest[ending.len()..];
    let is_ordinal = match style {
        Style::German => {
            let next = rest.strip_prefix(' ')?.chars().next()?;
            next.is_lowercase() || next.is_uppercase() && ends_with_determiner(before)
        }
        _ => closes(rest, style),
    };
    is_ordinal.then_some(ending.len())
}

/// Whether an English ordinal between these texts may be a day of a month: *on the 23rd at noon*.
fn is_day([before, rest]: [&str; 2]) -> bool {
    const NEXT: [&str; 8] = ["", "and", "or", "at", "of", "from", "to", "until"];
    let word = before.trim_end().rsplit(char::is_whitespace).next();
    let is_said = word.is_some_and(|word| matches!(word, "the" | "and" | "to" | "or"));
    is_said && NEXT.contains(&clock::next_word(rest))
}

fn is_century(word: &str) -> bool {
    let word = word.to_lowercase();
    let centuries = ["centur", "jahrhundert", "siècle"];
    centuries.iter().any(|begin| word.starts_with(begin))
}

/// Whether a German text ends with a word that a noun follows, so that a number with a full stop behind it is an ordinal and
/// no end of a sentence.
fn ends_with_determiner(text: &str) -> bool {
    const WORDS: [&str; 12] = [
        "der", "die", "das", "den", "dem", "des", "im", "am", "zum", "zur", "vom", "beim",
    ];
    const STEMS: [&str; 8] = [
        "mein", "dein", "sein", "ihr", "unser", "euer", "jede", "diese",
    ];
    let word = text.trim_end().rsplit(char::is_whitespace).next();
    let word = word.unwrap_or_default().to_lowercase();
    let is_of = |stem: &str| word.strip_prefix(stem).is_some_and(|end| end.len() <= 2);
    WORDS.contains(&&*word) || STEMS.iter().any(|stem| is_of(stem))
}

/// The minutes that a text begins with behind an hour, and the bytes with which they end.
fn time(hour: u32, rest: &str, is_stopped: bool) -> Option<(u32, usize)> {
    let rest = rest.strip_prefix(if is_stopped { '.' } else { ':' })?;
    let minute = figures(rest);
    let value = rest[..minute].parse().ok()?;
    let goes_on =
        rest[minute..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, ':' | '-' | '–'));
    (hour < 24 && minute == 2 && value < 60 && !goes_on).then_some((value, 1 + minute))
}

/// Whether an English text ends with a word that a time of day follows.
fn ends_with_time_word(text: &str) -> bool {
    const WORDS: [&str; 12] = [
        "at", "around", "about", "until", "till", "by", "before", "after", "from", "to", "is",
        "was",
    ];
    let word = text.trim_end().rsplit(char::is_whitespace).next();
    word.is_some_and(|word| WORDS.contains(&word.to_lowercase().as_str()))
}

/// The bytes behind the figures between these texts if these are a decade.
fn decade(number: u32, [before, rest]: [&str; 2], style: Style) -> Option<usize> {
    if !number.is_multiple_of(10) || !matches!(number, 20..=90 | 1_000..=2_090) {
        return None;
    }
    let len = match style {
        Style::English => ["s", "'s", "’s"]
            .iter()
            .find(|end| rest.starts_with(**end))?
            .len(),
        Style::French => {
            let before = before.trim_end();
            (before.ends_with("années") || before.ends_with("Années")).then_some(0)?
        }
        Style::German => {
            let end = rest.strip_prefix("er")?;
            let is_named = [" Jahre", "-Jahre"]
                .iter()
                .any(|word| end.starts_with(word));
            match end.starts_with('n') {
                true => "ern".len(),
                false => is_named.then_some("er".len())?,
            }
        }
    };
    closes(&rest[len..], style).then_some(len)
}

/// Whether a number may end before this: it is no part of a longer one.
fn closes(rest: &str, style: Style) -> bool {
    let mut after = rest.chars();
    let Some(sign) = after.next() else {
        return true;
    };
    let next = after.next();
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    match sign {
        // Elsewhere an ordinal or an end: *die 21. Wir*.
        '.' if style == Style::German => !(next == Some(' ') || is_digit(next)),
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

    /// The numbers of a text, each with the first of its forms.
    fn found(languages: [&str; 2], text: &str) -> Vec<(String, String)> {
        let found = find(text, languages.map(notation)).into_iter();
        let found = found.map(|(range, forms)| (text[range].into(), forms[0].to_string()));
        found.collect()
    }

    #[test]
    fn numbers_are_found_with_their_usual_form() {
        for (languages, text, expected) in [
            (
                ["de", "en"],
                "Mit 21 Millionen, 14,5 Grad, 18-Jährige und 17% im Jahr 2010.",
                &[
                    ("21", "21"),
                    ("14,5", "14.5"),
                    ("18", "18"),
                    ("17", "17"),
                    ("2010", "2010"),
                ][..],
            ),
            (
                ["en", "de"],
                "In Figure 3.2 are 100 of 8733 values, 5.0 each.",
                &[
                    ("3.2", "3,2"),
                    ("100", "100"),
                    ("8733", "8733"),
                    ("5.0", "5,0"),
                ],
            ),
            (
                ["de", "en"],
                "Im 21. Jahrhundert, an seinem 33. Geburtstag, wurde er 42. im Rennen.",
                &[("21.", "21st"), ("33.", "33rd"), ("42.", "42nd")],
            ),
            (
                ["en", "fr"],
                "The 21st Century, the 19th and 20th centuries, the 113th day, the 1960s, the '90s and the mid-80's",
                &[
                    ("21st", "XXIe"),
                    ("19th", "XIXe"),
                    ("20th", "XXe"),
                    ("113th", "113e"),
                    ("1960s", "années 1960"),
                    ("90s", "années 90"),
                    ("80's", "années 80"),
                ],
            ),
            (
                ["fr", "en"],
                "Le 22e des années 1960, le 41ème des 42 ans",
                &[
                    ("22e", "22nd"),
                    ("1960", "1960s"),
                    ("41ème", "41st"),
                    ("42", "42"),
                ],
            ),
            (
                ["de", "en"],
                "Die 60er Jahre, die 1970er-Jahre, in den 80ern, eine 30er-Zone",
                &[("60er", "60s"), ("1970er", "1970s"), ("80ern", "80s")],
            ),
            (["de", "en"], "Von 13 bis 14 Uhr 25 Gäste", &[("25", "25")]),
            (
                ["en", "de"],
                "At 9:15, from 18:45, until 3.30 and at 3.33, John 3:16",
                &[
                    ("9:15", "9:15 Uhr"),
                    ("18:45", "18:45 Uhr"),
                    ("3.30", "3:30 Uhr"),
                    ("3.33", "3,33"),
                    ("3:16", "3:16"),
                ],
            ),
            (
                ["en", "fr"],
                "On the 15th and 16th, on the 23rd floor at 14:00",
                &[
                    ("15th", "15"),
                    ("16th", "16"),
                    ("23rd", "23e"),
                    ("14:00", "14 h 00"),
                ],
            ),
            // Small ones, parts of others, ends of sentences, groups, and what may be a name.
            (
                ["de", "en"],
                "3 von 12, 200 000, G20, 9/11, Zimmer 21. Wir, 2.5.1, 007, 1:30:20, 24:30, 20-30, U-21, 3.50",
                &[],
            ),
            (
                ["en", "fr"],
                "The 2nd, 50ties, 1.2.3, #14, the 3s, '14",
                &[],
            ),
        ] {
            let expected: Vec<(String, String)> = expected
                .iter()
                .map(|(number, form)| ((*number).into(), (*form).into()))
                .collect();
            assert_eq!(found(languages, text), expected, "{text}");
        }
    }

    #[test]
    fn a_number_has_every_form_of_the_target_language() {
        for (languages, text, expected) in [
            (["de", "en"], "8733", &["8,733", "8 733"][..]),
            (["en", "de"], "100 5.0", &["hundert"]),
            (["en", "de"], "5.0", &["5.0", "5"]),
            (["de", "en"], "Er wurde 18.", &["18th"]),
            (["en", "fr"], "the 94th", &["94ème", "XCIVe"]),
            (["de", "en"], "die 60er Jahre", &["60's", "1960s"]),
            (["en", "de"], "the 1960s", &["1960er", "60er", "60ern"]),
            (["fr", "en"], "70 des années 60", &["70s"]),
            (["fr", "en"], "le 23", &["23rd"]),
            (["en", "fr"], "at 14:00", &["14h00", "14 h", "14:00"]),
            (["en", "de"], "at 9:15", &["9.15", "09:15"]),
            (["de", "en"], "ab 18:45", &["6:45", "18:45"]),
        ] {
            let forms = &find(text, languages.map(notation))[0].1;
            for form in expected {
                assert!(forms.iter().any(|one| &**one == *form), "{text}: {form}");
            }
        }
    }

    #[test]
    fn time_grows_with_the_length_of_the_text() {
        for part in [
            "42 ", "3,5 ", "1", "200 000 ", "4.4.", "12 h ", "21. ", "60er ",
        ] {
            for language in ["en", "de", "fr"] {
                let both = [language, "en"].map(notation);
                assert_in_proportion(5_000, &|n| part.repeat(n), |text| {
                    std::hint::black_box(find(text, both));
                });
            }
        }
    }
}
