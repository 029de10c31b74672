//! `index`: the list of models that a site offers.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use translucent::checkpoint::index::{FileEntry, IndexEntry, ModelIndex};
use translucent::checkpoint::{self, write_atomically};
use translucent_cli::{Error, Result};

/// What a browser fetches of a model folder; those that a folder lacks are left out.
const FILES: [&str; 10] = [
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
    let mut files = BTreeMap::new();
    for name in FILES {
        let path = folder.join(name);
        if path.is_file() {
            let bytes = read(&path)?;
            let sha256 = Sha256::digest(&bytes)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            files.insert(
                name.to_owned(),
                FileEntry {
                    bytes: bytes.len() as u64,
                    sha256,
                },
            );
        }
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
        source_language: language("source_lang")?,
        target_language: language("target_lang")?,
        files,
    })
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| Error::io(path, error))
}
