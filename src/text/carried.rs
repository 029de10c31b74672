//! What goes from a source to its translation past the model.

use super::literals::Literal;
use super::marks::Marks;

/// What a translation has from its source without the model's doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// The marks of a list, a heading or a quotation that it begins with, and the white space after them.
    pub lead: Box<str>,
    /// What the placeholders stand for.
    pub literals: Vec<Literal>,
    /// The pairs of marks around its words; inner ones come before those around them.
    pub marks: Vec<Marks>,
    /// Whether the source is all capitals, and the model read it in lower case.
    pub is_upper_case: bool,
    /// Whether slips of a model are mended where its translation is written: the language of the source is known.
    pub is_mended: bool,
    /// Whether the source begins with a capital, and then its translation does.
    pub begins_with_capital: bool,
}
