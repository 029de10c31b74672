//! The tokenizer of a Marian model folder: SentencePiece splits, `vocab.json` numbers.

use super::decode::{Decoded, Decoder};
use super::spm::{Dropout, EncodedText, SentencePieceModel};
use super::vocabulary::Vocabulary;
use crate::Result;
use std::ops::Range;
use std::sync::Arc;

/// Splits text into pieces and gives them their ids, as `transformers`' `MarianTokenizer` does, but that
/// special pieces written out in a text (`</s>`) are text like any other.
#[derive(Clone, Debug)]
pub struct Tokenizer {
    source: Arc<Side>,
    target: Arc<Side>,
}

/// The pieces of one side's texts.
#[derive(Debug)]
struct Side {
    model: SentencePieceModel,
    vocabulary: Arc<Vocabulary>,
    /// SentencePiece id → id in the vocabulary, where it has one.
    ids: Vec<Option<u32>>,
}

/// An encoded text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// Its pieces; the end mark is last.
    pub ids: Vec<u32>,
    /// The byte range of the original text that each piece was made from, with the space before a word;
    /// `None` for the end mark. A character that became several pieces (by normalisation, or because it is
    /// written as bytes) counts whole for each of them.
    pub ranges: Vec<Option<Range<usize>>>,
}

impl Tokenizer {
    /// Reads `source.spm`, `target.spm` and `vocab.json`.
    ///
    /// # Errors
    /// [`crate::Error::TokenizerFormat`] naming the file and what is wrong with it.
    pub fn from_parts(source_spm: &[u8], target_spm: &[u8], vocab_json: &[u8]) -> Result<Self> {
        let vocabulary = Arc::new(Vocabulary::parse("vocab.json", vocab_json)?);
        let source = Side::new("source.spm", source_spm, vocabulary.clone())?;
        if source_spm == target_spm {
            let source = Arc::new(source);
            return Ok(Self {
                target: source.clone(),
                source,
            });
        }
        let target = Side::new("target.spm", target_spm, vocabulary)?;
        Ok(Self {
            source: Arc::new(source),
            target: Arc::new(target),
        })
    }

    /// Reads the files of a model with separate vocabularies: `target_vocab.json` numbers the target's pieces.
    ///
    /// # Errors
    /// [`crate::Error::TokenizerFormat`] naming the file and what is wrong with it.
    pub fn from_separate_parts(
        source_spm: &[u8],
        target_spm: &[u8],
        vocab_json: &[u8],
        target_vocab_json: &[u8],
    ) -> Result<Self> {
        let source = Vocabulary::parse("vocab.json", vocab_json)?;
        let target = Vocabulary::parse("target_vocab.json", target_vocab_json)?;
        Ok(Self {
            source: Arc::new(Side::new("source.spm", source_spm, Arc::new(source))?),
            target: Arc::new(Side::new("target.spm", target_spm, Arc::new(target))?),
        })
    }

    /// Encodes a text to translate. A language code (`>>de<<`) at its start, by which models with several target
    /// languages take as the target language, is one piece: `<unk>` where the vocabulary does not have it.
    pub fn encode_source(&self, text: &str) -> Encoding {
        self.source.encode(text, None)
    }

    /// The piece of the language code that a text begins with, if the vocabulary has it.
    pub fn language_code(&self, text: &str) -> Option<u32> {
        let (id, _) = self.source.language_code(text)?;
        Some(id).filter(|id| *id != self.source.vocabulary.unk_id())
    }

    /// Encodes a text in the target language.
    pub fn encode_target(&self, text: &str) -> Encoding {
        self.target.encode(text, None)
    }

    /// [`Self::encode_source`] with BPE-dropout, for training.
    pub fn encode_source_with_dropout(&self, text: &str, dropout: &mut Dropout) -> Encoding {
        self.source.encode(text, Some(dropout))
    }

    /// [`Self::encode_target`] with BPE-dropout, for training.
    pub fn encode_target_with_dropout(&self, text: &str, dropout: &mut Dropout) -> Encoding {
        self.target.encode(text, Some(dropout))
    }

    /// The text of target pieces; special pieces are left out.
    pub fn decode(&self, ids: &[u32]) -> String {
        self.decode_with_ranges(ids).text
    }

    /// The text of target pieces, and where in it each of them is.
    pub fn decode_with_ranges(&self, ids: &[u32]) -> Decoded {
        let mut decoder = Decoder::default();
        for &id in ids {
            if self.target.vocabulary.is_special(id) {
                decoder.skip();
            } else {
                decoder.push(self.target.vocabulary.piece(id));
            }
        }
        decoder.finish()
    }

    /// The source's pieces.
    pub fn source_vocabulary(&self) -> &Vocabulary {
        &self.source.vocabulary
    }

    /// The target's pieces; the source's as well, unless the vocabularies are separate.
    pub fn target_vocabulary(&self) -> &Vocabulary {
        &self.target.vocabulary
    }

    /// Number of target pieces.
    pub fn vocab_size(&self) -> usize {
        self.target.vocabulary.len()
    }

    /// A target piece as printed, spaces written as `▁`; empty for an id outside the vocabulary.
    pub fn piece(&self, id: u32) -> &str {
        self.target.vocabulary.piece(id)
    }

    /// For each target piece the index of the word that it belongs to ([`Vocabulary::words`]).
    pub fn words(&self, ids: &[u32]) -> Vec<Option<u32>> {
        self.target.vocabulary.words(ids)
    }

    /// The end mark of the target, `</s>`.
    pub fn eos_id(&self) -> u32 {
        self.target.vocabulary.eos_id()
    }

    /// The target's unknown piece, `<unk>`.
    pub fn unk_id(&self) -> u32 {
        self.target.vocabulary.unk_id()
    }

    /// The target's padding piece, `<pad>`.
    pub fn pad_id(&self) -> u32 {
        self.target.vocabulary.pad_id()
    }
}

impl Side {
    fn new(name: &str, spm: &[u8], vocabulary: Arc<Vocabulary>) -> Result<Self> {
        let model = SentencePieceModel::parse(name, spm)?;
        let pieces = model.pieces().iter();
        Ok(Self {
            ids: pieces.map(|piece| vocabulary.id(&piece.text)).collect(),
            model,
            vocabulary,
        })
    }

    fn encode(&self, text: &str, dropout: Option<&mut Dropout>) -> Encoding {
        let mut encoding = Encoding::default();
        let code = self.language_code(text);
        if let Some((id, len)) = code {
            encoding.push(id, Some(0..len));
        }
        let start = code.map_or(0, |(_, len)| len);
        let encoded = match dropout {
            Some(dropout) => self.model.encode_with_dropout(&text[start..], dropout),
            None => self.model.encode(&text[start..]),
        };
        for span in &encoded.spans {
            let range = encoded.source_range(span);
            encoding.push(
                self.id(&encoded, span),
                Some(start + range.start..start + range.end),
            );
        }
        encoding.push(self.vocabulary.eos_id(), None);
        encoding
    }

    /// A span's id. What SentencePiece does not know may still be a piece of the vocabulary, which in a
    /// shared one holds the other side's pieces as well.
    fn id(&self, encoded: &EncodedText, span: &super::spm::Span) -> u32 {
        let id = if span.id == self.model.unknown_id() {
            self.vocabulary.id(encoded.surface(span))
        } else {
            self.ids[span.id as usize]
        };
        id.unwrap_or(self.vocabulary.unk_id())
    }

    /// The language code that a text starts with, and its length.
    fn language_code(&self, text: &str) -> Option<(u32, usize)> {
        if !text.starts_with(">>") {
            return None;
        }
        let len = text.find("<<")? + 2;
        let id = self.vocabulary.id(&text[..len]);
        Some((id.unwrap_or(self.vocabulary.unk_id()), len))
    }
}

impl Encoding {
    fn push(&mut self, id: u32, range: Option<Range<usize>>) {
        self.ids.push(id);
        self.ranges.push(range);
    }
}
