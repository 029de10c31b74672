//! Spans of days of the week in short: *Mon-Fri*, *Mo.–Fr.*

use super::{Language, Rewrite, words};
use std::ops::Range;

const ENGLISH: [(&str, &str); 10] = [
    ("Mon", "Monday"),
    ("Tue", "Tuesday"),
    ("Tues", "Tuesday"),
    ("Wed", "Wednesday"),
    ("Thu", "Thursday"),
    ("Thur", "Thursday"),
    ("Thurs", "Thursday"),
    ("Fri", "Friday"),
    ("Sat", "Saturday"),
    ("Sun", "Sunday"),
];
const GERMAN: [(&str, &str); 7] = [
    ("Mo", "Montag"),
    ("Di", "Dienstag"),
    ("Mi", "Mittwoch"),
    ("Do", "Donnerstag"),
    ("Fr", "Freitag"),
    ("Sa", "Samstag"),
    ("So", "Sonntag"),
];

/// Spans of days of the week with a dash between two short forms, spelled out.
pub fn weekdays(text: &str, language: Language) -> Vec<Rewrite> {
    let (days, until): (&[_], _) = match language {
        Language::English => (&ENGLISH, "to"),
        Language::German => (&GERMAN, "bis"),
        Language::French | Language::Other => return Vec::new(),
    };
    let day = |range: &Range<usize>| {
        let short = &text[range.clone()];
        days.iter()
            .find(|(day, _)| *day == short)
            .map(|(_, full)| *full)
    };
    let mut found = Vec::new();
    let mut before: Option<(Range<usize>, &str)> = None;
    for range in words(text) {
        let last = day(&range).map(|full| (range.clone(), full));
        if let (Some((first, from)), Some((last, to))) = (&before, &last)
            && is_dash(&text[first.end..last.start])
        {
            let is_stopped =
                text[first.end..].starts_with('.') && text[last.end..].starts_with('.');
            let end = last.end + usize::from(is_stopped);
            found.push(Rewrite {
                range: first.start..end,
                text: format!("{from} {until} {to}"),
            });
            before = None;
            continue;
        }
        before = last;
    }
    found
}

/// Whether a dash and nothing else stands between two days.
fn is_dash(between: &str) -> bool {
    let between = between.strip_prefix('.').unwrap_or(between).trim();
    matches!(between, "-" | "–" | "—")
}

#[cfg(test)]
mod tests {
    use super::super::with;
    use super::*;

    #[test]
    fn spans_of_days_are_spelled_out() {
        let read = |text: &str, language| with(text, weekdays(text, language));
        let english = read("Open Mon-Fri, Sat – Sun closed", Language::English);
        assert_eq!(english, "Open Monday to Friday, Saturday to Sunday closed");
        let german = read("Mo.–Fr. 8 Uhr, Sa-So.", Language::German);
        assert_eq!(german, "Montag bis Freitag 8 Uhr, Samstag bis Sonntag.");
        for text in ["Mo, Fr", "So - wie Mo", "Mo-Lu", "Mon-Fri", ""] {
            assert_eq!(read(text, Language::German), text);
        }
    }
}
