//! The blanks that stand between a number and what belongs to it.

/// Blanks at which no line breaks: between groups of digits in French, and between a number and its currency.
pub const NARROW_BLANK: char = '\u{202f}';
pub const FIXED_BLANK: char = '\u{a0}';

/// The length of a blank that a text begins with, of those that stand between a number and what belongs to it.
pub fn blank(text: &str) -> usize {
    let first = text.chars().next().filter(|c| is_blank(*c));
    first.map_or(0, char::len_utf8)
}

/// Whether a character is one of the blanks that stand inside of an amount, which are written one for another.
pub fn is_blank(c: char) -> bool {
    matches!(c, ' ' | FIXED_BLANK | NARROW_BLANK)
}
