//! The learned vocabulary against sentencepiece's own trainer (`tests/golden/vocabulary.py`).

use translucent::text::Tokenizer;
use translucent_train::vocab::{VocabOptions, Vocabulary, learn};

const TEXT: &str = include_str!("../../tests/golden/vocabulary.txt");

#[derive(serde::Deserialize)]
struct Golden {
    pieces: Vec<String>,
    probe: String,
    probe_ids: Vec<u32>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../../tests/golden/vocabulary_pieces.json")).unwrap()
}

fn learned(size: usize) -> Vocabulary {
    learn(TEXT.lines(), &VocabOptions::new(size)).unwrap()
}

fn tokenizer(vocabulary: &Vocabulary) -> Tokenizer {
    let model = vocabulary.to_model();
    Tokenizer::from_parts(&model, &model, &vocabulary.to_vocab_json()).unwrap()
}

#[test]
fn pieces_and_their_order_are_those_of_sentencepiece() {
    let golden = golden();
    let tokenizer = tokenizer(&learned(golden.pieces.len() + 1));
    let pieces: Vec<&str> = (0..golden.pieces.len() as u32)
        .map(|id| tokenizer.piece(id))
        .collect();
    assert_eq!(pieces, golden.pieces);
    assert_eq!(tokenizer.piece(golden.pieces.len() as u32), "<pad>");
}

#[test]
fn the_written_model_encodes_as_that_of_sentencepiece() {
    let golden = golden();
    let tokenizer = tokenizer(&learned(golden.pieces.len() + 1));
    let ids = tokenizer.encode_source(&golden.probe).ids;
    let (end, ids) = ids.split_last().unwrap();
    assert_eq!((*end, ids), (0, &golden.probe_ids[..]));
}

#[test]
fn a_vocabulary_larger_than_the_text_gives_names_the_largest() {
    let message = learn(TEXT.lines(), &VocabOptions::new(8000))
        .unwrap_err()
        .to_string();
    let largest: usize = message
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .find(|&n| n != 8000)
        .unwrap_or_else(|| panic!("{message}"));
    assert!(learn(TEXT.lines(), &VocabOptions::new(largest)).is_ok());
    assert!(learn(TEXT.lines(), &VocabOptions::new(largest + 1)).is_err());
}

#[test]
fn a_vocabulary_without_room_names_the_smallest_need() {
    let message = learn(TEXT.lines(), &VocabOptions::new(100))
        .unwrap_err()
        .to_string();
    assert!(message.contains("256 bytes"), "{message}");
}
