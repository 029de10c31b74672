//! The trainer's error type: each variant names the file, line, field or step that was wrong.

use std::path::{Path, PathBuf};

/// Shorthand for a [`std::result::Result`] with the trainer's [`enum@Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can go wrong between a recipe and an exported model.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An error of the core crate: configuration, tokenizer, model folder.
    #[error(transparent)]
    Core(#[from] translucent::Error),
    /// An error of libtorch.
    #[error("libtorch: {0}")]
    Torch(#[from] tch::TchError),
    /// A line of a corpus that is no sentence pair.
    #[error("{}, line {line}: {reason}", path.display())]
    Line {
        /// The corpus file.
        path: PathBuf,
        /// Line number, counted from 1.
        line: usize,
        /// What was wrong and what would be right.
        reason: String,
    },
    /// A file that cannot be read, written or understood.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What was wrong and what would be right.
        reason: String,
    },
    /// A recipe whose fields are missing, unknown or contradict each other.
    #[error("recipe: {0}")]
    Recipe(String),
    /// Interruptions cannot be heard, so a run could not be stopped with everything saved.
    #[error("cannot listen for interruptions: {0}")]
    Signals(String),
    /// Processes that cannot train together.
    #[error("ranks: {0}")]
    Ranks(String),
    /// A GPU that is not there.
    #[error("--device cuda: {0}")]
    Device(String),
    /// The loss is no number any more.
    #[error("the loss is {loss} at step {step}: {hint}")]
    Diverged {
        /// Optimiser step.
        step: u64,
        /// The value found.
        loss: f64,
        /// What can be done.
        hint: String,
    },
}

impl Error {
    /// An [`Error::File`] from any displayable reason.
    pub fn file(path: impl AsRef<Path>, reason: impl std::fmt::Display) -> Self {
        Self::File {
            path: path.as_ref().to_path_buf(),
            reason: reason.to_string(),
        }
    }
}
