//! What a translation carries over: addresses, handles, long numbers, pictograms, words in other scripts, all unchanged, and
//! amounts, dates and times of day, written as the target language writes them.
//!
//! A model whose vocabulary has placeholders never reads these: each becomes one placeholder piece, and the text takes
//! the piece's place again in the translation. So it is copied exactly, however strange it is to the model.

mod amounts;
mod blanks;
mod clock;
mod dates;
mod markup;
pub(super) mod named_dates;
mod numbers;
mod prepositions;
pub(super) mod read_numbers;
mod salutations;
mod scripts;
mod spans;
mod style;
mod symbols;
mod technical;
#[cfg(test)]
mod tests;
mod times;

use super::typed::BLANK;
pub use amounts::Notation;
pub(super) use dates::take_named as take_named_dates;
pub(super) use markup::{closes, code, is_mark, opens, tag};
use std::ops::Range;
pub(super) use style::Style;

/// A placeholder of an encoded source, with the text that it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// The placeholder piece.
    pub id: u32,
    /// What stands there in the source.
    pub text: Box<str>,
    /// What stands for it in the translation.
    pub written: Box<str>,
    /// Whether white space stands before it.
    pub after_space: bool,
    /// Of a mark whether what stands before it, and the word after it, touch it. The model reads it with spaces around
    /// it.
    pub touched: Option<[bool; 2]>,
}

impl Literal {
    /// The literal in a range of a source, which a placeholder stands for.
    pub fn new(id: u32, text: &str, range: Range<usize>, notations: Option<[Notation; 2]>) -> Self {
        let part = &text[range.clone()];
        let [before, after] = [&text[..range.start], &text[range.end..]];
        let touched = [
            !(before.is_empty() || before.ends_with(char::is_whitespace)),
            !(after.is_empty() || after.starts_with(closes)),
        ];
        Self {
            id,
            text: part.into(),
            written: written(part, notations).into(),
            after_space: text[..range.start].ends_with(char::is_whitespace),
            touched: is_mark(part).then_some(touched),
        }
    }
}

/// A text as it stands in a translation: with its amounts, dates and times in the second notation instead of the first.
pub fn written(text: &str, notations: Option<[Notation; 2]>) -> String {
    // In `$mc^2$` stands no amount of dollars.
    let Some(both) = notations.filter(|_| !markup::is_copied(text)) else {
        return text.to_owned();
    };
    let styles = both.map(|one| one.style);
    let text = salutations::written(text, styles);
    let text = spans::written(&dates::written(&text, styles), styles);
    amounts::written(&times::written(&text, styles), both)
}

/// The literals of a text: byte ranges in order, not overlapping. Several with only white space between them are one.
/// Amounts, dates and times are among them where the notation of the text's language is given.
/// All of a text that has no letter or digit is one: `--`.
pub fn find(text: &str, notation: Option<Notation>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if !text.contains(|c: char| c.is_alphanumeric() || c == BLANK) {
        let start = text.len() - text.trim_start().len();
        let end = text.trim_end().len();
        return Vec::from_iter((start < end).then_some(start..end));
    }
    if let Some(notation) = notation {
        amounts::find(text, notation, &mut found);
        dates::find(text, notation.style, &mut found);
        spans::find(text, notation.style, &mut found);
        times::find(text, notation.style, &mut found);
        salutations::find(text, notation.style, &mut found);
    }
    found.extend(tokens(text).filter_map(|token| address(text, token)));
    found.extend(tokens(text).filter_map(|token| symbols::find(text, token)));
    markup::find(text, &mut found);
    numbers::find(text, &mut found);
    scripts::find(text, &mut found);
    found.sort_unstable_by_key(|range: &Range<usize>| (range.start, range.end));
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in found {
        match merged.last_mut() {
            Some(last)
                if range.start <= last.end || text[last.end..range.start].trim().is_empty() =>
            {
                last.end = last.end.max(range.end);
            }
            _ => merged.push(range),
        }
    }
    // The last full stop of *p.m.* or *24.12.* at the end is the sentence's.
    let end_of_text = text.trim_end().len();
    if let Some(last) = merged.last_mut()
        && last.end == end_of_text
        && text[..last.end].ends_with('.')
    {
        last.end -= 1;
    }
    merged
}

/// Where each of `literals` stands in a translation of their text from `start` on: the first place of each that no other has
/// taken; in order of place. Blanks inside of amounts match each other.
pub fn locate(text: &str, start: usize, literals: &[Literal]) -> Vec<(u32, Range<usize>)> {
    let mut places: Vec<(u32, Range<usize>)> = Vec::new();
    for literal in literals {
        let free = occurrences(text, &literal.written).find(|range| {
            let is_free = places
                .iter()
                .all(|(_, other)| range.end <= other.start || other.end <= range.start);
            range.start >= start && is_free && stands_alone(text, range)
        });
        places.extend(free.map(|range| (literal.id, range)));
    }
    places.sort_unstable_by_key(|(_, range)| range.start);
    places
}

/// The places of `part` in a text, whichever blanks it is written with there.
fn occurrences<'t>(text: &'t str, part: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    text.char_indices().filter_map(move |(start, _)| {
        let mut rest = text[start..].chars();
        let same =
            |c: char, other: char| c == other || blanks::is_blank(c) && blanks::is_blank(other);
        let matches = part
            .chars()
            .all(|c| rest.next().is_some_and(|other| same(c, other)));
        matches.then(|| start..text.len() - rest.as_str().len())
    })
}

/// Whether a range is no part of a longer word or number.
fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let joins = |inner: Option<char>, outer: Option<char>| {
        inner.is_some_and(char::is_alphanumeric)
            && outer.is_some_and(|c| c.is_alphanumeric() && !(scripts::is_foreign(c)))
    };
    let inside = &text[range.clone()];
    !joins(
        inside.chars().next(),
        text[..range.start].chars().next_back(),
    ) && !joins(inside.chars().next_back(), text[range.end..].chars().next())
}

/// The runs between white space and blanked marks.
fn tokens(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_gap = |c: char| c.is_whitespace() || c == BLANK;
    let tokens = text.split(is_gap).filter(|token| !token.is_empty());
    tokens.map(|token| {
        // A slice of `text`, so its place there is known.
        let start = token.as_ptr() as usize - text.as_ptr() as usize;
        start..start + token.len()
    })
}

/// A web or e-mail address, a handle or hash tag, or a name that machines read, in a run between white space.
fn address(text: &str, token: Range<usize>) -> Option<Range<usize>> {
    const OPENING: &[char] = &[
        '(', '[', '{', '<', '"', '\'', '„', '“', '‘', '‚', '«', '»', '›', '‹', '¿', '¡',
    ];
    let whole = &text[token.clone()];
    let inner = whole.trim_start_matches(OPENING);
    let start = token.start + whole.len() - inner.len();
    let lengths = [web, email, handle, technical].map(|kind| kind(inner));
    let len = lengths.into_iter().flatten().max()?;
    Some(start..start + len)
}

/// The text up to the first character that no address has, without punctuation that ends a clause.
fn bounded(text: &str) -> &str {
    let end = text.find([
        '<', '>', '"', '“', '”', '„', '«', '»', '’', '\'', '‘', '`', '|',
    ]);
    let mut text = &text[..end.unwrap_or(text.len())];
    // A bracket belongs to the address where it was opened in it.
    let closing = [('(', ')'), ('[', ']'), ('{', '}')]
        .map(|(open, close)| (!text.contains(open)).then_some(close));
    loop {
        let shorter = text.trim_end_matches(['.', ',', ';', ':', '!', '?', '…', '*', '_']);
        let shorter = shorter.trim_end_matches(|c| closing.contains(&Some(c)));
        if shorter.len() == text.len() {
            return text;
        }
        text = shorter;
    }
}

/// `report.pdf`, `v1.2`, `LH1234`
fn technical(text: &str) -> Option<usize> {
    let name = bounded(text);
    technical::is_name(name).then_some(name.len())
}

/// `https://…`, `www.…`, `example.org/…`.
fn web(text: &str) -> Option<usize> {
    /// Top-level domains that are no words which follow a full stop without a space.
    const DOMAINS: [&str; 20] = [
        "com", "org", "net", "edu", "gov", "mil", "io", "eu", "de", "fr", "uk", "ch", "info",
        "dev", "app", "jp", "ru", "cn", "br", "ca",
    ];
    let text = bounded(text);
    if let Some((scheme, rest)) = text.split_once("://") {
        let is_scheme = !scheme.is_empty()
            && scheme
                .bytes()
                .all(|c| c.is_ascii_alphanumeric() || c == b'+');
        return (is_scheme && !rest.is_empty()).then_some(text.len());
    }
    let host = &text[..text.find(['/', ':', '?', '#']).unwrap_or(text.len())];
    let mut labels = host.split('.');
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|c| c.is_ascii_alphanumeric() || c == b'-' || c == b'_')
    };
    let is_host = labels.clone().count() > 1 && labels.clone().all(is_label);
    let is_known = labels
        .clone()
        .next_back()
        .is_some_and(|last| DOMAINS.contains(&last));
    let is_www = labels
        .next()
        .is_some_and(|first| first.eq_ignore_ascii_case("www"));
    (is_host && (is_known || is_www)).then_some(text.len())
}

/// `name@example.org`.
fn email(text: &str) -> Option<usize> {
    let text = bounded(text.strip_prefix("mailto:").unwrap_or(text));
    let (name, host) = text.split_once('@')?;
    let is_name = |c: u8| c.is_ascii_alphanumeric() || b"._%+-".contains(&c);
    let is_host = |c: u8| c.is_ascii_alphanumeric() || b".-".contains(&c);
    let is_address = !name.is_empty()
        && name.bytes().all(is_name)
        && host.bytes().all(is_host)
        && host.trim_matches('.').contains('.');
    is_address.then_some(text.len())
}

/// `@handle`, `#tag`.
fn handle(text: &str) -> Option<usize> {
    let name = text.strip_prefix(['@', '#'])?;
    let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    let name = &name[..end.unwrap_or(name.len())];
    // `#1` is a number.
    (name.len() > 1 && name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .then_some(1 + name.len())
}
