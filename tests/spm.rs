//! SentencePiece models read and applied exactly as the original does (tests/golden/spm.py).
#![cfg(not(target_arch = "wasm32"))]

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use translucent::text::spm::{Dropout, SentencePieceModel};
use translucent::text::{Carried, Encoding, Tokenizer};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/spm/");

#[derive(Deserialize)]
struct Lines {
    lines: Vec<String>,
    /// Where the pieces of `bpe_bytes` start, in bytes of the line.
    starts: Vec<Vec<usize>>,
}

#[derive(Deserialize)]
struct Marian {
    source: String,
    target: String,
    vocabulary: Vec<String>,
    encoded: Vec<(String, Vec<u32>)>,
    targets: Vec<(String, Vec<u32>)>,
    decoded: Vec<(Vec<u32>, String)>,
}

fn golden<T: DeserializeOwned>(name: &str) -> T {
    let json = fs::read(format!("{FOLDER}{name}")).unwrap();
    serde_json::from_slice(&json).unwrap()
}

/// A model's file, with nmt_nfkc's character map put in again where it was taken out.
fn model_bytes(name: &str) -> Vec<u8> {
    let mut model = fs::read(format!("{FOLDER}{name}.model")).unwrap();
    if !["bpe_phrases", "bpe_raw"].contains(&name) {
        let charsmap = fs::read(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/train/assets/nmt_nfkc.bin"
        ))
        .unwrap();
        let spec = field(2, &charsmap);
        model.extend(field(3, &spec));
    }
    model
}

/// A protobuf field of bytes.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    let mut length = content.len();
    while length >= 0x80 {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend(content);
    bytes
}

fn model(name: &str) -> SentencePieceModel {
    SentencePieceModel::parse(name, &model_bytes(name)).unwrap()
}

/// Ids, with the text itself in the place of the unknown piece.
fn segmentation(model: &SentencePieceModel, text: &str) -> Vec<Value> {
    let encoded = model.encode(text);
    let spans = encoded.spans.iter();
    spans
        .map(|span| match span.id == model.unknown_id() {
            true => encoded.surface(span).into(),
            false => span.id.into(),
        })
        .collect()
}

fn tokenizer(case: &Marian) -> Tokenizer {
    let ids: BTreeMap<&str, usize> = case
        .vocabulary
        .iter()
        .map(String::as_str)
        .zip(0..)
        .collect();
    let vocabulary = serde_json::to_vec(&ids).unwrap();
    Tokenizer::from_parts(
        &model_bytes(&case.source),
        &model_bytes(&case.target),
        &vocabulary,
    )
    .unwrap()
}

#[test]
fn every_line_has_the_pieces_of_sentencepiece_under_every_kind_of_model() {
    let Lines { lines, .. } = golden("lines.json");
    let segmentations: BTreeMap<String, Vec<Vec<Value>>> = golden("segmentations.json");
    assert_eq!(segmentations.len(), 7);
    for (name, expected) in &segmentations {
        let model = model(name);
        assert_eq!(expected.len(), lines.len());
        let wrong = lines
            .iter()
            .zip(expected)
            .filter(|(line, expected)| segmentation(&model, line) != **expected);
        let wrong: Vec<_> = wrong.collect();
        if let Some((line, expected)) = wrong.first() {
            let found = segmentation(&model, line);
            panic!(
                "{name}: {} of {} lines differ, first {line:?}: {found:?} instead of {expected:?}",
                wrong.len(),
                lines.len()
            );
        }
    }
}

#[test]
fn normalisation_is_sentencepieces() {
    let Lines { lines, .. } = golden("lines.json");
    let normalized: BTreeMap<String, Vec<String>> = golden("normalized.json");
    let model = model("bpe_bytes");
    for (line, expected) in lines.iter().zip(&normalized["nmt_nfkc"]) {
        assert_eq!(
            model.normalizer().normalize(line).text,
            *expected,
            "{line:?}"
        );
    }
}

#[test]
fn pieces_start_where_sentencepiece_says() {
    let Lines { lines, starts } = golden("lines.json");
    let model = model("bpe_bytes");
    for (line, expected) in lines.iter().zip(starts) {
        let encoded = model.encode(line);
        let found: Vec<usize> = encoded
            .spans
            .iter()
            .map(|span| encoded.source_range(span).start)
            .collect();
        assert_eq!(found, expected, "{line:?}");
    }
}

#[test]
fn ids_are_those_of_transformers_marian_tokenizer() {
    let cases: BTreeMap<String, Marian> = golden("marian.json");
    for (name, case) in &cases {
        let tokenizer = tokenizer(case);
        for (text, ids) in &case.encoded {
            assert_eq!(
                tokenizer.encode_source(text).ids,
                *ids,
                "{name}, source {text:?}"
            );
        }
        for (text, ids) in &case.targets {
            assert_eq!(
                tokenizer.encode_target(text).ids,
                *ids,
                "{name}, target {text:?}"
            );
        }
    }
}

#[test]
fn decoded_text_is_that_of_transformers_marian_tokenizer() {
    let cases: BTreeMap<String, Marian> = golden("marian.json");
    for (name, case) in &cases {
        let tokenizer = tokenizer(case);
        for (ids, text) in &case.decoded {
            let decoded = tokenizer.decode_with_ranges(ids, &Carried::default());
            assert_eq!(decoded.text, *text, "{name}, {ids:?}");
            assert_eq!(decoded.ranges.len(), ids.len());
            assert_ranges_cover(&decoded.text, decoded.ranges.iter().flatten(), |_| false);
        }
    }
}

#[test]
fn ranges_are_in_order_on_characters_and_cover_all_that_was_not_dropped() {
    let cases: BTreeMap<String, Marian> = golden("marian.json");
    let tokenizers: Vec<Tokenizer> = cases.values().map(tokenizer).collect();
    let Lines { lines, .. } = golden("lines.json");
    let normalizer = model("bpe_bytes");
    for line in &lines {
        // Spaces at the ends and characters that normalisation takes away belong to no piece.
        let may_be_left_out = |part: &str| {
            let mut characters = part.chars();
            characters.all(|c| {
                normalizer
                    .normalizer()
                    .normalize(c.encode_utf8(&mut [0; 4]))
                    .text
                    .is_empty()
            })
        };
        for encoding in tokenizers
            .iter()
            .flat_map(|t| [t.encode_source(line), t.encode_target(line)])
        {
            let Encoding { ids, ranges, .. } = encoding;
            assert_eq!(ids.len(), ranges.len());
            let (end_mark, pieces) = ranges.split_last().unwrap();
            assert_eq!((ids.last(), end_mark), (Some(&0), &None));
            assert!(pieces.iter().all(Option::is_some));
            assert_ranges_cover(line, pieces.iter().flatten(), may_be_left_out);
        }
    }
}

/// Ranges are slices of the text, in order, and what lies between them may be left out.
fn assert_ranges_cover<'a>(
    text: &str,
    ranges: impl Iterator<Item = &'a std::ops::Range<usize>>,
    may_be_left_out: impl Fn(&str) -> bool,
) {
    let (mut start, mut end) = (0, 0);
    for range in ranges {
        assert!(
            range.start >= start && range.end >= end,
            "{text:?}: {range:?} goes back"
        );
        assert!(
            text.get(range.clone()).is_some(),
            "{text:?}: {range:?} cuts a character"
        );
        if range.start > end {
            let gap = &text[end..range.start];
            assert!(may_be_left_out(gap), "{text:?}: {gap:?} is in no piece");
        }
        (start, end) = (range.start, range.end);
    }
    let gap = &text[end..];
    assert!(
        gap.is_empty() || may_be_left_out(gap),
        "{text:?}: {gap:?} is in no piece"
    );
}

#[test]
fn a_decoded_encoding_is_the_normalised_text() {
    let cases: BTreeMap<String, Marian> = golden("marian.json");
    let tokenizer = tokenizer(&cases["joint"]);
    let model = model("bpe_bytes");
    let Lines { lines, .. } = golden("lines.json");
    // What begins as a language code is one piece, which is no text.
    let is_text = |line: &&String| !line.contains('▁') && !line.starts_with(">>");
    for line in lines.iter().filter(is_text) {
        let normalized = model.normalizer().normalize(line).text.replace('▁', " ");
        assert_eq!(
            tokenizer.decode(&tokenizer.encode_source(line).ids),
            normalized.trim(),
            "{line:?}"
        );
    }
}

#[test]
fn dropout_splits_words_further_and_loses_nothing() {
    let cases: BTreeMap<String, Marian> = golden("marian.json");
    let tokenizer = tokenizer(&cases["joint"]);
    let text = "Two dogs run through the shallow water, barking and playing happily.";
    let plain = tokenizer.encode_source(text);
    let encode = |probability, mut state: u32| {
        let mut uniform = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let mut dropout = Dropout {
            probability,
            uniform: &mut uniform,
        };
        let mut none = Dropout {
            probability: 0.0,
            uniform: &mut || 0.0,
        };
        let [source, target] = tokenizer.encode_pair(text, text, [&mut dropout, &mut none]);
        assert_eq!(target, plain);
        source
    };
    assert_eq!(encode(0.0, 1), plain);
    assert_eq!(
        encode(1.0, 1).ids.len(),
        text.len() + 2,
        "the first ▁, every character, the end mark"
    );
    let splits: Vec<Encoding> = (1..=20).map(|seed| encode(0.1, seed)).collect();
    assert!(
        splits
            .iter()
            .all(|split| tokenizer.decode(&split.ids) == text)
    );
    assert!(splits.iter().any(|split| split.ids.len() > plain.ids.len()));
    assert_ne!(splits[0], splits[1]);
}

#[test]
fn absurd_texts_are_encoded_whole() {
    let texts = [
        "a".repeat(1 << 20),
        "\u{301}".repeat(1 << 16),
        "\0".repeat(1 << 16),
        "the quick brown ".repeat(1 << 16),
        " ".repeat(1 << 20),
        "\u{fdfa}".repeat(1 << 12),
    ];
    let cases: BTreeMap<String, Marian> = golden("marian.json");
    for case in cases.values() {
        let tokenizer = tokenizer(case);
        for text in &texts {
            let encoding = tokenizer.encode_source(text);
            assert!(
                encoding
                    .ranges
                    .iter()
                    .flatten()
                    .all(|range| text.get(range.clone()).is_some())
            );
        }
    }
}

#[test]
fn broken_models_are_errors_that_name_the_file() {
    for (bytes, reason) in [
        (&b""[..], "unknown piece"),
        (b"<html>not found</html>", "source.spm"),
        (b"\x0a\x7f\x0a", "cut off"),
        (&field(2, &[3 << 3, 3]), "model type word"),
        (&field(1, &field(1, b"\xff")), "UTF-8"),
        (&field(1, &[]), "no text"),
    ] {
        let message = SentencePieceModel::parse("source.spm", bytes)
            .unwrap_err()
            .to_string();
        assert!(
            message.contains("source.spm") && message.contains(reason),
            "{message}"
        );
    }
}

#[test]
fn truncated_and_flipped_models_never_panic() {
    let text = "Zwei Hunde\u{301} laufen ﬁx ½ durch 日本 das Wasser! SYMBOL \u{3000} 👍🏽";
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut readable = 0;
    for name in ["bpe_bytes", "bpe_unused", "unigram_bytes", "bpe_phrases"] {
        let whole = model_bytes(name);
        for round in 0..400 {
            let mut bytes = whole.clone();
            if round % 4 == 0 {
                bytes.truncate(random(bytes.len()));
            }
            for _ in 0..random(20) {
                // Half of the damage goes where the pieces are, the other half anywhere.
                let at = random(
                    if round % 2 == 0 {
                        bytes.len()
                    } else {
                        bytes.len().min(8000)
                    }
                    .max(1),
                );
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random(8);
                }
            }
            if let Ok(model) = SentencePieceModel::parse(name, &bytes) {
                readable += 1;
                let encoded = model.encode(text);
                let is_slice = |span| text.get(encoded.source_range(span)).is_some();
                assert!(encoded.spans.iter().all(is_slice));
            }
        }
    }
    assert!(
        readable > 100,
        "only {readable} damaged models were read: the damage says nothing about encoding"
    );
}
