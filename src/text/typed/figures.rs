//! Figures as English writes them and as models read them: decades without apostrophes, times of day with a colon.

use super::{Rewrite, around, is_apostrophe};
use std::ops::Range;

/// Apostrophes of decades, which are read without: *the '60s*, *the 80's*.
pub fn decades(text: &str) -> Vec<Rewrite> {
    let is_of_decade = |range: &Range<usize>| {
        let [before, _] = around(text, range);
        let rest = &text[range.end..];
        let figures = rest.bytes().take_while(u8::is_ascii_digit).take(3).count();
        let rest = match before {
            Some('0') => rest,
            Some(c) if c.is_alphanumeric() => return false,
            _ if figures == 2 && rest[1..].starts_with('0') => &rest[2..],
            _ => return false,
        };
        let after = rest.strip_prefix('s');
        after.is_some_and(|after| !after.starts_with(char::is_alphanumeric))
    };
    let apostrophes = text.char_indices().filter(|(_, c)| is_apostrophe(Some(*c)));
    let ranges = apostrophes.map(|(start, c)| start..start + c.len_utf8());
    let of_decades = ranges.filter(is_of_decade);
    let without = of_decades.map(|range| Rewrite {
        range,
        text: String::new(),
    });
    without.collect()
}

/// The full stops of times of day: *at 3.30*.
pub fn times(text: &str) -> Vec<Rewrite> {
    let stops = text.match_indices('.').filter(|(at, _)| {
        let hour = text[..*at]
            .bytes()
            .rev()
            .take_while(u8::is_ascii_digit)
            .take(3)
            .count();
        is_stopped_time(text, at - hour)
    });
    let colons = stops.map(|(at, _)| Rewrite {
        range: at..at + 1,
        text: ":".to_owned(),
    });
    colons.collect()
}

/// Whether the figures that begin at a place in an English text are a time of day with a full stop in it and not a price or
/// another number.
pub fn is_stopped_time(text: &str, start: usize) -> bool {
    const BEFORE: [&str; 8] = [
        "at", "around", "about", "until", "till", "by", "before", "after",
    ];
    const AFTER: [&str; 12] = [
        "on", "in", "and", "or", "to", "today", "tonight", "tomorrow", "every", "sharp", "until",
        "for",
    ];
    let figures = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &text[start..];
    let hour = figures(rest);
    let Some(minute) = rest[hour..].strip_prefix('.').filter(|_| hour > 0) else {
        return false;
    };
    let [hour, minute, rest] = [
        &rest[..hour],
        &minute[..figures(minute)],
        &minute[figures(minute)..],
    ];
    let is = |figures: &str, below: u8| figures.parse().is_ok_and(|number: u8| number < below);
    let is_point =
        is(hour, 24) && minute.len() == 2 && is(minute, 60) && minute.ends_with(['0', '5']);
    // No further back than the word before, so that a long text takes linear time.
    let before = text[..start]
        .strip_suffix(' ')
        .and_then(|before| before.rsplit(' ').next());
    let is_said = before.is_some_and(|word| BEFORE.contains(&word.to_lowercase().as_str()));
    let next = rest.strip_prefix(' ').map(|rest| {
        rest.split(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or_default()
    });
    let ends = match next {
        Some(word) => AFTER.contains(&word),
        None => {
            !rest.starts_with(|c: char| {
                c.is_alphanumeric() || matches!(c, '-' | '/' | '%' | '$' | '€' | '£')
            }) && !rest
                .strip_prefix(['.', ','])
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        }
    };
    is_point && is_said && ends
}

#[cfg(test)]
mod tests {
    use super::super::with;
    use super::*;

    #[test]
    fn decades_and_times_are_read_as_models_know_them() {
        let decades = |text: &str| with(text, decades(text));
        assert_eq!(
            decades("In the '60s and ’70s, 1980’s or 90's"),
            "In the 60s and 70s, 1980s or 90s"
        );
        for text in ["the dogs' 60s", "'45s, 20's5, 7's", "'60s5 '"] {
            assert_eq!(decades(text), text);
        }
        let times = |text: &str| with(text, times(text));
        assert_eq!(
            times("At 3.30. Until 9.15, at 18.45 on Monday"),
            "At 3:30. Until 9:15, at 18:45 on Monday"
        );
        for text in [
            "at 3.30 euros",
            "at 3.3",
            "at 25.10.",
            "Figure 3.30",
            "at 3.33",
            "at 3.30.5",
            "at 3.30%",
            "at .30",
        ] {
            assert_eq!(times(text), text);
        }
    }
}
