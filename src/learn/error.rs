//! What can go wrong in training.

/// Errors of this crate; each names what was wrong and what would be right.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting has no usable value, or two contradict each other.
    #[error("{0}")]
    Setting(String),
    /// The loss is no longer a number.
    #[error(
        "the loss is no longer a number at step {step}: the learning rate {learning_rate:.2e} is too large for these weights"
    )]
    Diverged {
        /// The step, counted from 1.
        step: u64,
        /// Its learning rate.
        learning_rate: f64,
    },
    /// Bytes that are no stored run.
    #[error("this stored run cannot be read: {0}")]
    Stored(String),
    /// The core refused a configuration or its tensors.
    #[error(transparent)]
    Core(#[from] translucent::Error),
}

impl Error {
    /// Stable name of the kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Setting(_) => "SettingInvalid",
            Self::Diverged { .. } => "Diverged",
            Self::Stored(_) => "StoredRun",
            Self::Core(error) => error.code(),
        }
    }
}

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
