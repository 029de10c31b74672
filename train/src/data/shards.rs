//! A corpus of token ids on the disk, made once and read block by block, so that its size does not matter to a run's memory.
//!
//! A folder holds `index.json` and a file a shard, `00000.ids` and so on. A shard is a row of blocks of at most [`BLOCK`] pairs; a block is,
//! in little-endian 16-bit numbers: the lengths of its sources, the lengths of its targets, the ids of all sources, the ids
//! of all targets. The index says of each block where it begins, its pairs, its bytes and their CRC-32.

mod block;
mod writer;

pub use block::BLOCK;
pub use writer::Writer;

use super::corpus::Corpus;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

const INDEX: &str = "index.json";

/// What a corpus was made from, and its blocks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Index {
    /// Hash of all that the ids depend on.
    key: String,
    /// Whether the text was read to its end.
    complete: bool,
    /// Lines of the text, as far as it was read.
    lines: u64,
    shards: Vec<Vec<Entry>>,
}

/// Where a block lies in its shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    start: u64,
    bytes: u32,
    pairs: u32,
    crc: u32,
}

impl Index {
    /// The index of a folder, if it has one of this key.
    fn read(folder: &Path, key: &str) -> Option<Self> {
        let bytes = std::fs::read(folder.join(INDEX)).ok()?;
        let index: Self = serde_json::from_slice(&bytes).ok()?;
        (index.key == key).then_some(index)
    }
}

fn shard(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{number:05}.ids"))
}

/// A corpus on the disk.
pub struct Shards {
    folder: PathBuf,
    files: Vec<File>,
    /// File and place of each block.
    blocks: Vec<(u32, Entry)>,
    pairs: u64,
}

impl Shards {
    /// Opens a corpus that was made to its end from what `key` says. `None` if there is none.
    ///
    /// # Errors
    /// A shard that is missing or of another length than the index says.
    pub fn open(folder: &Path, key: &str) -> Result<Option<Self>> {
        let Some(index) = Index::read(folder, key).filter(|index| index.complete) else {
            return Ok(None);
        };
        let mut files = Vec::with_capacity(index.shards.len());
        let mut blocks = Vec::new();
        for (number, entries) in index.shards.iter().enumerate() {
            let path = shard(folder, number);
            let file = File::open(&path).map_err(|e| Error::file(&path, e))?;
            let found = file.metadata().map_err(|e| Error::file(&path, e))?.len();
            let expected = entries.last().map_or(0, |e| e.start + u64::from(e.bytes));
            if found != expected {
                return Err(damaged(
                    folder,
                    &format!("{number:05}.ids has {found} bytes instead of {expected}"),
                ));
            }
            files.push(file);
            blocks.extend(entries.iter().map(|entry| (number as u32, *entry)));
        }
        Ok(Some(Self {
            folder: folder.to_path_buf(),
            files,
            pairs: blocks.iter().map(|(_, e)| u64::from(e.pairs)).sum(),
            blocks,
        }))
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Number of pairs of a block.
    pub fn pairs_of(&self, block: usize) -> usize {
        self.blocks[block].1.pairs as usize
    }

    /// Reads a block.
    ///
    /// # Errors
    /// If it cannot be read, or is not what was written.
    pub fn read(&self, block: usize) -> Result<Corpus> {
        let (number, entry) = self.blocks[block];
        let mut bytes = vec![0; entry.bytes as usize];
        self.files[number as usize]
            .read_exact_at(&mut bytes, entry.start)
            .map_err(|e| Error::file(shard(&self.folder, number as usize), e))?;
        let corpus = match crc32fast::hash(&bytes) == entry.crc {
            true => block::decode(&bytes, entry.pairs as usize),
            false => None,
        };
        corpus.ok_or_else(|| {
            let place = entry.start;
            let reason = format!("{number:05}.ids is not what was written, at byte {place}");
            damaged(&self.folder, &reason)
        })
    }
}

fn damaged(folder: &Path, reason: &str) -> Error {
    Error::file(
        folder,
        format!("{reason}: delete this folder, and it is made anew"),
    )
}

#[cfg(test)]
mod tests;
