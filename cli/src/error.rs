//! What can go wrong in a command beside what the core reports.

use std::path::Path;

/// Shorthand for a [`std::result::Result`] with [`enum@Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// A command's failure, as a sentence a person can act on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The core's own.
    #[error(transparent)]
    Core(#[from] translucent::Error),
    /// A training run's own.
    #[error(transparent)]
    Learn(#[from] translucent_learn::Error),
    /// A file or stream that cannot be read or written.
    #[error("{name}: {source}")]
    Io {
        /// The file, or `standard input`.
        name: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A line that is not what it should be.
    #[error("{name}, line {line}: {reason}")]
    Line {
        /// The file, or `standard input`.
        name: String,
        /// Counted from 1.
        line: usize,
        /// What was wrong and what would be right.
        reason: String,
    },
    /// Two texts that should have as many lines as each other.
    #[error(
        "{left} has {left_lines} lines, {right} has {right_lines}: line n of one must belong to line n of the other"
    )]
    Lengths {
        /// One of them.
        left: String,
        /// Its lines.
        left_lines: usize,
        /// The other one.
        right: String,
        /// Its lines.
        right_lines: usize,
    },
    /// An argument that cannot be used.
    #[error("{0}")]
    Argument(String),
    /// Ctrl-C, or another signal that ends programs.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// A failure of the system at a file.
    pub fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io {
            name: path.display().to_string(),
            source,
        }
    }
}
