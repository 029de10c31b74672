//! `models/index.json`: the models that a site offers (`ModelIndex` of `www/engine/protocol.d.ts`).

use serde::{Deserialize, Serialize};

/// The models of a folder of model folders.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelIndex {
    /// The models, the default one first.
    pub models: Vec<IndexEntry>,
}

/// One model of an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexEntry {
    /// The folder's name beside the index, e.g. `en-de`.
    pub name: String,
    /// ISO code of the source language.
    pub source: String,
    /// ISO code of the target language.
    pub target: String,
    /// Sum over `files`.
    pub bytes: u64,
    /// What loading fetches.
    pub files: Vec<FileEntry>,
}

/// One file of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Its name in the folder.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of its content, in lower-case hexadecimal.
    pub sha256: String,
}
