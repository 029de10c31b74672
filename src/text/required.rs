//! What a translation must hold of its source, since a model that reads it may lose it: dates with the month's name, numbers, a
//! negation.

use super::literals::{Notation, Style, named_dates, read_numbers};
use super::meet;
use super::negations;
use std::ops::Range;

/// What the translation of a source must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Required {
    /// The bytes of the source that it stands for.
    pub range: Range<usize>,
    /// The forms of which the translation must hold one; the first where it has none by itself.
    pub forms: Vec<Box<str>>,
}

/// Most of what a translation must hold: no search has room for more.
const MOST: usize = 64;

/// What the translation of a text must hold, but for its literals. `dates` are those in figures that are read with the month's
/// name.
pub(super) fn find(
    text: &str,
    notations: [Notation; 2],
    literals: &[Range<usize>],
    dates: &[(Range<usize>, named_dates::Date)],
) -> Vec<Required> {
    let [from, to] = notations.map(|one| one.style);
    let mut all = Vec::new();
    if text.bytes().any(|byte| byte.is_ascii_digit()) {
        let dates = named_dates::find(text, from)
            .into_iter()
            .chain(dates.iter().cloned());
        all.extend(dates.map(|(range, date)| (range, named_dates::forms(date, to))));
        all.extend(read_numbers::find(text, notations));
    }
    if [from, to] == [Style::German, Style::English] {
        all.extend(negations::find(text));
    }
    let mut required: Vec<Required> = Vec::new();
    for (range, forms) in all.into_iter().take(MOST) {
        let mut taken = required.iter().map(|one| &one.range).chain(literals);
        if !taken.any(|one| meet(one, &range)) {
            required.push(Required { range, forms });
        }
    }
    required
}
