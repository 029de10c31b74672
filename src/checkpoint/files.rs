//! The files of a model folder as bytes, wherever they come from, and the model that they make.

use super::config_json::{self, CONFIG, Described};
use super::generation_json::{self, GENERATION_CONFIG};
use super::weights::{
    Catalogue, Content, Dtype, PYTORCH_WEIGHTS, Reading, WEIGHTS, WEIGHTS_INDEX, WeightFile,
};
use super::{Model, Precision, Role, Tensors, layout, marian};
use crate::model::Transformer;
use crate::search::SearchOptions;
use crate::text::Tokenizer;
use crate::{Config, Error, Result};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Weights of more bytes are not read: the largest Marian models have 1 GB, and 2 GB is the most that a browser
/// gives in one piece.
const MOST_WEIGHTS: u64 = 1 << 31;
/// The same for all other files: the largest vocabularies have a few megabytes.
const MOST_OTHERS: u64 = 1 << 26;

/// Where the files of a model folder come from.
pub trait FileSource {
    /// How files of weights lie there.
    type Weights: Content;

    /// Length of a file in bytes; `None` if there is none of that name.
    ///
    /// # Errors
    /// If the size cannot be read.
    fn size(&self, name: &str) -> Result<Option<u64>>;

    /// Content of a file that is there.
    ///
    /// # Errors
    /// If it cannot be read.
    fn read(&self, name: &str) -> Result<Vec<u8>>;

    /// A file of weights that is there.
    ///
    /// # Errors
    /// If it cannot be read.
    fn weights(&self, name: &str) -> Result<Self::Weights>;
}

/// The files of a model folder, as bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelFiles<C = Vec<u8>> {
    /// `config.json`.
    pub config: Vec<u8>,
    /// `model.safetensors`, or its parts, or `pytorch_model.bin`.
    pub weights: Vec<WeightFile<C>>,
    /// `source.spm`: the SentencePiece model of the source language.
    pub source_spm: Vec<u8>,
    /// `target.spm`, where it differs from `source.spm`.
    pub target_spm: Option<Vec<u8>>,
    /// `vocab.json`: ids of the pieces.
    pub vocab: Vec<u8>,
    /// `target_vocab.json`, where the target language has a separate vocabulary.
    pub target_vocab: Option<Vec<u8>>,
    /// `generation_config.json`, if the folder has one.
    pub generation_config: Option<Vec<u8>>,
}

impl<C: Content> ModelFiles<C> {
    /// Reads a folder's files. Weights are taken from `model.safetensors`, or from the files that
    /// `model.safetensors.index.json` names, or from `pytorch_model.bin`, the first that is there.
    ///
    /// # Errors
    /// [`Error::ModelFormat`] naming the file that is missing or larger than any model's; whatever the source reports.
    pub fn gather(source: &impl FileSource<Weights = C>) -> Result<Self> {
        let source_spm = needed(source, "source.spm")?;
        Ok(Self {
            config: needed(source, CONFIG)?,
            target_spm: optional(source, "target.spm")?.filter(|target| *target != source_spm),
            source_spm,
            vocab: needed(source, "vocab.json")?,
            target_vocab: optional(source, "target_vocab.json")?,
            generation_config: optional(source, GENERATION_CONFIG)?,
            weights: weight_files(source)?,
        })
    }

    /// Reads the model's configuration and search options.
    ///
    /// # Errors
    /// [`Error::ConfigInvalid`] or [`Error::RequestInvalid`] naming file and key.
    pub fn describe(&self) -> Result<(Described, SearchOptions)> {
        let mut described = config_json::read(&self.config)?;
        let search = generation_json::read(self.generation_config.as_deref(), &mut described)?;
        Ok((described, search))
    }

    /// Reads the tensors: exactly those of the configuration, all values finite.
    ///
    /// # Errors
    /// [`Error::ModelFormat`] or [`Error::ShapeMismatch`] naming the file or the tensor and what would be right.
    pub fn tensors(&self, described: &Described) -> Result<Tensors> {
        self.catalogue(described)?.read_all()
    }

    /// The tensors of the configuration, checked but for their values.
    ///
    /// # Errors
    /// As [`Self::tensors`].
    pub fn catalogue(&self, described: &Described) -> Result<Catalogue<'_>> {
        checked(Catalogue::of_files(&self.weights)?, described)
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
        let parts = self.parts()?;
        let catalogue = self.catalogue(&parts.0)?;
        Loading::new(parts, catalogue).finish()
    }

    /// Configuration, search options and tokenizer.
    fn parts(&self) -> Result<Parts> {
        let (mut described, search) = self.describe()?;
        let tokenizer = self.tokenizer()?;
        check_pieces(&tokenizer, &described.config)?;
        let config = &described.config;
        let tokenizer = tokenizer.with_languages(
            config.source_language.as_deref(),
            config.target_language.as_deref(),
        );
        described.config.placeholder_ids = tokenizer.target_vocabulary().placeholders().to_vec();
        described.config.validate()?;
        Ok((described, search, tokenizer))
    }
}

impl<C: Content + Clone + 'static> ModelFiles<C> {
    /// Begins to build the model, so that other work can be done between two steps.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn loading(&self) -> Result<Loading<'static>> {
        let parts = self.parts()?;
        let catalogue = self.owned_catalogue(&parts.0)?;
        Ok(Loading::new(parts, catalogue))
    }

    /// As [`Self::catalogue`], for work that outlives these files.
    pub(super) fn owned_catalogue(&self, described: &Described) -> Result<Catalogue<'static>> {
        let files = self.weights.iter();
        let files = files.map(|file| {
            let content: Rc<dyn Content> = Rc::new(file.bytes.clone());
            (&*file.name, content)
        });
        checked(Catalogue::of_all(files)?, described)
    }
}

/// Configuration, search options and tokenizer of a model.
type Parts = (Described, SearchOptions, Tokenizer);

/// The building of a model as a value that is stepped.
pub struct Loading<'a> {
    described: Described,
    search: SearchOptions,
    tokenizer: Tokenizer,
    reading: Reading<'a>,
}

impl<'a> Loading<'a> {
    fn new((described, search, tokenizer): Parts, catalogue: Catalogue<'a>) -> Self {
        let weights = layout(&described.config)
            .into_iter()
            .filter(|entry| matches!(entry.role, Role::Embedding | Role::Matrix));
        Self {
            reading: Reading::new(catalogue, weights.map(|entry| entry.name).collect()),
            described,
            search,
            tokenizer,
        }
    }

    /// Reads some of the weights; returns whether there were any.
    ///
    /// # Errors
    /// As [`ModelFiles::load`].
    pub fn step(&mut self) -> Result<bool> {
        self.reading.step()
    }

    /// Reads what is left.
    ///
    /// # Errors
    /// As [`ModelFiles::load`].
    pub fn finish(self) -> Result<Model> {
        let mut tensors = self.reading.finish()?;
        Ok(Model {
            transformer: Transformer::from_tensors(self.described.config, &mut tensors)?,
            tokenizer: self.tokenizer,
            search: self.search,
            precision: self.described.precision,
        })
    }
}

/// The tensors of a configuration under their names, checked but for their values.
fn checked<'a>(mut catalogue: Catalogue<'a>, described: &Described) -> Result<Catalogue<'a>> {
    let config = &described.config;
    marian::normalise(&mut catalogue, config, described.tied_projection)?;
    let shapes = catalogue
        .iter()
        .map(|(name, stored)| (name, stored.shape()));
    super::tensors::check_shapes(config, shapes)?;
    check_precision(&catalogue, described)?;
    Ok(catalogue)
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

fn check_precision(catalogue: &Catalogue<'_>, described: &Described) -> Result<()> {
    for entry in layout(&described.config) {
        // Learned positions may be of either type in an int8 folder: older ones store them in floating point.
        if described.precision == Precision::Int8 && entry.role == Role::Positions {
            continue;
        }
        let found = catalogue
            .get(&entry.name)
            .map(|stored| *stored.dtype() == Dtype::I8);
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
    Ok(())
}

fn needed(source: &impl FileSource, name: &str) -> Result<Vec<u8>> {
    match optional(source, name)? {
        Some(bytes) => Ok(bytes),
        None => missing(name, "a Marian model needs it".into()),
    }
}

fn optional(source: &impl FileSource, name: &str) -> Result<Option<Vec<u8>>> {
    match source.size(name)? {
        None => Ok(None),
        Some(size) => {
            check_size(name, size, MOST_OTHERS)?;
            source.read(name).map(Some)
        }
    }
}

/// Whether a file is too large for one of its name.
fn check_size(name: &str, size: u64, most: u64) -> Result<()> {
    if size > most {
        let gigabytes = size as f64 / 1e9;
        return Err(Error::ModelFormat {
            name: name.to_owned(),
            reason: format!(
                "has {size} bytes ({gigabytes:.1} GB), no more than {most} are read of such a file"
            ),
        });
    }
    Ok(())
}

fn weight_files<S: FileSource>(source: &S) -> Result<Vec<WeightFile<S::Weights>>> {
    let mut room = MOST_WEIGHTS;
    let mut file = |name: &str| {
        let Some(size) = source.size(name)? else {
            return Ok(None);
        };
        check_size(name, size, room)?;
        room -= size;
        Ok(Some(WeightFile {
            name: name.to_owned(),
            bytes: source.weights(name)?,
        }))
    };
    if let Some(whole) = file(WEIGHTS)? {
        return Ok(vec![whole]);
    }
    if let Some(index) = optional(source, WEIGHTS_INDEX)? {
        let mut parts = Vec::new();
        for name in parts_of(&index)? {
            match file(&name)? {
                Some(part) => parts.push(part),
                None => {
                    return missing(
                        &name,
                        format!("{WEIGHTS_INDEX} says that tensors are in it"),
                    );
                }
            }
        }
        return Ok(parts);
    }
    match file(PYTORCH_WEIGHTS)? {
        Some(whole) => Ok(vec![whole]),
        None => missing(
            WEIGHTS,
            format!("and so is {PYTORCH_WEIGHTS}: one of them has the model's weights"),
        ),
    }
}

/// The files that a `model.safetensors.index.json` names.
fn parts_of(index: &[u8]) -> Result<BTreeSet<String>> {
    let bad = |reason: String| Error::ModelFormat {
        name: WEIGHTS_INDEX.to_owned(),
        reason,
    };
    let index: serde_json::Value =
        serde_json::from_slice(index).map_err(|error| bad(format!("is no JSON: {error}")))?;
    let map = index["weight_map"].as_object();
    let files = map.map(|map| {
        map.values()
            .map(|file| file.as_str().map(str::to_owned))
            .collect()
    });
    let files: BTreeSet<String> = files
        .flatten()
        .ok_or_else(|| bad("has no weight_map from tensors to files".into()))?;
    // A name with a path in it would lead out of the folder.
    if let Some(name) = files.iter().find(|name| name.contains(['/', '\\'])) {
        return Err(bad(format!(
            "names {name:?}, it must name files of this folder"
        )));
    }
    Ok(files)
}

fn missing<T>(name: &str, why: String) -> Result<T> {
    Err(Error::ModelFormat {
        name: name.to_owned(),
        reason: format!("is missing, {why}"),
    })
}
