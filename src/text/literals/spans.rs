//! Spans of time between two times of day: *9–17 Uhr* is *9 am–5 pm*, *from 2 to 3:30 pm* is *von 14 bis 15:30 Uhr*.

use super::blanks::blank;
use super::clock::{Time, closes, figures, h, half_of_day, joins, minutes, uhr};
use super::prepositions::Preposition;
use super::style::Style;
use std::ops::Range;

/// What stands between the two times.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    Dash,
    To,
    And,
}

impl Joint {
    fn word(self, style: Style) -> &'static str {
        match (self, style) {
            (Self::Dash, _) => "–",
            (Self::To, Style::English) => " to ",
            (Self::To, Style::German) => " bis ",
            (Self::To, Style::French) => " à ",
            (Self::And, Style::English) => " and ",
            (Self::And, Style::German) => " und ",
            (Self::And, Style::French) => " et ",
        }
    }

    /// The one that begins here, and where it ends.
    fn read(text: &str, start: usize, style: Style) -> Option<(Self, usize)> {
        let after = start + blank(&text[start..]);
        let dash = text[after..].chars().next()?;
        if matches!(dash, '-' | '–' | '—') {
            let end = after + dash.len_utf8();
            return Some((Self::Dash, end + blank(&text[end..])));
        }
        [Self::To, Self::And].into_iter().find_map(|joint| {
            let word = joint.word(style);
            let is_here = text[start..].starts_with(word);
            is_here.then(|| (joint, start + word.len()))
        })
    }
}

/// The word before a span that goes along with it, and the one that *and* needs.
fn words(style: Style) -> [&'static str; 2] {
    match style {
        Style::English => ["from", "between"],
        Style::German => ["von", "zwischen"],
        Style::French => ["de", "entre"],
    }
}

/// A span, where it stands in a text.
struct Span {
    range: Range<usize>,
    times: [Time; 2],
    joint: Joint,
    /// *from*. Of German models read theirs well.
    preposition: Option<Preposition>,
}

impl Span {
    fn written(&self, to: Style) -> String {
        let mut out = String::new();
        if let Some(preposition) = self.preposition {
            preposition.write(words(to)[0], &mut out);
        }
        // Where one of them is of the afternoon both are counted to 24.
        let is_certain = self.times.iter().any(|time| time.hour > 12);
        let [first, last] = self.times.map(|time| match to {
            Style::English if is_certain => time.with_half(),
            _ => time.written(to),
        });
        let first = match to {
            Style::German => first.trim_end_matches("Uhr").trim_end(),
            _ => &first,
        };
        out + first + self.joint.word(to) + &last
    }
}

/// Adds the spans of a text in a language that writes them so.
pub fn find(text: &str, style: Style, found: &mut Vec<Range<usize>>) {
    found.extend(spans(text, style, false).map(|span| span.range));
}

/// A literal in which spans of one language are written as the other does.
pub fn written(text: &str, [from, to]: [Style; 2]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for span in spans(text, from, true) {
        out.push_str(&text[end..span.range.start]);
        end = span.range.end;
        out += &span.written(to);
    }
    out.push_str(&text[end..]);
    out
}

/// The spans of a text. In a literal *and* needs no *between* before it, which is no part of the literal.
fn spans(text: &str, style: Style, is_literal: bool) -> impl Iterator<Item = Span> {
    let mut before = None;
    let mut last = 0;
    text.char_indices().filter_map(move |(start, c)| {
        let begins = start >= last && c.is_ascii_digit() && !before.is_some_and(joins);
        before = Some(c);
        let span = begins
            .then(|| span(text, start, style, is_literal))
            .flatten()?;
        last = span.range.end;
        Some(span)
    })
}

/// The span whose first time begins here.
fn span(text: &str, start: usize, style: Style, is_literal: bool) -> Option<Span> {
    let first = Part::read(text, start, style)?;
    let (joint, at) = Joint::read(text, first.end, style)?;
    let last = Part::read(text, at, style)?;
    let is_unit = last.has_unit && closes(&text[last.end..]);
    let times = match style {
        Style::English => halves(first, last)?,
        _ => [first.time, last.time],
    };
    let is_certain = style == Style::English
        || times.iter().any(|time| time.hour > 12)
        || times.iter().all(|time| time.minute.is_some());
    let is_time = times.iter().all(|time| time.hour < 24);
    let [from, between] = words(style);
    let said = Preposition::before(&text[..start], [(0, from), (1, between)]);
    let is_between = said.is_some_and(|found| found.index == 1);
    let is_said = is_literal || (joint == Joint::And) == is_between;
    if !(is_unit && is_certain && is_time && is_said) {
        return None;
    }
    let preposition =
        said.filter(|found| found.index == 0 && style != Style::German && !found.is_capital);
    Some(Span {
        range: preposition.map_or(start, |found| found.start)..last.end,
        times,
        joint,
        preposition,
    })
}

/// One of the two times as it stands there.
#[derive(Clone, Copy)]
struct Part {
    time: Time,
    /// Whether *pm* or *am* follows.
    half: Option<bool>,
    /// Whether *am*, *pm*, *Uhr* or *h* follows.
    has_unit: bool,
    end: usize,
}

impl Part {
    fn read(text: &str, start: usize, style: Style) -> Option<Self> {
        let (hour, end) = figures(text, start)?;
        let (minute, end) = match style {
            Style::French => (None, end),
            _ => minutes(text, end)?,
        };
        let unit = end + blank(&text[end..]);
        let mut part = Self {
            time: Time { hour, minute },
            half: None,
            has_unit: true,
            end,
        };
        match style {
            Style::English => match half_of_day(text, unit) {
                Some((half, end)) => (part.half, part.end) = (Some(half), end),
                None => part.has_unit = false,
            },
            Style::German => match uhr(text, unit, hour) {
                Some(end) => part.end = end,
                None => part.has_unit = false,
            },
            Style::French => match h(text, unit) {
                Some(end) => {
                    let at = end + blank(&text[end..]);
                    let minute = figures(text, at).filter(|(m, past)| past - at == 2 && *m < 60);
                    part.time.minute = minute.map(|(minute, _)| minute);
                    part.end = minute.map_or(end, |(_, past)| past);
                }
                None => part.has_unit = false,
            },
        }
        Some(part)
    }
}

/// English times by the 24 hours of a day. Where the first has no *am* or *pm* it is of the same half of the day, or of the
/// one before where it would come last: *9 to 5 pm*.
fn halves(first: Part, last: Part) -> Option<[Time; 2]> {
    let is_hour = |part: &Part| (1..=12).contains(&part.time.hour);
    if ![first, last].iter().all(is_hour) {
        return None;
    }
    let moment = |part: Part| (part.time.hour % 12, part.time.minute.unwrap_or(0));
    let of_last = last.half?;
    let of_first = first
        .half
        .unwrap_or(of_last == (moment(first) < moment(last)));
    let time = |part: Part, is_afternoon: bool| Time {
        hour: part.time.hour % 12 + 12 * u8::from(is_afternoon),
        minute: part.time.minute,
    };
    Some([time(first, of_first), time(last, of_last)])
}
