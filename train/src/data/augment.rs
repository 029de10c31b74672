//! Variants of training pairs, for what people type and clean corpora lack: lower case, a missing full stop,
//! typographic quotes, long chains, and numbers, names and addresses that must be copied.

mod names;
mod no_ne;

use super::lines::Pair;
use super::made_up::{any_literal, emoji, literal, plain, punctuated};
use crate::error::{Error, Result};
use names::{is_name, other_name};
use no_ne::no_ne;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// How many variants of each kind are made of a pair that allows them; a fraction is a probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Augment {
    /// The source in lower case; the target stays as it is.
    pub lower_case: f64,
    /// Both sides in capitals.
    pub upper_case: f64,
    /// Both sides without their final full stop.
    pub no_full_stop: f64,
    /// The source with ’ “ ” for ' and ".
    pub typographic: f64,
    /// A number that stands on both sides replaced by another, at times with a decimal point or grouped thousands, which
    /// German and French write their own way.
    pub numbers: f64,
    /// A capitalised word that stands on both sides replaced by a made-up name, web or e-mail address; or that, or an
    /// emoji, after both sides; or that alone as both.
    pub literals: f64,
    /// The pair and those that follow it as one, so that long sentences are practised.
    pub chained: f64,
    /// One to three literals at the same place on both sides: in front, at the end, before the last mark, after the only
    /// comma. For models with placeholders (`vocabulary.placeholders`), which learn from it where they belong.
    pub placed: f64,
    /// The English source with `dont`, `cant`, `im` for don't, can't, I'm: forms that are no words of their own.
    pub no_apostrophe: f64,
    /// The English source as in a chat: `u`, `r`, `pls`, `thx`, in lower case.
    pub chat: f64,
    /// The source without its umlauts and accents, as keyboards of other languages type it: `fuer`, `Strasse`, `ecole`.
    pub plain_letters: f64,
    /// The French source without the first half of its negation, as French is spoken and typed: `je sais pas`.
    pub no_ne: f64,
    /// A capitalised word that stands on both sides replaced by a made-up name of one or two words, which looks like a word
    /// of the language more often than that of `literals`.
    pub names: f64,
}

impl Augment {
    /// Upper limit of variants a pair: more is taken for a typing error.
    const MOST: f64 = 10.0;

    fn kinds(&self) -> [(&'static str, f64, Variant); 13] {
        [
            ("lower_case", self.lower_case, lower_case),
            ("upper_case", self.upper_case, upper_case),
            ("no_full_stop", self.no_full_stop, no_full_stop),
            ("typographic", self.typographic, typographic),
            ("numbers", self.numbers, other_number),
            ("literals", self.literals, other_literal),
            ("chained", self.chained, chained),
            ("placed", self.placed, placed),
            ("no_apostrophe", self.no_apostrophe, no_apostrophe),
            ("chat", self.chat, chat),
            ("plain_letters", self.plain_letters, plain_letters),
            ("no_ne", self.no_ne, no_ne),
            ("names", self.names, other_name),
        ]
    }

    /// Checks that every number is in its range.
    ///
    /// # Errors
    /// [`Error::Recipe`] naming the field.
    pub fn check(&self) -> Result<()> {
        match self
            .kinds()
            .iter()
            .find(|(_, count, _)| !(0.0..=Self::MOST).contains(count))
        {
            None => Ok(()),
            Some((name, count, _)) => Err(Error::Recipe(format!(
                "data.augment.{name} is {count}, it must be from 0 to {}",
                Self::MOST
            ))),
        }
    }
}

/// ISO codes of a pair's languages: the source's, and the target's.
pub type Languages<'l> = [&'l str; 2];

/// Makes a variant of a pair in these languages, if the pair allows it. `chained` also takes the pairs after it.
type Variant = fn(&Pair, &[Pair], Languages, &mut ChaCha8Rng) -> Option<Pair>;

/// The variants of `pairs`, a function of the seed alone.
pub fn variants(pairs: &[Pair], languages: Languages, augment: &Augment, seed: u64) -> Vec<Pair> {
    let of_kind = |kind: usize, count: f64, variant: Variant| {
        let mut made = Vec::new();
        // A stream for each kind: switching one off changes no other.
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(kind as u64);
        for (i, pair) in pairs.iter().enumerate() {
            let times = count as usize + usize::from(rng.random_bool(count.fract()));
            for _ in 0..times {
                made.extend(variant(pair, &pairs[i + 1..], languages, &mut rng));
            }
        }
        made
    };
    let kinds = augment.kinds().into_par_iter().enumerate();
    kinds
        .filter(|(_, (_, count, _))| *count > 0.0)
        .flat_map_iter(|(kind, (_, count, variant))| of_kind(kind, count, variant))
        .collect()
}

fn lower_case(pair: &Pair, _: &[Pair], _: Languages, _: &mut ChaCha8Rng) -> Option<Pair> {
    let source = pair.source.to_lowercase();
    (source != pair.source).then(|| Pair {
        source,
        target: pair.target.clone(),
    })
}

fn upper_case(pair: &Pair, _: &[Pair], _: Languages, _: &mut ChaCha8Rng) -> Option<Pair> {
    Some(Pair {
        source: pair.source.to_uppercase(),
        target: pair.target.to_uppercase(),
    })
}

fn no_full_stop(pair: &Pair, _: &[Pair], _: Languages, _: &mut ChaCha8Rng) -> Option<Pair> {
    let stripped = |text: &str| {
        let text = text.strip_suffix('.')?;
        (!text.is_empty() && !text.ends_with('.')).then(|| text.to_owned())
    };
    Some(Pair {
        source: stripped(&pair.source)?,
        target: stripped(&pair.target)?,
    })
}

fn typographic(pair: &Pair, _: &[Pair], _: Languages, _: &mut ChaCha8Rng) -> Option<Pair> {
    let mut open = false;
    let source: String = pair
        .source
        .chars()
        .map(|c| match c {
            '\'' => '\u{2019}',
            '"' => {
                open = !open;
                if open { '\u{201c}' } else { '\u{201d}' }
            }
            other => other,
        })
        .collect();
    (source != pair.source).then(|| Pair {
        source,
        target: pair.target.clone(),
    })
}

fn other_number(
    pair: &Pair,
    _: &[Pair],
    languages: Languages,
    rng: &mut ChaCha8Rng,
) -> Option<Pair> {
    let number = pair
        .source
        .split(|c: char| !c.is_ascii_digit())
        .find(|run| !run.is_empty() && once_in_both(pair, run))?;
    if rng.random_bool(0.4)
        && stands_free(&pair.source, number)
        && stands_free(&pair.target, number)
    {
        let [source, target] = punctuated(languages, rng);
        return Some(Pair {
            source: pair.source.replacen(number, &source, 1),
            target: pair.target.replacen(number, &target, 1),
        });
    }
    // Half of them as long as the old one, so that years stay years; the others up to a telephone number's length.
    let digits = if rng.random_bool(0.5) {
        number.len().min(12)
    } else {
        rng.random_range(1..=10)
    };
    let other = plain(digits, rng);
    Some(replaced(pair, number, &other))
}

/// Whether `part`, where it stands first, has a blank or nothing before it, and a blank, nothing, or the end of the
/// sentence after it: no date, time, ordinal or longer number.
fn stands_free(text: &str, part: &str) -> bool {
    text.split_once(part).is_some_and(|(before, after)| {
        before.chars().next_back().is_none_or(char::is_whitespace)
            && (after.chars().next().is_none_or(char::is_whitespace)
                || matches!(after, "." | "!" | "?"))
    })
}

fn other_literal(pair: &Pair, _: &[Pair], _: Languages, rng: &mut ChaCha8Rng) -> Option<Pair> {
    let literal = literal(rng);
    if rng.random_bool(0.1) {
        return Some(Pair {
            source: literal.clone(),
            target: literal,
        });
    }
    let name = pair
        .source
        .split(|c: char| !c.is_alphanumeric())
        .skip(1)
        .find(|word| is_name(word) && once_in_both(pair, word));
    match name {
        Some(name) => Some(replaced(pair, name, &literal)),
        // Most pairs have no name in common: some of them are followed by the literal or an emoji.
        None => rng.random_bool(0.3).then(|| {
            let after = if rng.random_bool(0.3) {
                emoji(rng)
            } else {
                literal
            };
            Pair {
                source: format!("{} {after}", pair.source),
                target: format!("{} {after}", pair.target),
            }
        }),
    }
}

/// Two to ten pairs, one after the other: as sentences, or as one sentence with commas.
fn chained(pair: &Pair, after: &[Pair], _: Languages, rng: &mut ChaCha8Rng) -> Option<Pair> {
    let after = after.get(..rng.random_range(1..10))?;
    let links: Vec<_> = std::iter::once(pair).chain(after).collect();
    let commas = rng.random_bool(0.5);
    let join = |side: fn(&Pair) -> &String| {
        let last = links.len() - 1;
        let links = links.iter().map(|link| side(link)).enumerate();
        let links = links.map(|(i, link)| match link.strip_suffix('.') {
            Some(open) if commas && i < last => format!("{open},"),
            _ => link.clone(),
        });
        links.collect::<Vec<_>>().join(" ")
    };
    Some(Pair {
        source: join(|pair| &pair.source),
        target: join(|pair| &pair.target),
    })
}

fn no_apostrophe(pair: &Pair, _: &[Pair], _: Languages, _: &mut ChaCha8Rng) -> Option<Pair> {
    /// With `ll`, `d` and `re` many would be other words: she'll, we'd, we're.
    const FORMS: [&str; 13] = [
        "i'm", "i've", "you're", "you've", "they're", "they've", "we've", "that's", "what's",
        "there's", "he's", "she's", "who's",
    ];
    let words = pair.source.split(' ').map(|word| {
        let lower = word.to_lowercase().replace('\u{2019}', "'");
        let form = lower.trim_matches(|c: char| !c.is_alphanumeric());
        if form.ends_with("n't") || FORMS.contains(&form) {
            word.replace(['\'', '\u{2019}'], "")
        } else {
            word.to_owned()
        }
    });
    let source = words.collect::<Vec<_>>().join(" ");
    (source != pair.source).then(|| Pair {
        source,
        target: pair.target.clone(),
    })
}

fn chat(pair: &Pair, _: &[Pair], _: Languages, rng: &mut ChaCha8Rng) -> Option<Pair> {
    const SHORT: [(&str, &[&str]); 9] = [
        ("you", &["u"]),
        ("are", &["r"]),
        ("your", &["ur"]),
        ("please", &["pls", "plz"]),
        ("thanks", &["thx"]),
        ("because", &["bc", "cuz"]),
        ("tomorrow", &["tmrw"]),
        ("people", &["ppl"]),
        ("want to", &["wanna"]),
    ];
    let mut source = format!(" {} ", pair.source.to_lowercase());
    let before = source.len();
    for (long, short) in SHORT {
        let short = short[rng.random_range(0..short.len())];
        for end in [" ", ".", ",", "?", "!"] {
            source = source.replace(&format!(" {long}{end}"), &format!(" {short}{end}"));
        }
    }
    (source.len() < before).then(|| Pair {
        source: source.trim().to_owned(),
        target: pair.target.clone(),
    })
}

fn plain_letters(pair: &Pair, _: &[Pair], _: Languages, _: &mut ChaCha8Rng) -> Option<Pair> {
    let mut source = String::with_capacity(pair.source.len());
    for c in pair.source.chars() {
        let plain = match c {
            'ä' => "ae",
            'ö' => "oe",
            'ü' => "ue",
            'Ä' => "Ae",
            'Ö' => "Oe",
            'Ü' => "Ue",
            'ß' => "ss",
            'é' | 'è' | 'ê' | 'ë' => "e",
            'à' | 'â' => "a",
            'î' | 'ï' => "i",
            'ô' => "o",
            'ù' | 'û' => "u",
            'ç' => "c",
            'œ' => "oe",
            'É' | 'È' | 'Ê' => "E",
            'À' => "A",
            'Ç' => "C",
            other => {
                source.push(other);
                continue;
            }
        };
        source.push_str(plain);
    }
    (source != pair.source).then(|| Pair {
        source,
        target: pair.target.clone(),
    })
}

fn placed(pair: &Pair, _: &[Pair], _: Languages, rng: &mut ChaCha8Rng) -> Option<Pair> {
    let mut placed = pair.clone();
    for _ in 0..rng.random_range(1..=3) {
        let literal = any_literal(rng);
        let gap = if rng.random_bool(0.85) { " " } else { "" };
        let place = match rng.random_range(0..4) {
            0 => in_front,
            1 => at_the_end,
            2 => before_the_last_mark,
            _ => after_the_comma,
        };
        if let (Some(source), Some(target)) = (
            place(&placed.source, &literal, gap),
            place(&placed.target, &literal, gap),
        ) {
            placed = Pair { source, target };
        }
    }
    (placed != *pair).then_some(placed)
}

fn in_front(text: &str, literal: &str, _: &str) -> Option<String> {
    Some(format!("{literal} {text}"))
}

fn at_the_end(text: &str, literal: &str, gap: &str) -> Option<String> {
    // Only an emoji or a word in another script may follow without a space.
    let gap = if literal.is_ascii() { " " } else { gap };
    Some(format!("{text}{gap}{literal}"))
}

fn before_the_last_mark(text: &str, literal: &str, _: &str) -> Option<String> {
    let before = text.trim_end_matches(['.', '!', '?', ':', '…']);
    (!before.is_empty() && before.len() < text.len())
        .then(|| format!("{before} {literal}{}", &text[before.len()..]))
}

fn after_the_comma(text: &str, literal: &str, _: &str) -> Option<String> {
    let (before, after) = text.split_once(", ")?;
    (!after.contains(',')).then(|| format!("{before}, {literal} {after}"))
}

/// Whether `part` stands exactly once on either side, and not inside of a word or a longer number.
fn once_in_both(pair: &Pair, part: &str) -> bool {
    [&pair.source, &pair.target].into_iter().all(|text| {
        let mut found = text.match_indices(part);
        let Some((start, _)) = found.next() else {
            return false;
        };
        let borders = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
        found.next().is_none()
            && borders(text[..start].chars().next_back())
            && borders(text[start + part.len()..].chars().next())
    })
}

fn replaced(pair: &Pair, part: &str, other: &str) -> Pair {
    Pair {
        source: pair.source.replacen(part, other, 1),
        target: pair.target.replacen(part, other, 1),
    }
}

#[cfg(test)]
mod tests;
