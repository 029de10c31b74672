//! SentencePiece models and vocabularies of a few pieces.

use arbitrary::{Result, Unstructured};
use serde_json::json;

/// Texts of pieces: words, parts of words, signs, and what normalisation treats in its own way.
const PIECES: [&str; 24] = [
    "▁",
    "a",
    "b",
    "c",
    "e",
    "n",
    "▁a",
    "an",
    "en",
    "ab",
    "▁the",
    "▁dog",
    "s",
    "ing",
    ".",
    "!",
    "▁日本",
    "é",
    "ﬁ",
    "½",
    "👍",
    "▁▁",
    "a▁b",
    ">>de<<",
];

/// A tokenizer's files.
pub struct Tokenizer {
    /// `source.spm`.
    pub spm: Vec<u8>,
    /// `vocab.json`.
    pub vocab: Vec<u8>,
    /// Number of pieces of the vocabulary.
    pub len: usize,
    /// Id of `</s>`.
    pub eos_id: u32,
    /// Id of `<pad>`.
    pub pad_id: u32,
}

/// A field of a protobuf message with a payload of bytes.
fn bytes(field: u8, payload: &[u8]) -> Vec<u8> {
    let mut out = vec![field << 3 | 2];
    let mut length = payload.len();
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
    out.extend_from_slice(payload);
    out
}

/// A field of a protobuf message with a small number.
fn number(field: u8, value: u8) -> Vec<u8> {
    let key = u16::from(field) << 3;
    if key < 0x80 {
        return vec![key as u8, value];
    }
    vec![key as u8 | 0x80, (key >> 7) as u8, value]
}

fn piece(text: &str, score: f32, kind: u8) -> Vec<u8> {
    let mut message = bytes(1, text.as_bytes());
    message.push(2 << 3 | 5);
    message.extend_from_slice(&score.to_le_bytes());
    message.extend(number(3, kind));
    bytes(1, &message)
}

impl Tokenizer {
    /// A tokenizer that these choices make.
    pub fn choose(choices: &mut Unstructured) -> Result<Self> {
        let has_bytes = choices.ratio(1, 8)?;
        let mut pieces = vec![("<unk>".to_owned(), 0.0, 2), ("</s>".into(), 0.0, 3)];
        for text in PIECES {
            if choices.ratio(3, 4)? {
                let score = -f32::from(choices.int_in_range(0..=40u8)?) / 4.0;
                let kind = if choices.ratio(1, 16)? {
                    *choices.choose(&[4, 5])?
                } else {
                    1
                };
                pieces.push((text.into(), score, kind));
            }
        }
        if has_bytes {
            pieces.extend((0..=255u8).map(|byte| (format!("<0x{byte:02X}>"), 0.0, 6)));
        }
        let mut spm: Vec<u8> = pieces
            .iter()
            .flat_map(|(text, score, kind)| piece(text, *score, *kind))
            .collect();
        let mut trainer = number(3, choices.int_in_range(1..=2)?);
        trainer.extend(number(24, u8::from(choices.ratio(1, 8)?)));
        trainer.extend(number(35, u8::from(has_bytes)));
        spm.extend(bytes(2, &trainer));
        let normalizer: Vec<u8> = [3, 4, 5]
            .into_iter()
            .flat_map(|field| number(field, 1))
            .collect();
        spm.extend(bytes(3, &normalizer));

        // The vocabulary may lack pieces of the model, and have others.
        let mut names: Vec<String> = Vec::new();
        for (text, ..) in pieces {
            if matches!(text.as_str(), "<unk>" | "</s>") || choices.ratio(15, 16)? {
                names.push(text);
            }
        }
        names.push("<pad>".into());
        if choices.ratio(1, 8)? {
            names.push("▁extra".into());
        }
        let turned = choices.choose_index(names.len())?;
        names.rotate_left(turned);
        let id = |name: &str| names.iter().position(|other| other == name).unwrap_or(0) as u32;
        let entries: serde_json::Map<_, _> = names
            .iter()
            .cloned()
            .zip((0..).map(|id: u32| json!(id)))
            .collect();
        Ok(Self {
            spm,
            eos_id: id("</s>"),
            pad_id: id("<pad>"),
            len: names.len(),
            vocab: serde_json::Value::Object(entries).to_string().into_bytes(),
        })
    }
}
