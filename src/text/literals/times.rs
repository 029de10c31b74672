//! Times of day in figures, which languages write in their own ways and small models mix up: *19:50 Uhr* is *7:50 pm*. The
//! preposition before them goes along where a model that cannot read the time would choose another one.

use super::blanks::{FIXED_BLANK, blank};
use super::prepositions::Preposition;
use super::style::Style;
use std::ops::Range;

/// How a language writes the prepositions of a point of time, of one that is not exact, and of an end.
fn prepositions(style: Style) -> [&'static str; 3] {
    match style {
        Style::English => ["at", "around", "until"],
        Style::German => ["um", "gegen", "bis"],
        Style::French => ["à", "vers", "jusqu'à"],
    }
}

/// How they are written as well, each with its index among them; the longer ones first.
fn other_prepositions(style: Style) -> &'static [(usize, &'static str)] {
    match style {
        Style::English => &[(1, "at around"), (1, "at about"), (1, "about")],
        _ => &[],
    }
}

/// Whether a preposition goes along with the time. German's *um* is plain without it, and *bis* is *by* as well; without
/// *At* at the beginning of a sentence a model puts the verb in the wrong place.
fn takes(style: Style, found: Preposition) -> bool {
    match style {
        Style::English => !found.is_capital,
        Style::German => prepositions(style)[found.index] == "gegen",
        Style::French => true,
    }
}

/// A time of day in a text.
#[derive(Clone, Copy)]
struct Time {
    /// 0 to 23.
    hour: u8,
    minute: Option<u8>,
}

impl Time {
    /// Whether the hour is certain: with minutes, or of the afternoon, in a language that counts to 24.
    fn is_told(self) -> bool {
        self.hour > 12 || self.minute.is_some()
    }

    fn written(self, to: Style) -> String {
        let Self { hour, minute } = self;
        let minutes =
            |before: &str| minute.map_or_else(String::new, |minute| format!("{before}{minute:02}"));
        match to {
            // An hour up to twelve may be meant of the evening: *heute Abend um 8:30 Uhr*.
            Style::English => match hour {
                0 => format!("12{}{FIXED_BLANK}am", minutes(":")),
                1..=12 => format!("{hour}{}", minutes(":")),
                _ => format!("{}{}{FIXED_BLANK}pm", hour - 12, minutes(":")),
            },
            Style::German => format!("{hour}{}{FIXED_BLANK}Uhr", minutes(":")),
            Style::French if minute == Some(0) => format!("{hour}{FIXED_BLANK}h"),
            Style::French => {
                format!("{hour}{FIXED_BLANK}h{}", minutes(&FIXED_BLANK.to_string()))
            }
        }
    }
}

/// A time and its preposition, where they stand in a text.
struct Place {
    range: Range<usize>,
    time: Time,
    preposition: Option<Preposition>,
}

/// Adds the times of a text in a language that writes them so.
pub fn find(text: &str, style: Style, found: &mut Vec<Range<usize>>) {
    let end_of_text = text.trim_end().len();
    found.extend(places(text, style).map(|Place { range, .. }| {
        // The full stop of *p.m.* at the end is the sentence's.
        let is_sentences = range.end == end_of_text && text[..range.end].ends_with('.');
        range.start..range.end - usize::from(is_sentences)
    }));
}

/// A literal in which times of one language are written as the other does.
pub fn written(text: &str, [from, to]: [Style; 2]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for place in places(text, from) {
        out.push_str(&text[end..place.range.start]);
        end = place.range.end;
        if let Some(preposition) = place.preposition {
            preposition.write(prepositions(to)[preposition.index], &mut out);
        }
        out += &place.time.written(to);
    }
    out.push_str(&text[end..]);
    out
}

fn places(text: &str, style: Style) -> impl Iterator<Item = Place> {
    let mut before = None;
    let mut last = 0;
    text.char_indices().filter_map(move |(start, c)| {
        let joins = |c: char| {
            c.is_alphanumeric() || matches!(c, '.' | ',' | '+' | '-' | '–' | '/' | ':' | '#')
        };
        let begins = start >= last && c.is_ascii_digit() && !before.is_some_and(joins);
        before = Some(c);
        let (time, end) = begins.then(|| time(text, start, style)).flatten()?;
        let words = prepositions(style).into_iter().enumerate();
        let words = other_prepositions(style).iter().copied().chain(words);
        let preposition = Preposition::before(&text[..start], words);
        let preposition = preposition.filter(|found| takes(style, *found));
        // Without it *2 h 30* may be a length of time.
        if style == Style::French && preposition.is_none() {
            return None;
        }
        last = end;
        Some(Place {
            range: preposition.map_or(start, |found| found.start)..end,
            time,
            preposition,
        })
    })
}

/// The time that begins here, without its preposition, and where it ends.
fn time(text: &str, start: usize, style: Style) -> Option<(Time, usize)> {
    let (hour, end) = figures(text, start)?;
    let (time, end) = match style {
        Style::English => {
            let (minute, end) = minutes(text, end)?;
            let (is_afternoon, end) = half_of_day(text, end + blank(&text[end..]))?;
            let is_hour = (1..=12).contains(&hour);
            let hour = hour % 12 + 12 * u8::from(is_afternoon);
            return is_hour.then_some((Time { hour, minute }, end));
        }
        Style::German => {
            let (minute, end) = minutes(text, end)?;
            let end = uhr(text, end + blank(&text[end..]), hour)?;
            (Time { hour, minute }, end)
        }
        Style::French => {
            let end = h(text, end + blank(&text[end..]))?;
            let after = end + blank(&text[end..]);
            let minute =
                figures(text, after).filter(|(minute, past)| past - after == 2 && *minute < 60);
            let end = minute.map_or(end, |(_, past)| past);
            // *à 2 h 30 de Paris*, *à 8 h 30 du soir*.
            let next = next_word(&text[end..]);
            if matches!(next, "de" | "du" | "d") || !closes(&text[end..]) {
                return None;
            }
            let minute = minute.map(|(minute, _)| minute);
            (Time { hour, minute }, end)
        }
    };
    (time.hour < 24 && time.is_told()).then_some((time, end))
}

/// A number of one or two digits, and where it ends.
fn figures(text: &str, start: usize) -> Option<(u8, usize)> {
    let digits = text[start..].bytes().take_while(u8::is_ascii_digit).count();
    let end = start + digits;
    (digits <= 2).then(|| text[start..end].parse().ok().map(|number| (number, end)))?
}

/// The minutes behind an hour, if there are any, and where the figures end; none where what follows it is no minute.
fn minutes(text: &str, start: usize) -> Option<(Option<u8>, usize)> {
    if !text[start..].starts_with([':', '.']) {
        return Some((None, start));
    }
    let (minute, end) = figures(text, start + 1)?;
    (end - start == 3 && minute < 60).then_some((Some(minute), end))
}

/// Where *Uhr* ends that begins here. Not before *abends* and the like, with which an hour up to twelve is read.
fn uhr(text: &str, start: usize, hour: u8) -> Option<usize> {
    const UHR: &str = "Uhr";
    const PARTS_OF_DAY: [&str; 7] = [
        "morgens",
        "vormittags",
        "mittags",
        "nachmittags",
        "abends",
        "nachts",
        "früh",
    ];
    let end = start + UHR.len();
    let is_uhr = text.get(start..end)?.eq_ignore_ascii_case(UHR);
    let is_told = hour > 12 || !PARTS_OF_DAY.contains(&next_word(&text[end..]));
    (is_uhr && is_told && closes(&text[end..])).then_some(end)
}

/// Where *h*, *heure* or *heures* ends that begins here.
fn h(text: &str, start: usize) -> Option<usize> {
    let word = ["heures", "heure", "h"]
        .into_iter()
        .find(|word| text[start..].starts_with(word))?;
    let end = start + word.len();
    (!text[end..].starts_with(char::is_alphabetic)).then_some(end)
}

/// Whether *pm* begins here and not *am*, with or without full stops, and where it ends. Its second full stop ends the sentence
/// as well where a capital follows, and is left to it.
fn half_of_day(text: &str, start: usize) -> Option<(bool, usize)> {
    let bytes = text.as_bytes();
    let is_afternoon = match bytes.get(start)? {
        b'a' | b'A' => false,
        b'p' | b'P' => true,
        _ => return None,
    };
    let has_stops = bytes.get(start + 1) == Some(&b'.');
    let m = start + 1 + usize::from(has_stops);
    if !matches!(bytes.get(m)?, b'm' | b'M') {
        return None;
    }
    let end = m + 1;
    let past = end + usize::from(has_stops && bytes.get(end) == Some(&b'.'));
    let is_new_sentence = text[past..].trim_start().starts_with(char::is_uppercase);
    let end = if is_new_sentence { end } else { past };
    closes(&text[end..]).then_some((is_afternoon, end))
}

/// Whether a word may end before this.
fn closes(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-')
}

/// The word that follows, if one does.
fn next_word(rest: &str) -> &str {
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_alphabetic());
    &rest[..end.unwrap_or(rest.len())]
}
