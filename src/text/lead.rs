//! Marks before a sentence that are none of its words: of items in a list, headings and quotations.

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
    [bullet, tick_box, run('>', 6), run('#', 6), closed(text)]
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
