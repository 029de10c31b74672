//! The crate's one error type: every failure has a stable code and a sentence a person can act on.

/// Shorthand for a [`std::result::Result`] with this crate's [`enum@Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can go wrong between a model folder, a text and its translation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A configuration whose fields are missing, unknown or contradict each other.
    #[error("config: {0}")]
    ConfigInvalid(String),
    /// A model file that cannot be read as what it should be; names the file or tensor.
    #[error("model {name}: {reason}")]
    ModelFormat {
        /// File or tensor name.
        name: String,
        /// What was wrong and what would be right.
        reason: String,
    },
    /// A tensor whose shape does not fit the configuration.
    #[error("tensor {name} has shape {found:?}, the configuration needs {expected:?}")]
    ShapeMismatch {
        /// Tensor name as in the checkpoint.
        name: String,
        /// Shape in the file.
        found: Vec<usize>,
        /// Shape that the configuration asks for.
        expected: Vec<usize>,
    },
    /// A tokenizer model that cannot be read.
    #[error("tokenizer {name}: {reason}")]
    TokenizerFormat {
        /// File name.
        name: String,
        /// What was wrong.
        reason: String,
    },
    /// A text longer than the model takes; nothing of it was lost.
    #[error("the text has {found} {unit}, the limit is {limit}: {hint}")]
    TextTooLong {
        /// Length found.
        found: usize,
        /// Longest length accepted.
        limit: usize,
        /// Unit of both, e.g. `pieces`.
        unit: &'static str,
        /// What the user can do.
        hint: &'static str,
    },
    /// A request field with a value outside its domain, e.g. beam 0.
    #[error("{field}: {reason}")]
    RequestInvalid {
        /// The field's name as in the API.
        field: &'static str,
        /// What was wrong and what would be right.
        reason: String,
    },
    /// Reading or writing a file failed.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// The system's reason.
        source: std::io::Error,
    },
}

impl Error {
    /// Reading or writing this file failed.
    pub(crate) fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        Self::Io {
            path: path.display().to_string(),
            source,
        }
    }

    /// The stable name that crosses to JavaScript as `error.code`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ConfigInvalid(_) => "ConfigInvalid",
            Self::ModelFormat { .. } => "ModelFormat",
            Self::ShapeMismatch { .. } => "ShapeMismatch",
            Self::TokenizerFormat { .. } => "TokenizerFormat",
            Self::TextTooLong { .. } => "TextTooLong",
            Self::RequestInvalid { .. } => "RequestInvalid",
            Self::Io { .. } => "Io",
        }
    }
}
