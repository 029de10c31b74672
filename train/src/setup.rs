//! Preparation of a run: vocabulary, ids of all files.

use crate::data::augment::variants;
use crate::data::batches::{Limits, SpecialIds, Weighted};
use crate::data::corpus::Corpus;
use crate::data::lines::{Pair, read_parallel, read_tsv};
use crate::dual_score::keep_best;
use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::pieces::Pieces;
use crate::probes;
use crate::progress::Progress;
use crate::recipe::{Recipe, TrainingFile, language_code};
use crate::validation::DevelopmentSet;
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

/// Reads the data, learns the vocabulary where the folder has none, and turns all text into ids;
/// vocabulary and ids stay in the run's folder.
///
/// # Errors
/// Any fault of a data file, or of the vocabulary.
pub fn prepare(recipe: &Recipe, data: &Path, folder: &Folder) -> Result<Prepared> {
    let mut texts = Vec::new();
    for file in &recipe.data.train {
        texts.push((file, read(file, data)?));
    }
    let pieces = Pieces::prepare(
        &folder.vocabulary(),
        recipe,
        texts
            .iter()
            .flat_map(|(file, pairs)| sampled(pairs, recipe.data.weight(file))),
    )?;
    let vocabulary = pieces.tokenizer().target_vocabulary();
    let config = Config {
        placeholder_ids: vocabulary.placeholders().to_vec(),
        source_language: Some(recipe.source_language.clone()),
        ..recipe.config(pieces.size())?
    };
    let mut train = Vec::new();
    for (i, (file, pairs)) in texts.iter_mut().enumerate() {
        let language = file.language.as_ref().unwrap_or(&recipe.target_language);
        let variants = variants(pairs, language, &recipe.data.augment, i as u64);
        pairs.extend(variants);
        mark(pairs, file.language.as_deref());
        train.push(Weighted {
            corpus: encode(
                &pieces,
                pairs,
                &folder.corpus(&format!("train-{i}")),
                &file.name(),
                recipe.vocabulary.dropout,
            )?,
            weight: recipe.data.weight(file),
        });
    }
    drop(texts);
    let mut validation = Vec::new();
    for file in &recipe.data.validation {
        let mut pairs = read_tsv(&data.join(&file.file))?;
        mark(&mut pairs, file.language.as_deref());
        validation.push(DevelopmentSet {
            name: file.name.clone(),
            corpus: encode(
                &pieces,
                &pairs,
                &folder.corpus(&format!("dev-{}", file.name)),
                &file.name,
                0.0,
            )?,
            characters: pairs.iter().map(|pair| pair.target.chars().count()).sum(),
            lines: pairs.into_iter().take(recipe.training.bleu_lines).collect(),
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
fn sampled(pairs: &[Pair], weight: f64) -> impl Iterator<Item = &Pair> {
    let counted = move |i: usize| (i as f64 * weight.min(1.0)) as usize;
    pairs
        .iter()
        .enumerate()
        .filter(move |(i, _)| counted(i + 1) > counted(*i))
        .map(|(_, pair)| pair)
}

/// Prefixes every source with the code of its target language. The vocabulary is learned without it.
fn mark(pairs: &mut [Pair], language: Option<&str>) {
    let Some(language) = language else { return };
    let code = language_code(language);
    for pair in pairs {
        pair.source = format!("{code} {}", pair.source);
    }
}

fn read(file: &TrainingFile, data: &Path) -> Result<Vec<Pair>> {
    let pairs = match (&file.file, &file.source, &file.target) {
        (Some(file), _, _) => read_tsv(&data.join(file)),
        (None, Some(source), Some(target)) => read_parallel(&data.join(source), &data.join(target)),
        _ => Err(Error::Recipe(
            "each data.train entry needs either file, or source and target".into(),
        )),
    }?;
    match (&file.scores, file.keep) {
        (Some(scores), Some(share)) => keep_best(pairs, &data.join(scores), share),
        _ => Ok(pairs),
    }
}

fn encode(
    pieces: &Pieces,
    pairs: &[Pair],
    cache: &Path,
    label: &str,
    dropout: f32,
) -> Result<Corpus> {
    let key = key(pieces, pairs, dropout);
    if let Some(corpus) = Corpus::read(cache, &key) {
        return Ok(corpus);
    }
    let mut progress = Progress::new(&format!("ids of {label}"), pairs.len() as u64, 0);
    let mut corpus = Corpus::default();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    for (r, round) in pairs.chunks(2048 * workers).enumerate() {
        std::thread::scope(|scope| {
            let shares: Vec<_> = round
                .chunks(2048)
                .enumerate()
                .map(|(s, share)| {
                    let first = (r * workers + s) * 2048;
                    scope.spawn(move || {
                        let ids = |(i, pair): (usize, &Pair)| {
                            pieces.encode_pair(pair, dropout, (first + i) as u64)
                        };
                        share.iter().enumerate().map(ids).collect::<Vec<_>>()
                    })
                })
                .collect();
            for share in shares {
                let pairs = share.join().map_err(|_| {
                    Error::Recipe(format!("a thread that reads {label} has stopped"))
                })?;
                for [source, target] in pairs {
                    corpus.source.push(&source);
                    corpus.target.push(&target);
                }
            }
            Ok::<_, Error>(())
        })?;
        progress.update(corpus.len() as u64, String::new);
    }
    progress.finish();
    corpus.write(cache, &key)?;
    Ok(corpus)
}

/// Cache key of the ids: a hash of vocabulary, dropout and text.
fn key(pieces: &Pieces, pairs: &[Pair], dropout: f32) -> String {
    let texts = pairs
        .iter()
        .flat_map(|pair| [pair.source.as_bytes(), pair.target.as_bytes()]);
    let dropout = dropout.to_le_bytes();
    let first = [pieces.spm(), pieces.vocab(), &dropout];
    hash(first.into_iter().chain(texts))
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
