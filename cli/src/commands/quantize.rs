//! `quantize`: a model folder with 8-bit matrices.

use super::convert::Rewrite;
use std::path::PathBuf;
use translucent::checkpoint::{FloatType, Precision, quantize};
use translucent_cli::{Error, Result};

/// Writes a model folder with 8-bit matrices, a scale for each row; all else is copied.
#[derive(clap::Args)]
pub struct Quantize {
    /// Model folder in floating point: ours or a Marian one.
    #[arg(long)]
    model: PathBuf,
    /// Folder to write.
    #[arg(long)]
    output: PathBuf,
}

impl Quantize {
    /// Runs the command.
    ///
    /// # Errors
    /// If the folder is no whole model or is quantised already, or the other cannot be written.
    pub fn run(&self) -> Result<()> {
        let folder = Rewrite::open(&self.model)?;
        if folder.described.precision == Precision::Int8 {
            return Err(Error::Argument(format!(
                "{} is quantised already",
                self.model.display()
            )));
        }
        let tensors = quantize::quantize(&folder.described.config, folder.tensors()?)?;
        folder.write(&self.output, &tensors, FloatType::F32)
    }
}
