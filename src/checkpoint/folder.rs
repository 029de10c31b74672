//! A model folder on disk: opened, and written.

use super::config_json::Storage;
use super::config_json::{self, CONFIG};
use super::generation_json::{self, GENERATION_CONFIG};
use super::weights::{self, WEIGHTS};
use super::{FileSource, FloatType, FolderWriter, Model, ModelFiles, Tensors};
use crate::search::SearchOptions;
use crate::{Config, Error, Result};
use std::path::Path;

/// Opens a model folder.
///
/// # Errors
/// As [`ModelFiles::from_dir`] and [`ModelFiles::load`].
pub fn open(dir: impl AsRef<Path>) -> Result<Model> {
    ModelFiles::from_dir(dir)?.load()
}

impl ModelFiles {
    /// Reads the files of a folder.
    ///
    /// # Errors
    /// As [`ModelFiles::gather`], and [`Error::Io`] naming the file that cannot be read.
    pub fn from_dir(dir: impl AsRef<Path>) -> Result<Self> {
        let dir = dir.as_ref();
        if !dir.is_dir() {
            return Err(Error::io(dir, std::io::ErrorKind::NotADirectory.into()));
        }
        Self::gather(&Folder(dir))
    }
}

struct Folder<'p>(&'p Path);

impl FileSource for Folder<'_> {
    type Weights = Vec<u8>;

    fn size(&self, name: &str) -> Result<Option<u64>> {
        let path = self.0.join(name);
        match std::fs::metadata(&path) {
            Ok(found) if found.is_file() => Ok(Some(found.len())),
            // A pipe or a device has no end.
            Ok(_) => Err(Error::io(
                &path,
                std::io::Error::new(std::io::ErrorKind::InvalidInput, "is no regular file"),
            )),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io(&path, error)),
        }
    }

    fn read(&self, name: &str) -> Result<Vec<u8>> {
        let path = self.0.join(name);
        std::fs::read(&path).map_err(|error| Error::io(&path, error))
    }

    fn weights(&self, name: &str) -> Result<Vec<u8>> {
        self.read(name)
    }
}

/// What [`save`] writes of the tokenizer.
#[derive(Clone, Copy, Debug)]
pub struct TokenizerFiles<'a> {
    /// The joint SentencePiece model: written as `source.spm` and `target.spm`.
    pub spm: &'a [u8],
    /// `vocab.json`.
    pub vocab: &'a [u8],
    /// ISO code of the source language, e.g. `en`.
    pub source_language: &'a str,
    /// ISO code of the target language, e.g. `de`.
    pub target_language: &'a str,
}

/// Writes a model folder; `transformers` opens it if Marian can express the configuration. Tensors
/// decide the precision: int8 matrices make an int8 folder. It is written as by [`FolderWriter`]; other files of
/// the folder stay.
///
/// # Errors
/// If the tensors are not those of the configuration, or a file cannot be written.
pub fn save(
    dir: impl AsRef<Path>,
    config: &Config,
    tensors: &Tensors,
    search: &SearchOptions,
    tokenizer: TokenizerFiles<'_>,
) -> Result<()> {
    let files = folder_files(config, tensors, search, tokenizer)?;
    let folder = FolderWriter::create(dir.as_ref())?;
    for (name, bytes) in files {
        folder.write(name, &bytes)?;
    }
    folder.commit()
}

/// The files of a model folder, with their names.
///
/// # Errors
/// If the tensors are not those of the configuration.
pub fn folder_files(
    config: &Config,
    tensors: &Tensors,
    search: &SearchOptions,
    tokenizer: TokenizerFiles<'_>,
) -> Result<Vec<(&'static str, Vec<u8>)>> {
    config.validate()?;
    tensors.check(config)?;
    let storage = Storage::of(tensors, FloatType::F32);
    let tokenizer_config = super::pretty(&serde_json::json!({
        "tokenizer_class": "MarianTokenizer",
        "source_lang": tokenizer.source_language,
        "target_lang": tokenizer.target_language,
        "model_max_length": config.max_positions,
        "separate_vocabs": false,
        "eos_token": "</s>",
        "unk_token": "<unk>",
        "pad_token": "<pad>",
    }));
    Ok(vec![
        ("source.spm", tokenizer.spm.to_vec()),
        ("target.spm", tokenizer.spm.to_vec()),
        ("vocab.json", tokenizer.vocab.to_vec()),
        ("tokenizer_config.json", tokenizer_config),
        (WEIGHTS, weights::write(tensors, FloatType::F32)?),
        (GENERATION_CONFIG, generation_json::write(config, search)),
        (CONFIG, config_json::write(config, storage)),
    ])
}
