//! Small tasks that a model learns in minutes, and their vocabulary of characters or words.

use crate::error::{Error, Result};
use crate::vocabulary::Vocabulary;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use translucent::random::{SplitMix64, mix};

/// A rule from inputs to targets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
#[non_exhaustive]
pub enum Task {
    /// The input itself.
    Copy,
    /// The input from its end.
    Reverse,
    /// The input's letters in alphabetical order.
    Sort,
    /// A date as people write it, to ISO 8601.
    Dates,
    /// The sum of two numbers.
    Addition,
    /// Given pairs.
    Pairs {
        /// Source and target.
        pairs: Vec<(String, String)>,
        /// Whether pieces are words instead of characters.
        words: bool,
    },
}

/// Letters of the tasks on strings.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
/// Their shortest and longest input.
const LENGTHS: [usize; 2] = [4, 12];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// One input of so many is held out.
const HELD_OUT: u64 = 8;

impl Task {
    /// The task of that name.
    ///
    /// # Errors
    /// [`Error::Setting`] listing the names.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "copy" => Ok(Self::Copy),
            "reverse" => Ok(Self::Reverse),
            "sort" => Ok(Self::Sort),
            "dates" => Ok(Self::Dates),
            "addition" => Ok(Self::Addition),
            _ => Err(Error::Setting(format!(
                "there is no task {name:?}: copy, reverse, sort, dates or addition"
            ))),
        }
    }

    /// Own pairs, one a line, source and target separated by a tab.
    ///
    /// # Errors
    /// [`Error::Setting`] naming the line that is no pair, or if there are fewer than ten pairs.
    pub fn of_pairs(text: &str, words: bool) -> Result<Self> {
        let mut pairs = Vec::new();
        for (i, line) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
        {
            let Some((source, target)) = line.split_once('\t') else {
                return Err(Error::Setting(format!(
                    "line {} has no tab between source and target",
                    i + 1
                )));
            };
            pairs.push((source.trim().to_owned(), target.trim().to_owned()));
        }
        match pairs.len() {
            0..10 => Err(Error::Setting(format!(
                "{} pairs: at least ten are needed",
                pairs.len()
            ))),
            _ => Ok(Self::Pairs { pairs, words }),
        }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Copy => "copy",
            Self::Reverse => "reverse",
            Self::Sort => "sort",
            Self::Dates => "dates",
            Self::Addition => "addition",
            Self::Pairs { .. } => "pairs",
        }
    }

    /// The rule in one sentence.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Copy => "Write the input again.",
            Self::Reverse => "Write the input backwards.",
            Self::Sort => "Write the letters in alphabetical order.",
            Self::Dates => "Write the date as year-month-day.",
            Self::Addition => "Write the sum.",
            Self::Pairs { .. } => "Your own pairs.",
        }
    }

    /// A pair: from the held-out inputs, which are never trained on, or from the others.
    pub fn draw(&self, random: &mut SplitMix64, held_out: bool) -> (String, String) {
        // Rejection sampling; bounded because a small set of own pairs may hold only one kind.
        for _ in 0..1000 {
            let pair = self.any(random);
            if is_held_out(&pair.0) == held_out {
                return pair;
            }
        }
        self.any(random)
    }

    fn any(&self, random: &mut SplitMix64) -> (String, String) {
        match self {
            Self::Dates => date(random),
            Self::Addition => {
                let (a, b) = (number(random), number(random));
                (format!("{a}+{b}"), (a + b).to_string())
            }
            Self::Pairs { pairs, .. } => pairs[random.below(pairs.len())].clone(),
            Self::Copy | Self::Reverse | Self::Sort => {
                let source = letters(random);
                let target = match self {
                    Self::Copy => source.clone(),
                    Self::Reverse => source.chars().rev().collect(),
                    _ => {
                        let mut sorted: Vec<char> = source.chars().collect();
                        sorted.sort_unstable();
                        sorted.into_iter().collect()
                    }
                };
                (source, target)
            }
        }
    }

    /// The pieces of all inputs and outputs.
    pub fn vocabulary(&self) -> Vocabulary {
        let characters = |text: &str| text.chars().map(String::from).collect::<BTreeSet<_>>();
        let (pieces, words) = match self {
            Self::Copy | Self::Reverse | Self::Sort => (characters(LETTERS), false),
            Self::Addition => (characters("0123456789+"), false),
            Self::Dates => {
                let all = MONTHS.concat() + "0123456789 ,.-stndrh";
                (characters(&all), false)
            }
            Self::Pairs { pairs, words } => {
                let texts = pairs.iter().flat_map(|(source, target)| [source, target]);
                let pieces = texts.flat_map(|text| match words {
                    true => text.split_whitespace().map(String::from).collect(),
                    false => characters(text),
                });
                (pieces.collect(), *words)
            }
        };
        Vocabulary::new(pieces.into_iter().collect(), words)
    }

    /// Pieces of the longest source and the longest target.
    pub fn longest(&self) -> [usize; 2] {
        match self {
            Self::Copy | Self::Reverse | Self::Sort => [LENGTHS[1]; 2],
            Self::Dates => ["September 30th, 2000".len(), "2000-09-30".len()],
            Self::Addition => ["9999+9999".len(), "19998".len()],
            Self::Pairs { pairs, words } => {
                let pieces = |text: &String| match words {
                    true => text.split_whitespace().count(),
                    false => text.chars().count(),
                };
                let longest = |lengths: Vec<usize>| lengths.into_iter().max().unwrap_or(0);
                [
                    longest(pairs.iter().map(|(source, _)| pieces(source)).collect()),
                    longest(pairs.iter().map(|(_, target)| pieces(target)).collect()),
                ]
            }
        }
    }
}

fn letters(random: &mut SplitMix64) -> String {
    let length = LENGTHS[0] + random.below(LENGTHS[1] - LENGTHS[0] + 1);
    let letter = |random: &mut SplitMix64| LETTERS.as_bytes()[random.below(LETTERS.len())];
    (0..length).map(|_| char::from(letter(random))).collect()
}

/// A number of one to four digits, each length as often.
fn number(random: &mut SplitMix64) -> usize {
    let digits = 1 + random.below(4) as u32;
    random.below(10usize.pow(digits))
}

fn date(random: &mut SplitMix64) -> (String, String) {
    let (year, month) = (1900 + random.below(200), random.below(12));
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 => 28 + usize::from(leap),
        3 | 5 | 8 | 10 => 30,
        _ => 31,
    };
    let day = 1 + random.below(days);
    let name = MONTHS[month];
    let short = &name[..3];
    let ordinal = match (day % 10, day / 10) {
        (1, 0 | 2 | 3) => "st",
        (2, 0 | 2) => "nd",
        (3, 0 | 2) => "rd",
        _ => "th",
    };
    let month = month + 1;
    let source = match random.below(5) {
        0 => format!("{day} {short} {year}"),
        1 => format!("{day} {name} {year}"),
        2 => format!("{name} {day}{ordinal}, {year}"),
        3 => format!("{short} {day}, {year}"),
        _ => format!("{day}.{month}.{year}"),
    };
    (source, format!("{year}-{month:02}-{day:02}"))
}

/// Decided by the input alone, so that no run trains on it.
fn is_held_out(source: &str) -> bool {
    let hash = source
        .bytes()
        .fold(0, |hash, byte| mix(hash ^ u64::from(byte)));
    hash.is_multiple_of(HELD_OUT)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] = ["copy", "reverse", "sort", "dates", "addition"];

    #[test]
    fn every_pair_is_in_the_vocabulary_and_held_out_inputs_stay_out() {
        for name in NAMES {
            let task = Task::named(name).unwrap();
            let vocabulary = task.vocabulary();
            let mut random = SplitMix64::new(1);
            for held_out in [false, true] {
                for _ in 0..300 {
                    let (source, target) = task.draw(&mut random, held_out);
                    assert_eq!(is_held_out(&source), held_out, "{name}: {source}");
                    for text in [source, target] {
                        let ids = vocabulary.encode(&text).unwrap();
                        assert_eq!(vocabulary.decode(&ids), text);
                    }
                }
            }
        }
    }

    #[test]
    fn dates_are_real() {
        let mut random = SplitMix64::new(2);
        for _ in 0..500 {
            let (source, target) = date(&mut random);
            let parts: Vec<u32> = target
                .split('-')
                .map(|part| part.parse().unwrap())
                .collect();
            assert!(
                (1..=12).contains(&parts[1]) && (1..=31).contains(&parts[2]),
                "{source} → {target}"
            );
            assert_eq!(target.len(), 10);
        }
    }

    #[test]
    fn own_pairs_name_the_line_that_is_none() {
        let lines: Vec<String> = (0..12).map(|i| format!("in {i}\tout {i}")).collect();
        let task = Task::of_pairs(&lines.join("\n"), true).unwrap();
        assert_eq!(task.vocabulary().pieces().len(), 14);
        let error = Task::of_pairs("a\tb\nno tab", false).unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}
