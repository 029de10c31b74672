//! English as people type it: missing apostrophes, curly quotes, short forms.

use super::figures;
use super::short_forms::{ShortForm, Where, spelled_out};
use super::{Rewrite, around, capitalised, is_apostrophe, is_joined, words};
use Where::{AfterNumber, Anywhere, Behind, StoppedBeforeNumber, Unstopped};

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
const SHORT: [(&str, &str); 13] = [
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
    ("cuz", "because"),
];

/// Abbreviations and short forms of which a capital is no name.
const SHORT_FORMS: [ShortForm; 89] = [
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
    (&["idc"], "I don't care", Unstopped),
    (&["imo"], "in my opinion", Unstopped),
    (&["gotta"], "have to", Unstopped),
    (&["lemme"], "let me", Unstopped),
    (&["gimme"], "give me", Unstopped),
    (&["np"], "no problem", Unstopped),
    (&["yep"], "yes", Unstopped),
    (&["yup"], "yes", Unstopped),
    (&["aint"], "isn't", Unstopped),
    (&["sorta"], "somewhat", Unstopped),
    (&["gotcha"], "I got it", Unstopped),
    (&["brb"], "I'll be right back", Unstopped),
    (&["lmk"], "let me know", Unstopped),
    (&["omw"], "on my way", Unstopped),
    (&["otw"], "on the way", Unstopped),
    (&["gn"], "good night", Unstopped),
    (&["hbu"], "how about you", Unstopped),
    (&["wdym"], "what do you mean", Unstopped),
    (&["rn"], "right now", Unstopped),
    (&["tho"], "though", Unstopped),
    (&["thru"], "through", Unstopped),
    (&["til"], "until", Unstopped),
    (&["sth"], "something", Unstopped),
    (&["smth"], "something", Unstopped),
    (&["sb"], "somebody", Unstopped),
    (&["dept"], "department", Anywhere),
    (&["govt"], "government", Anywhere),
    (&["luv"], "love", Unstopped),
    (&["msg"], "message", Anywhere),
    (&["bday"], "birthday", Unstopped),
    (&["nvm"], "never mind", Unstopped),
    (&["ttyl"], "talk to you later", Unstopped),
    (&["sry"], "sorry", Unstopped),
    (&["gr8"], "great", Unstopped),
    (&["l8r"], "later", Unstopped),
    (&["No"], "number", StoppedBeforeNumber),
    (
        &["dunno"],
        "don't know",
        Behind(&["i", "we", "they", "you"]),
    ),
    (&["dunno"], "I don't know", Unstopped),
    (&["tbh"], "to be honest", Unstopped),
    (&["ngl"], "to be honest", Unstopped),
    (&["imho"], "in my opinion", Unstopped),
    (&["afaik"], "as far as I know", Unstopped),
    (&["irl"], "in real life", Unstopped),
    (&["jk"], "just kidding", Unstopped),
    (&["ikr"], "I know, right", Unstopped),
    (&["aka"], "also known as", Unstopped),
    (&["approx"], "about", Anywhere),
    (&["kinda"], "kind of", Unstopped),
    (&["outta"], "out of", Unstopped),
    (&["whatcha"], "what are you", Unstopped),
    (&["coulda"], "could have", Unstopped),
    (&["woulda"], "would have", Unstopped),
    (&["shoulda"], "should have", Unstopped),
    (&["tonite"], "tonight", Unstopped),
    (&["2nite"], "tonight", Unstopped),
    (&["2day"], "today", Unstopped),
    (&["2morrow"], "tomorrow", Unstopped),
    (&["2moro"], "tomorrow", Unstopped),
    (&["b4"], "before", Unstopped),
    (&["coz"], "because", Unstopped),
    (&["obv"], "obviously", Unstopped),
    (&["probs"], "probably", Unstopped),
    (&["prolly"], "probably", Unstopped),
    (&["bf"], "boyfriend", Unstopped),
    (&["gf"], "girlfriend", Unstopped),
    (&["pic"], "picture", Unstopped),
    (&["pics"], "pictures", Unstopped),
    (&["wknd"], "weekend", Unstopped),
    (&["yrs"], "years", AfterNumber),
    (&["lbs"], "pounds", AfterNumber),
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

/// Short forms with a sign in them.
const WITH_SIGNS: [(&str, &str); 14] = [
    ("w/", "with"),
    ("w/o", "without"),
    ("b/c", "because"),
    ("he/she", "he or she"),
    ("she/he", "she or he"),
    ("s/he", "he or she"),
    ("him/her", "him or her"),
    ("his/her", "his or her"),
    ("her/his", "her or his"),
    ("c'mon", "come on"),
    ("'em", "them"),
    ("'cause", "because"),
    ("'til", "until"),
    ("y'know", "you know"),
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
    found.extend(with_signs(text));
    found.sort_unstable_by_key(|rewrite| rewrite.range.start);
    found
}

/// Short forms with a sign in them, between spaces and the punctuation of a sentence; "doin'" with the g that it lacks.
fn with_signs(text: &str) -> Vec<Rewrite> {
    let mut found = Vec::new();
    let mut is_quoted = false;
    for token in text.split(char::is_whitespace) {
        // A slice of `text`, so its place there is known.
        let start = token.as_ptr() as usize - text.as_ptr() as usize;
        let form = token.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '"']);
        let plain = form.to_lowercase().replace('’', "'");
        let known = WITH_SIGNS.iter().find(|(short, _)| *short == plain);
        let full = known.map(|(_, full)| (*full).to_owned());
        let without_g = || {
            let stem = plain.strip_suffix("in'").filter(|_| !is_quoted)?;
            let is_verb = stem.len() > 1 && form.starts_with(char::is_lowercase);
            (is_verb && stem.chars().all(char::is_alphabetic)).then(|| format!("{stem}ing"))
        };
        if let Some(full) = full.or_else(without_g) {
            let text = match form.starts_with(char::is_uppercase) {
                true => capitalised(&full),
                false => full,
            };
            let range = start..start + form.len();
            found.push(Rewrite { range, text });
        } else {
            // What opens here may close behind a word.
            is_quoted |= token.starts_with(['\'', '‘', '’']);
        }
    }
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
    let is_upper_case = word.len() > 1 && word.bytes().all(|c| c.is_ascii_uppercase());
    if contraction.is_none() && is_upper_case {
        // "OMG", which in a sentence is no louder than "omg".
        return short();
    }
    let full = contraction.or_else(short)?;
    let full = full
        .strip_prefix("i'")
        .map_or(full.clone(), |rest| format!("I'{rest}"));
    if is_upper_case {
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
                "Dunno, I dunno what he/she saw w/ his/her friends",
                "I don't know, I don't know what he or she saw with his or her friends",
            ),
            (
                "Kinda doin' nothin' b4 the wknd, tbh. C'mon!",
                "Kind of doing nothing before the weekend, to be honest. Come on!",
            ),
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
            "'to be in Berlin' and 'in'",
            "in Berlin', in'",
            "at 5 o' clock",
            "a file a/w/b and/or c",
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
