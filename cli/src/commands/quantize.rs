//! `quantize`: a model folder with 8-bit matrices.

use std::path::{Path, PathBuf};
use translucent::checkpoint::config_json::{self, CONFIG};
use translucent::checkpoint::generation_json::{self, GENERATION_CONFIG};
use translucent::checkpoint::weights::{self, WEIGHTS};
use translucent::checkpoint::{ModelFiles, Precision, quantize, write_atomically};
use translucent_cli::{Error, Result};

/// Writes a model folder with 8-bit matrices, a scale for each row; all else is copied.
#[derive(clap::Args)]
pub struct Quantize {
    /// Model folder in floating point.
    input: PathBuf,
    /// Folder to write.
    output: PathBuf,
}

impl Quantize {
    /// Does it.
    ///
    /// # Errors
    /// If the folder is no whole model or is quantised already, or the other cannot be written.
    pub fn run(&self) -> Result<()> {
        let files = ModelFiles::from_dir(&self.input)?;
        let (described, search) = files.describe()?;
        if described.precision == Precision::Int8 {
            return Err(Error::Argument(format!(
                "{} is quantised already",
                self.input.display()
            )));
        }
        let config = &described.config;
        let tensors = quantize::quantize(config, files.tensors(&described)?)?;
        let bytes = weights::write(&tensors)?;
        self.copy_others()?;
        write_atomically(&self.output.join(WEIGHTS), &bytes)?;
        let generation = generation_json::write(config, &search);
        write_atomically(&self.output.join(GENERATION_CONFIG), &generation)?;
        write_atomically(
            &self.output.join(CONFIG),
            &config_json::write(config, Precision::Int8),
        )?;
        let (before, after) = (files.weights.len(), bytes.len());
        eprintln!(
            "{}: {before} → {after} bytes",
            self.output.join(WEIGHTS).display()
        );
        Ok(())
    }

    /// Tokenizer, model card, training curve and whatever else lies in the folder; no subfolders.
    fn copy_others(&self) -> Result<()> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| Error::io(&path, error)
        };
        std::fs::create_dir_all(&self.output).map_err(failed(&self.output))?;
        for entry in std::fs::read_dir(&self.input).map_err(failed(&self.input))? {
            let path = entry.map_err(failed(&self.input))?.path();
            let Some(name) = path.file_name() else {
                continue;
            };
            let rewritten = [WEIGHTS, GENERATION_CONFIG, CONFIG]
                .iter()
                .any(|own| name == *own);
            if path.is_file() && !rewritten {
                let bytes = std::fs::read(&path).map_err(failed(&path))?;
                write_atomically(&self.output.join(name), &bytes)?;
            }
        }
        Ok(())
    }
}
