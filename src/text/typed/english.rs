//! English as people type it: missing apostrophes, curly quotes, short forms.

use super::{Rewrite, around, capitalised, is_apostrophe, is_joined, words};

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
pub fn english(text: &str) -> Vec<Rewrite> {
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

/// Curly quotes and apostrophes.
pub(super) fn quotes(text: &str) -> Vec<Rewrite> {
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
pub(super) fn spelled(word: &str) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
