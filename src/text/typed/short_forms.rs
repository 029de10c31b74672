//! Short forms of words: abbreviations with their full stops ("z. B.") and those of chats ("vllt").

use super::{Rewrite, capitalised, words};
use std::ops::Range;

/// Where a short form is certain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// With or without a full stop.
    Anywhere,
    /// Anywhere: it is written without a full stop, and one behind it is the sentence's.
    Unstopped,
    /// With a full stop alone: without it is another word.
    Stopped,
    /// With a full stop before a number, or behind one.
    StoppedBeforeNumber,
    StoppedAfterNumber,
    /// With or without a full stop behind a number.
    AfterNumber,
    /// With a full stop before a word of three letters and more.
    StoppedBeforeWord,
    /// With or without a full stop behind one of these words.
    Behind(&'static [&'static str]),
}

/// A short form, its words without full stops; how it is spelled out; and where it is certain. Several words have a full stop each.
pub type ShortForm = (&'static [&'static str], &'static str, Where);

/// The short forms of a text, spelled out.
pub fn spelled_out(text: &str, table: &[ShortForm]) -> Vec<Rewrite> {
    let mut found: Vec<Rewrite> = Vec::new();
    for range in words(text) {
        let is_new = (found.last()).is_none_or(|last| last.range.end <= range.start);
        if !is_new || joins(text[..range.start].chars().next_back()) {
            continue;
        }
        found.extend(
            table
                .iter()
                .find_map(|form| matched(text, range.start, *form)),
        );
    }
    found
}

/// Whether a word is part of a longer one, a name, a path or a number.
fn joins(c: Option<char>) -> bool {
    c.is_some_and(|c| {
        c.is_alphanumeric()
            || matches!(
                c,
                '.' | '-' | '_' | '/' | '\\' | '@' | '#' | '&' | '\'' | '’'
            )
    })
}

fn matched(text: &str, start: usize, (parts, full, place): ShortForm) -> Option<Rewrite> {
    let mut end = start;
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            end += 1;
            let blank = text[end..]
                .chars()
                .next()
                .filter(|c| matches!(c, ' ' | '\u{a0}'));
            end += blank.map_or(0, char::len_utf8);
        }
        end += prefix(&text[end..], part)?;
        let is_last = i + 1 == parts.len();
        if !is_last && !text[end..].starts_with('.') {
            return None;
        }
    }
    let has_stop = text[end..].starts_with('.');
    let rest = &text[end + usize::from(has_stop)..];
    if joins(rest.chars().next()) && !rest.starts_with('.') {
        return None;
    }
    let is_number = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let after_number = || is_number(text[..start].trim_end().chars().next_back());
    let is_certain = match place {
        Where::Anywhere => has_stop || parts.len() == 1,
        Where::Unstopped => true,
        Where::Stopped => has_stop,
        Where::StoppedBeforeNumber => has_stop && is_number(rest.trim_start().chars().next()),
        Where::StoppedAfterNumber => has_stop && after_number(),
        Where::AfterNumber => after_number(),
        Where::Behind(known) => {
            // No further back than the word before, so that a long text takes linear time.
            let before = text[..start].trim_end().rsplit(char::is_whitespace).next();
            before.is_some_and(|word| known.contains(&word.to_lowercase().as_str()))
        }
        Where::StoppedBeforeWord => {
            // One letter with a capital is a name's.
            let is_initial = end == start + 1 && text[start..].starts_with(char::is_uppercase);
            let next = rest.trim_start().chars().take_while(|c| c.is_alphabetic());
            let is_word = rest.starts_with(char::is_whitespace) && next.take(3).count() == 3;
            has_stop && is_word && !is_initial
        }
    };
    // *Sb* is a metal in the middle of a sentence, and *Cdt* a rank.
    let is_capital = text[start..].starts_with(char::is_uppercase);
    let is_typed_so = parts[0].starts_with(char::is_uppercase);
    let before =
        text[..start].trim_end_matches(|c: char| c.is_whitespace() || "\"„“‚‘«(".contains(c));
    let begins = before.is_empty() || before.ends_with(['.', '!', '?', '…', ':', ';']);
    let is_certain = is_certain && (!is_capital || is_typed_so || begins);
    // At the end the full stop is the sentence's as well.
    let is_end = rest.trim().is_empty();
    let has_own_stop = has_stop && !is_end && place != Where::Unstopped;
    let range = start..end + usize::from(has_own_stop);
    is_certain.then(|| Rewrite {
        text: written(text, &range, full),
        range,
    })
}

/// The length of a short form at the beginning of a text, its first letter in either case.
fn prefix(text: &str, part: &str) -> Option<usize> {
    let mut letters = text.chars();
    for (i, c) in part.chars().enumerate() {
        let typed = letters.next()?;
        let is_same = typed == c || i == 0 && typed.to_lowercase().eq([c]);
        if !is_same {
            return None;
        }
    }
    let end = text.len() - letters.as_str().len();
    (!text[end..].starts_with(char::is_alphanumeric)).then_some(end)
}

/// With a capital where the short form has one.
fn written(text: &str, range: &Range<usize>, full: &str) -> String {
    match text[range.clone()].starts_with(char::is_uppercase) {
        true => capitalised(full),
        false => full.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{french, german, with};

    #[test]
    fn short_forms_are_spelled_out() {
        for (typed, meant) in [
            (
                "Wir brauchen z. B. Brot.",
                "Wir brauchen zum Beispiel Brot.",
            ),
            ("Z.B. im Sommer", "Zum Beispiel im Sommer"),
            (
                "i. d. R. zwei Tage, evtl. drei",
                "in der Regel zwei Tage, eventuell drei",
            ),
            (
                "evtl später. „Evtl. früher“",
                "eventuell später. „Eventuell früher“",
            ),
            (
                "mind. 3 Std. und 65 qm",
                "mindestens 3 Stunden und 65 Quadratmeter",
            ),
            ("Brot u. Milch o. ä.", "Brot und Milch oder Ähnliches."),
            (
                "im 19. Jh. (inkl. Versand)",
                "im 19. Jahrhundert (inklusive Versand)",
            ),
            (
                "Ich hab nix, vllt iwann.",
                "Ich hab nichts, vielleicht irgendwann.",
            ),
        ] {
            assert_eq!(with(typed, german(typed)), meant);
        }
        for (typed, meant) in [
            (
                "p. ex. le pain, stp !",
                "par exemple le pain, s'il te plaît !",
            ),
            ("Il a env. 30 ans. Dsl.", "Il a environ 30 ans. Désolé."),
            (
                "J'ai un rdv, qqn vient.",
                "J'ai un rendez-vous, quelqu'un vient.",
            ),
        ] {
            assert_eq!(with(typed, french(typed)), meant);
        }
    }

    #[test]
    fn what_is_another_word_or_a_part_of_one_stays() {
        for text in [
            "Nr. 5, u. a. Hunde, u. U., U. Meier, usw., der Std. 3 qmm",
            "eine wg und das lt, gem und mind, mind. zwei",
            "inkl-Datei, a/evtl, @vllt, www.nix.de, Unix, nix-os, z. Bild, v. ab",
            "z B und i d R, Do. und der Mo",
            "",
        ] {
            assert_eq!(with(text, german(text)), text);
        }
        for text in ["l'env et env 3, rdv-nous, pkg", "p. exact"] {
            assert_eq!(with(text, french(text)), text);
        }
    }
}
