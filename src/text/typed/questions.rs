//! Questions that are typed without a question mark ("where is the station"), which models take for parts of statements
//! ("where the station is"): what is a question by the order of its words is read with the mark.

mod english;
mod french;
mod german;

use super::sentence::{Sentence, is_beside};
use super::{Language, Rewrite};

/// What may stand before a question, with or without a comma. In German not *so* and *also*, behind which a verb stands in
/// statements.
const BEFORE_ENGLISH: [&str; 4] = ["so", "and", "but", "wait"];
const BEFORE_GERMAN: [&str; 4] = ["und", "aber", "sag", "verzeihung"];
const BEFORE_FRENCH: [&str; 4] = ["et", "mais", "alors", "dis"];

/// The mark that a text is read with where it ends without one and is a question by the order of its words.
///
/// `text` has blanks for its marks of markup; what is asked begins at `start`, behind a lead or an opener.
pub fn question(text: &str, start: usize, language: Language) -> Option<Rewrite> {
    let end = text.trim_end_matches(is_beside).len();
    if !text[..end].ends_with(char::is_alphanumeric) {
        return None;
    }
    let (before, is_question): (&[&str], fn(&Sentence) -> bool) = match language {
        Language::English => (&BEFORE_ENGLISH, english::is_question),
        Language::German => (&BEFORE_GERMAN, german::is_question),
        Language::French => (&BEFORE_FRENCH, french::is_question),
        Language::Other => return None,
    };
    let sentence = Sentence::of(text.get(start..end)?, before)?;
    (sentence.words.len() > 1 && is_question(&sentence)).then(|| Rewrite {
        range: end..end,
        text: "?".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text as it is read.
    fn read(text: &str, language: Language) -> String {
        super::super::with(text, question(text, 0, language).into_iter().collect())
    }

    #[test]
    fn a_question_is_read_with_its_mark() {
        for (language, texts) in [
            (
                Language::English,
                &[
                    "Where is the station",
                    "how are you",
                    "where r u",
                    "what time does the museum open",
                    "why didn’t you call me",
                    "what's wrong",
                    "who wrote this book",
                    "which one do you want",
                    "have you ever been to Berlin",
                    "Is this seat taken",
                    "how much does it cost",
                    "what does this word mean",
                    "shall we go",
                    "Did Tom tell you",
                    "If it rains, will you come",
                    "Where are you from, Tom",
                    "You live here, don't you",
                ][..],
            ),
            (
                Language::German,
                &[
                    "Um wie viel Uhr öffnet das Museum",
                    "wo ist der Bahnhof",
                    "kommst du morgen",
                    "weißt du, wo der Schlüssel ist",
                    "Können Sie mir helfen",
                    "wie viel kostet das",
                    "welche Farbe magst du",
                    "wie alt ist dein Bruder",
                    "was für Musik hörst du",
                    "ist dieser Platz frei",
                    "und wann fährt der Zug ab",
                    "sollen wir gehen",
                    "bis wann muss ich auschecken",
                    "mit wem gehst du ins Kino",
                    "seit wann wohnst du hier",
                    "Du magst sie, oder",
                ],
            ),
            (
                Language::French,
                &[
                    "où est la gare",
                    "comment vas-tu",
                    "est-ce que tu viens",
                    "Le train part-il ce soir",
                    "quel âge a ton frère",
                    "qu’est-ce que tu fais ce soir",
                    "pourquoi tu ne m'as pas appelé",
                    "combien ça coûte",
                    "voulez-vous du café",
                    "que signifie ce mot",
                    "qui a écrit ce livre",
                    "tu as mangé quoi",
                    "tu fais quoi ce soir",
                    "vous partez quand",
                    "Elle est là, n'est-ce pas",
                    "À quelle heure ouvre le musée",
                    "Quand partez-vous",
                ],
            ),
        ] {
            for text in texts {
                assert_eq!(read(text, language), format!("{text}?"));
            }
        }
        for (text, marked) in [
            ("\"where is it\"", "\"where is it?\""),
            ("**is it you** ", "**is it you?** "),
            ("Anna: where are you", "Anna: where are you?"),
        ] {
            assert_eq!(read(text, Language::English), marked);
        }
        assert_eq!(
            read("where are you 😂 ", Language::English),
            "where are you? 😂 "
        );
    }

    #[test]
    fn what_is_no_question_or_has_a_mark_stays() {
        for (language, texts) in [
            (
                Language::English,
                &[
                    "where the station is",
                    "What a day it was",
                    "How to cook rice",
                    "What you need",
                    "Do the dishes",
                    "Have a nice day",
                    "Should you need help, call me",
                    "What is important is that you come",
                    "When the train leaves, we wave",
                    "Who we are",
                    "What Tom said is true",
                    "Which is what I need",
                    "What's done is done",
                    "Is Apple Right",
                    "Don't you dare",
                    "Where is the station.",
                    "Where is the station?",
                    "where",
                    "",
                ][..],
            ),
            (
                Language::German,
                &[
                    "wo der Bahnhof ist",
                    "Hast du Zeit, komm vorbei",
                    "Kommen Sie bitte herein",
                    "Weiß ich nicht",
                    "bis was passiert",
                    "mit dem Bus fährst",
                    "Kann ich nicht sagen",
                    "Wie gut er ist",
                    "Was du machst",
                    "Ist mir egal",
                    "Selbst du",
                    "Was für ein schöner Tag",
                    "So ist das Leben",
                    "Hat Spaß gemacht",
                ],
            ),
            (
                Language::French,
                &[
                    "Quand le train part",
                    "Asseyez-vous",
                    "Quel dommage",
                    "Qui vivra verra",
                    "Comment faire",
                    "Peut-être viendra-t-il",
                    "Il mange n'importe quoi",
                    "Tu sais quoi faire",
                    "Elle ne sait pas où",
                    "À peine est-il là",
                    "Allez-vous-en",
                    "dit-il",
                ],
            ),
        ] {
            for text in texts {
                assert_eq!(&read(text, language), text);
            }
        }
    }
}
