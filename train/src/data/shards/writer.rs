//! Writing a corpus shard by shard; after an interruption, writing resumes after the last whole shard.

use super::{BLOCK, Entry, INDEX, Index, block, shard};
use crate::data::corpus::Corpus;
use crate::error::{Error, Result};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};
use translucent::checkpoint::{disk, write_atomically};

/// A corpus that is being written.
pub struct Writer {
    folder: PathBuf,
    index: Index,
}

impl Writer {
    /// Resumes the corpus of this key in a folder, or begins it.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn open(folder: &Path, key: &str) -> Result<Self> {
        disk::create_folder(folder).map_err(|e| Error::file(folder, e))?;
        let index = Index::read(folder, key).unwrap_or_else(|| Index {
            key: key.to_owned(),
            ..Index::default()
        });
        Ok(Self {
            folder: folder.to_path_buf(),
            index,
        })
    }

    /// Lines of the text that are in the shards so far.
    pub fn lines(&self) -> u64 {
        self.index.lines
    }

    /// Number of shards so far.
    pub fn shards(&self) -> usize {
        self.index.shards.len()
    }

    /// Writes the ids of the next `lines` lines of the text as a shard, its pairs in random order.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, corpus: &Corpus, lines: u64) -> Result<()> {
        let number = self.index.shards.len();
        let mut order: Vec<u32> = (0..corpus.len() as u32).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(number as u64));
        let (mut bytes, mut entries) = (Vec::new(), Vec::new());
        for pairs in order.chunks(BLOCK) {
            let block = block::encode(corpus, pairs);
            entries.push(Entry {
                start: bytes.len() as u64,
                bytes: block.len() as u32,
                pairs: pairs.len() as u32,
                crc: crc32fast::hash(&block),
            });
            bytes.extend(block);
        }
        write_atomically(&shard(&self.folder, number), &bytes)?;
        self.index.shards.push(entries);
        self.index.lines += lines;
        self.save()
    }

    /// Notes that the text is at its end.
    ///
    /// # Errors
    /// If the index cannot be written.
    pub fn finish(mut self) -> Result<()> {
        self.index.complete = true;
        self.save()
    }

    fn save(&self) -> Result<()> {
        let path = self.folder.join(INDEX);
        let text = serde_json::to_vec(&self.index).map_err(|e| Error::file(&path, e))?;
        Ok(write_atomically(&path, &text)?)
    }
}
