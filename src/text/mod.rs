//! From text to pieces and back: sentences, subword pieces and where in the text each of them stands.

mod decode;
mod index;
pub mod language;
pub mod literals;
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

pub use decode::Decoded;
pub use literals::Literal;
pub use terms::Term;
pub use tokenizer::{Carried, Encoding, Tokenizer};
pub use utf16::{utf16_range, utf16_ranges};
pub use vocabulary::{Vocabulary, placeholder};
