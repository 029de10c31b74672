//! A run's folder: every file that the trainer writes has its name here.

mod lock;

pub use lock::Lock;

use crate::error::{Error, Result};
use crate::recipe::Recipe;
use std::path::{Path, PathBuf};
use translucent::checkpoint::{disk, write_atomically};

/// Name of the file that says how a model was trained, in its folder.
pub const TRAINING: &str = "training.json";
/// Name of the file with the probes, in a run's folder and in a model's.
pub const PROBES: &str = "probes.bin";

/// File of a run that shares its vocabulary and ids with others: says in which folder they lie.
const SHARED: &str = "shared";

/// The files of a run.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// Where vocabulary and ids lie.
    data: PathBuf,
}

fn make_folder(path: &Path) -> Result<()> {
    disk::create_folder(path).map_err(|e| Error::file(path, e))
}

impl Folder {
    /// The folder `name` below `runs`, made if it is not there.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn open(runs: &Path, name: &str) -> Result<Self> {
        let path = runs.join(name);
        make_folder(&path.join("snapshots"))?;
        let folder = Self {
            data: path.clone(),
            path,
        };
        folder.make_data()
    }

    /// The same run with vocabulary and ids in `data`, which runs on the same data share.
    ///
    /// # Errors
    /// If that folder cannot be made, or the run's own cannot keep where it lies.
    pub fn sharing(mut self, data: &Path) -> Result<Self> {
        let data = std::path::absolute(data).map_err(|e| Error::file(data, e))?;
        write_atomically(&self.path.join(SHARED), data.to_string_lossy().as_bytes())?;
        self.data = data;
        self.make_data()
    }

    fn make_data(self) -> Result<Self> {
        make_folder(&self.vocabulary())?;
        make_folder(&self.data.join("corpus"))?;
        Ok(self)
    }

    /// The folder of a run that was begun earlier.
    ///
    /// # Errors
    /// If there is none.
    pub fn existing(runs: &Path, name: &str) -> Result<Self> {
        let path = runs.join(name);
        let data = match std::fs::read_to_string(path.join(SHARED)) {
            Ok(data) => data.into(),
            Err(_) => path.clone(),
        };
        let folder = Self { path, data };
        if !folder.recipe().exists() {
            return Err(Error::file(
                &folder.path,
                "holds no run: it has no recipe.toml",
            ));
        }
        Ok(folder)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a killed run continues from.
    pub fn state(&self) -> PathBuf {
        self.path.join("state.safetensors")
    }

    /// Where a damaged state is set aside.
    pub fn damaged_state(&self) -> PathBuf {
        self.path.join("state.damaged.safetensors")
    }

    /// The state before that, for when the last one is damaged.
    pub fn previous_state(&self) -> PathBuf {
        self.path.join("state.previous.safetensors")
    }

    /// Weights with the best validation so far.
    pub fn best(&self) -> PathBuf {
        self.path.join("best.safetensors")
    }

    /// Weights after a step, for averaging.
    pub fn snapshot(&self, step: u64) -> PathBuf {
        self.path
            .join("snapshots")
            .join(format!("{step:08}.safetensors"))
    }

    /// All snapshots, oldest first.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn snapshots(&self) -> Result<Vec<PathBuf>> {
        let folder = self.path.join("snapshots");
        let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
            .map_err(|e| Error::file(&folder, e))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|e| e == "safetensors"))
            .collect();
        paths.sort();
        Ok(paths)
    }

    /// The metrics file.
    pub fn metrics(&self) -> PathBuf {
        self.path.join("metrics.jsonl")
    }

    /// The probes.
    pub fn probes(&self) -> PathBuf {
        self.path.join(PROBES)
    }

    /// Where a file of the model lies that the run began with: how it had been trained until then.
    pub fn earlier(&self, name: &str) -> PathBuf {
        self.path.join("earlier").join(name)
    }

    /// Copies the training curve and the probes of the model in `init` into the run's folder, as the model's may be
    /// overwritten by the end. A model between other languages is skipped: its losses and maps are of another task.
    ///
    /// # Errors
    /// A file that cannot be copied.
    pub fn keep_earlier(&self, init: &Path, recipe: &Recipe) -> Result<()> {
        if !has_languages_of(init, recipe) {
            return Ok(());
        }
        for name in [TRAINING, PROBES] {
            let (from, to) = (init.join(name), self.earlier(name));
            if from.is_file() {
                let bytes = std::fs::read(&from).map_err(|e| Error::file(&from, e))?;
                make_folder(&self.path.join("earlier"))?;
                write_atomically(&to, &bytes)?;
            }
        }
        Ok(())
    }

    /// The recipe as it was last run.
    pub fn recipe(&self) -> PathBuf {
        self.path.join("recipe.toml")
    }

    /// The tokenizer's files.
    pub fn vocabulary(&self) -> PathBuf {
        self.data.join("vocabulary")
    }

    /// The folder of the ids of one file of pairs; those that are made in another way have another key.
    pub fn corpus(&self, name: &str, key: &str) -> PathBuf {
        self.data.join("corpus").join(format!("{name}-{key}"))
    }
}

/// Whether the tokenizer of a model folder names the recipe's languages.
fn has_languages_of(model: &Path, recipe: &Recipe) -> bool {
    let text = std::fs::read(model.join("tokenizer_config.json")).unwrap_or_default();
    let names: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    names["source_lang"] == recipe.source_language.as_str()
        && names["target_lang"] == recipe.target_language.as_str()
}
