//! `models/index.json`: which models there are, with size and SHA-256 of every file that the page downloads.

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

/// The files of a model folder that the page loads, in this order. A joint vocabulary has one tokenizer model:
/// `target.spm` is left out where it is the same as `source.spm`.
const LOADED: [&str; 8] = [
    "config.json",
    "generation_config.json",
    "vocab.json",
    "source.spm",
    "target.spm",
    "heads.json",
    "training.json",
    "model.safetensors",
];

#[derive(Serialize)]
struct Index {
    models: Vec<Model>,
}

#[derive(Serialize)]
struct Model {
    name: String,
    source: String,
    target: String,
    bytes: usize,
    files: Vec<File>,
}

#[derive(Serialize)]
struct File {
    name: &'static str,
    bytes: usize,
    sha256: String,
}

/// Writes `index.json` into a folder of models.
pub fn write(models: &Path) -> Result<()> {
    let path = models.join("index.json");
    fs::write(&path, text(models)?).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

/// The index of every model folder in `models`, as text.
pub fn text(models: &Path) -> Result<String> {
    let mut entries = Vec::new();
    for entry in
        fs::read_dir(models).with_context(|| format!("cannot read {}", models.display()))?
    {
        let folder = entry?.path();
        if folder.join("config.json").is_file() {
            entries.push(model(&folder)?);
        }
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(serde_json::to_string_pretty(&Index { models: entries })? + "\n")
}

fn model(folder: &Path) -> Result<Model> {
    let name = folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let (source, target) = name.split_once('-').with_context(|| {
        format!("models/{name}: a model folder is named for its languages, such as en-de")
    })?;
    let mut files: Vec<File> = Vec::new();
    for file in LOADED {
        let path = folder.join(file);
        if !path.is_file() {
            continue;
        }
        let content = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let sha256 = format!("{:x}", Sha256::digest(&content));
        if file == "target.spm" && files.iter().any(|other| other.sha256 == sha256) {
            continue;
        }
        files.push(File {
            name: file,
            bytes: content.len(),
            sha256,
        });
    }
    ensure!(
        files.iter().any(|file| file.name == "model.safetensors"),
        "models/{name} has no model.safetensors"
    );
    Ok(Model {
        source: source.to_owned(),
        target: target.to_owned(),
        bytes: files.iter().map(|file| file.bytes).sum(),
        files,
        name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::root;

    #[test]
    fn the_index_lists_what_the_page_downloads_with_its_checksums() {
        let models = tempfile::tempdir().unwrap();
        let folder = models.path().join("en-de");
        fs::create_dir_all(&folder).unwrap();
        for (name, content) in [
            ("config.json", "{}"),
            ("source.spm", "s"),
            ("target.spm", "s"),
            ("model.safetensors", "abc"),
            ("README.md", "x"),
        ] {
            fs::write(folder.join(name), content).unwrap();
        }
        let index: serde_json::Value = serde_json::from_str(&text(models.path()).unwrap()).unwrap();
        let model = &index["models"][0];
        assert_eq!(
            (&model["source"], &model["target"], &model["bytes"]),
            (&"en".into(), &"de".into(), &6.into())
        );
        let names: Vec<_> = model["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| file["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["config.json", "source.spm", "model.safetensors"]);
        // FIPS 180-2, appendix B.1
        assert_eq!(
            model["files"][2]["sha256"],
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn the_index_that_ships_agrees_with_the_models_that_ship() {
        let models = root().join("models");
        let Ok(index) = fs::read_to_string(models.join("index.json")) else {
            let none = !models.is_dir() || text(&models).is_ok_and(|text| !text.contains("name"));
            assert!(none, "models/index.json is missing: cargo xtask index");
            return;
        };
        assert!(
            index == text(&models).unwrap(),
            "models/index.json is out of date: cargo xtask index"
        );
    }
}
