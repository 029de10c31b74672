//! The tokenizer of the English-German model that ships, read from bytes: wasm has no files.

use std::collections::HashMap;
use translucent::text::{Tokenizer, placeholder};

/// With so many placeholders, whatever its vocabulary has.
pub fn tokenizer(placeholders: usize) -> Tokenizer {
    let spm = include_bytes!("../../models/en-de/source.spm");
    let vocab = include_bytes!("../../models/en-de/vocab.json");
    let mut ids: HashMap<String, usize> = serde_json::from_slice(vocab).unwrap();
    for own in (1..).map(placeholder) {
        if ids.remove(&own).is_none() {
            break;
        }
    }
    let mut pieces: Vec<(String, usize)> = ids.into_iter().collect();
    pieces.sort_by_key(|(_, id)| *id);
    let pieces = pieces.into_iter().map(|(piece, _)| piece);
    let ids: HashMap<String, usize> = pieces
        .chain((1..=placeholders).map(placeholder))
        .enumerate()
        .map(|(id, piece)| (piece, id))
        .collect();
    Tokenizer::from_parts(spm, spm, &serde_json::to_vec(&ids).unwrap()).unwrap()
}
