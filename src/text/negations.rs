//! Negations of German sentences. Of a hundred that have one, a small model translates one or two without it, and so says the
//! opposite: *Warum hast du mir nichts gesagt?* became *Why did you tell me?*

use super::typed::words;
use std::ops::Range;

/// What negates, and the English word for it.
const GERMAN: [(&str, &str); 14] = [
    ("nicht", "not"),
    ("nichts", "nothing"),
    ("nie", "never"),
    ("niemals", "never"),
    ("kein", "no"),
    ("keine", "no"),
    ("keinen", "no"),
    ("keinem", "no"),
    ("keiner", "no"),
    ("keines", "no"),
    ("niemand", "nobody"),
    ("niemanden", "nobody"),
    ("niemandem", "nobody"),
    ("nirgends", "nowhere"),
];

/// Words with which a translation says no, or says it in another way.
const ENGLISH: [&str; 63] = [
    "not",
    "no",
    "never",
    "none",
    "nothing",
    "nobody",
    "nowhere",
    "neither",
    "nor",
    "cannot",
    "without",
    "don't",
    "doesn't",
    "didn't",
    "isn't",
    "aren't",
    "wasn't",
    "weren't",
    "haven't",
    "hasn't",
    "hadn't",
    "can't",
    "couldn't",
    "won't",
    "wouldn't",
    "shouldn't",
    "needn't",
    "mustn't",
    "mightn't",
    "ain't",
    "non",
    "hardly",
    "barely",
    "scarcely",
    "seldom",
    "rarely",
    "unless",
    "except",
    "otherwise",
    "instead",
    "only",
    "unable",
    "impossible",
    "unlike",
    "unlikely",
    "unknown",
    "unclear",
    "lack",
    "lacks",
    "lacked",
    "lacking",
    "missing",
    "fail",
    "fails",
    "failed",
    "refuse",
    "refuses",
    "refused",
    "wrong",
    "stop",
    "stopped",
    "deny",
    "denied",
];

/// The negation of a German sentence, and the words of which an English translation has one, the usual one first. `None` for a
/// sentence with several, which may say yes, and for a question that only asks to agree (*…, nicht wahr?*).
pub fn find(text: &str) -> Option<(Range<usize>, Vec<Box<str>>)> {
    let mut words = words(text).peekable();
    let mut found = None;
    let mut is_first = true;
    while let Some(range) = words.next() {
        let word = text[range.clone()].to_lowercase();
        let starts = std::mem::take(&mut is_first);
        if matches!(&*word, "ohne" | "weder" | "kaum") {
            return None;
        }
        let Some((_, english)) = GERMAN.iter().find(|(german, _)| *german == word) else {
            continue;
        };
        let next = words.peek().map(|next| &text[next.clone()]);
        if found.is_some() || is_joined(text, &range) || is_undone(text, &range, next) {
            return None;
        }
        let english = match starts && *english != "not" {
            true => english[..1].to_uppercase() + &english[1..],
            false => (*english).to_owned(),
        };
        found = Some((range, english));
    }
    let (range, english) = found?;
    let forms = std::iter::once(&*english).chain(ENGLISH).map(Box::from);
    Some((range, forms.collect()))
}

/// Whether a word is a part of another: *Nicht-EU-Bürger*.
fn is_joined(text: &str, range: &Range<usize>) -> bool {
    text[..range.start].ends_with('-') || text[range.end..].starts_with('-')
}

/// Whether what follows a negation takes it back: *nicht unwichtig*, *…, nicht wahr?*, *…, oder nicht?*
fn is_undone(text: &str, range: &Range<usize>, next: Option<&str>) -> bool {
    match next {
        None => text[range.end..].trim_start().starts_with('?'),
        Some("wahr") => true,
        Some(next) => {
            next.starts_with("un") && next.len() > "unter".len() && !next.starts_with("unser")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::timing::assert_in_proportion;

    #[test]
    fn one_negation_is_found_with_its_english_word() {
        for (text, expected) in [
            (
                "Warum hast du mir nichts gesagt?",
                Some(("nichts", "nothing")),
            ),
            ("Keine Eltern waren da.", Some(("Keine", "No"))),
            ("Nicht da langfahren!", Some(("Nicht", "not"))),
            (
                "Ich kann dir nicht unter die Arme greifen.",
                Some(("nicht", "not")),
            ),
            ("Das ist nicht unwichtig.", None),
            ("Du kommst, nicht wahr?", None),
            ("Du kommst, oder nicht?", None),
            ("Nicht-EU-Bürger zahlen mehr.", None),
            ("Niemand kam nicht.", None),
            ("Nicht ohne dich.", None),
            ("Das ist gut.", None),
        ] {
            let found = find(text);
            let found = found
                .as_ref()
                .map(|(range, forms)| (&text[range.clone()], &*forms[0]));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn time_grows_with_the_length_of_the_text() {
        for part in ["nicht ", "kein", "a, "] {
            assert_in_proportion(5_000, &|n| part.repeat(n), |text| {
                std::hint::black_box(find(text));
            });
        }
    }
}
