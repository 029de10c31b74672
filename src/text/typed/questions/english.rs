//! English: a form of *be*, *do*, *have* or a modal verb stands before its subject.

use crate::text::typed::sentence::Sentence;

const PRONOUNS: [&str; 21] = [
    "i",
    "you",
    "u",
    "he",
    "she",
    "it",
    "we",
    "they",
    "this",
    "that",
    "these",
    "those",
    "there",
    "anyone",
    "anybody",
    "someone",
    "somebody",
    "everyone",
    "everybody",
    "anything",
    "everything",
];
const DETERMINERS: [&str; 8] = ["the", "my", "your", "his", "her", "its", "our", "their"];
const BE: [&str; 10] = [
    "is", "are", "r", "was", "were", "am", "isn't", "aren't", "wasn't", "weren't",
];
const DO: [&str; 5] = ["does", "did", "doesn't", "didn't", "do"];
const MODALS: [&str; 8] = [
    "can",
    "could",
    "will",
    "can't",
    "couldn't",
    "won't",
    "wouldn't",
    "shouldn't",
];
/// Verbs that a word of question stands before.
const BEHIND_QUESTION_WORD: [&str; 12] = [
    "would", "should", "shall", "have", "has", "had", "might", "must", "don't", "haven't",
    "hasn't", "may",
];
const QUESTION_WORDS: [&str; 9] = [
    "what", "where", "when", "why", "how", "who", "which", "whose", "whom",
];
const CONTRACTIONS: [&str; 12] = [
    "what's", "whats", "where's", "wheres", "who's", "whos", "how's", "hows", "when's", "whens",
    "why's", "what're",
];

pub fn is_question(sentence: &Sentence) -> bool {
    match sentence.comma {
        None => asks(sentence),
        // "Where are you from, Tom"
        Some(at) if at + 1 == sentence.words.len() => asks(sentence),
        // "If it rains, will you come", "It is cold, isn't it"
        Some(at) => asks_with_its_verb(sentence, 0) || asks_with_its_verb(sentence, at),
    }
}

fn asks(sentence: &Sentence) -> bool {
    let first = sentence.word(0);
    if QUESTION_WORDS.contains(&first) {
        return asks_with_a_word(sentence);
    }
    // "What's done is done" is none.
    let has_verb = sentence.find(2..=sentence.words.len(), &BE).is_some();
    CONTRACTIONS.contains(&first) && !has_verb || asks_with_its_verb(sentence, 0)
}

/// Whether a verb stands at a place with its subject behind it.
fn asks_with_its_verb(sentence: &Sentence, at: usize) -> bool {
    let next = at + 1;
    let is_name = at == 0 && sentence.is_second_name;
    let has_subject = sentence.is(next, &PRONOUNS) || sentence.is(next, &DETERMINERS) || is_name;
    match sentence.word(at) {
        // "Were I you" is a condition.
        "were" => has_subject && sentence.word(next) != "i",
        // "Do the dishes" is none, and neither is "Have a nice day".
        "do" => sentence.is(next, &["you", "u", "i", "we", "they", "people"]),
        "don't" => {
            sentence.is(next, &["you", "we", "they"])
                && !sentence.is(
                    next + 1,
                    &["dare", "worry", "forget", "ever", "touch", "go"],
                )
        }
        "have" | "haven't" => sentence.is(next, &["you", "u", "i", "we", "they"]),
        // "Should you need help" is a condition.
        "should" | "shall" | "may" => sentence.is(next, &["i", "we"]),
        "would" => has_subject && sentence.word(next) != "that",
        "has" | "hasn't" => has_subject,
        word => {
            let verbs: [&[&str]; 3] = [&BE, &DO, &MODALS];
            has_subject && verbs.iter().any(|verbs| verbs.contains(&word))
        }
    }
}

/// Whether a sentence that begins with *where* and the like asks: the verb stands before its subject, or the word is the subject.
fn asks_with_a_word(sentence: &Sentence) -> bool {
    let [first, second] = [sentence.word(0), sentence.word(1)];
    let may_have_noun = matches!(first, "what" | "which" | "whose" | "how");
    let last = if may_have_noun { 4 } else { 1 };
    let verb = (1..=last).find(|at| {
        let verbs: [&[&str]; 4] = [&BE, &DO, &MODALS, &BEHIND_QUESTION_WORD];
        verbs.iter().any(|verbs| sentence.is(*at, verbs))
    });
    match (first, second) {
        // "What a day it was!"
        ("what", "a" | "an") => return false,
        ("how" | "what", "about") | ("how", "come") | ("what", "if" | "happened") => return true,
        _ => {}
    }
    let Some(verb) = verb else {
        // "Who wrote this", not "who we are".
        let is_clause = sentence.is(1, &PRONOUNS) || sentence.is(1, &DETERMINERS);
        return first == "who" && !is_clause && sentence.words.len() > 2;
    };
    let is_clause =
        (1..verb).any(|at| sentence.is(at, &PRONOUNS) || sentence.is(at, &["to", "the"]));
    // "What is important is that".
    let is_subject = matches!(first, "what" | "who")
        && sentence.is(verb, &BE)
        && sentence
            .find(verb + 2..=sentence.words.len(), &BE)
            .is_some();
    // "What Tom said is true", "which is what I need".
    let next = verb + 1;
    let has_subject = sentence.is(next, &PRONOUNS) || sentence.is(next, &DETERMINERS);
    let is_said = verb > 1 && first != "how" && sentence.is(verb, &BE) && !has_subject;
    let is_relative = sentence.word(next) == "what";
    next < sentence.words.len() && !(is_clause || is_subject || is_said || is_relative)
}
