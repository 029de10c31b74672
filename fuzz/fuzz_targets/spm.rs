//! `source.spm`: a model that is accepted encodes any text into spans that are parts of it.
//!
//! The input is a text of up to 64 bytes, its length first, and then the model.
#![no_main]

use libfuzzer_sys::fuzz_target;
use translucent::text::spm::SentencePieceModel;

/// Characters that normalisers and segmentations treat each in its own way.
const TEXT: &str = "Zwei Hunde\u{301} laufen ﬁx ½ durch 日本 das Wasser! SYMBOL \u{3000} 👍🏽 ▁";

fuzz_target!(|bytes: &[u8]| {
    check(bytes, TEXT);
    if let Some((&length, rest)) = bytes.split_first()
        && let Some((text, model)) = rest.split_at_checked(usize::from(length) % 64)
    {
        check(model, &String::from_utf8_lossy(text));
    }
});

fn check(model: &[u8], text: &str) {
    if let Ok(model) = SentencePieceModel::parse("source.spm", model) {
        let encoded = model.encode(text);
        for span in &encoded.spans {
            assert!((span.id as usize) < model.pieces().len());
            assert!(text.get(encoded.source_range(span)).is_some());
            let _ = encoded.surface(span);
        }
    }
}
