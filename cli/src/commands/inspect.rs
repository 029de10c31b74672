//! `inspect`: what a model folder holds and what it lacks.

use std::path::PathBuf;
use translucent::checkpoint::{ModelFiles, layout, weights};
use translucent_cli::{Error, Result};

/// Shows configuration and tensors of a model folder; fails if something is missing or wrong.
#[derive(clap::Args)]
pub struct Inspect {
    /// Model folder.
    folder: PathBuf,
}

impl Inspect {
    /// Does it.
    ///
    /// # Errors
    /// The first thing that keeps the folder from being a model, after all that could be shown.
    pub fn run(&self) -> Result<()> {
        let files = ModelFiles::from_dir(&self.folder)?;
        let (described, search) = files.describe()?;
        let stored = weights::read(&files.weights)?;
        let kind = if described.ours {
            "ours"
        } else {
            "transformers'"
        };
        let mut out = format!(
            "{} ({kind}, {:?})\n{:#?}\n{search:#?}\n",
            self.folder.display(),
            described.precision,
            described.config
        );
        for (name, tensor) in stored.iter() {
            let kind = if tensor.is_int8() { "int8" } else { "f32" };
            out += &format!("{kind:5} {:14} {name}\n", format!("{:?}", tensor.shape()));
        }
        out += &format!(
            "{} tensors, {} values, {} bytes\n",
            stored.len(),
            stored.parameters(),
            files.weights.len()
        );
        crate::print(&out)?;

        if let Err(first) = files.tensors(&described) {
            let names: Vec<String> = layout(&described.config)
                .into_iter()
                .filter(|entry| !entry.optional && stored.get(&entry.name).is_none())
                .map(|entry| format!("{} {:?}", entry.name, entry.shape))
                .collect();
            if !names.is_empty() {
                crate::print(&format!(
                    "not under these names:\n  {}\n",
                    names.join("\n  ")
                ))?;
            }
            return Err(Error::Core(first));
        }
        files.load()?;
        crate::print("complete: the model loads\n")
    }
}
