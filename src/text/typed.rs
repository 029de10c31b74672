//! What people type: forms that have one certain reading are rewritten before a text is split into pieces, so that "dont"
//! reaches the model as "don't", "germany" as "Germany" and a text of capitals in lower case. What is uncertain ("its",
//! "ill", "were") is left to the model.

use std::ops::Range;

/// A range of a text, and what the model reads instead of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rewrite {
    pub range: Range<usize>,
    pub text: String,
}

/// A language in which there is more to read than capitals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    English,
    German,
    Other,
}

impl Language {
    /// The language of a code (`en`).
    pub fn of(code: &str) -> Self {
        match code {
            "en" => Self::English,
            "de" => Self::German,
            _ => Self::Other,
        }
    }
}

/// Contractions whose form without apostrophe is no other word, by where the apostrophe is left out.
const CONTRACTIONS: [&str; 51] = [
    "aren't",
    "can't",
    "couldn't",
    "didn't",
    "doesn't",
    "don't",
    "hadn't",
    "hasn't",
    "haven't",
    "isn't",
    "mightn't",
    "mustn't",
    "needn't",
    "shouldn't",
    "wasn't",
    "weren't",
    "won't",
    "wouldn't",
    "i'm",
    "i've",
    "you're",
    "you've",
    "you'll",
    "you'd",
    "he's",
    "she's",
    "they're",
    "they've",
    "they'll",
    "they'd",
    "we've",
    "it'll",
    "it'd",
    "that's",
    "that'll",
    "there's",
    "there'll",
    "here's",
    "what's",
    "what're",
    "where's",
    "who's",
    "who've",
    "how's",
    "when's",
    "why's",
    "could've",
    "should've",
    "would've",
    "might've",
    "y'all",
];

/// Short forms of chats.
const SHORT: [(&str, &str); 14] = [
    ("u", "you"),
    ("pls", "please"),
    ("plz", "please"),
    ("thx", "thanks"),
    ("ppl", "people"),
    ("idk", "I don't know"),
    ("btw", "by the way"),
    ("omg", "oh my God"),
    ("tmrw", "tomorrow"),
    ("tmr", "tomorrow"),
    ("gonna", "going to"),
    ("wanna", "want to"),
    ("dunno", "don't know"),
    ("cuz", "because"),
];

/// What is rewritten in an English text: apostrophes that are missing or curly, "i" for "I", short forms.
pub(super) fn english(text: &str) -> Vec<Rewrite> {
    let mut found = quotes(text);
    for range in words(text) {
        if is_joined(text, &range) {
            continue;
        }
        let [before, after] = around(text, &range);
        let word = &text[range.clone()];
        if word == "i" && !is_apostrophe(before) && after != Some(')') {
            found.push(Rewrite {
                range,
                text: "I".to_owned(),
            });
        } else if !is_apostrophe(before) && !is_apostrophe(after) {
            found.extend(
                spelled(word)
                    .filter(|_| !is_noun(word, &text[..range.start]))
                    .map(|text| Rewrite { range, text }),
            );
        }
    }
    found.sort_unstable_by_key(|rewrite| rewrite.range.start);
    found
}

/// The characters before and after a range of a text.
fn around(text: &str, range: &Range<usize>) -> [Option<char>; 2] {
    [
        text[..range.start].chars().next_back(),
        text[range.end..].chars().next(),
    ]
}

/// Whether a word is part of a name, a path or an abbreviation: "u.s.", "i.e.", "dont-care.txt".
fn is_joined(text: &str, range: &Range<usize>) -> bool {
    let [before, after] = around(text, range);
    let joins = |c: Option<char>| {
        c.is_some_and(|c| {
            matches!(
                c,
                '-' | '_' | '/' | '\\' | '@' | '#' | '&' | '+' | '*' | '='
            )
        })
    };
    let is_abbreviation =
        after == Some('.') && text[range.end + 1..].starts_with(char::is_alphanumeric);
    joins(before) || joins(after) || before == Some('.') || is_abbreviation
}

fn is_apostrophe(c: Option<char>) -> bool {
    matches!(c, Some('\'' | '’'))
}

/// Words in lower case that are read with a capital, as names are and in German all nouns. The vocabulary decides, which was
/// learned from text: what was mostly seen with a capital is fewer pieces with one. `pieces` gives the number of a word's
/// pieces, `has_piece` says whether a word is one piece.
///
/// Among other capitals a word is mostly in lower case because it is meant to be: it is read with a capital only if that
/// makes one piece of three or more.
pub(super) fn capitals(
    text: &str,
    language: Language,
    pieces: impl Fn(&str) -> usize,
    has_piece: impl Fn(&str) -> bool,
) -> Vec<Rewrite> {
    let is_lower_case = !text.contains(char::is_uppercase);
    let mut found = Vec::new();
    for range in words(text) {
        let word = &text[range.clone()];
        // The tail of "don't" is no word.
        let is_tail = language == Language::English && is_apostrophe(around(text, &range)[0]);
        let is_word = word.chars().count() > 1 && word.chars().all(char::is_lowercase);
        if !is_word || is_tail || is_joined(text, &range) {
            continue;
        }
        let title = capitalised(word);
        let is_name = match is_lower_case {
            true => pieces(&title) < pieces(word),
            false => has_piece(&title) && pieces(word) > 2,
        };
        if is_name {
            found.push(Rewrite { range, text: title });
        }
    }
    found
}

/// Curly quotes and apostrophes.
fn quotes(text: &str) -> Vec<Rewrite> {
    let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let plain = text.char_indices().filter_map(|(start, c)| {
        let range = start..start + c.len_utf8();
        let is_inside =
            joins(text[..start].chars().next_back()) && joins(text[range.end..].chars().next());
        let text = match c {
            '’' | '‘' | '´' | '`' | 'ʼ' if is_inside => "'",
            '“' | '”' => "\"",
            _ => return None,
        };
        Some(Rewrite {
            range,
            text: text.to_owned(),
        })
    });
    plain.collect()
}

/// Runs of letters and digits.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| {
            // A slice of `text`, so its place there is known.
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            start..start + word.len()
        })
}

/// "As is his wont" and "a cant" are nouns.
fn is_noun(word: &str, before: &str) -> bool {
    matches!(word, "wont" | "cant")
        && matches!(
            // No further back than the word before, so that a long text takes linear time.
            before
                .trim_end()
                .rsplit(|c: char| !c.is_alphanumeric())
                .next()
                .unwrap_or_default()
                .to_lowercase()
                .as_str(),
            "a" | "the" | "his" | "her" | "its" | "my" | "our" | "your" | "their" | "of"
        )
}

/// A typed word in full, in the word's own capitals.
fn spelled(word: &str) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    let matches = |full: &&&str| {
        full.len() == lower.len() + 1 && full.bytes().filter(|c| *c != b'\'').eq(lower.bytes())
    };
    let contraction = CONTRACTIONS
        .iter()
        .find(matches)
        .map(|full| (*full).to_owned());
    let is_short = |(short, _): &&(&str, &str)| *short == word || *short == lower && word.len() > 1;
    let short = || {
        SHORT
            .iter()
            .find(is_short)
            .map(|(_, full)| (*full).to_owned())
    };
    let full = contraction.or_else(short)?;
    let full = full
        .strip_prefix("i'")
        .map_or(full.clone(), |rest| format!("I'{rest}"));
    if word.len() > 1 && word.bytes().all(|c| c.is_ascii_uppercase()) {
        return Some(full.to_ascii_uppercase());
    }
    if word.starts_with(|c: char| c.is_ascii_uppercase()) {
        return Some(capitalised(&full));
    }
    Some(full)
}

/// Whether a text is typed in capitals alone, by which it says no more than in lower case. One word may be an abbreviation
/// ("NATO"): it is typed so if it is half as many `pieces` in lower case ("EXIT").
pub(super) fn is_upper_case(text: &str, pieces: impl Fn(&str) -> usize) -> bool {
    if text.contains(char::is_lowercase) {
        return false;
    }
    let capitals = |word: &str| word.chars().filter(|c| c.is_uppercase()).count();
    let mut long = words(text)
        .map(|range| &text[range])
        .filter(|word| capitals(word) > 1);
    let letters = capitals(text);
    match (long.next(), long.next()) {
        (Some(_), Some(_)) => letters > 5,
        (Some(word), None) if letters > 3 => {
            let lower = word.to_lowercase();
            2 * pieces(&lower).min(pieces(&capitalised(&lower))) <= pieces(word)
        }
        _ => false,
    }
}

/// A text of capitals in lower case, word by word, in English with what [`english`] rewrites. The first word and "I" keep
/// their first capital, and so does each word that is fewer `pieces` with it; in German ß is written where that is fewer.
pub(super) fn lower_case(
    text: &str,
    language: Language,
    pieces: impl Fn(&str) -> usize,
) -> Vec<Rewrite> {
    let is_english = language == Language::English;
    let mut found = match is_english {
        true => quotes(text),
        false => Vec::new(),
    };
    for (i, range) in words(text).enumerate() {
        let word = &text[range.clone()];
        let [is_tail, is_head] = around(text, &range).map(is_apostrophe);
        let full = spelled(word).filter(|_| is_english && !is_tail && !is_head && word.len() > 1);
        let mut lower = full.as_deref().unwrap_or(word).to_lowercase();
        if language == Language::German && lower.contains("ss") {
            let sharp = lower.replace("ss", "ß");
            let fewest = |word: &str| pieces(word).min(pieces(&capitalised(word)));
            if fewest(&sharp) < fewest(&lower) {
                lower = sharp;
            }
        }
        let title = capitalised(&lower);
        let is_first_person = is_english && lower.split('\'').next() == Some("i") && !is_tail;
        let keeps = i == 0 || is_first_person || pieces(&title) < pieces(&lower);
        let text = if keeps { title } else { lower };
        if text != word {
            found.push(Rewrite { range, text });
        }
    }
    found.sort_unstable_by_key(|rewrite| rewrite.range.start);
    found
}

/// A word with a capital first.
fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::timing::assert_in_proportion;

    fn rewritten(text: &str) -> String {
        let mut out = String::new();
        let mut end = 0;
        for rewrite in english(text) {
            out += &text[end..rewrite.range.start];
            out += &rewrite.text;
            end = rewrite.range.end;
        }
        out + &text[end..]
    }

    #[test]
    fn what_is_certain_is_spelled_out() {
        for (typed, meant) in [
            ("I dont know, i cant come.", "I don't know, I can't come."),
            ("Dont touch! DONT!", "Don't touch! DON'T!"),
            ("im sure youre right", "I'm sure you're right"),
            ("I’m “here”", "I'm \"here\""),
            ("can u help me pls", "can you help me please"),
            (
                "idk, thats what theyve said",
                "I don't know, that's what they've said",
            ),
            ("Thx! i'll be there", "Thanks! I'll be there"),
        ] {
            assert_eq!(rewritten(typed), meant);
        }
    }

    #[test]
    fn what_is_another_word_stays() {
        for text in [
            "its were ill well shed id lets",
            "The U.S. and the u.s. army",
            "i.e. this",
            "as is his wont",
            "i) first, u-boat",
            "open dont.txt or a/wont/b",
            "rock ’n’ roll of the dogs’ owners",
            "don't can't I'm",
            "Vitamin U, type I",
            "",
            "’",
            "é’à",
            "dont’t",
        ] {
            let expected = text
                .replace('’', if text.starts_with('é') { "'" } else { "’" })
                .replace("dont’t", "dont't");
            assert_eq!(rewritten(text), expected);
        }
    }

    #[test]
    fn time_grows_with_the_length_of_the_text() {
        for part in ["dont ", "i’", "u.", "a wont ", "wont,", "“A’B "] {
            assert_in_proportion(5_000, &|n| part.repeat(n), |text| {
                std::hint::black_box((
                    is_upper_case(&text.to_uppercase(), str::len),
                    english(text),
                    lower_case(text, Language::English, str::len),
                    capitals(text, Language::German, str::len, |_| false),
                ));
            });
        }
    }

    /// Of a vocabulary that has these words as pieces, and letters.
    fn pieces(of: &[&str]) -> impl Fn(&str) -> usize {
        move |word| match of.contains(&word) {
            true => 1,
            false => word.chars().count(),
        }
    }

    fn with(text: &str, rewrites: Vec<Rewrite>) -> String {
        let mut text = text.to_owned();
        for rewrite in rewrites.into_iter().rev() {
            text.replace_range(rewrite.range, &rewrite.text);
        }
        text
    }

    #[test]
    fn capitals_are_lowered_but_for_names() {
        let lowered = |text: &str| {
            let pieces = pieces(&["Berlin"]);
            with(text, lower_case(text, Language::English, pieces))
        };
        assert_eq!(
            lowered("CAN I COME TO BERLIN? I'M HERE. IM “OK”, HE DOESNT."),
            "Can I come to Berlin? I'm here. I'm \"ok\", he doesn't."
        );
    }

    #[test]
    fn a_word_in_capitals_may_be_an_abbreviation() {
        let is_upper_case = |text| is_upper_case(text, pieces(&["Halt", "stop", "if"]));
        for text in ["DO NOT TOUCH!", "ÜBER ALLES", "HALT!", "“STOP” 1"] {
            assert!(is_upper_case(text), "{text}");
        }
        for text in [
            "NATO", "THE eND", "STOp", "IF", "A 1 B 2", "", "123 456", "AN IF",
        ] {
            assert!(!is_upper_case(text), "{text}");
        }
    }

    #[test]
    fn capitals_of_other_languages_are_lowered_as_their_vocabulary_has_the_words() {
        let german = |text: &str| {
            let pieces = pieces(&["Tür", "schließen", "Straße", "dass", "i"]);
            with(text, lower_case(text, Language::German, pieces))
        };
        assert_eq!(
            german("DIE TÜR ZUR STRASSE SCHLIESSEN, DASS I IM WONT"),
            "Die Tür zur Straße schließen, dass i im wont"
        );
        let french = "J’AI “FAIM” À PARIS";
        let lowered = lower_case(french, Language::Other, pieces(&["Paris"]));
        assert_eq!(with(french, lowered), "J’ai “faim” à Paris");
    }

    #[test]
    fn what_is_a_name_by_the_vocabulary_is_read_with_a_capital() {
        let known = ["Germany", "Tom", "to", "Or"];
        let read = |text: &str| {
            let has_piece = |word: &str| known.contains(&word);
            let found = capitals(text, Language::English, pieces(&known), has_piece);
            with(text, found)
        };
        for (typed, meant) in [
            ("tom went to germany or x", "Tom went to Germany Or x"),
            // Two pieces may be a rare word as well as a name.
            ("Is tom in germany or not", "Is Tom in Germany or not"),
            (
                "see tom's germany.txt, tom-tom, /germany",
                "see Tom's germany.txt, tom-tom, /germany",
            ),
            ("he'germany GERMANY gerMany", "he'germany GERMANY gerMany"),
            ("", ""),
        ] {
            assert_eq!(read(typed), meant);
        }
        let french = "l’algérie";
        let algérie = ["Algérie"];
        let found = capitals(french, Language::Other, pieces(&algérie), |_| true);
        assert_eq!(with(french, found), "l’Algérie");
    }
}
