//! The run's vocabulary: learned once, kept in the run's folder, read by the core's own tokenizer.

use crate::data::lines::Pair;
use crate::error::{Error, Result};
use crate::recipe::Recipe;
use crate::vocab::{PADDING, VocabOptions, learn};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use translucent::checkpoint::write_atomically;
use translucent::text::spm::Dropout;
use translucent::text::{Tokenizer, placeholder};

/// File of the joint SentencePiece model.
pub const SPM: &str = "source.spm";
/// File of the pieces' ids.
pub const VOCAB: &str = "vocab.json";

/// A tokenizer with the files that it was read from.
pub struct Pieces {
    tokenizer: Tokenizer,
    spm: Vec<u8>,
    vocab: Vec<u8>,
}

impl Pieces {
    /// Reads the vocabulary of a run's folder; where there is none it is inherited from the folder `recipe.init`,
    /// or learned from `pairs`.
    ///
    /// # Errors
    /// If the data yields fewer pieces than the recipe asks for, or a file cannot be read or written.
    pub fn prepare(
        folder: &Path,
        recipe: &Recipe,
        pairs: impl Iterator<Item = Pair>,
    ) -> Result<Self> {
        if !folder.join(VOCAB).exists() {
            let (spm, vocab) = match &recipe.init {
                Some(model) if recipe.vocabulary.inherit => {
                    let vocab = read(&model.join(VOCAB))?;
                    let vocab = with_placeholders(&vocab, recipe.vocabulary.placeholders)
                        .map_err(|e| Error::file(model.join(VOCAB), e))?;
                    (read(&model.join(SPM))?, vocab)
                }
                _ => {
                    let lines = pairs.flat_map(|pair| [pair.source, pair.target]);
                    let placeholders = (1..=recipe.vocabulary.placeholders).map(placeholder);
                    let options = VocabOptions {
                        codes: recipe
                            .language_codes()
                            .into_iter()
                            .chain(placeholders)
                            .collect(),
                        ..VocabOptions::new(recipe.vocabulary.size)
                    };
                    let learned = learn(lines, &options)?;
                    (learned.to_model(), learned.to_vocab_json())
                }
            };
            write_atomically(&folder.join(SPM), &spm)?;
            write_atomically(&folder.join(VOCAB), &vocab)?;
        }
        let pieces = Self::read(folder)?;
        if pieces.size() != recipe.vocabulary.size {
            return Err(Error::file(
                folder.join(VOCAB),
                format!(
                    "has {} pieces, the recipe's vocabulary.size is {}: make them equal, or take another name or --runs folder",
                    pieces.size(),
                    recipe.vocabulary.size
                ),
            ));
        }
        let placeholders = pieces.tokenizer.target_vocabulary().placeholders().len();
        if placeholders != recipe.vocabulary.placeholders {
            let reason = format!(
                "has {placeholders} placeholders, the recipe's vocabulary.placeholders is {}",
                recipe.vocabulary.placeholders
            );
            return Err(Error::file(folder.join(VOCAB), reason));
        }
        for code in recipe.language_codes() {
            if pieces.tokenizer.language_code(&code).is_none() {
                let reason = format!("has no piece {code}, by which sources ask for this language");
                return Err(Error::file(folder.join(VOCAB), reason));
            }
        }
        Ok(Self {
            tokenizer: pieces
                .tokenizer
                .with_languages(Some(&recipe.source_language), recipe.only_target_language()),
            ..pieces
        })
    }

    /// Reads the vocabulary of a folder.
    ///
    /// # Errors
    /// If a file is missing or damaged.
    pub fn read(folder: &Path) -> Result<Self> {
        let (spm, vocab) = (read(&folder.join(SPM))?, read(&folder.join(VOCAB))?);
        Ok(Self {
            tokenizer: Tokenizer::from_parts(&spm, &spm, &vocab)?,
            spm,
            vocab,
        })
    }

    /// Number of pieces, padding included.
    pub fn size(&self) -> usize {
        self.tokenizer.vocab_size()
    }

    /// Pieces of a text, without end mark. One vocabulary serves both languages.
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let mut ids = self.tokenizer.encode_source(text).ids;
        ids.pop_if(|id| *id == self.tokenizer.eos_id());
        ids
    }

    /// Pieces of a sentence pair, without end marks, with BPE-dropout: `seed` decides which merges are left out. What
    /// stands on both sides unchanged becomes placeholders, if the vocabulary has any.
    pub fn encode_pair(&self, pair: &Pair, probability: f32, seed: u64) -> [Vec<u32>; 2] {
        let [mut of_source, mut of_target] =
            [2 * seed, 2 * seed + 1].map(ChaCha8Rng::seed_from_u64);
        let encodings = self.tokenizer.encode_pair(
            &pair.source,
            &pair.target,
            [
                &mut Dropout {
                    probability,
                    uniform: &mut || of_source.random(),
                },
                &mut Dropout {
                    probability,
                    uniform: &mut || of_target.random(),
                },
            ],
        );
        encodings.map(|mut encoding| {
            encoding.ids.pop_if(|id| *id == self.tokenizer.eos_id());
            encoding.ids
        })
    }

    /// A piece as printed, spaces written as `▁`.
    pub fn piece(&self, id: u32) -> &str {
        self.tokenizer.piece(id)
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// Bytes of the SentencePiece model.
    pub fn spm(&self) -> &[u8] {
        &self.spm
    }

    /// Bytes of `vocab.json`.
    pub fn vocab(&self) -> &[u8] {
        &self.vocab
    }
}

/// A `vocab.json` with so many placeholders: those that it lacks come before its padding, which stays the last piece.
fn with_placeholders(vocab: &[u8], placeholders: usize) -> serde_json::Result<Vec<u8>> {
    let mut ids: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(vocab)?;
    let missing = (1..=placeholders).map(placeholder);
    for piece in missing
        .filter(|piece| !ids.contains_key(piece))
        .collect::<Vec<_>>()
    {
        let next = ids.len();
        let padding = ids.insert(PADDING.into(), next.into());
        ids.insert(piece, padding.unwrap_or_else(|| next.into()));
    }
    serde_json::to_vec(&ids)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|e| Error::file(path, e))
}
