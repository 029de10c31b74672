//! German: the verb stands first, or second behind *wo* and the like; in a clause it stands last.

use crate::text::typed::sentence::Sentence;

const QUESTION_WORDS: [&str; 25] = [
    "wo", "wann", "wer", "wen", "wem", "was", "warum", "wieso", "weshalb", "wie", "woher", "wohin",
    "womit", "wofür", "worum", "wovon", "wozu", "woran", "worauf", "wessen", "welche", "welcher",
    "welches", "welchen", "welchem",
];
/// What may stand before a question word.
const PREPOSITIONS: [&str; 14] = [
    "um", "seit", "bis", "ab", "von", "für", "mit", "bei", "zu", "an", "auf", "in", "aus", "nach",
];
/// What *wie* asks for: the verb stands behind it.
const DEGREES: [&str; 18] = [
    "viel", "viele", "vielen", "alt", "lange", "lang", "oft", "weit", "spät", "groß", "hoch",
    "teuer", "schnell", "gut", "schwer", "warm", "kalt", "früh",
];
/// Verbs that a question word stands before.
const VERBS: [&str; 95] = [
    "ist",
    "sind",
    "war",
    "waren",
    "bin",
    "bist",
    "seid",
    "hat",
    "habe",
    "hab",
    "haben",
    "hast",
    "hatte",
    "hatten",
    "kann",
    "kannst",
    "können",
    "könnte",
    "könnten",
    "konnte",
    "wird",
    "werde",
    "werden",
    "wurde",
    "wurden",
    "würde",
    "würden",
    "muss",
    "müssen",
    "soll",
    "sollen",
    "sollte",
    "sollten",
    "darf",
    "dürfen",
    "will",
    "wollen",
    "wollte",
    "möchte",
    "möchten",
    "mag",
    "geht",
    "gehen",
    "ging",
    "kommt",
    "kommen",
    "kam",
    "macht",
    "machen",
    "tut",
    "gibt",
    "gab",
    "kostet",
    "kosten",
    "heißt",
    "heisst",
    "bedeutet",
    "steht",
    "liegt",
    "fährt",
    "fahren",
    "findet",
    "öffnet",
    "schließt",
    "beginnt",
    "endet",
    "läuft",
    "passiert",
    "passierte",
    "fehlt",
    "gehört",
    "wohnt",
    "wohnen",
    "lebt",
    "leben",
    "arbeitet",
    "sagt",
    "sagte",
    "weiß",
    "denkt",
    "glaubt",
    "meint",
    "braucht",
    "dauert",
    "spielt",
    "schrieb",
    "hilft",
    "sieht",
    "bleibt",
    "stimmt",
    "funktioniert",
    "gehts",
    "gibts",
    "wars",
    "haste",
];
const PRONOUNS: [&str; 9] = ["ich", "er", "sie", "es", "wir", "ihr", "man", "das", "der"];
/// Words that end as verbs do and stand before a pronoun in clauses: "wie nett er ist".
const NO_VERBS: [&str; 23] = [
    "gut", "oft", "weit", "laut", "spät", "leicht", "nett", "alt", "kalt", "echt", "recht",
    "schlecht", "selbst", "erst", "sonst", "fast", "nicht", "jetzt", "dort", "mit", "seit",
    "zuletzt", "statt",
];
/// Verbs that stand first and ask, with a subject behind them.
const FIRST: [&str; 27] = [
    "ist",
    "war",
    "hat",
    "kann",
    "will",
    "darf",
    "soll",
    "muss",
    "wird",
    "würde",
    "könnte",
    "gibt",
    "geht",
    "kommt",
    "kostet",
    "klappt",
    "stimmt",
    "passt",
    "funktioniert",
    "braucht",
    "gehört",
    "heißt",
    "regnet",
    "schmeckt",
    "gefällt",
    "sind",
    "waren",
];
const SUBJECTS: [&str; 23] = [
    "er", "sie", "es", "man", "das", "dies", "dieser", "diese", "dieses", "der", "die", "jemand",
    "mein", "meine", "dein", "deine", "ihr", "ihre", "unser", "unsere", "alles", "hier", "dir",
];
/// Verbs before *Sie* and *wir* that are no requests ("Kommen Sie herein").
const FORMAL: [&str; 11] = [
    "können", "könnten", "wollen", "möchten", "haben", "sind", "würden", "wissen", "dürfen",
    "müssen", "hätten",
];
/// Verbs before *ihr*.
const PLURAL: [&str; 18] = [
    "seid", "habt", "könnt", "wollt", "wisst", "kommt", "geht", "macht", "müsst", "dürft", "sollt",
    "werdet", "wart", "hattet", "braucht", "mögt", "möchtet", "könntet",
];
/// Words that begin a clause that a question may have behind a comma.
const CLAUSES: [&str; 20] = [
    "dass", "ob", "wo", "wie", "wann", "warum", "was", "wer", "wen", "wem", "welche", "welcher",
    "welches", "weil", "wenn", "um", "woher", "wohin", "oder", "bitte",
];

pub fn is_question(sentence: &Sentence) -> bool {
    // "Hast du Zeit, komm vorbei" is a condition.
    let is_whole = sentence.comma.is_none_or(|at| sentence.is(at, &CLAUSES));
    let tag = &sentence.words[sentence.comma.unwrap_or(0)..];
    let has_tag = sentence.comma.is_some() && (tag == ["oder"] || tag == ["nicht", "wahr"]);
    has_tag || is_whole && (asks_with_a_word(sentence) || asks_with_its_verb(sentence))
}

/// Whether a word is a verb with its subject *du* behind it.
fn is_with_du(sentence: &Sentence, at: usize) -> bool {
    let word = sentence.word(at);
    let is_verb = ["st", "ßt", "zt"]
        .iter()
        .any(|ending| word.ends_with(ending));
    is_verb && sentence.word(at + 1) == "du" && !NO_VERBS.contains(&word)
}

fn asks_with_a_word(sentence: &Sentence) -> bool {
    let first = sentence.word(0);
    let places = match (first, sentence.word(1)) {
        (first, second) if PREPOSITIONS.contains(&first) => match second {
            "wann" | "wem" | "wen" | "wo" => 2..=2,
            "was" if first == "um" => 2..=2,
            "wie" => 3..=5,
            second if second.starts_with("welch") => 3..=5,
            _ => return false,
        },
        (first, _) if !QUESTION_WORDS.contains(&first) => return false,
        ("wie", second) if DEGREES.contains(&second) => 2..=4,
        ("was", "für") => 3..=5,
        _ if first.starts_with("welch") || first == "wessen" => 1..=3,
        _ => 1..=1,
    };
    // With its subject before it the verb ends a clause: "wie gut er ist".
    let is_one = places.start() == places.end();
    let mut places =
        places.take_while(|at| !sentence.is(*at, &PRONOUNS) && sentence.word(*at) != "du");
    places.any(|at| {
        if !is_one && at + 1 == sentence.words.len() {
            return false;
        }
        let word = sentence.word(at);
        let ends_as_verb = word.ends_with('t') || word.ends_with("te") || word.ends_with("en");
        let has_pronoun =
            ends_as_verb && sentence.is(at + 1, &PRONOUNS) && !NO_VERBS.contains(&word);
        VERBS.contains(&word) || has_pronoun || is_with_du(sentence, at)
    })
}

fn asks_with_its_verb(sentence: &Sentence) -> bool {
    let [first, second] = [sentence.word(0), sentence.word(1)];
    let denies = sentence.words.iter().any(|word| word == "nicht");
    match second {
        "du" => is_with_du(sentence, 0),
        // "Kann ich nicht sagen" leaves out what it is about.
        "ich" => matches!(first, "kann" | "darf" | "soll" | "muss" | "könnte") && !denies,
        "man" => matches!(first, "kann" | "darf" | "muss" | "soll") && !denies,
        "ihr" => PLURAL.contains(&first),
        "wir" => FORMAL.contains(&first) || matches!(first, "sollen" | "sollten"),
        // "Haben Sie keine Angst" is a request.
        "sie" if FORMAL.contains(&first) => !sentence.is(2, &["keine", "vielen"]),
        _ => FIRST.contains(&first) && SUBJECTS.contains(&second),
    }
}
