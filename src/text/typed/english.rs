//! English as people type it: missing apostrophes, curly quotes, short forms.

use super::figures;
use super::short_forms::{ShortForm, Where, spelled_out};
use super::{Rewrite, around, capitalised, is_apostrophe, is_joined, words};
use Where::{AfterNumber, Anywhere, Behind, StoppedBeforeNumber};

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

/// Abbreviations and short forms of which a capital is no name.
const SHORT_FORMS: [ShortForm; 49] = [
    (&["e", "g"], "for example", Anywhere),
    (&["asap"], "as soon as possible", Anywhere),
    (&["ASAP"], "as soon as possible", Anywhere),
    (&["fyi"], "for your information", Anywhere),
    (&["FYI"], "for your information", Anywhere),
    (&["incl"], "including", Anywhere),
    (&["mins"], "minutes", AfterNumber),
    (&["hrs"], "hours", AfterNumber),
    (&["appt"], "appointment", Anywhere),
    (&["vs"], "against", Anywhere),
    (&["idc"], "I don't care", Anywhere),
    (&["imo"], "in my opinion", Anywhere),
    (&["gotta"], "have to", Anywhere),
    (&["lemme"], "let me", Anywhere),
    (&["gimme"], "give me", Anywhere),
    (&["np"], "no problem", Anywhere),
    (&["brb"], "I'll be right back", Anywhere),
    (&["lmk"], "let me know", Anywhere),
    (&["omw"], "on my way", Anywhere),
    (&["gn"], "good night", Anywhere),
    (&["hbu"], "how about you", Anywhere),
    (&["wdym"], "what do you mean", Anywhere),
    (&["rn"], "right now", Anywhere),
    (&["tho"], "though", Anywhere),
    (&["thru"], "through", Anywhere),
    (&["til"], "until", Anywhere),
    (&["sth"], "something", Anywhere),
    (&["smth"], "something", Anywhere),
    (&["sb"], "somebody", Anywhere),
    (&["dept"], "department", Anywhere),
    (&["govt"], "government", Anywhere),
    (&["luv"], "love", Anywhere),
    (&["msg"], "message", Anywhere),
    (&["bday"], "birthday", Anywhere),
    (&["nvm"], "never mind", Anywhere),
    (&["ttyl"], "talk to you later", Anywhere),
    (&["sry"], "sorry", Anywhere),
    (&["gr8"], "great", Anywhere),
    (&["l8r"], "later", Anywhere),
    (&["No"], "number", StoppedBeforeNumber),
    (&["Mon"], "Monday", Behind(&DAYS)),
    (&["Tue"], "Tuesday", Behind(&DAYS)),
    (&["Tues"], "Tuesday", Behind(&DAYS)),
    (&["Wed"], "Wednesday", Behind(&DAYS)),
    (&["Thu"], "Thursday", Behind(&DAYS)),
    (&["Thur"], "Thursday", Behind(&DAYS)),
    (&["Thurs"], "Thursday", Behind(&DAYS)),
    (&["Fri"], "Friday", Behind(&DAYS)),
    (&["Sat"], "Saturday", Behind(&DAYS)),
];

/// Words that days of the week follow.
const DAYS: [&str; 8] = ["on", "until", "till", "by", "this", "next", "last", "every"];

/// What is rewritten in an English text: apostrophes that are missing or curly, "i" for "I", short forms.
pub fn english(text: &str) -> Vec<Rewrite> {
    let mut found = figures::decades(text);
    let is_free = |rewrite: &Rewrite| {
        let start = rewrite.range.start;
        found
            .binary_search_by_key(&start, |one| one.range.start)
            .is_err()
    };
    let quotes: Vec<Rewrite> = quotes(text).into_iter().filter(is_free).collect();
    found.extend(quotes);
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
    found.extend(figures::times(text));
    found.extend(spelled_out(text, &SHORT_FORMS));
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
    use super::super::with;
    use super::*;

    fn rewritten(text: &str) -> String {
        with(text, english(text))
    }

    #[test]
    fn what_is_certain_is_spelled_out() {
        for (typed, meant) in [
            ("I dont know, i cant come.", "I don't know, I can't come."),
            ("Dont touch! DONT!", "Don't touch! DON'T!"),
            ("im sure youre right", "I'm sure you're right"),
            ("I’m “here”", "I'm \"here\""),
            (
                "In the '60s and ’70s, 1980’s or 90's",
                "In the 60s and 70s, 1980s or 90s",
            ),
            ("can u help me pls", "can you help me please"),
            (
                "idk, thats what theyve said",
                "I don't know, that's what they've said",
            ),
            ("Thx! i'll be there", "Thanks! I'll be there"),
            (
                "It takes 20 mins, e.g. on foot.",
                "It takes 20 minutes, for example on foot.",
            ),
            (
                "FYI, no. No. 5 is sth else, idc",
                "For your information, no. Number 5 is something else, I don't care",
            ),
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
            "She sat, he wed on the Sat-nav",
            "the atoms Sb, Rn and Np",
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
