//! The folders in which models live: configuration, tensors and tokenizer, read and written.

pub mod config_json;
pub mod disk;
mod files;
mod folder;
pub mod generation_json;
pub mod index;
mod layout;
mod lock;
mod marian;
pub mod quantize;
mod summary;
mod tensors;
pub mod weights;
mod write;

pub use files::{FileSource, Loading, ModelFiles};
pub use folder::{TokenizerFiles, folder_files, open, save};
pub use layout::{Entry, Role, layout};
pub use summary::ModelSummary;
pub use tensors::{Tensor, Tensors, Values};
pub use write::{FolderWriter, write_atomically};

pub use weights::FloatType;

use crate::model::Transformer;
use crate::search::SearchOptions;
use crate::text::Tokenizer;
use serde::{Deserialize, Serialize};

/// Version of this crate's additions to a model folder; a folder of another version is refused.
pub const FORMAT_VERSION: usize = 1;

/// A model folder, ready for use.
pub struct Model {
    /// The model.
    pub transformer: Transformer,
    /// Its tokenizer.
    pub tokenizer: Tokenizer,
    /// Its search options.
    pub search: SearchOptions,
    /// How the folder stores its matrices.
    pub precision: Precision,
}

/// How a folder stores the matrices of its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// As floating-point numbers.
    F32,
    /// As integers with a scale for each output row.
    Int8,
}

/// JSON as files of a model folder are written: indented, with a last line break.
fn pretty(value: &serde_json::Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}
