//! Marks before a sentence that are none of its words: of items in a list, headings, quotations and comments, and the stamps of
//! chats and logs.

use super::literals::named_dates::is_german_month;
use super::typed::{Language, words};

/// Bullets, and dashes before what somebody says.
const BULLETS: &[char] = &[
    '-', '*', '+', '–', '—', '•', '‣', '·', '▪', '▸', '►', '●', '○', '◦', '■', '□', '✓', '✔',
];
/// Boxes that are ticked.
const BOXES: [&str; 3] = ["[ ]", "[x]", "[X]"];
/// Most marks before a sentence: `> - [ ] 1.`
const MOST_MARKS: usize = 4;
/// Most digits of an item's number.
const MOST_DIGITS: usize = 3;
/// How German nouns begin, beside the months, that an ordinal stands before, which is written like an item's number: *1. Mai*,
/// *2. Weltkrieg*.
const AFTER_ORDINAL: [&str; 36] = [
    "Advent",
    "Auflage",
    "Ausgabe",
    "Band",
    "Bezirk",
    "Bundesliga",
    "Bundestag",
    "Etage",
    "FC",
    "Folge",
    "Gang",
    "Geburtstag",
    "Halbzeit",
    "Hochzeitstag",
    "Jahr",
    "Jubiläum",
    "Kapitel",
    "Klasse",
    "Lektion",
    "Liga",
    "Minute",
    "Monat",
    "Platz",
    "Preis",
    "Runde",
    "Semester",
    "Sitzung",
    "Spieltag",
    "Staffel",
    "Stock",
    "Stunde",
    "Tag",
    "Teil",
    "Todestag",
    "Weltkrieg",
    "Woche",
];

/// Bytes of the marks at the start of a sentence in a language, with the white space after them; none where nothing follows
/// that has a letter or digit.
pub(super) fn lead(text: &str, language: Option<Language>) -> usize {
    let mut rest = text;
    for _ in 0..MOST_MARKS {
        let Some(after) = after_mark(rest, language) else {
            break;
        };
        rest = after;
    }
    match rest.contains(char::is_alphanumeric) {
        true => text.len() - rest.len(),
        false => 0,
    }
}

/// What stands after a first mark and the white space behind it.
fn after_mark(text: &str, language: Option<Language>) -> Option<&str> {
    let after = |len: usize| {
        let rest = text[len..].trim_start();
        (len > 0 && rest.len() < text.len() - len).then_some(rest)
    };
    let run = |c: char, most: usize| {
        let len = text.bytes().take_while(|byte| *byte == c as u8).count();
        if len > most { 0 } else { len }
    };
    let bullet = text
        .chars()
        .next()
        .filter(|c| BULLETS.contains(c))
        .map_or(0, char::len_utf8);
    let tick_box = BOXES
        .iter()
        .find(|one| text.starts_with(**one))
        .map_or(0, |one| one.len());
    let marks = [
        run('-', 3),
        run('/', 3),
        bullet,
        tick_box,
        run('>', 6),
        run('#', 6),
        closed(text),
        stamp(text),
    ];
    marks
        .into_iter()
        .find_map(after)
        .or_else(|| numbered(text, language))
}

/// Bytes of `2)`, `(2)`, `a)`, `(iv)`.
fn closed(text: &str) -> usize {
    let inner = text.strip_prefix('(').unwrap_or(text);
    let Some(end) = inner.bytes().take(MOST_DIGITS + 1).position(|c| c == b')') else {
        return 0;
    };
    let name = &inner[..end];
    let is_number = name.bytes().all(|c| c.is_ascii_digit());
    let is_letter = name.len() == 1 && name.bytes().all(|c| c.is_ascii_alphabetic());
    let is_roman = name.bytes().all(|c| b"ivx".contains(&c));
    match !name.is_empty() && (is_number || is_letter || is_roman) {
        true => text.len() - inner.len() + end + 1,
        false => 0,
    }
}

/// Levels of lines in a log.
const LEVELS: [&str; 8] = [
    "TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "FATAL",
];

/// Bytes of `[12/03/24, 14:05] Anna:`, `12/03/24, 14:05 - Anna:`, `2025-03-03 14:05:22 ERROR`, `[00:12]`, `[INFO]`.
fn stamp(text: &str) -> usize {
    let in_brackets = text.strip_prefix('[').and_then(|inner| {
        let end = inner.find(']')?;
        let inner = &inner[..end];
        (time(inner) == Some(inner.len()) || LEVELS.contains(&inner)).then_some(end + 2)
    });
    let level = |text: &str| {
        let word = text.split([' ', ':', '\t']).next().unwrap_or_default();
        let len = word.len() + usize::from(text[word.len()..].starts_with(':'));
        LEVELS
            .contains(&word.trim_matches(['[', ']']))
            .then_some(len)
    };
    let spaces = |at: usize| text[at..].len() - text[at..].trim_start_matches(' ').len();
    if let Some(end) = in_brackets {
        return end + name(&text[end..]);
    }
    if let Some(end) = level(text) {
        let at = end + spaces(end);
        return time(&text[at..]).map_or(0, |len| at + len);
    }
    let Some(end) = time(text) else {
        return 0;
    };
    let at = end + spaces(end);
    if let Some(len) = level(&text[at..]) {
        return at + len;
    }
    match text[end..].starts_with(" - ") {
        true => match name(&text[end + 2..]) {
            0 => 0,
            len => end + 2 + len,
        },
        false => 0,
    }
}

/// Bytes of ` Anna Meyer:` behind the stamp of a chat.
fn name(text: &str) -> usize {
    const LONGEST: usize = 40;
    let head = &text[..text.floor_char_boundary(LONGEST.min(text.len()))];
    let Some(end) = head.find(": ") else {
        return 0;
    };
    let is_part = |c: char| c.is_alphanumeric() || " .'’-+()~_\u{a0}".contains(c);
    let is_name = |word: &str| !word.starts_with(char::is_lowercase);
    let name = &head[..end];
    match name.starts_with(' ') && name.chars().all(is_part) && name.split(' ').all(is_name) {
        true => end + 1,
        false => 0,
    }
}

/// Bytes of the date and time that a text begins with, or the time alone: digits and what stands between them, a time among them.
fn time(text: &str) -> Option<usize> {
    let is_part = |c: char| c.is_ascii_digit() || "/.:,-TZ ".contains(c);
    let end = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    let figures = text[..end].trim_end_matches([' ', '-', ',', '.', ':', 'T']);
    let end = match half_of_day(&text[end..]) {
        Some(after) => text.len() - after.len(),
        None => figures.len(),
    };
    let has_time = figures.split([' ', 'T', ',']).any(|part| {
        let mut numbers = part.trim_end_matches('Z').split(':');
        let is_number = |number: &str| (1..=2).contains(&number.len());
        numbers.clone().count() > 1 && numbers.next().is_some_and(is_number)
    });
    (text.starts_with(|c: char| c.is_ascii_digit()) && has_time).then_some(end)
}

/// What follows *am* or *pm*, where a text begins with it.
fn half_of_day(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches([' ', '\u{202f}']);
    let word = rest
        .get(..2)
        .filter(|word| word.eq_ignore_ascii_case("am") || word.eq_ignore_ascii_case("pm"))?;
    let after = &rest[word.len()..];
    (!after.starts_with(char::is_alphanumeric)).then_some(after)
}

/// What stands after `1.` or `2.3.`, where that is no ordinal of German.
fn numbered(text: &str, language: Option<Language>) -> Option<&str> {
    let mut rest = text;
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if !(1..=MOST_DIGITS).contains(&digits) {
            break;
        }
        rest = rest[digits..].strip_prefix('.')?;
    }
    let after = rest.trim_start();
    if rest.len() == text.len() || after.len() == rest.len() {
        return None;
    }
    let is_ordinal = match language {
        Some(Language::English | Language::French) => false,
        _ => {
            after.starts_with(char::is_lowercase)
                || words(after)
                    .next()
                    .is_some_and(|word| is_german_month(&after[word]))
                || AFTER_ORDINAL.iter().any(|noun| after.starts_with(noun))
        }
    };
    (!is_ordinal).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str, language: Language) -> [&str; 2] {
        let (lead, rest) = text.split_at(lead(text, Some(language)));
        [lead, rest]
    }

    #[test]
    fn marks_of_items_are_no_part_of_their_sentence() {
        for (text, lead) in [
            ("- milk", "- "),
            ("— Are you coming?", "— "),
            ("1. Open it.", "1. "),
            ("2.10. Open it.", "2.10. "),
            ("12) Open it.", "12) "),
            ("(iv) Open it.", "(iv) "),
            ("b)\tOpen it.", "b)\t"),
            ("> > He said so.", "> > "),
            ("## Weather", "## "),
            ("* [x] 3. Call him.", "* [x] 3. "),
            ("// Returns it", "// "),
            ("-- Anna", "-- "),
            (
                "[12/03/24, 14:05:33] Anna Meyer: Hi",
                "[12/03/24, 14:05:33] Anna Meyer: ",
            ),
            ("[3/12/24, 2:05 PM] ~ Ben: Hi", "[3/12/24, 2:05 PM] ~ Ben: "),
            ("12/03/24, 14:05 - Anna: Hi", "12/03/24, 14:05 - Anna: "),
            ("3/12/24, 2:05 PM - Anna: Hi", "3/12/24, 2:05 PM - Anna: "),
            ("[00:12] He laughs.", "[00:12] "),
            (
                "2025-03-03 14:05:22 ERROR Not found",
                "2025-03-03 14:05:22 ERROR ",
            ),
            (
                "2025-03-03T14:05:22.123Z [WARN] Full",
                "2025-03-03T14:05:22.123Z [WARN] ",
            ),
            (
                "ERROR 2025-03-03 14:05:22,123 Not found",
                "ERROR 2025-03-03 14:05:22,123 ",
            ),
            ("[INFO] Done.", "[INFO] "),
        ] {
            assert_eq!(split(text, Language::English)[0], lead, "{text}");
        }
    }

    #[test]
    fn what_is_a_part_of_the_sentence_stays() {
        for text in [
            "-5 degrees",
            "1.5 million",
            "2024. It was",
            "I am.",
            "(so) it is",
            "#tag",
            "- !",
            "1.",
            "*bold* text",
            "A. Smith",
            "",
            "(",
            ">>de<< Yes",
            "14:05 is late.",
            "12:05 - the train: late",
            "[1] He said so.",
            "ERROR: not found",
            "WARNING 5 people came",
            "2.30 or 3 pm",
            "5 am",
        ] {
            assert_eq!(split(text, Language::English)[0], "", "{text}");
        }
    }

    #[test]
    fn german_ordinals_stay() {
        assert_eq!(split("1. Weltkrieg", Language::German)[0], "");
        assert_eq!(split("3. Oktober 1990", Language::German)[0], "");
        assert_eq!(split("2. weltweite Messe", Language::German)[0], "");
        assert_eq!(
            split("1. Öffne die Tür.", Language::German),
            ["1. ", "Öffne die Tür."]
        );
        assert_eq!(split("2) Öffne die Tür.", Language::German)[0], "2) ");
    }
}
