//! The parts of times of day in figures: hours, minutes and what stands behind them.

use super::blanks::FIXED_BLANK;
use super::style::Style;

/// A time of day in a text.
#[derive(Clone, Copy)]
pub struct Time {
    /// 0 to 23.
    pub hour: u8,
    /// `None` where only the hour is said.
    pub minute: Option<u8>,
}

impl Time {
    /// Whether the hour is certain: with minutes, or of the afternoon, in a language that counts to 24.
    pub fn is_told(self) -> bool {
        self.hour > 12 || self.minute.is_some()
    }

    /// As English writes it where the hour is certain.
    pub fn with_half(self) -> String {
        let Self { hour, minute } = self;
        let minutes = minute.map_or_else(String::new, |minute| format!(":{minute:02}"));
        let half = if hour < 12 { "am" } else { "pm" };
        format!("{}{minutes}{FIXED_BLANK}{half}", (hour + 11) % 12 + 1)
    }

    /// As a language writes it.
    pub fn written(self, to: Style) -> String {
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

/// Whether a digit behind this character is a part of what stands before it, so that no time begins there.
pub fn joins(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | ',' | '+' | '-' | '–' | '/' | ':' | '#')
}

/// A number of one or two digits, and where it ends.
pub fn figures(text: &str, start: usize) -> Option<(u8, usize)> {
    let digits = text[start..].bytes().take_while(u8::is_ascii_digit).count();
    let end = start + digits;
    (digits <= 2).then(|| text[start..end].parse().ok().map(|number| (number, end)))?
}

/// The minutes behind an hour, if there are any, and where the figures end; none where what follows it is no minute.
pub fn minutes(text: &str, start: usize) -> Option<(Option<u8>, usize)> {
    if !text[start..].starts_with([':', '.']) {
        return Some((None, start));
    }
    let (minute, end) = figures(text, start + 1)?;
    (end - start == 3 && minute < 60).then_some((Some(minute), end))
}

/// Where *Uhr* ends that begins here. Not before *abends* and the like, with which an hour up to twelve is read.
pub fn uhr(text: &str, start: usize, hour: u8) -> Option<usize> {
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
pub fn h(text: &str, start: usize) -> Option<usize> {
    let word = ["heures", "heure", "h"]
        .into_iter()
        .find(|word| text[start..].starts_with(word))?;
    let end = start + word.len();
    (!text[end..].starts_with(char::is_alphabetic)).then_some(end)
}

/// Whether *pm* begins here and not *am*, with or without full stops, and where it ends. Its second full stop ends the sentence
/// as well where a capital follows, and is left to it.
pub fn half_of_day(text: &str, start: usize) -> Option<(bool, usize)> {
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
    (!text[end..].starts_with(char::is_alphanumeric)).then_some((is_afternoon, end))
}

/// Whether a word may end before this.
pub fn closes(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-')
}

/// The word that follows, if one does.
pub fn next_word(rest: &str) -> &str {
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_alphabetic());
    &rest[..end.unwrap_or(rest.len())]
}
