//! Amounts of money and numbers with grouped thousands, which every language writes in its own way: they are carried over
//! and written as the target language does.

use super::blanks::{FIXED_BLANK, NARROW_BLANK, blank, is_blank};
use super::style::Style;
use std::ops::Range;

/// How a language writes numbers, money, times of day and dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    /// Between groups of three digits.
    pub(super) group: char,
    /// Before the decimals.
    pub(super) point: char,
    /// Whether a currency's sign stands before the number, without a blank between them.
    sign_first: bool,
    /// How it writes times of day and dates.
    pub(in crate::text) style: Style,
}

impl Notation {
    /// That of a language (ISO 639-1 code); `None` where it is not known here.
    pub fn of(language: &str) -> Option<Self> {
        let (group, point, style) = match language {
            "en" => (',', '.', Style::English),
            "de" => ('.', ',', Style::German),
            "fr" => (NARROW_BLANK, ',', Style::French),
            _ => return None,
        };
        Some(Self {
            group,
            point,
            sign_first: language == "en",
            style,
        })
    }

    /// Whether a character stands between groups of digits.
    fn groups(self, c: char) -> bool {
        c == self.group || is_blank(self.group) && is_blank(c)
    }
}

/// Signs and codes of currencies.
const SIGNS: [&str; 4] = ["€", "$", "£", "¥"];
const CODES: [&str; 4] = ["EUR", "USD", "GBP", "CHF"];
/// How words begin that multiply the number before them: such an amount is a part of the sentence.
const MULTIPLIERS: [&str; 8] = [
    "mill", "mio", "mrd", "bill", "bio", "trill", "tausend", "thousand",
];

/// Characters of the longest of them.
const LONGEST_MULTIPLIER: usize = 8;

/// An amount in a text.
struct Amount<'t> {
    range: Range<usize>,
    number: Number<'t>,
    /// The currency, and whether it stands first.
    currency: Option<(&'t str, bool)>,
}

/// A number in a text.
struct Number<'t> {
    /// As written, groups and all.
    integer: &'t str,
    decimals: Option<&'t str>,
}

impl Number<'_> {
    fn is_grouped(&self) -> bool {
        !self.integer.bytes().all(|c| c.is_ascii_digit())
    }

    fn written(&self, from: Notation, to: Notation) -> String {
        let mut out = String::with_capacity(self.integer.len() + 4);
        for c in self.integer.chars() {
            out.push(if from.groups(c) { to.group } else { c });
        }
        if let Some(decimals) = self.decimals {
            out.push(to.point);
            out.push_str(decimals);
        }
        out
    }
}

/// Adds the amounts of a text in a language of this notation.
pub fn find(text: &str, notation: Notation, found: &mut Vec<Range<usize>>) {
    found.extend(amounts(text, notation).map(|amount| amount.range));
}

/// A text in which amounts of one notation are written in another.
pub fn written(text: &str, [from, to]: [Notation; 2]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for Amount {
        range,
        number,
        currency,
    } in amounts(text, from)
    {
        out.push_str(&text[end..range.start]);
        end = range.end;
        let number = number.written(from, to);
        out += &match currency {
            None => number,
            Some((sign, _)) if SIGNS.contains(&sign) && to.sign_first => format!("{sign}{number}"),
            Some((code, true)) if !SIGNS.contains(&code) => format!("{code}{FIXED_BLANK}{number}"),
            Some((currency, _)) => format!("{number}{FIXED_BLANK}{currency}"),
        };
    }
    out.push_str(&text[end..]);
    out
}

fn amounts(text: &str, notation: Notation) -> impl Iterator<Item = Amount<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(start) = next_start(text, at) {
            if let Some(amount) = amount(text, start, notation) {
                at = amount.range.end;
                return Some(amount);
            }
            // Past the digits: no amount begins inside of a number.
            let rest = &text[start..];
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            at = start + digits.max(rest.chars().next().map_or(1, char::len_utf8));
        }
        None
    })
}

/// The next place from `at` on where an amount may begin: not inside of a word, another number or a range of numbers.
fn next_start(text: &str, at: usize) -> Option<usize> {
    let mut before = text[..at].chars().next_back();
    for (i, c) in text[at..].char_indices() {
        let joins = |c: char| {
            c.is_alphanumeric() || matches!(c, '.' | ',' | '+' | '-' | '–' | '/' | ':' | '#')
        };
        let start = at + i;
        let begins = c.is_ascii_digit() || currency(&text[start..]).is_some();
        if begins && !before.is_some_and(joins) {
            return Some(start);
        }
        before = Some(c);
    }
    None
}

/// The amount that begins here: one with a currency, or a number with groups.
fn amount(text: &str, start: usize, notation: Notation) -> Option<Amount<'_>> {
    let first = currency(&text[start..]);
    let mut end = start;
    if let Some(sign) = first {
        end += sign.len();
        end += blank(&text[end..]);
    }
    let (number, length) = number(&text[end..], notation)?;
    end += length;
    let mut found = first.map(|sign| (sign, true));
    if found.is_none() {
        let gap = blank(&text[end..]);
        if let Some(sign) = currency(&text[end + gap..]) {
            found = Some((sign, false));
            end += gap + sign.len();
        }
    }
    let is_amount = (found.is_some() || number.is_grouped()) && ends(&text[end..]);
    is_amount.then_some(Amount {
        range: start..end,
        number,
        currency: found,
    })
}

/// The currency that a text begins with.
fn currency(text: &str) -> Option<&str> {
    let known = SIGNS.iter().chain(&CODES);
    let sign = known.into_iter().find(|sign| text.starts_with(**sign))?;
    Some(&text[..sign.len()])
}

/// The number that a text begins with, and its length.
fn number(text: &str, notation: Notation) -> Option<(Number<'_>, usize)> {
    let digits = |at: usize| text[at..].bytes().take_while(u8::is_ascii_digit).count();
    let after = |at: usize| text[at..].chars().next();
    let mut end = digits(0);
    if end == 0 {
        return None;
    }
    // Telephone numbers begin with 0.
    if end <= 3 && !text.starts_with('0') {
        while let Some(c) = after(end).filter(|c| notation.groups(*c)) {
            if digits(end + c.len_utf8()) != 3 {
                break;
            }
            end += c.len_utf8() + 3;
        }
    }
    let integer = &text[..end];
    let decimals = match after(end) {
        Some(c) if c == notation.point => digits(end + 1),
        _ => 0,
    };
    if decimals == 0 {
        return Some((
            Number {
                integer,
                decimals: None,
            },
            end,
        ));
    }
    let decimals = &text[end + 1..end + 1 + decimals];
    let length = end + 1 + decimals.len();
    Some((
        Number {
            integer,
            decimals: Some(decimals),
        },
        length,
    ))
}

/// Whether an amount may end here: no letter, digit or sign that makes more of it follows.
fn ends(rest: &str) -> bool {
    let mut after = rest.chars();
    let closes = match after.next() {
        Some('.' | ',') => !after.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => !(c.is_alphanumeric() || matches!(c, '%' | '°' | '-' | '–' | '/' | ':')),
        None => true,
    };
    let word = rest[blank(rest)..].chars().take(LONGEST_MULTIPLIER);
    let word: String = word.flat_map(char::to_lowercase).collect();
    closes && !MULTIPLIERS.iter().any(|begin| word.starts_with(begin))
}
