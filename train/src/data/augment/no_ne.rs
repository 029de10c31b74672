//! French negation as it is spoken and typed: without its first half.

use super::Languages;
use crate::data::lines::Pair;
use rand_chacha::ChaCha8Rng;

/// Words of the second half that negate without the first. `plus` is not among them: alone it also means "more".
const SECOND: [&str; 6] = ["pas", "jamais", "rien", "personne", "aucun", "aucune"];

/// How many words the second half may come after the first: *ne le lui a pas*.
const APART: usize = 4;

/// The pair with `ne` and `n'` left out of a French source, where a second half follows: *je ne sais pas* becomes
/// *je sais pas*, *je n'ai rien* becomes *j'ai rien*, *ce n'est pas* becomes *c'est pas*.
pub(super) fn no_ne(
    pair: &Pair,
    _: &[Pair],
    [source, _]: Languages,
    _: &mut ChaCha8Rng,
) -> Option<Pair> {
    if source != "fr" {
        return None;
    }
    let words: Vec<&str> = pair.source.split(' ').collect();
    let negated = |at: usize| {
        let after = words[at + 1..].iter().take(APART);
        after
            .map(|word| letters(word))
            .any(|word| SECOND.contains(&word))
    };
    let mut kept: Vec<String> = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        match word
            .strip_prefix("n'")
            .or_else(|| word.strip_prefix("n\u{2019}"))
        {
            Some(verb) if negated(at) => match kept.last_mut() {
                Some(subject) if ["je", "Je", "ce", "Ce"].contains(&subject.as_str()) => {
                    subject.pop();
                    subject.push('\'');
                    subject.push_str(verb);
                }
                _ => kept.push(verb.to_owned()),
            },
            _ if *word == "ne" && negated(at) => {}
            _ => kept.push((*word).to_owned()),
        }
    }
    let source = kept.join(" ");
    (source != pair.source).then(|| Pair {
        source,
        target: pair.target.clone(),
    })
}

/// `word` without the punctuation around it.
fn letters(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}
