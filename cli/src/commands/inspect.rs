//! `inspect`: what a model folder holds and what it lacks.

use std::path::PathBuf;
use translucent::checkpoint::config_json::Described;
use translucent::checkpoint::weights::Catalogue;
use translucent::checkpoint::{ModelFiles, layout};
use translucent_cli::Result;

/// Shows configuration and tensors of a model folder; fails if something is missing or wrong.
#[derive(clap::Args)]
pub struct Inspect {
    /// Model folder: ours or a Marian one, with model.safetensors or pytorch_model.bin.
    #[arg(long)]
    model: PathBuf,
}

impl Inspect {
    /// Runs the command.
    ///
    /// # Errors
    /// The first thing that keeps the folder from being a model, after all that could be shown.
    pub fn run(&self) -> Result<()> {
        let files = ModelFiles::from_dir(&self.model)?;
        let (described, search) = files.describe()?;
        let kind = if described.ours {
            "ours"
        } else {
            "transformers'"
        };
        crate::print(&format!(
            "{} ({kind}, matrices {:?})\n{:#?}\n{search:#?}\n",
            self.model.display(),
            described.precision,
            described.config
        ))?;
        crate::print(&tensors(&Catalogue::of_files(&files.weights)?))?;
        for file in &files.weights {
            crate::print(&format!("{}: {} bytes\n", file.name, file.bytes.len()))?;
        }
        if let Err(first) = files.catalogue(&described) {
            crate::print(&differences(&files, &described)?)?;
            return Err(first.into());
        }
        files.load()?;
        crate::print("complete: the model loads\n")
    }
}

/// Every tensor with its type in the file.
fn tensors(stored: &Catalogue<'_>) -> String {
    let (mut out, mut count, mut values) = (String::new(), 0, 0);
    for (name, tensor) in stored.iter() {
        let (dtype, shape) = (tensor.dtype().to_string(), format!("{:?}", tensor.shape()));
        out += &format!("{dtype:5} {shape:14} {name}\n");
        count += 1;
        values += tensor.len();
    }
    out + &format!("{count} tensors, {values} values\n")
}

/// What the configuration asks for and the files lack, and the other way round. A file may have names without
/// `model.` before them, and leave out or repeat what is one matrix.
fn differences(files: &ModelFiles, described: &Described) -> Result<String> {
    let stored = Catalogue::of_files(&files.weights)?;
    let names: Vec<&str> = stored.iter().map(|(name, _)| name).collect();
    let wanted = layout(&described.config);
    let short = |name: &str| name.strip_prefix("model.").unwrap_or(name).to_owned();
    let mut out = String::new();
    for entry in wanted.iter().filter(|entry| !entry.optional) {
        if !names.iter().any(|name| short(name) == short(&entry.name)) {
            out += &format!("not there: {} {:?}\n", entry.name, entry.shape);
        }
    }
    for name in names {
        if !wanted.iter().any(|entry| short(name) == short(&entry.name)) {
            out += &format!("not asked for by config.json: {name}\n");
        }
    }
    Ok(out)
}
