//! French: *est-ce que*, a verb with its subject behind a hyphen, or a question word.

use crate::text::typed::sentence::Sentence;

/// Verbs before *-vous* and *-nous* that are no requests ("Asseyez-vous").
const WITH_VOUS: [&str; 22] = [
    "avez",
    "êtes",
    "pouvez",
    "voulez",
    "savez",
    "devez",
    "allez",
    "faites",
    "pourriez",
    "auriez",
    "seriez",
    "connaissez",
    "pensez",
    "aimez",
    "parlez",
    "habitez",
    "prenez",
    "voudriez",
    "aimeriez",
    "venez",
    "faut",
    "dites",
];
const WITH_NOUS: [&str; 5] = ["avons", "pouvons", "devons", "sommes", "allons"];
const WITH_JE: [&str; 5] = ["puis", "dois", "ai", "suis", "pourrais"];
/// Verbs behind the words of somebody, and wishes: "dit-il", "puisse-t-il".
const NO_QUESTIONS: [&str; 18] = [
    "dit",
    "répondit",
    "demanda",
    "fit",
    "cria",
    "murmura",
    "ajouta",
    "ajoute",
    "pense",
    "semble",
    "paraît",
    "puisse",
    "explique",
    "affirme",
    "déclare",
    "expliqua",
    "vive",
    "soit",
];
/// Words behind which a verb stands before its subject in statements.
const TURN: [&str; 6] = ["peut-être", "aussi", "sans", "ainsi", "encore", "toujours"];
const BEHIND_VERB: [&str; 10] = [
    "vous", "nous", "je", "ce", "tu", "il", "elle", "on", "ils", "elles",
];
const QUESTION_WORDS: [&str; 14] = [
    "qui", "que", "quoi", "quand", "où", "comment", "pourquoi", "combien", "quel", "quelle",
    "quels", "quelles", "lequel", "laquelle",
];
const SUBJECTS: [&str; 17] = [
    "tu", "vous", "il", "elle", "on", "ils", "elles", "je", "nous", "ça", "ce", "cela", "ne", "le",
    "la", "les", "personne",
];

pub fn is_question(sentence: &Sentence) -> bool {
    if sentence
        .words
        .ends_with(&["n'est-ce".to_owned(), "pas".to_owned()])
    {
        return true;
    }
    let begins_turned = TURN.contains(&sentence.word(0)) || sentence.word(1) == "peine";
    if sentence.comma.is_some() || begins_turned {
        return sentence.comma.is_some() && sentence.word(0) == "est-ce";
    }
    let is_turned = |word: &String| match QUESTION_WORDS.contains(&sentence.word(0)) {
        true => turned(word).is_some(),
        false => is_turned(word),
    };
    asks_with_a_word(sentence)
        || asks_at_its_end(sentence)
        || sentence.words.iter().take(4).any(is_turned)
}

/// "Tu fais quoi", not "Il sait où".
fn asks_at_its_end(sentence: &Sentence) -> bool {
    let [first, second] = [0, 1].map(|at| sentence.word(at));
    let has_subject =
        matches!(first, "tu" | "vous" | "il" | "elle" | "on" | "ça") || first.starts_with("t'");
    let last = sentence.words.last().map_or("", String::as_str);
    has_subject
        && (sentence.word(2) == "quoi"
            || matches!(
                last,
                "quoi" | "où" | "quand" | "combien" | "qui" | "comment"
            ))
        && !matches!(
            second,
            "sait" | "ne" | "dépend" | "verra" | "sais" | "savez"
        )
        && !matches!(
            sentence.words.iter().rev().nth(1).map(String::as_str),
            Some("n'importe" | "pas" | "de" | "à")
        )
}

/// Whether a word is a verb that asks, with its subject behind it: *vas-tu*, *a-t-il*.
fn is_turned(word: &str) -> bool {
    let Some((verb, subject)) = turned(word) else {
        return false;
    };
    match subject {
        "vous" => WITH_VOUS.contains(&verb),
        "nous" => WITH_NOUS.contains(&verb),
        "je" => WITH_JE.contains(&verb),
        "ce" => matches!(verb, "est" | "sont" | "était"),
        _ => !NO_QUESTIONS.contains(&verb),
    }
}

/// A verb and the subject behind it, with a hyphen.
fn turned(word: &str) -> Option<(&str, &str)> {
    let (verb, subject) = word.rsplit_once('-')?;
    let verb = verb.strip_suffix("-t").unwrap_or(verb);
    // Of "n'avez-vous" and "t'a-t-il".
    let verb = verb.rsplit('\'').next().unwrap_or(verb);
    BEHIND_VERB.contains(&subject).then_some((verb, subject))
}

fn asks_with_a_word(sentence: &Sentence) -> bool {
    let [first, second, third] = [0, 1, 2].map(|at| sentence.word(at));
    let has_subject = || {
        SUBJECTS.contains(&second)
            || ["j'", "n'", "t'", "c'"]
                .iter()
                .any(|short| second.starts_with(short))
    };
    match first {
        "est-ce" | "qu'est-ce" => true,
        "c'est" => matches!(
            second,
            "quoi" | "qui" | "où" | "quand" | "combien" | "comment"
        ),
        "à" => second == "quelle" && third == "heure",
        "qui" => matches!(
            second,
            "a" | "est"
                | "sont"
                | "veut"
                | "peut"
                | "va"
                | "sait"
                | "ont"
                | "était"
                | "vient"
                | "fait"
                | "connaît"
        ),
        "où" => matches!(
            second,
            "est" | "sont" | "était" | "va" | "vont" | "habite" | "se" | "tu" | "vous" | "on"
        ),
        "comment" => matches!(second, "va" | "vont" | "est" | "s'appelle") || has_subject(),
        "combien" => {
            matches!(second, "coûte" | "coûtent" | "de" | "ça" | "cela") || second.starts_with("d'")
        }
        "quand" => matches!(
            second,
            "est" | "part" | "arrive" | "commence" | "ouvre" | "ferme" | "finit" | "sera"
        ),
        "pourquoi" => has_subject() && sentence.words.len() > 2,
        "quel" | "quelle" | "quels" | "quelles" => {
            let is_verb = |word| matches!(word, "est" | "sont" | "a" | "ont" | "fait" | "était");
            is_verb(second) || is_verb(third)
        }
        "que" => matches!(
            second,
            "signifie" | "veut" | "fait" | "fais" | "faire" | "se" | "font" | "penses" | "veux"
        ),
        _ => false,
    }
}
