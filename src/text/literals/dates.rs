//! Dates in figures, which languages write in their own ways and small models spoil: *on 31/01/2025* is *am 31.01.2025*. German and
//! French ones are read with the month's name where a sentence has few ([`take_named`]).
//! The preposition before them goes along where a model that cannot read the date would choose another one.

use super::blanks::{FIXED_BLANK, blank};
use super::named_dates::{self, closes, figures};
use super::prepositions::Preposition;
use super::style::Style;
use std::ops::Range;

/// What prepositions say.
const ON: usize = 0;
const FROM: usize = 1;
const AS_OF: usize = 2;
const UNTIL: usize = 3;
const SINCE: usize = 4;
const BEFORE: usize = 5;
const AFTER: usize = 6;
const BY: usize = 7;

/// The prepositions of a language; the first that says a thing is how it is written, and longer ones stand before those that
/// they end with.
fn prepositions(style: Style) -> &'static [(usize, &'static str)] {
    match style {
        Style::English => &[
            (ON, "on"),
            (AS_OF, "as of"),
            (FROM, "from"),
            (FROM, "dated"),
            (FROM, "of"),
            (UNTIL, "until"),
            (UNTIL, "till"),
            (UNTIL, "to"),
            (SINCE, "since"),
            (BEFORE, "before"),
            (AFTER, "after"),
            (BY, "by"),
        ],
        Style::German => &[
            (ON, "am"),
            (FROM, "vom"),
            (AS_OF, "ab dem"),
            (AS_OF, "ab"),
            (UNTIL, "bis zum"),
            (UNTIL, "bis"),
            (SINCE, "seit dem"),
            (SINCE, "seit"),
            (BEFORE, "vor dem"),
            (AFTER, "nach dem"),
            (BY, "bis zum"),
        ],
        Style::French => &[
            (AS_OF, "à partir du"),
            (AS_OF, "dès le"),
            (UNTIL, "jusqu'au"),
            (UNTIL, "au"),
            (SINCE, "depuis le"),
            (BEFORE, "avant le"),
            (AFTER, "après le"),
            (BY, "avant le"),
            (ON, "le"),
            (FROM, "du"),
        ],
    }
}

/// Whether a preposition goes along with the date. Of German models read theirs well; with a capital, at the beginning of a
/// sentence, a model that sees it puts the verb in the right place.
fn takes(style: Style, found: Preposition) -> bool {
    match style {
        Style::English => !found.is_capital,
        Style::German => false,
        Style::French => true,
    }
}

/// Words before a German date without a year that are no prepositions of the list.
const GERMAN_CONTEXT: [&str; 4] = ["den", "dem", "der", "zum"];

/// A date in figures.
#[derive(Clone, Copy)]
struct Date<'t> {
    day: &'t str,
    month: &'t str,
    year: Option<&'t str>,
}

impl<'t> Date<'t> {
    /// `None` where these are no day and no month.
    fn new(day: &'t str, month: &'t str, year: Option<&'t str>) -> Option<Self> {
        let is_within = |figures: &str, most: u8| {
            // *6.010* is a number.
            figures.len() <= 2 && (1..=most).contains(&number(figures))
        };
        (is_within(day, 31) && is_within(month, 12)).then_some(Self { day, month, year })
    }

    /// With its month as a number; `None` for a year of two figures.
    fn named(self) -> Option<named_dates::Date> {
        let year = match self.year {
            Some(year) if year.len() == 4 => Some(year.parse().ok()?),
            Some(_) => return None,
            None => None,
        };
        Some(named_dates::Date {
            day: number(self.day),
            month: usize::from(number(self.month)) - 1,
            year,
        })
    }

    fn written(self, to: Style) -> String {
        let Self { day, month, year } = self;
        let after = |sign: char| year.map_or_else(String::new, |year| format!("{sign}{year}"));
        match to {
            Style::English => {
                let name = named_dates::month_name(usize::from(number(month)) - 1, to);
                format!("{}{FIXED_BLANK}{name}{}", number(day), after(' '))
            }
            Style::German => format!("{day}.{month}.{}", year.unwrap_or_default()),
            Style::French => format!("{day}/{month}{}", after('/')),
        }
    }
}

/// A date and its preposition, where they stand in a text.
struct Place<'t> {
    range: Range<usize>,
    /// Where the date itself begins.
    start: usize,
    /// `None` where it stays as it stands, since its order is not certain or every language knows it.
    date: Option<Date<'t>>,
    preposition: Option<Preposition>,
}

/// Adds the dates of a text in a language that writes them so.
pub fn find(text: &str, style: Style, found: &mut Vec<Range<usize>>) {
    found.extend(places(text, style, false).map(|place| place.range));
}

/// Takes the dates in figures out of a text's literals that a model reads with the month's name, and so chooses the words around
/// them; with their bytes. Where there are more than a few all stay literals: less is left to the model.
pub fn take_named(
    text: &str,
    style: Style,
    literals: &mut Vec<Range<usize>>,
) -> Vec<(Range<usize>, named_dates::Date)> {
    const MOST: usize = 2;
    if style == Style::English {
        return Vec::new();
    }
    let literal_of = |place: &Place<'_>| {
        // The last full stop of *24.12.* at the end is the sentence's.
        let ends = [place.range.end, place.range.end - 1];
        let mut literals = literals.iter();
        literals.find(|one| one.start == place.range.start && ends.contains(&one.end))
    };
    let named = places(text, style, false).filter_map(|place| {
        let end = literal_of(&place)?.end;
        Some((place.start..end, place.date?.named()?))
    });
    let named: Vec<_> = named.collect();
    if named.len() > MOST {
        return Vec::new();
    }
    let is_named =
        |literal: &Range<usize>| named.iter().any(|(date, _)| literal.contains(&date.start));
    literals.retain(|literal| !is_named(literal));
    named
}

/// A literal in which dates of one language are written as the other does.
pub fn written(text: &str, [from, to]: [Style; 2]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for place in places(text, from, true) {
        out.push_str(&text[end..place.range.start]);
        end = place.range.end;
        if let Some(preposition) = place.preposition {
            let words = prepositions(to).iter();
            let mut words = words.filter(|(says, _)| *says == preposition.index);
            preposition.write(words.next().map_or("", |(_, word)| word), &mut out);
        }
        match place.date {
            Some(date) => out += &date.written(to),
            None => out += &text[place.start..place.range.end],
        }
    }
    out.push_str(&text[end..]);
    out
}

/// The dates of a text. In a literal a German one without a year needs no word before it, which is no part of the literal.
fn places(text: &str, style: Style, is_literal: bool) -> impl Iterator<Item = Place<'_>> {
    let mut before = None;
    let mut last = 0;
    text.char_indices().filter_map(move |(start, c)| {
        // A dash may stand before: *3.5.–5.5.2024*.
        let joins =
            |c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '+' | '-' | '/' | ':' | '#');
        let begins = start >= last && c.is_ascii_digit() && !before.is_some_and(joins);
        before = Some(c);
        let figures = begins.then(|| Figures::read(text, start)).flatten()?;
        let words = prepositions(style).iter().copied();
        // *from 24/12 to 06/01*: elsewhere *to* and *au* say something else.
        let follows = |at: usize| last > 0 && text[last..at].trim().is_empty();
        let preposition = Preposition::before(&text[..start], words).filter(|found| {
            let word = text[found.start..start].trim_end();
            !matches!(word, "to" | "au") || follows(found.start)
        });
        let (date, end) = match figures.third {
            Some(third) => figures.with_year(text, third, style, preposition.is_some())?,
            None => {
                let is_said = preposition.is_some() || is_literal;
                figures.without_year(text, style, is_said)?
            }
        };
        last = end;
        let preposition = preposition.filter(|found| takes(style, *found));
        Some(Place {
            range: preposition.map_or(start, |found| found.start)..end,
            start,
            date,
            preposition,
        })
    })
}

/// Two or three numbers with the same sign between them.
struct Figures<'t> {
    parts: [&'t str; 2],
    third: Option<&'t str>,
    sign: u8,
    start: usize,
    end: usize,
}

impl<'t> Figures<'t> {
    fn read(text: &'t str, start: usize) -> Option<Self> {
        let sign_at = start + figures(&text[start..]);
        let sign = *text.as_bytes().get(sign_at)?;
        if !matches!(sign, b'.' | b'/' | b'-') {
            return None;
        }
        // *12. 3. 2024*
        let next = |at: usize| match text.as_bytes().get(at) {
            Some(c) if *c == sign => {
                let gap = if sign == b'.' {
                    blank(&text[at + 1..])
                } else {
                    0
                };
                let begin = at + 1 + gap;
                let end = begin + figures(&text[begin..]);
                (begin < end).then_some(begin..end)
            }
            _ => None,
        };
        let second = next(sign_at)?;
        // *am 24.12. 5 Karten*
        let third = next(second.end)
            .filter(|range| range.start == second.end + 1 || range.len() == "2024".len());
        Some(Self {
            parts: [&text[start..sign_at], &text[second.clone()]],
            end: third.as_ref().map_or(second.end, |range| range.end),
            third: third.map(|range| &text[range]),
            sign,
            start,
        })
    }

    /// The date of three numbers, `None` in it where it stays as it stands, and where it ends.
    fn with_year(
        &self,
        text: &str,
        third: &'t str,
        style: Style,
        is_said: bool,
    ) -> Option<(Option<Date<'t>>, usize)> {
        let [first, second] = self.parts;
        if !closes(&text[self.end..]) {
            return None;
        }
        let has_year = match [first, second, third].map(str::len) {
            [4, 2, 2] => {
                let is_iso = self.sign == b'-' && Date::new(third, second, None).is_some();
                return is_iso.then_some((None, self.end));
            }
            [1 | 2, 1 | 2, 4] => third.starts_with(['1', '2']),
            [2, 2, 2] => true,
            _ => false,
        };
        let day_first = Date::new(first, second, Some(third));
        let month_first = Date::new(second, first, Some(third));
        let date = day_first.or(month_first).filter(|_| has_year)?;
        let is_certain = match style {
            Style::English if self.sign != b'.' => {
                [day_first, month_first].iter().flatten().count() == 1 || first == second
            }
            _ => day_first.is_some(),
        };
        // A program's release has figures like *14.07.23* too.
        let is_certain = is_certain && (is_said || third.len() == 4);
        Some((is_certain.then_some(date), self.end))
    }

    /// *am 24.12.*, *le 24/12*: where a word before it says that it is a date.
    fn without_year(
        &self,
        text: &str,
        style: Style,
        is_said: bool,
    ) -> Option<(Option<Date<'t>>, usize)> {
        let [day, month] = self.parts;
        let (is_date, end) = match style {
            Style::English => (false, self.end),
            Style::French => {
                let is_plain = self.sign == b'/' && [day, month].map(str::len) == [2, 2];
                (is_said && is_plain, self.end)
            }
            Style::German => {
                let before = text[..self.start].trim_end();
                let word = before
                    .rsplit(char::is_whitespace)
                    .next()
                    .unwrap_or_default();
                let is_said = is_said || GERMAN_CONTEXT.contains(&word);
                let rest = &text[self.end..];
                let has_stop = rest.starts_with('.');
                // *bis 3.5 Punkte*, *am 7.10 Uhr*
                let is_certain = has_stop || before.is_empty() || word.ends_with('m');
                let is_time = rest.trim_start().starts_with("Uhr");
                let is_date = self.sign == b'.' && is_said && is_certain && !is_time;
                (is_date, self.end + usize::from(has_stop))
            }
        };
        let date = Date::new(day, month, None).filter(|_| is_date)?;
        closes(&text[end..]).then_some((Some(date), end))
    }
}

/// One or two digits as a number; 0 for what is none.
fn number(figures: &str) -> u8 {
    figures.parse().unwrap_or(0)
}
