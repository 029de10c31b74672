//! Preparation of a run: vocabulary, ids of all files.

mod ids;

use crate::data::batch::SpecialIds;
use crate::data::batches::Weighted;
use crate::data::lines::{Pair, pairs_of_parallel, pairs_of_tsv, read_tsv};
use crate::data::plan::Limits;
use crate::dual_score::keep_best;
use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::pieces::Pieces;
use crate::probes;
use crate::recipe::{Recipe, TrainingFile, language_code};
use crate::validation::DevelopmentSet;
use rayon::prelude::*;
use std::path::Path;
use translucent::Config;

/// Vocabulary, configuration and data of a run.
pub struct Prepared {
    /// The shared vocabulary.
    pub pieces: Pieces,
    /// The model's shape.
    pub config: Config,
    /// Training data.
    pub train: Vec<Weighted>,
    /// Development data.
    pub validation: Vec<DevelopmentSet>,
    /// Special ids.
    pub special: SpecialIds,
    /// What a batch may hold.
    pub limits: Limits,
    /// The probes' sentences.
    pub probes: probes::Header,
}

/// Learns the vocabulary where the folder has none, and turns all text into ids that lie in the run's folder. What is
/// there already is not made again.
///
/// # Errors
/// Any fault of a data file, or of the vocabulary.
pub fn prepare(recipe: &Recipe, data: &Path, folder: &Folder) -> Result<Prepared> {
    let mut fault = None;
    let texts = recipe.data.train.iter().flat_map(|file| {
        let weight = recipe.data.weight(file);
        sampled(training_pairs(recipe, file, data), weight)
    });
    // Learning reads an iterator without faults: the first one ends it.
    let texts = texts.map_while(|pair| pair.map_err(|e| fault = Some(e)).ok());
    let pieces = Pieces::prepare(&folder.vocabulary(), recipe, texts);
    if let Some(fault) = fault {
        return Err(fault);
    }
    let pieces = pieces?;
    let vocabulary = pieces.tokenizer().target_vocabulary();
    let config = Config {
        placeholder_ids: vocabulary.placeholders().to_vec(),
        source_language: Some(recipe.source_language.clone()),
        target_language: recipe.only_target_language().map(str::to_owned),
        ..recipe.config(pieces.size())?
    };
    // Side by side, as parts of the work on a file have one thread.
    let files = recipe.data.train.par_iter().enumerate();
    let train = files.map(|(i, file)| -> Result<Weighted> {
        Ok(Weighted {
            corpus: ids::of_training_file(&pieces, recipe, i, data, folder)?,
            weight: recipe.data.weight(file),
        })
    });
    let train = train.collect::<Result<Vec<_>>>()?;
    let mut validation = Vec::new();
    for file in &recipe.data.validation {
        let pairs = read_tsv(&data.join(&file.file))?;
        let marked: Vec<Pair> = pairs
            .into_iter()
            .map(|pair| {
                if recipe.data.swap {
                    pair.swapped()
                } else {
                    pair
                }
            })
            .map(|pair| mark(pair, file.language.as_deref()))
            .collect();
        validation.push(DevelopmentSet {
            name: file.name.clone(),
            corpus: ids::encode(&pieces, &marked, 0.0, 0),
            characters: marked.iter().map(|pair| pair.target.chars().count()).sum(),
            lines: marked
                .into_iter()
                .take(recipe.training.bleu_lines)
                .collect(),
        });
    }
    let limits = Limits {
        batch_tokens: recipe.training.batch_tokens,
        max_length: recipe.data.max_length,
    };
    Ok(Prepared {
        special: SpecialIds {
            pad: config.pad_id,
            eos: config.eos_id,
            start: config.decoder_start_id,
        },
        probes: probe_header(recipe, &config, &pieces)?,
        limits,
        pieces,
        config,
        train,
        validation,
    })
}

/// About `weight` of the pairs, evenly spaced; all of them from 1 on. The vocabulary is learned from the mix that
/// the model will see.
fn sampled(
    pairs: Result<impl Iterator<Item = Result<Pair>>>,
    weight: f64,
) -> impl Iterator<Item = Result<Pair>> {
    let counted = move |i: usize| (i as f64 * weight.min(1.0)) as usize;
    let (pairs, fault) = match pairs {
        Ok(pairs) => (Some(pairs), None),
        Err(fault) => (None, Some(Err(fault))),
    };
    let used = pairs
        .into_iter()
        .flatten()
        .enumerate()
        .filter(move |(i, pair)| pair.is_err() || counted(i + 1) > counted(*i))
        .map(|(_, pair)| pair);
    fault.into_iter().chain(used)
}

/// Prefixes a source with the code of its target language. The vocabulary is learned without it.
fn mark(pair: Pair, language: Option<&str>) -> Pair {
    match language {
        None => pair,
        Some(language) => Pair {
            source: format!("{} {}", language_code(language), pair.source),
            target: pair.target,
        },
    }
}

/// The pairs of a training file, one after another.
fn training_pairs(
    recipe: &Recipe,
    file: &TrainingFile,
    data: &Path,
) -> Result<Box<dyn Iterator<Item = Result<Pair>>>> {
    let pairs: Box<dyn Iterator<Item = Result<Pair>>> =
        match (&file.file, &file.source, &file.target) {
            (Some(path), _, _) if recipe.data.swaps(file) => {
                Box::new(pairs_of_tsv(&data.join(path))?.map(|pair| pair.map(Pair::swapped)))
            }
            (Some(path), _, _) => Box::new(pairs_of_tsv(&data.join(path))?),
            (None, Some(source), Some(target)) => {
                Box::new(pairs_of_parallel(&data.join(source), &data.join(target))?)
            }
            _ => {
                return Err(Error::Recipe(
                    "each data.train entry needs either file, or source and target".into(),
                ));
            }
        };
    Ok(match (&file.scores, file.keep) {
        (Some(scores), Some(share)) => Box::new(keep_best(pairs, &data.join(scores), share)?),
        _ => pairs,
    })
}

/// Hash of everything in a recipe that vocabulary and ids depend on.
///
/// # Errors
/// If the recipe cannot be written as TOML.
pub fn fingerprint(recipe: &Recipe) -> Result<String> {
    let fault = |e: toml::ser::Error| Error::Recipe(e.to_string());
    let data = toml::to_string(&recipe.data).map_err(fault)?;
    let vocabulary = toml::to_string(&recipe.vocabulary).map_err(fault)?;
    let inherited = recipe.init.as_ref().filter(|_| recipe.vocabulary.inherit);
    let inherited = inherited.map_or_else(String::new, |path| path.display().to_string());
    Ok(hash([
        data.as_bytes(),
        vocabulary.as_bytes(),
        inherited.as_bytes(),
    ]))
}

/// FNV-1a over blocks of bytes.
fn hash<'b>(blocks: impl IntoIterator<Item = &'b [u8]>) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for block in blocks {
        for &byte in block.iter().chain(&[0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

fn probe_header(recipe: &Recipe, config: &Config, pieces: &Pieces) -> Result<probes::Header> {
    let sentences = recipe
        .probes
        .iter()
        .map(|probe| {
            let (source, target) = (pieces.encode(&probe.source), pieces.encode(&probe.target));
            let names = |ids: &[u32]| {
                ids.iter()
                    .chain(&[config.eos_id])
                    .map(|&id| pieces.piece(id).to_owned())
                    .collect()
            };
            let narrow = |ids: &[u32]| ids.iter().map(|&id| id as u16).collect();
            Ok(probes::Sentence {
                source_pieces: names(&source),
                target_pieces: names(&target),
                source_ids: narrow(&source),
                target_ids: narrow(&target),
                source: probe.source.clone(),
                target: probe.target.clone(),
            })
        })
        .collect::<Result<_>>()?;
    Ok(probes::Header {
        encoder_layers: config.encoder_layers,
        decoder_layers: config.decoder_layers,
        n_heads: config.n_heads,
        sentences,
        checkpoints: Vec::new(),
    })
}
