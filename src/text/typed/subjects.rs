//! Sentences that are typed without their subject ("Hope you are well", "Running late", "You there?", "Bin gleich da", "Pas le
//! temps"), which models take for commands or for other words: they are read with what is left out.

mod english;
mod french;
mod german;

use super::sentence::{Sentence, end_of_words};
use super::{Language, Rewrite, capitalised};

/// A row of a table: words that such a sentence begins with, of which one is typed; what may stand behind it, each one word or
/// several, in English without apostrophes (nothing: any words may; `.`: the sentence ends; `d'*`: any word that begins so); and what is read instead of the
/// first word, which `_` stands for. Nothing is read instead where the sentence has its subject.
type Row = (&'static str, &'static str, &'static str);

/// The row of a sentence.
struct Found {
    /// The first word as the row has it.
    first: &'static str,
    read: &'static str,
    /// Whether the sentence is read with a question mark, which it does not have.
    lacks_mark: bool,
}

impl Found {
    fn with_mark(self) -> Self {
        Self {
            lacks_mark: true,
            ..self
        }
    }
}

/// How a sentence ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Open,
    Stopped,
    Exclaimed,
    Asked,
}

/// What is read of a sentence without its subject: its first word behind what is left out, and its question mark where that is
/// left out as well. Empty where nothing is.
///
/// `text` has blanks for its marks of markup; the sentence begins at `start`, behind a lead or an opener.
pub fn subject(text: &str, start: usize, language: Language) -> Vec<Rewrite> {
    let find: fn(&Sentence, End) -> Option<Found> = match language {
        Language::English => english::find,
        Language::German => german::find,
        Language::French => french::find,
        Language::Other => return Vec::new(),
    };
    let end = end_of_words(text);
    let marks = &text[end..];
    let ends = match marks {
        _ if marks.contains('?') => End::Asked,
        _ if marks.contains('!') => End::Exclaimed,
        _ if marks.contains(['.', '…']) => End::Stopped,
        _ => End::Open,
    };
    let Some(words) = text.get(start..end) else {
        return Vec::new();
    };
    let sentence = Sentence::of(words, &[]).filter(|sentence| !sentence.is_title);
    let found =
        sentence.and_then(|sentence| find(&sentence, ends).map(|found| (sentence.first, found)));
    let Some((first, found)) = found.filter(|(_, found)| !found.read.is_empty()) else {
        return Vec::new();
    };
    let range = start + first.start..start + first.end;
    let read = found.read.replace('_', found.first);
    let read = match text[range.clone()].starts_with(char::is_uppercase) {
        true => capitalised(&read),
        false => read,
    };
    let mut rewrites = vec![Rewrite { range, text: read }];
    rewrites.extend(found.lacks_mark.then(|| Rewrite {
        range: end..end,
        text: "?".to_owned(),
    }));
    rewrites
}

/// The first row of a table that a sentence begins with, its words compared as `plain` has them.
fn row(table: &[Row], sentence: &Sentence, plain: fn(&str) -> String) -> Option<Found> {
    let words: Vec<String> = sentence.words.iter().map(|word| plain(word)).collect();
    let stands = |at: usize, word: &str| match (word, words.get(at)) {
        (".", typed) => typed.is_none(),
        (_, None) => false,
        (word, Some(typed)) => match word.strip_suffix('*') {
            Some(beginning) => typed.starts_with(beginning),
            None => typed == word,
        },
    };
    let typed = sentence.words[0].replace('\'', "");
    table.iter().find_map(|(firsts, behind, read)| {
        let is_typed = |first: &&str| {
            let letters = first.chars().filter(|c| *c != '\'');
            letters.flat_map(char::to_lowercase).eq(typed.chars())
        };
        let first = firsts.split('|').find(is_typed)?;
        let follows =
            |part: &str| (part.split(' ').enumerate()).all(|(at, word)| stands(at + 1, word));
        let is_found = match *behind {
            // One word may be looked up.
            "" => words.len() > 1,
            behind => behind.split('|').any(follows),
        };
        is_found.then_some(Found {
            first,
            read,
            lacks_mark: false,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text as it is read.
    fn read(text: &str, language: Language) -> String {
        super::super::with(text, subject(text, 0, language))
    }

    #[test]
    fn a_sentence_is_read_with_what_is_left_out() {
        for (language, pairs) in [
            (
                Language::English,
                &[
                    ("Hope you're well!", "I hope you're well!"),
                    ("cant wait to see you", "I can't wait to see you"),
                    ("Running late, sorry.", "I'm running late, sorry."),
                    ("Been waiting for an hour", "I've been waiting for an hour"),
                    ("sounds good", "that sounds good"),
                    ("Depends.", "It depends."),
                    ("Wanna go out?", "Do you want to go out?"),
                    ("wanna go out", "do you want to go out?"),
                    ("u there", "are you there?"),
                    ("Need help? 😂", "Do you need help? 😂"),
                    ("What you doing?", "What are you doing?"),
                    ("CANT WAIT TO SEE YOU", "I can't WAIT TO SEE YOU"),
                    ("Got a minute?", "Do you have a minute?"),
                ][..],
            ),
            (
                Language::German,
                &[
                    ("Bin gleich da.", "Ich bin gleich da."),
                    ("hab keine Zeit", "ich hab keine Zeit"),
                    ("Kommt drauf an.", "Es kommt drauf an."),
                    ("Kommst heute?", "Kommst du heute?"),
                    ("hast Zeit", "hast du Zeit?"),
                    ("Zeit für einen Kaffee?", "Hast du Zeit für einen Kaffee?"),
                    ("Komme etwas später", "Ich komme etwas später"),
                ],
            ),
            (
                Language::French,
                &[
                    ("Suis en retard.", "Je suis en retard."),
                    ("peux pas venir", "je ne peux pas venir"),
                    ("T'aime !", "Je t'aime !"),
                    ("Ai oublié mes clés", "J'ai oublié mes clés"),
                    (
                        "Contente d'apprendre ça !",
                        "Je suis contente d'apprendre ça !",
                    ),
                    ("Besoin d'aide ?", "As-tu besoin d'aide ?"),
                ],
            ),
        ] {
            for (text, meant) in pairs {
                assert_eq!(&read(text, language), meant);
            }
        }
    }

    #[test]
    fn a_sentence_with_its_subject_and_a_command_stay() {
        for (language, texts) in [
            (
                Language::English,
                &[
                    "Hope is what we need",
                    "Don't worry",
                    "Guess what!",
                    "Have a nice day",
                    "Need for Speed",
                    "Going to school is fun.",
                    "On my way home, I met him.",
                    "We'll miss you.",
                    "Will Smith called",
                    "No need to worry.",
                    "Looks can be deceiving.",
                    "Feeling Better Today",
                    "You all know him.",
                    "You still haven't found it, have you?",
                    "Can't find file",
                    "Love",
                    "Rained",
                    "",
                ][..],
            ),
            (
                Language::German,
                &[
                    "Bin ich zu spät?",
                    "Hab keine Angst!",
                    "Brauche ich nicht.",
                    "Warte noch!",
                    "Sag ihnen die Wahrheit.",
                    "Hat Tom gegessen?",
                    "Hast du Zeit?",
                    "Konnte nicht gefunden werden",
                    "Liebe dich selbst.",
                ],
            ),
            (
                Language::French,
                &[
                    "Suis ce chemin.",
                    "Pas mal de monde",
                    "Heureux de retrouver sa famille, il rit.",
                    "Bien vu !",
                    "Vais-je gagner ?",
                ],
            ),
        ] {
            for text in texts {
                assert_eq!(&read(text, language), text);
            }
        }
    }
}
