//! Times of day in figures, which languages write in their own ways and small models mix up: *19:50 Uhr* is *7:50 pm*. The
//! preposition before them goes along where a model that cannot read the time would choose another one.

use super::blanks::blank;
use super::clock::{Time, closes, figures, h, half_of_day, joins, minutes, next_word, uhr};
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

/// A time and its preposition, where they stand in a text.
struct Place {
    range: Range<usize>,
    time: Time,
    preposition: Option<Preposition>,
}

/// Adds the times of a text in a language that writes them so.
pub fn find(text: &str, style: Style, found: &mut Vec<Range<usize>>) {
    found.extend(places(text, style).map(|place| place.range));
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
            let is_time = (1..=12).contains(&hour) && closes(&text[end..]);
            let hour = hour % 12 + 12 * u8::from(is_afternoon);
            return is_time.then_some((Time { hour, minute }, end));
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
