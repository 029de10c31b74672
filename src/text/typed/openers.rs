//! What a sentence opens with in chats ("hi tom", "no problem", "danke"), mostly without the comma that divides it from what is
//! said: models then run both into one ("kein problem ich warte" became "I'm not waiting for a problem").

use super::{BLANK, Language};

/// How a language opens sentences.
struct Openers {
    /// Behind these a name of one or two words may stand.
    greetings: &'static [&'static str],
    /// Behind these none does.
    others: &'static [&'static str],
    /// Words that what is said begins with; `j'*`: all that begin so.
    starts: &'static [&'static str],
    /// More of these, behind greetings.
    starts_behind_greeting: &'static [&'static str],
    /// What behind a greeting is a question, though a statement by itself: "salut ça va".
    asked_behind_greeting: &'static [&'static str],
    /// Words behind a greeting that are no names.
    no_names: &'static [&'static str],
}

const ENGLISH: Openers = Openers {
    greetings: &[
        "hi",
        "hii",
        "hey",
        "heyy",
        "hello",
        "yo",
        "hiya",
        "good morning",
        "good evening",
        "good afternoon",
    ],
    others: &[
        "ok",
        "okay",
        "yes",
        "yeah",
        "yep",
        "no",
        "nah",
        "nope",
        "sure",
        "sorry",
        "thanks",
        "thank you",
        "thx",
        "thanks a lot",
        "thanks so much",
        "thank you so much",
        "thank you very much",
        "many thanks",
        "cheers",
        "bye",
        "oh",
        "ah",
        "wow",
        "ugh",
        "hmm",
        "haha",
        "hahaha",
        "hehe",
        "lol",
        "omg",
        "yay",
        "oops",
        "aww",
        "well",
        "no problem",
        "no worries",
        "of course",
        "by the way",
        "btw",
        "good luck",
        "congrats",
        "congratulations",
        "happy birthday",
        "happy new year",
        "merry christmas",
        "good night",
        "never mind",
    ],
    starts: &[
        "i", "i'm", "im", "i'll", "ill", "i've", "ive", "i'd", "you", "you're", "youre", "he",
        "he's", "hes", "she", "she's", "shes", "it", "it's", "its", "we", "we're", "they",
        "they're", "that", "that's", "thats", "this", "there's", "theres", "let", "let's", "lets",
        "see", "take", "hope", "have", "how", "what", "what's", "whats", "where", "when", "why",
        "who", "can't", "cant", "don't", "dont", "didn't", "didnt",
    ],
    starts_behind_greeting: &[
        "do", "did", "does", "are", "is", "can", "could", "would", "was", "will", "my", "the",
        "just", "thanks", "sorry", "please", "any",
    ],
    asked_behind_greeting: &[
        "everything ok",
        "everything okay",
        "all good",
        "you ok",
        "you good",
        "sup",
    ],
    no_names: &[
        "from", "to", "for", "in", "at", "and", "of", "with", "or", "on", "again", "back",
    ],
};
const GERMAN: Openers = Openers {
    greetings: &[
        "hallo",
        "hi",
        "hey",
        "moin",
        "servus",
        "na",
        "heyy",
        "guten morgen",
        "guten tag",
        "guten abend",
    ],
    others: &[
        "ok",
        "okay",
        "ja",
        "nein",
        "nee",
        "nö",
        "jo",
        "danke",
        "vielen dank",
        "danke schön",
        "dankeschön",
        "danke dir",
        "sorry",
        "entschuldigung",
        "entschuldige",
        "tut mir leid",
        "oh",
        "wow",
        "haha",
        "hahaha",
        "lol",
        "omg",
        "naja",
        "na ja",
        "super",
        "klar",
        "alles klar",
        "kein problem",
        "keine ahnung",
        "gute idee",
        "hm",
        "hmm",
        "puh",
        "boah",
        "juhu",
        "alles gute",
        "alles gute zum geburtstag",
        "herzlichen glückwunsch",
        "herzlichen glückwunsch zum geburtstag",
        "frohe weihnachten",
        "gute besserung",
        "gute nacht",
        "schade",
        "achso",
        "ach so",
        "ok dann",
        "okay dann",
        "na dann",
        "also dann",
        "tschüss",
        "tschau",
        "ciao",
        "bye",
        "mist",
    ],
    starts: &[
        "ich", "du", "er", "sie", "es", "wir", "ihr", "das", "wie", "was", "wo", "wann", "warum",
        "wer", "komm", "ruf", "lass", "mach", "bis",
    ],
    starts_behind_greeting: &[
        "alles", "hast", "haben", "bist", "sind", "kannst", "können", "könnt", "kommst", "ist",
        "gibt", "weiß", "danke", "sorry", "mein", "meine", "habt", "seid",
    ],
    asked_behind_greeting: &[
        "alles klar",
        "alles gut",
        "alles ok",
        "alles okay",
        "gut geschlafen",
    ],
    no_names: &[
        "aus", "an", "und", "von", "für", "in", "zu", "auch", "wieder", "nochmal",
    ],
};
const FRENCH: Openers = Openers {
    greetings: &[
        "salut", "slt", "coucou", "cc", "bonjour", "bjr", "bonsoir", "bsr", "hello", "hey",
    ],
    others: &[
        "bonjour à tous",
        "bonsoir à tous",
        "salut à tous",
        "salut tout le monde",
        "bonjour tout le monde",
        "oui",
        "non",
        "ouais",
        "ok",
        "d'accord",
        "merci",
        "merci beaucoup",
        "désolé",
        "désolée",
        "pardon",
        "ah",
        "oh",
        "haha",
        "lol",
        "mdr",
        "super",
        "cool",
        "génial",
        "pas de problème",
        "pas de souci",
        "pas grave",
        "joyeux anniversaire",
        "bon anniversaire",
        "bonne année",
        "joyeux noël",
        "bonne nuit",
        "bravo",
        "félicitations",
        "t'inquiète",
        "excuse-moi",
        "excusez-moi",
        "wow",
        "zut",
        "mince",
        "au fait",
        "tant pis",
    ],
    starts: &[
        "je", "j'*", "tu", "t'*", "il", "elle", "on", "nous", "vous", "ils", "elles", "c'*", "ça",
        "ca", "comment", "où", "quand", "pourquoi", "qu'*", "est-ce", "fais", "fait",
    ],
    starts_behind_greeting: &["as-tu", "avez-vous", "peux-tu", "pouvez-vous", "mon", "ma"],
    asked_behind_greeting: &[
        "ça va",
        "ca va",
        "ça va bien",
        "tu vas bien",
        "vous allez bien",
        "tu es là",
        "t'es là",
        "quoi de neuf",
    ],
    no_names: &["à", "de", "et", "du", "des", "pour", "au", "en", "aussi"],
};

/// Words of a name behind a greeting: "Hallo Frau Meier".
const MOST_NAMES: usize = 2;
/// Words of the longest opener with a name and the first word behind them: no more is looked at.
const MOST_WORDS: usize = 7;

/// Where what is said begins.
pub struct Said {
    /// Where the opener ends.
    pub end_of_opener: usize,
    /// Whether a comma stands there.
    pub has_comma: bool,
    /// Where the first word behind it begins.
    pub start: usize,
    /// Whether it asks though it is no question by its words.
    pub asks: bool,
}

/// What is said behind an opener at `start` of a text.
pub fn said(text: &str, start: usize, language: Language) -> Option<Said> {
    let openers = match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
        Language::French => &FRENCH,
        Language::Other => return None,
    };
    let rest = text.get(start..)?;
    let typed: Vec<&str> = rest.split_whitespace().take(MOST_WORDS).collect();
    let lower: Vec<String> = typed
        .iter()
        .map(|word| word.to_lowercase().replace('’', "'").replace(BLANK, ""))
        .collect();
    let plain = |at: usize| lower[at].trim_end_matches(',');
    let opens = |opener: &&&str| {
        let words: Vec<&str> = opener.split(' ').collect();
        words.len() < lower.len()
            && words
                .iter()
                .enumerate()
                .all(|(at, word)| match at + 1 == words.len() {
                    true => plain(at) == *word,
                    false => lower[at] == *word,
                })
    };
    let longest = |list: &'static [&'static str]| {
        let found = list.iter().filter(opens).max_by_key(|opener| opener.len());
        found.map(|opener| opener.split(' ').count())
    };
    let starts = |at: usize, list: &[&str]| {
        lower.get(at).is_some_and(|word| {
            list.iter().any(|start| match start.strip_suffix('*') {
                Some(beginning) => word.starts_with(beginning) && word.len() > beginning.len(),
                None => word == start,
            })
        })
    };
    let begins = |at: usize, is_greeting: bool| {
        let has_comma = lower[at - 1].ends_with(',');
        let is_said = || {
            starts(at, openers.starts) || is_greeting && starts(at, openers.starts_behind_greeting)
        };
        (at < lower.len() && (has_comma || is_said())).then_some(at)
    };
    let asks = |at: usize| {
        let said = lower[at..].join(" ");
        lower.len() < MOST_WORDS && openers.asked_behind_greeting.contains(&said.as_str())
    };
    let greeting = longest(openers.greetings).and_then(|count| {
        let is_name = |at: &usize| {
            let word = lower.get(*at).map(String::as_str);
            word.is_some_and(|word| !openers.no_names.contains(&word))
        };
        let behind_names = (count..count + MOST_NAMES)
            .take_while(is_name)
            .map(|at| at + 1);
        let begins = |at: &usize| *at < lower.len() && (begins(*at, true).is_some() || asks(*at));
        std::iter::once(count).chain(behind_names).find(begins)
    });
    let others = longest(openers.others).and_then(|count| begins(count, false));
    let at = others.or(greeting)?;
    // Slices of `text`, so their places there are known.
    let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    let last = typed[at - 1];
    let has_comma = last.trim_end_matches(BLANK).ends_with(',');
    // "Hi! Tom" is two sentences.
    let ends_word = last
        .trim_end_matches([',', BLANK])
        .ends_with(char::is_alphanumeric);
    ends_word.then(|| Said {
        end_of_opener: place(last) + last.len(),
        has_comma,
        start: place(typed[at]),
        asks: others.is_none() && asks(at),
    })
}
