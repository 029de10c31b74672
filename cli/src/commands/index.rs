//! `index`: the list of models that a site offers.

use std::path::{Path, PathBuf};
use translucent::checkpoint::index::{FileEntry, IndexEntry, ModelIndex};
use translucent::checkpoint::{self, write_atomically};
use translucent_cli::digest::sha256;
use translucent_cli::{Error, Result, files};

/// The files that a browser fetches, as far as a folder has them; `target.spm` only where it differs from `source.spm`.
const FILES: [&str; 12] = [
    "config.json",
    "generation_config.json",
    "model.safetensors",
    "source.spm",
    "target.spm",
    "vocab.json",
    "target_vocab.json",
    "heads.json",
    "training.json",
    "metrics.json",
    "probes.bin",
    "README.md",
];

/// Writes the list of models that a page offers: names, languages, lengths and SHA-256.
#[derive(clap::Args)]
pub struct Index {
    /// A model folder; the page lists them in this order. Can be repeated.
    #[arg(long = "model", required = true)]
    models: Vec<PathBuf>,
    /// File to write; the model folders lie beside it [default: index.json beside the first model folder].
    #[arg(long)]
    output: Option<PathBuf>,
}

impl Index {
    /// Runs the command.
    ///
    /// # Errors
    /// If a model folder is broken, or the index cannot be written.
    pub fn run(&self) -> Result<()> {
        let parent = |path: &Path| match path.parent() {
            Some(parent) if parent != Path::new("") => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let output = self.output.clone();
        let output = output.unwrap_or_else(|| parent(&self.models[0]).join("index.json"));
        let real = |path: &Path| path.canonicalize().map_err(|error| Error::io(path, error));
        let folder = real(&parent(&output))?;
        let models: Result<Vec<IndexEntry>> = self
            .models
            .iter()
            .map(|model| {
                let path = real(model)?;
                let name = path.file_name().and_then(|name| name.to_str());
                match name {
                    Some(name) if path.parent() == Some(&folder) => entry(model, name),
                    _ => Err(Error::Argument(format!(
                        "{} does not lie in {}, beside the index",
                        model.display(),
                        folder.display()
                    ))),
                }
            })
            .collect();
        let json = serde_json::to_string_pretty(&ModelIndex { models: models? })
            .map_err(|error| Error::Argument(format!("the index cannot be written: {error}")))?;
        Ok(write_atomically(&output, format!("{json}\n").as_bytes())?)
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
    let [source, target] = files::languages(folder)?;
    Ok(IndexEntry {
        name: name.to_owned(),
        source,
        target,
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
