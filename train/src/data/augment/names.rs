//! Made-up names of people and places, which must be copied piece by piece.

use super::{Languages, once_in_both, replaced};
use crate::data::lines::Pair;
use crate::data::made_up::name;
use rand_chacha::ChaCha8Rng;

/// Words that begin a sentence in two of the languages and are no names: *Will er kommen?*, *Will he come?*
const NO_NAMES: [&str; 6] = ["Will", "Was", "Man", "Also", "Comment", "Pour"];

/// The pair with a capitalised word that stands on both sides replaced by a made-up name.
pub(super) fn other_name(
    pair: &Pair,
    _: &[Pair],
    _: Languages,
    rng: &mut ChaCha8Rng,
) -> Option<Pair> {
    let word = pair
        .source
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| is_name(word) && once_in_both(pair, word))?;
    Some(replaced(pair, word, &name(rng)))
}

/// Whether a word that stands on both sides can be taken for a name.
pub(super) fn is_name(word: &str) -> bool {
    word.len() > 2
        && word.starts_with(char::is_uppercase)
        && word.chars().skip(1).any(char::is_lowercase)
        && !NO_NAMES.contains(&word)
}
