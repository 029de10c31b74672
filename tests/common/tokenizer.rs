//! The tokenizer of the English-German model that ships, read from bytes: wasm has no files.

use translucent::text::{Tokenizer, placeholder};

/// With so many placeholders, which its vocabulary does not have.
pub fn tokenizer(placeholders: usize) -> Tokenizer {
    let spm = include_bytes!("../../models/en-de/source.spm");
    let vocab = include_bytes!("../../models/en-de/vocab.json");
    let mut ids: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(vocab).unwrap();
    for n in 1..=placeholders {
        let next = ids.len();
        ids.entry(placeholder(n)).or_insert(next.into());
    }
    Tokenizer::from_parts(spm, spm, &serde_json::to_vec(&ids).unwrap()).unwrap()
}
