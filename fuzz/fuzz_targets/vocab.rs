//! `vocab.json`: ids that are accepted lead to pieces and back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use translucent::text::Vocabulary;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(vocabulary) = Vocabulary::parse("vocab.json", bytes) {
        for id in 0..vocabulary.len() as u32 {
            assert_eq!(vocabulary.id(vocabulary.piece(id)), Some(id));
        }
        let ids: Vec<u32> = (0..vocabulary.len() as u32 + 2).collect();
        let _ = vocabulary.words(&ids);
    }
});
