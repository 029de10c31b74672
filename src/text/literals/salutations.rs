//! Salutations and closings of letters, of which every language has its own: *Mit freundlichen Grüßen* is *Kind regards*. A small
//! model takes many of them word by word (*With friendly sizes*), so they are carried over, and written as the target language has
//! them.

use super::style::Style;
use std::ops::Range;

/// A salutation or closing in English, German and French, the usual one first. What ends with a comma is one only before a comma.
type Phrase = [&'static [&'static str]; 3];

/// What letters end with.
const CLOSINGS: [Phrase; 10] = [
    [
        &[
            "Kind regards",
            "Kindest regards",
            "With kind regards",
            "Yours sincerely",
            "Sincerely,",
            "Sincerely yours",
            "Yours faithfully",
            "Yours truly",
            "Very truly yours",
            "Respectfully,",
            "Respectfully yours",
        ],
        &[
            "Mit freundlichen Grüßen",
            "Mit freundlichen Grüssen",
            "Mit freundlichem Gruß",
            "Freundliche Grüße",
            "Freundliche Grüsse",
            "Hochachtungsvoll",
            "MfG",
        ],
        &[
            "Cordialement",
            "Salutations",
            "Salutations distinguées",
            "Salutations cordiales",
            "Meilleures salutations",
            "Sincères salutations",
            "Bien sincèrement",
            "Sincèrement,",
            "Respectueusement,",
        ],
    ],
    [
        &[
            "Best regards",
            "With best regards",
            "Regards",
            "Best wishes",
            "With best wishes",
            "All the best,",
            "Best,",
            "Cheers,",
        ],
        &[
            "Viele Grüße",
            "Viele Grüsse",
            "Beste Grüße",
            "Beste Grüsse",
            "Mit besten Grüßen",
            "Schöne Grüße",
            "Grüße",
            "Gruß",
            "VG",
        ],
        &[
            "Bien cordialement",
            "Cordiales salutations",
            "Bien à vous",
            "Bien à toi",
        ],
    ],
    [
        &["Warm regards", "Warmest regards"],
        &[
            "Herzliche Grüße",
            "Herzliche Grüsse",
            "Mit herzlichen Grüßen",
            "Herzlichst,",
        ],
        &["Chaleureusement", "Bien chaleureusement"],
    ],
    [
        &["Best wishes"],
        &[
            "Liebe Grüße",
            "Liebe Grüsse",
            "Ganz liebe Grüße",
            "Viele liebe Grüße",
            "LG",
            "GLG",
        ],
        &["Amicalement", "Bien amicalement", "Amitiés"],
    ],
    [
        &[
            "Love,",
            "Lots of love",
            "Much love",
            "With love,",
            "All my love,",
        ],
        &["Alles Liebe", "In Liebe,"],
        &[
            "Bises",
            "Bisous",
            "Gros bisous",
            "Grosses bises",
            "Mille bises",
            "Je t'embrasse,",
            "Je vous embrasse,",
        ],
    ],
    [
        &["See you soon"],
        &["Bis bald"],
        &["À bientôt", "A bientôt", "À très bientôt", "À très vite"],
    ],
    [
        &[
            "Thanks in advance",
            "Thank you in advance",
            "Many thanks in advance",
        ],
        &[
            "Vielen Dank im Voraus",
            "Danke im Voraus",
            "Besten Dank im Voraus",
            "Herzlichen Dank im Voraus",
        ],
        &["Merci d'avance", "Merci par avance", "Merci à l'avance"],
    ],
    [
        &[
            "Thanks and best regards",
            "Thanks and regards",
            "Many thanks and best regards",
            "Many thanks and kind regards",
        ],
        &[
            "Vielen Dank und viele Grüße",
            "Vielen Dank und beste Grüße",
            "Vielen Dank und freundliche Grüße",
            "Danke und viele Grüße",
            "Danke und Gruß",
            "Danke und LG",
        ],
        &[
            "Merci et bien cordialement",
            "Merci et cordialement",
            "Merci beaucoup et bien cordialement",
        ],
    ],
    [
        &["Sent from my iPhone"],
        &[
            "Von meinem iPhone gesendet",
            "Gesendet von meinem iPhone",
            "Gesendet mit meinem iPhone",
        ],
        &["Envoyé de mon iPhone", "Envoyé depuis mon iPhone"],
    ],
    [
        &["Sent from my iPad"],
        &[
            "Von meinem iPad gesendet",
            "Gesendet von meinem iPad",
            "Gesendet mit meinem iPad",
        ],
        &["Envoyé de mon iPad", "Envoyé depuis mon iPad"],
    ],
];
/// What they begin with.
const OPENINGS: [Phrase; 4] = [
    [
        &[
            "Dear Sir or Madam",
            "Dear Sir/Madam",
            "Dear Sirs",
            "Dear ladies and gentlemen",
            "To whom it may concern",
        ],
        &["Sehr geehrte Damen und Herren"],
        &["Madame, Monsieur"],
    ],
    [
        &[
            "Hello everyone",
            "Hi everyone",
            "Hey everyone",
            "Hello all",
            "Hi all",
            "Dear all",
        ],
        &[
            "Hallo zusammen",
            "Hi zusammen",
            "Moin zusammen",
            "Hallo alle",
            "Hallo Leute",
            "Hi Leute",
            "Liebe alle",
        ],
        &[
            "Bonjour à tous",
            "Bonjour à toutes et à tous",
            "Bonjour tout le monde",
            "Salut à tous",
            "Salut tout le monde",
        ],
    ],
    [
        &["Hello team", "Hi team", "Dear team"],
        &["Hallo Team", "Hi Team", "Liebes Team"],
        &["Bonjour à toute l'équipe", "Bonjour à l'équipe"],
    ],
    [
        &["Dear colleagues"],
        &["Liebe Kolleginnen und Kollegen", "Liebe Kollegen"],
        &["Chers collègues", "Chères et chers collègues"],
    ],
];

/// How sentences begin that are French closings as a whole.
const POLITE: [&str; 4] = [
    "Veuillez agréer",
    "Je vous prie d'agréer",
    "Nous vous prions d'agréer",
    "Veuillez recevoir",
];
/// What such a sentence speaks of.
const SENTIMENTS: [&str; 3] = ["salutations", "sentiments", "considération"];

/// What may stand behind a phrase or a name.
const PUNCTUATION: [char; 7] = [',', '.', '!', ';', '(', ')', ' '];
/// Words before a place or a name that a closing comes from.
const FROM: [&str; 6] = ["from", "aus", "von", "vom", "de", "depuis"];
/// Most words of a name.
const MOST_WORDS: usize = 4;

/// Adds the salutation or closing that all of a text is, with the name behind a closing.
pub fn find(text: &str, style: Style, found: &mut Vec<Range<usize>>) {
    let start = text.len() - text.trim_start().len();
    let whole = text.trim();
    let len = match phrase(whole, style, false) {
        Some((len, row)) => {
            let rest = &whole[len..];
            if row >= CLOSINGS.len() {
                // German writes no comma behind a closing, so a model leaves out that of an opening as well.
                let is_all = rest.trim_matches(PUNCTUATION).is_empty();
                is_all.then(|| if rest == "," { whole.len() } else { len })
            } else if is_place(rest) {
                Some(len)
            } else {
                is_name(rest, whole).then(|| whole.trim_end_matches(PUNCTUATION).len().max(len))
            }
        }
        None => polite(whole, style),
    };
    found.extend(len.map(|len| start..start + len));
}

/// A literal in which the salutation or closing that it begins with is the other language's.
pub fn written(text: &str, [from, to]: [Style; 2]) -> String {
    let found = phrase(text, from, true);
    let polite = || polite(text, from).map(|len| (len, 0));
    let Some((len, row)) = found.or_else(polite) else {
        return text.to_owned();
    };
    let usual = phrases().nth(row).map_or("", |phrase| phrase[index(to)][0]);
    let usual = usual.trim_end_matches(',');
    let rest = &text[len..];
    // *LG Tom*
    let is_name = rest.starts_with(' ') && rest.trim_start().starts_with(char::is_alphabetic);
    let comma = if is_name && to != Style::German {
        ","
    } else {
        ""
    };
    format!("{usual}{comma}{rest}")
}

/// All phrases, each with its row there.
fn phrases() -> impl Iterator<Item = &'static Phrase> {
    CLOSINGS.iter().chain(&OPENINGS)
}

fn index(style: Style) -> usize {
    match style {
        Style::English => 0,
        Style::German => 1,
        Style::French => 2,
    }
}

/// The bytes of the longest phrase that a text begins with, and its row. Of a literal the comma stands behind it.
fn phrase(text: &str, style: Style, is_literal: bool) -> Option<(usize, usize)> {
    let ends =
        |rest: &str| rest.is_empty() || rest.starts_with([' ', ',', '!', '.', ';', '\u{a0}']);
    let mut longest: Option<(usize, usize)> = None;
    for (row, phrase) in phrases().enumerate() {
        for written in phrase[index(style)] {
            let words = written.trim_end_matches(',');
            let has_comma = words.len() < written.len();
            let len = prefix(text, words).filter(|len| match has_comma && !is_literal {
                true => text[*len..].starts_with(','),
                false => ends(&text[*len..]),
            });
            if let Some(len) = len.filter(|len| longest.is_none_or(|(most, _)| *len > most)) {
                longest = Some((len, row));
            }
        }
    }
    longest
}

/// The bytes of a phrase at the beginning of a text, in either case.
fn prefix(text: &str, phrase: &str) -> Option<usize> {
    let mut letters = text.chars();
    for wanted in phrase.chars() {
        let typed = match letters.next()? {
            '’' => '\'',
            c => c,
        };
        if !typed.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    Some(text.len() - letters.as_str().len())
}

/// The words of a text without punctuation, one more than a name has at most.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
        .map(|word| word.trim_matches(PUNCTUATION))
        .filter(|word| word.contains(char::is_alphanumeric))
        .take(MOST_WORDS + 1)
}

/// Whether what follows a phrase of `text` is nothing or a name.
fn is_name(rest: &str, text: &str) -> bool {
    // *lg tom*
    let is_small = text.starts_with(char::is_lowercase);
    let most = if is_small { 1 } else { MOST_WORDS };
    words(rest).all(|word| is_small || word.starts_with(char::is_uppercase))
        && words(rest).count() <= most
}

/// Whether a place or a name follows a closing that comes from there: *aus Berlin*.
fn is_place(rest: &str) -> bool {
    let count = words(rest).count();
    words(rest).next().is_some_and(|word| FROM.contains(&word)) && (2..=MOST_WORDS).contains(&count)
}

/// The bytes of a French closing that is a sentence, without its full stop.
fn polite(text: &str, style: Style) -> Option<usize> {
    let begins = POLITE.iter().any(|begin| prefix(text, begin).is_some());
    let is_closing = style == Style::French
        && begins
        && SENTIMENTS.iter().any(|sentiment| text.contains(sentiment));
    is_closing.then(|| text.trim_end().trim_end_matches(['.', ',', '!']).len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, styles: [Style; 2]) -> String {
        let mut found = Vec::new();
        find(text, styles[0], &mut found);
        let Some(range) = found.pop() else {
            return text.to_owned();
        };
        let phrase = written(&text[range.clone()], styles);
        format!("{}{phrase}{}", &text[..range.start], &text[range.end..])
    }

    #[test]
    fn a_closing_is_written_as_the_other_language_has_it() {
        use Style::{English, French, German};
        for (styles, text, expected) in [
            ([English, German], "Best, Tom", "Viele Grüße, Tom"),
            ([English, German], "Sincerely,", "Mit freundlichen Grüßen,"),
            ([English, German], "Hi all,", "Hallo zusammen,"),
            ([German, English], "Hallo Leute!", "Hello everyone!"),
            ([English, French], "Love, Mum and dad", "Love, Mum and dad"),
            ([English, French], "Love, Mum", "Bises, Mum"),
            (
                [English, German],
                "Best wishes from Rome!",
                "Viele Grüße from Rome!",
            ),
            ([German, English], "MfG", "Kind regards"),
            ([German, English], "lg tom", "Best wishes, tom"),
            (
                [German, English],
                "Gruß Dr. Anna Meyer",
                "Best regards, Dr. Anna Meyer",
            ),
            (
                [German, French],
                "Danke und Gruß, Tom",
                "Merci et bien cordialement, Tom",
            ),
            ([French, English], "Je t’embrasse, Anne", "Love, Anne"),
            ([French, English], "Madame, Monsieur,", "Dear Sir or Madam,"),
            (
                [French, German],
                "Veuillez agréer, Madame, mes salutations distinguées.",
                "Mit freundlichen Grüßen.",
            ),
        ] {
            assert_eq!(read(text, styles), expected);
        }
    }

    #[test]
    fn what_is_a_part_of_a_sentence_stays() {
        for text in [
            "Best of all, Tom came.",
            "Best",
            "Love is all.",
            "Cheers!",
            "Regards were sent to Tom.",
            "Regardsless",
            "Hello everyone who came",
            "All the best for your exam",
            "Hi all you people",
            "",
        ] {
            assert_eq!(read(text, [Style::English, Style::German]), text);
        }
        for text in [
            "Grüße ihn von mir.",
            "Gruß und Kuss",
            "Alles Liebe zum Geburtstag",
        ] {
            assert_eq!(read(text, [Style::German, Style::English]), text);
        }
    }

    #[test]
    fn time_grows_with_the_length_of_the_text() {
        for part in ["Best, Tom ", "Veuillez agréer ", "salutations "] {
            crate::text::timing::assert_in_proportion(5_000, &|n| part.repeat(n), |text| {
                let mut found = Vec::new();
                find(text, Style::French, &mut found);
                std::hint::black_box(found);
            });
        }
    }
}
