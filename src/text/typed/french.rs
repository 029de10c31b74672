//! French as people type it: abbreviations, short forms of chats, ordinals.

use super::short_forms::{ShortForm, Where, spelled_out};
use super::{Rewrite, is_joined, words};

use Where::{Anywhere, Stopped};

const SHORT_FORMS: [ShortForm; 37] = [
    (&["coucou"], "salut", Where::Unstopped),
    (&["cc"], "salut", Where::Unstopped),
    (&["jpp"], "je n'en peux plus", Where::Unstopped),
    (&["anniv"], "anniversaire", Anywhere),
    (&["resto"], "restaurant", Anywhere),
    (&["p", "ex"], "par exemple", Anywhere),
    (&["env"], "environ", Stopped),
    (&["rdv"], "rendez-vous", Anywhere),
    (&["RDV"], "rendez-vous", Anywhere),
    (&["stp"], "s'il te plaît", Anywhere),
    (&["svp"], "s'il vous plaît", Anywhere),
    (&["bcp"], "beaucoup", Anywhere),
    (&["tjs"], "toujours", Anywhere),
    (&["tjrs"], "toujours", Anywhere),
    (&["qqn"], "quelqu'un", Anywhere),
    (&["qqch"], "quelque chose", Anywhere),
    (&["bientot"], "bientôt", Anywhere),
    (&["slt"], "salut", Anywhere),
    (&["bjr"], "bonjour", Anywhere),
    (&["bsr"], "bonsoir", Anywhere),
    (&["jtm"], "je t'aime", Anywhere),
    (&["chui"], "je suis", Anywhere),
    (&["chuis"], "je suis", Anywhere),
    (&["qd"], "quand", Anywhere),
    (&["pcq"], "parce que", Anywhere),
    (&["dsl"], "désolé", Anywhere),
    (&["pk"], "pourquoi", Anywhere),
    (&["jsp"], "je ne sais pas", Anywhere),
    (&["tkt"], "ne t'inquiète pas", Anywhere),
    (&["auj"], "aujourd'hui", Anywhere),
    (&["ajd"], "aujourd'hui", Anywhere),
    (&["mtn"], "maintenant", Anywhere),
    (&["tlm"], "tout le monde", Anywhere),
    (&["pdt"], "pendant", Anywhere),
    (&["cdt"], "cordialement", Anywhere),
    (&["cdlt"], "cordialement", Anywhere),
    (&["svt"], "souvent", Anywhere),
];

/// How an ordinal ends behind its number.
const ORDINAL_ENDINGS: [&str; 6] = ["ième", "ieme", "ème", "eme", "ᵉ", "e"];
/// The ordinals from 2 on that are spelled out: as numbers the model reads them as *2th*.
const ORDINALS: [&str; 9] = [
    "deuxième",
    "troisième",
    "quatrième",
    "cinquième",
    "sixième",
    "septième",
    "huitième",
    "neuvième",
    "dixième",
];

/// Words behind which a figure with *e* is an ordinal: *5e* by itself may be five euros.
const BEFORE_ORDINAL: [&str; 19] = [
    "le", "la", "les", "l", "un", "une", "au", "aux", "du", "ce", "cet", "cette", "mon", "ma",
    "son", "sa", "notre", "et", "ou",
];

/// What is rewritten in a French text: short forms, and ordinals (*XVIe siècle*, *2e étage*).
pub fn french(text: &str) -> Vec<Rewrite> {
    let mut rewrites = spelled_out(text, &SHORT_FORMS);
    rewrites.extend(
        words(text)
            .filter(|word| !is_joined(text, word))
            .filter_map(|range| {
                let before = text[..range.start].trim_end_matches(|c: char| !c.is_alphanumeric());
                let before = &before[before.trim_end_matches(char::is_alphabetic).len()..];
                let is_behind = BEFORE_ORDINAL.contains(&&*before.to_lowercase());
                let text = ordinal(&text[range.clone()], is_behind)?;
                Some(Rewrite { range, text })
            }),
    );
    rewrites.sort_by_key(|rewrite| rewrite.range.start);
    rewrites
}

/// What is read instead of an ordinal, given whether it stands behind an article or the like.
fn ordinal(word: &str, is_behind: bool) -> Option<String> {
    if matches!(word, "1re" | "1ère" | "Ire" | "Ière") {
        return Some("première".into());
    }
    let number = ORDINAL_ENDINGS
        .iter()
        .find_map(|ending| word.strip_suffix(ending))?;
    let value = match number.parse::<usize>() {
        Ok(_) if word.ends_with('e') && word.len() == number.len() + 1 && !is_behind => {
            return None;
        }
        Ok(value) => value,
        Err(_) => roman(number)?,
    };
    match ORDINALS.get(value.checked_sub(2)?) {
        Some(ordinal) => Some((*ordinal).into()),
        // As numbers, larger ones stay as they are typed.
        None => number
            .starts_with(char::is_alphabetic)
            .then(|| format!("{value}e")),
    }
}

/// The value of a Roman number below 40.
fn roman(number: &str) -> Option<usize> {
    const TENS: [&str; 4] = ["", "X", "XX", "XXX"];
    const ONES: [&str; 10] = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
    let is = |value: &usize| number.strip_prefix(TENS[value / 10]) == Some(ONES[value % 10]);
    (1..40).find(is)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::typed::with;

    #[test]
    fn ordinals_are_read_as_words_or_with_figures() {
        for (text, read) in [
            ("au XVIe siècle", "au 16e siècle"),
            ("aux XIXᵉ et XXème siècles", "aux 19e et 20e siècles"),
            (
                "la Ve République, la IIIe",
                "la cinquième République, la troisième",
            ),
            (
                "au 2e étage, la 1re fois",
                "au deuxième étage, la première fois",
            ),
            ("le 4ème jour", "le quatrième jour"),
        ] {
            assert_eq!(with(text, french(text)), read);
        }
        for text in [
            "au 16e siècle",
            "Louis XIV",
            "le 1er mai",
            "Vie, Ie, Xe-Y, IIIIe, e, ème",
            "le 0e et XLe",
            "ça coûte 5e",
            "une voie",
        ] {
            assert_eq!(with(text, french(text)), text);
        }
    }
}
