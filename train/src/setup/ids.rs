//! Text as token ids: training files as shards on the disk, development files in memory.

use super::{hash, mark, training_pairs};
use crate::data::augment::variants;
use crate::data::corpus::Corpus;
use crate::data::lines::{Pair, no_pair};
use crate::data::shards::{Shards, Writer};
use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::pieces::Pieces;
use crate::progress::Spinner;
use crate::recipe::{Recipe, TrainingFile};
use rayon::prelude::*;
use std::fs::metadata;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Lines of text whose ids, and those of their variants, make a shard.
const LINES: usize = 1 << 18;
/// Pairs encoded at a time: packed, their ids take a fraction of the memory.
const ROUND: usize = 1 << 15;

/// The ids of training file `number` of a recipe, from the folder where they were made before.
///
/// # Errors
/// A text or a shard that cannot be read, a shard that cannot be written.
pub fn of_training_file(
    pieces: &Pieces,
    recipe: &Recipe,
    number: usize,
    data: &Path,
    folder: &Folder,
) -> Result<Shards> {
    let file = &recipe.data.train[number];
    let key = key(pieces, recipe, number, data)?;
    let path = folder.corpus(&file.name(), &key);
    if let Some(shards) = Shards::open(&path, &key)? {
        return Ok(shards);
    }
    let mut writer = Writer::open(&path, &key)?;
    let mut progress = Spinner::new(&format!("ids of {}", file.name()));
    let mut pairs = training_pairs(recipe, file, data)?;
    // Text that is in shards already.
    for pair in pairs.by_ref().take(writer.lines() as usize) {
        pair?;
    }
    let target = file.language.as_ref().unwrap_or(&recipe.target_language);
    let languages = [recipe.source_language.as_str(), target];
    loop {
        let mut text = pairs.by_ref().take(LINES).collect::<Result<Vec<Pair>>>()?;
        if text.is_empty() {
            break;
        }
        let (lines, shard) = (text.len() as u64, writer.shards());
        let seed = number as u64 | (shard as u64) << 16;
        let made = variants(&text, languages, &recipe.data.augment, seed);
        text.extend(made);
        let text: Vec<Pair> = text
            .into_iter()
            .map(|pair| mark(pair, file.language.as_deref()))
            .collect();
        let first = (shard as u64) << 32; // More than a shard has pairs.
        let mut corpus = encode(pieces, &text, recipe.vocabulary.dropout, first);
        corpus.keep_up_to(usize::from(u16::MAX));
        writer.push(&corpus, lines)?;
        progress.update(writer.lines());
    }
    if writer.lines() == 0 {
        return Err(no_pair(&data.join(file.path())));
    }
    writer.finish()?;
    progress.finish();
    Shards::open(&path, &key)?.ok_or_else(|| Error::file(&path, "is not what was just written"))
}

/// The ids of pairs, on all cores; the dropout of pair i is that of seed `first` + i.
pub fn encode(pieces: &Pieces, pairs: &[Pair], dropout: f32, first: u64) -> Corpus {
    let mut corpus = Corpus::default();
    for (r, round) in pairs.chunks(ROUND).enumerate() {
        let first = first + (r * ROUND) as u64;
        let ids: Vec<_> = (round.par_iter().enumerate())
            .map(|(i, pair)| pieces.encode_pair(pair, dropout, first + i as u64))
            .collect();
        for [source, target] in ids {
            corpus.source.push(&source);
            corpus.target.push(&target);
        }
    }
    corpus
}

/// Hash of all that the ids of a training file depend on. Of texts it is their lengths and times of change: reading
/// them would take as long as a start may.
fn key(pieces: &Pieces, recipe: &Recipe, number: usize, data: &Path) -> Result<String> {
    let fault = |e: toml::ser::Error| Error::Recipe(e.to_string());
    let file = TrainingFile {
        // Batches depend on it, ids do not.
        weight: 1.0,
        swap: Some(recipe.data.swaps(&recipe.data.train[number])),
        ..recipe.data.train[number].clone()
    };
    let mut parts: Vec<String> = vec![
        toml::to_string(&file).map_err(fault)?,
        toml::to_string(&recipe.data.augment).map_err(fault)?,
        recipe.source_language.clone(),
        recipe.target_language.clone(),
        recipe.vocabulary.dropout.to_string(),
        number.to_string(),
        LINES.to_string(),
    ];
    for name in [&file.file, &file.source, &file.target, &file.scores]
        .into_iter()
        .flatten()
    {
        let path = data.join(name);
        let metadata = metadata(&path).map_err(|e| Error::file(&path, e))?;
        let changed = metadata.modified().ok();
        let changed = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let changed = changed.map_or(0, |time| time.as_nanos());
        parts.push(format!("{} {changed}", metadata.len()));
    }
    let parts = parts.iter().map(String::as_bytes);
    Ok(hash(
        [pieces.spm(), pieces.vocab()].into_iter().chain(parts),
    ))
}
