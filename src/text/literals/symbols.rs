//! Faces made of punctuation, signs that stand by themselves, units with an exponent.

use std::ops::Range;

/// Signs that are no punctuation of a sentence.
const SIGNS: &[char] = &[
    '<', '>', '[', ']', '{', '}', '|', '\\', '^', '~', '`', '*', '_', '#', '&', '=',
];
/// Punctuation that may stand among them.
const BETWEEN: &[char] = &[
    '-', '+', '.', ',', ':', ';', '/', '!', '?', '(', ')', '%', '"', '\'',
];
/// Faces without eyes, or with a letter or digit in them.
const FACES: [&str; 9] = ["-_-", "<3", "</3", "xD", "XD", ":3", "o_O", "O_o", "o_o"];

/// The face, signs or unit that a run between white space is, without the punctuation that ends a clause.
pub fn find(text: &str, token: Range<usize>) -> Option<Range<usize>> {
    let whole = &text[token.clone()];
    let ends = [
        whole.len(),
        whole.trim_end_matches(['.', ',', '!', '?']).len(),
    ];
    let is_symbol = |len: &usize| {
        let symbol = &whole[..*len];
        is_face(symbol)
            || is_signs(symbol)
            || is_power(symbol)
            || is_sum(symbol)
            || is_height(symbol)
    };
    let len = ends.into_iter().find(is_symbol)?;
    Some(token.start..token.start + len)
}

/// `:-)`, `;P`, `:'(`
fn is_face(text: &str) -> bool {
    if FACES.contains(&text) {
        return true;
    }
    let Some(rest) = text.strip_prefix([':', ';', '=']) else {
        return false;
    };
    let mouth = rest.trim_start_matches(['-', '\'', '^', 'o']);
    let is_mouth = |c: char| {
        matches!(
            c,
            ')' | '(' | 'D' | 'P' | 'p' | 'O' | '/' | '|' | '*' | 'S' | '$' | ']' | '['
        )
    };
    rest.len() - mouth.len() < 3 && !mouth.is_empty() && mouth.chars().all(is_mouth)
}

/// `->`, `[ ]`, `&&`, `>`
fn is_signs(text: &str) -> bool {
    // A lone `&` or `=` is read as a word.
    !matches!(text, "&" | "=")
        && text.contains(SIGNS)
        && text
            .chars()
            .all(|c| SIGNS.contains(&c) || BETWEEN.contains(&c))
}

/// `2*3*4`, `2+2=4`
fn is_sum(text: &str) -> bool {
    let is_part = |c: u8| c.is_ascii_digit() || b"+-*/^=().".contains(&c);
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.contains(['*', '^', '='])
        && text.ends_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(is_part)
}

/// `6'2"`: feet and inches.
fn is_height(text: &str) -> bool {
    let is_number =
        |part: &str| (1..3).contains(&part.len()) && part.bytes().all(|c| c.is_ascii_digit());
    let parts = text.split_once(['\'', '’', '′']);
    parts.is_some_and(|(feet, inches)| {
        is_number(feet) && is_number(inches.trim_end_matches(['"', '”', '″']))
    })
}

/// `m²`
fn is_power(text: &str) -> bool {
    let base = text.trim_end_matches(['²', '³']);
    let is_unit = base.bytes().all(|c| c.is_ascii_alphanumeric());
    !base.is_empty() && base.len() < text.len() && is_unit
}
