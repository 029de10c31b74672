//! `index`: the list of models that a site offers.

use std::path::{Path, PathBuf};
use translucent::checkpoint::index::{FileEntry, IndexEntry, ModelIndex};
use translucent::checkpoint::{self, write_atomically};
use translucent_cli::digest::sha256;
use translucent_cli::{Error, Result};

/// What a browser fetches of a model folder; those that a folder lacks are left out, and so is `target.spm`
/// where it is the joint tokenizer that `source.spm` is already.
const FILES: [&str; 11] = [
    "config.json",
    "generation_config.json",
    "model.safetensors",
    "source.spm",
    "target.spm",
    "vocab.json",
    "target_vocab.json",
    "heads.json",
    "training.json",
    "probes.bin",
    "README.md",
];

/// Writes index.json: names, languages, lengths and SHA-256 of the model folders that are named.
#[derive(clap::Args)]
pub struct Index {
    /// The folder of model folders.
    folder: PathBuf,
    /// Names of the model folders in it, the default model first.
    #[arg(required = true)]
    names: Vec<String>,
}

impl Index {
    /// Does it.
    ///
    /// # Errors
    /// If a model folder is broken, or the index cannot be written.
    pub fn run(&self) -> Result<()> {
        let models: Result<Vec<IndexEntry>> = self
            .names
            .iter()
            .map(|name| entry(&self.folder.join(name), name))
            .collect();
        let json = serde_json::to_string_pretty(&ModelIndex { models: models? })
            .map_err(|error| Error::Argument(format!("the index cannot be written: {error}")))?;
        Ok(write_atomically(
            &self.folder.join("index.json"),
            format!("{json}\n").as_bytes(),
        )?)
    }
}

fn entry(folder: &Path, name: &str) -> Result<IndexEntry> {
    checkpoint::open(folder)?;
    let mut files: Vec<FileEntry> = Vec::new();
    for name in FILES {
        let path = folder.join(name);
        if !path.is_file() {
            continue;
        }
        let content = read(&path)?;
        let sha256 = sha256(&content);
        if name == "target.spm" && files.iter().any(|file| file.sha256 == sha256) {
            continue;
        }
        files.push(FileEntry {
            name: name.to_owned(),
            bytes: content.len() as u64,
            sha256,
        });
    }
    let path = folder.join("tokenizer_config.json");
    let tokenizer: serde_json::Value = serde_json::from_slice(&read(&path)?)
        .map_err(|error| Error::Argument(format!("{} is no JSON: {error}", path.display())))?;
    let language = |key: &str| match tokenizer[key].as_str() {
        Some(language) => Ok(language.to_owned()),
        None => Err(Error::Argument(format!(
            "{} has no {key}, it must be a language code such as \"en\"",
            path.display()
        ))),
    };
    Ok(IndexEntry {
        name: name.to_owned(),
        source: language("source_lang")?,
        target: language("target_lang")?,
        bytes: files.iter().map(|file| file.bytes).sum(),
        files,
    })
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| Error::io(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_that_ships_agrees_with_the_models_that_ship() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
        if !models.is_dir() {
            return;
        }
        let index = read(&models.join("index.json")).unwrap();
        let index: ModelIndex = serde_json::from_slice(&index).unwrap();
        assert!(!index.models.is_empty());
        for shipped in index.models {
            let folder = models.join(&shipped.name);
            let now = entry(&folder, &shipped.name).unwrap();
            assert_eq!(now, shipped, "run `translucent index` again");
        }
    }
}
