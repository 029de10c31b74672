//! `config.json` of a Hugging Face Marian folder, and what of ours Marian cannot express.

mod keys;
mod read;
mod write;

pub(super) use keys::Keys;
pub use read::read;
pub use write::{Storage, is_marian, write};
pub(super) use write::{bad_words, decimal};

use super::Precision;
use crate::Config;

/// Name of the file in a model folder.
pub const CONFIG: &str = "config.json";

/// The contents of a `config.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// The model's shape and conventions, checked.
    pub config: Config,
    /// How the folder stores its matrices.
    pub precision: Precision,
    /// Whether the folder is one of ours (it has a `format_version`), and not one that `transformers` wrote.
    pub ours: bool,
    /// Whether the target embeddings project where they are not the source's too (`tie_word_embeddings`).
    pub tied_projection: bool,
    /// Beam width that the file suggests.
    pub num_beams: Option<usize>,
}
