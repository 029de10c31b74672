//! The shared source–target subword vocabulary (§5.1), learned from the training text and written as
//! the tokenizer files of a MarianMT folder.

mod boundary;
mod learn;
mod model_file;

use crate::error::{Error, Result};
use model_file::{Description, Kind, Piece, model_bytes};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use translucent::text::spm::{Charsmap, Normalizer};

/// sentencepiece's `nmt_nfkc` rules: NFKC with the white space of web text made plain (see assets/README.md).
const NMT_NFKC: &[u8] = include_bytes!("../../assets/nmt_nfkc.bin");

const END: &str = "</s>";
const UNKNOWN: &str = "<unk>";
/// The padding piece, the last of a vocabulary.
pub const PADDING: &str = "<pad>";

/// What to learn.
#[derive(Clone, Debug)]
pub struct VocabOptions {
    /// Number of pieces, everything counted: end mark, unknown, 256 bytes, alphabet, merges, codes, padding.
    pub size: usize,
    /// Share of all characters that the alphabet covers; the rest is spelled in bytes.
    pub character_coverage: f64,
    /// Codes of target languages, which precede a source, and placeholders. As with opus-mt's codes, they are in
    /// `vocab.json` but not in the SentencePiece model.
    pub codes: Vec<String>,
}

impl VocabOptions {
    /// `size` pieces over an alphabet that covers 99.95 % of the characters.
    pub fn new(size: usize) -> Self {
        Self {
            size,
            character_coverage: 0.9995,
            codes: Vec::new(),
        }
    }
}

/// A learned vocabulary. Ids count from `</s>` = 0 and `<unk>` = 1 over the 256 bytes, the merges (most
/// frequent first), the alphabet (most frequent first) and the codes to `<pad>`, the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Vocabulary {
    /// The pieces of the SentencePiece model: all but codes and padding.
    pieces: Vec<Piece>,
    codes: Vec<String>,
    character_coverage: f64,
}

/// Learns a vocabulary from lines of text of all languages that share it.
///
/// # Errors
/// If the size leaves no room beside bytes and alphabet, or is more pieces than the text yields;
/// the message names the smallest or largest size that works.
pub fn learn<S: AsRef<str>>(
    lines: impl IntoIterator<Item = S>,
    options: &VocabOptions,
) -> Result<Vocabulary> {
    let fail = |reason: String| Err(Error::Recipe(format!("vocabulary.size: {reason}")));
    let words = count_words(lines)?;
    let alphabet = alphabet(&words, options.character_coverage);
    let fixed = 2 + 256 + alphabet.len() + options.codes.len() + 1; // end and unknown, bytes, alphabet, codes, padding
    if options.size <= fixed {
        return fail(format!(
            "{} leaves no room for merges: the special pieces, 256 bytes and the {} characters of the text need {fixed}",
            options.size,
            alphabet.len()
        ));
    }
    let wanted = options.size - fixed;
    let merges = learn::learn_merges(&words, &alphabet, wanted);
    if merges.len() < wanted {
        return fail(format!(
            "{} is more than this text gives, at most {} pieces can be learned from it",
            options.size,
            fixed + merges.len()
        ));
    }
    let special = |text: &str, kind| Piece {
        text: text.into(),
        score: 0.0,
        kind,
    };
    let mut pieces = vec![special(END, Kind::Control), special(UNKNOWN, Kind::Unknown)];
    pieces.extend((0..=255).map(|byte| special(&format!("<0x{byte:02X}>"), Kind::Byte)));
    let learned = merges
        .into_iter()
        .chain(alphabet.iter().map(char::to_string));
    pieces.extend(learned.enumerate().map(|(rank, text)| Piece {
        text,
        score: -(rank as f32),
        kind: Kind::Normal,
    }));
    Ok(Vocabulary {
        pieces,
        codes: options.codes.clone(),
        character_coverage: options.character_coverage,
    })
}

impl Vocabulary {
    /// The bytes of the SentencePiece model.
    pub fn to_model(&self) -> Vec<u8> {
        model_bytes(
            &self.pieces,
            &Description {
                charsmap: NMT_NFKC,
                normalizer: "nmt_nfkc",
                character_coverage: self.character_coverage as f32,
                eos_id: 0,
                unk_id: 1,
            },
        )
    }

    /// The bytes of `vocab.json`: each piece with its id.
    pub fn to_vocab_json(&self) -> Vec<u8> {
        let texts = self
            .pieces
            .iter()
            .map(|piece| &*piece.text)
            .chain(self.codes.iter().map(|code| &**code))
            .chain([PADDING]);
        let ids: serde_json::Map<_, _> = texts
            .zip(0u32..)
            .map(|(text, id)| (text.into(), id.into()))
            .collect();
        serde_json::Value::Object(ids).to_string().into_bytes()
    }

    /// Writes `source.spm` and `target.spm` (the same), `vocab.json` and `tokenizer_config.json` into `folder`.
    /// The languages are names like `en`.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path, source_language: &str, target_language: &str) -> Result<()> {
        let config = serde_json::json!({
            "tokenizer_class": "MarianTokenizer",
            "source_lang": source_language,
            "target_lang": target_language,
            "eos_token": END,
            "unk_token": UNKNOWN,
            "pad_token": PADDING,
            "separate_vocabs": false,
        });
        let model = self.to_model();
        for (name, bytes) in [
            ("source.spm", &model),
            ("target.spm", &model),
            ("vocab.json", &self.to_vocab_json()),
            ("tokenizer_config.json", &config.to_string().into_bytes()),
        ] {
            let path = folder.join(name);
            std::fs::write(&path, bytes).map_err(|e| Error::file(&path, e))?;
        }
        Ok(())
    }
}

/// How often each normalised word occurs, `▁` in front.
fn count_words<S: AsRef<str>>(lines: impl IntoIterator<Item = S>) -> Result<HashMap<String, u64>> {
    let charsmap = Charsmap::parse(NMT_NFKC)
        .map_err(|e| Error::Recipe(format!("built-in normaliser: {e}")))?;
    let normalizer = Normalizer::new(charsmap);
    let mut words = HashMap::new();
    for line in lines {
        let line = normalizer.normalize(line.as_ref());
        for range in line.words() {
            let word = &line.text[range];
            match words.get_mut(word) {
                Some(count) => *count += 1,
                None => {
                    words.insert(word.to_string(), 1);
                }
            }
        }
    }
    Ok(words)
}

/// The most frequent characters that together cover the given share of the text, most frequent first.
fn alphabet(words: &HashMap<String, u64>, coverage: f64) -> Vec<char> {
    let mut counts: BTreeMap<char, u64> = BTreeMap::new();
    for (word, count) in words {
        for c in word.chars() {
            *counts.entry(c).or_default() += count;
        }
    }
    let total: u64 = counts.values().sum();
    let mut sorted: Vec<(char, u64)> = counts.into_iter().collect();
    sorted.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut covered = 0;
    sorted
        .into_iter()
        .take_while(|&(_, count)| {
            let more = (covered as f64) < coverage * total as f64;
            covered += count;
            more
        })
        .map(|(c, _)| c)
        .collect()
}
