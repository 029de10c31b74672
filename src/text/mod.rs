//! From text to pieces and back: sentences, subword pieces and where in the text each of them stands.

mod carried;
mod decode;
mod index;
pub mod language;
mod lead;
pub mod literals;
mod marks;
mod negations;
mod read_text;
mod required;
pub mod sentences;
pub mod spm;
pub mod terms;
#[cfg(test)]
mod timing;
mod tokenizer;
mod typed;
mod utf16;
mod vocabulary;
mod word_index;

pub use carried::Carried;
pub use decode::Decoded;
pub use literals::Literal;
pub use marks::Marks;
pub use required::Required;
pub use terms::Term;
pub use tokenizer::{Encoding, Tokenizer};
pub use utf16::{utf16_range, utf16_ranges};
pub use vocabulary::{Vocabulary, placeholder};

use std::ops::Range;

/// Whether two ranges have a byte in common.
fn meet(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}
