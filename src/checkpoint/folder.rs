//! A model folder: its files as bytes, wherever they come from, and the model that they make.

use super::config_json::{self, CONFIG, Described};
use super::generation_json::{self, GENERATION_CONFIG};
use super::weights::{self, WEIGHTS};
use super::{Precision, Tensors, layout, marian};
use crate::model::Transformer;
use crate::search::SearchOptions;
use crate::text::Tokenizer;
use crate::{Config, Error, Result};
use std::io::Write;
use std::path::Path;

/// The files of a model folder, as bytes. The page fetches them, [`ModelFiles::from_dir`] reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelFiles {
    /// `config.json`.
    pub config: Vec<u8>,
    /// `model.safetensors`.
    pub weights: Vec<u8>,
    /// `source.spm`: the SentencePiece model of the source language.
    pub source_spm: Vec<u8>,
    /// `target.spm`, where it differs from `source.spm`.
    pub target_spm: Option<Vec<u8>>,
    /// `vocab.json`: ids of the pieces.
    pub vocab: Vec<u8>,
    /// `target_vocab.json`, where the target language has a vocabulary of its own.
    pub target_vocab: Option<Vec<u8>>,
    /// `generation_config.json`, if the folder has one.
    pub generation_config: Option<Vec<u8>>,
}

impl ModelFiles {
    /// Reads a folder's files.
    ///
    /// # Errors
    /// [`Error::Io`] naming the file that is missing or cannot be read.
    pub fn from_dir(dir: impl AsRef<Path>) -> Result<Self> {
        let dir = dir.as_ref();
        let file = |name: &str| read_file(&dir.join(name));
        let maybe = |name: &str| match dir.join(name).try_exists() {
            Ok(false) => Ok(None),
            _ => file(name).map(Some),
        };
        let source_spm = file("source.spm")?;
        Ok(Self {
            config: file(CONFIG)?,
            weights: file(WEIGHTS)?,
            target_spm: maybe("target.spm")?.filter(|target| *target != source_spm),
            source_spm,
            vocab: file("vocab.json")?,
            target_vocab: maybe("target_vocab.json")?,
            generation_config: maybe(GENERATION_CONFIG)?,
        })
    }

    /// Reads what the folder says of its model: configuration, and how it wants to be searched.
    ///
    /// # Errors
    /// [`Error::ConfigInvalid`] or [`Error::RequestInvalid`] naming file and key.
    pub fn describe(&self) -> Result<(Described, SearchOptions)> {
        let mut described = config_json::read(&self.config)?;
        let search = generation_json::read(self.generation_config.as_deref(), &mut described)?;
        Ok((described, search))
    }

    /// Reads the tensors: exactly those that the configuration asks for, all values finite.
    ///
    /// # Errors
    /// [`Error::ModelFormat`] or [`Error::ShapeMismatch`] naming the file or the tensor and what would be right.
    pub fn tensors(&self, described: &Described) -> Result<Tensors> {
        read_tensors(&self.weights, described)
    }

    /// Reads the tokenizer.
    ///
    /// # Errors
    /// [`Error::TokenizerFormat`] naming the file and what is wrong with it.
    pub fn tokenizer(&self) -> Result<Tokenizer> {
        let target_spm = self.target_spm.as_deref().unwrap_or(&self.source_spm);
        match &self.target_vocab {
            None => Tokenizer::from_parts(&self.source_spm, target_spm, &self.vocab),
            Some(target) => {
                Tokenizer::from_separate_parts(&self.source_spm, target_spm, &self.vocab, target)
            }
        }
    }

    /// Builds the model with its tokenizer.
    ///
    /// # Errors
    /// Those of [`Self::describe`], [`Self::tokenizer`] and [`Self::tensors`], and
    /// [`Error::TokenizerFormat`] if the tokenizer has not the configuration's pieces.
    pub fn load(&self) -> Result<Model> {
        let (described, search) = self.describe()?;
        let tokenizer = self.tokenizer()?;
        check_pieces(&tokenizer, &described.config)?;
        let mut tensors = self.tensors(&described)?;
        Ok(Model {
            transformer: Transformer::from_tensors(described.config, &mut tensors)?,
            tokenizer,
            search,
            precision: described.precision,
        })
    }
}

/// A model folder, ready for use.
pub struct Model {
    /// The model.
    pub transformer: Transformer,
    /// Its tokenizer.
    pub tokenizer: Tokenizer,
    /// How it wants to be searched.
    pub search: SearchOptions,
    /// How the folder stores its matrices.
    pub precision: Precision,
}

/// Opens a model folder.
///
/// # Errors
/// [`Error::Io`] naming the file that cannot be read; else as [`ModelFiles::load`].
pub fn open(dir: impl AsRef<Path>) -> Result<Model> {
    ModelFiles::from_dir(dir)?.load()
}

/// A tokenizer with other pieces than the model's would ask for rows that no matrix has.
fn check_pieces(tokenizer: &Tokenizer, config: &Config) -> Result<()> {
    let sizes = [
        (
            "vocab.json",
            tokenizer.source_vocabulary().len(),
            config.vocab_size,
        ),
        (
            "target vocabulary",
            tokenizer.vocab_size(),
            config.target_vocab(),
        ),
    ];
    for (name, found, wanted) in sizes {
        if found != wanted {
            let reason = format!("has {found} pieces, {CONFIG} says {wanted}");
            return Err(Error::TokenizerFormat {
                name: name.into(),
                reason,
            });
        }
    }
    if tokenizer.eos_id() != config.eos_id {
        let (found, wanted) = (tokenizer.eos_id(), config.eos_id);
        let reason = format!("gives </s> the id {found}, {CONFIG} (eos_token_id) says {wanted}");
        return Err(Error::TokenizerFormat {
            name: "vocab.json".into(),
            reason,
        });
    }
    Ok(())
}

fn read_tensors(bytes: &[u8], described: &Described) -> Result<Tensors> {
    let config = &described.config;
    let tensors = marian::normalise(weights::read(bytes)?, config, described.tied_projection)?;
    tensors.check(config)?;
    for entry in layout(config) {
        let found = tensors.get(&entry.name).map(super::Tensor::is_int8);
        let wanted = described.precision == Precision::Int8 && entry.role.is_quantised();
        if found.is_some_and(|found| found != wanted) {
            let (found, wanted) = if wanted {
                ("floating point", "I8")
            } else {
                ("I8", "floating point")
            };
            return Err(Error::ModelFormat {
                name: entry.name,
                reason: format!("is {found}, {CONFIG} (quantization) makes it {wanted}"),
            });
        }
    }
    Ok(tensors)
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
/// decide the precision: int8 matrices make an int8 folder. Each file is replaced in one piece,
/// `config.json` last; other files of the folder stay.
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
    config.validate()?;
    tensors.check(config)?;
    let int8 = tensors.iter().any(|(_, tensor)| tensor.is_int8());
    let precision = if int8 {
        Precision::Int8
    } else {
        Precision::F32
    };
    let dir = dir.as_ref();
    std::fs::create_dir_all(dir).map_err(|error| io(dir, error))?;
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
    for (name, bytes) in [
        ("source.spm", tokenizer.spm),
        ("target.spm", tokenizer.spm),
        ("vocab.json", tokenizer.vocab),
        ("tokenizer_config.json", &tokenizer_config),
        (WEIGHTS, &weights::write(tensors)?),
        (GENERATION_CONFIG, &generation_json::write(config, search)),
        (CONFIG, &config_json::write(config, precision)),
    ] {
        write_atomically(&dir.join(name), bytes)?;
    }
    Ok(())
}

/// Writes a file so that, whatever happens, either its old or its new content is there: under
/// another name in the same folder, synced, then renamed.
///
/// # Errors
/// [`Error::Io`] naming the file.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = std::fs::File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&temporary, path));
    written.map_err(|error| {
        // The first failure is the one to tell of; a leftover is harmless.
        let _ = std::fs::remove_file(&temporary);
        io(path, error)
    })
}

fn read_file(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| io(path, error))
}

fn io(path: &Path, source: std::io::Error) -> Error {
    Error::Io {
        path: path.display().to_string(),
        source,
    }
}
