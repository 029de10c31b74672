//! English as people type it: forms that have one certain reading are rewritten before a text is split into pieces, so
//! that "dont" reaches the model as "don't". What is uncertain ("its", "ill", "were") is left to the model.

use std::ops::Range;

/// A range of a text, and what the model reads instead of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rewrite {
    pub range: Range<usize>,
    pub text: String,
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
        let [before, after] = [
            text[..range.start].chars().next_back(),
            text[range.end..].chars().next(),
        ];
        // Parts of names, paths and abbreviations: "u.s.", "i.e.", "dont-care.txt".
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
        if joins(before) || joins(after) || before == Some('.') || is_abbreviation {
            continue;
        }
        let is_apostrophe = |c: Option<char>| c.is_some_and(|c| matches!(c, '\'' | '’'));
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

/// Whether a text is typed in capitals alone, by which it says no more than in lower case.
pub(super) fn is_upper_case(text: &str) -> bool {
    let (letters, words) =
        words(text)
            .map(|range| &text[range])
            .fold((0, 0), |(letters, count), word| {
                let upper = word.chars().filter(|c| c.is_uppercase()).count();
                (letters + upper, count + usize::from(upper > 1))
            });
    words > 1 && letters > 5 && !text.contains(char::is_lowercase)
}

/// An English text of capitals in lower case, word by word, with what [`english`] rewrites: the first word, "I" and what
/// `is_name` says keep their first capital.
pub(super) fn lower_case(text: &str, is_name: impl Fn(&str) -> bool) -> Vec<Rewrite> {
    let mut found = quotes(text);
    for (i, range) in words(text).enumerate() {
        let word = &text[range.clone()];
        let is_tail = text[..range.start].ends_with(['\'', '’']);
        let is_head = text[range.end..].starts_with(['\'', '’']);
        let full = spelled(word).filter(|_| !is_tail && !is_head && word.len() > 1);
        let lower = full.as_deref().unwrap_or(word).to_lowercase();
        let title = capitalised(&lower);
        let is_first_person = lower.split('\'').next() == Some("i") && !is_tail;
        let keeps = i == 0 || is_first_person || is_name(&title) && !is_name(&lower);
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
                std::hint::black_box((english(text), lower_case(text, |_| false)));
            });
        }
    }

    #[test]
    fn capitals_are_lowered_but_for_names() {
        let lowered = |text: &str| {
            let mut text = text.to_owned();
            for rewrite in lower_case(&text.clone(), |word| word == "Berlin")
                .into_iter()
                .rev()
            {
                text.replace_range(rewrite.range, &rewrite.text);
            }
            text
        };
        assert!(
            is_upper_case("DO NOT TOUCH!")
                && is_upper_case("ÜBER ALLES")
                && !is_upper_case("NATO")
                && !is_upper_case("THE eND")
        );
        assert_eq!(
            lowered("CAN I COME TO BERLIN? I'M HERE. IM “OK”, HE DOESNT."),
            "Can I come to Berlin? I'm here. I'm \"ok\", he doesn't."
        );
        assert!(!is_upper_case("A 1 B 2") && !is_upper_case("") && !is_upper_case("123 456"));
    }
}
