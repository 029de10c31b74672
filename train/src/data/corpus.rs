//! Token ids of a corpus, packed: two flat u16 arrays with the end of every sentence.

use crate::error::{Error, Result};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use std::collections::HashMap;
use std::path::Path;
use translucent::checkpoint::write_atomically;

/// One side of a corpus: all sentences one after the other, without their end mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    ids: Vec<u16>,
    /// End of sentence i in `ids`; its start is the end of sentence i − 1.
    ends: Vec<u32>,
}

impl Packed {
    /// Appends a sentence. Vocabularies have at most 65 536 pieces, which the recipe's check guarantees.
    pub fn push(&mut self, ids: &[u32]) {
        self.ids.extend(ids.iter().map(|&id| id as u16));
        self.ends.push(self.ids.len() as u32);
    }

    /// Appends a sentence of another corpus.
    pub fn push_packed(&mut self, ids: &[u16]) {
        self.ids.extend_from_slice(ids);
        self.ends.push(self.ids.len() as u32);
    }

    /// Number of sentences.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no sentence.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number of pieces of all sentences.
    pub fn pieces(&self) -> usize {
        self.ids.len()
    }

    /// Pieces of sentence `i`.
    pub fn get(&self, i: usize) -> &[u16] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.ids[start..self.ends[i] as usize]
    }
}

/// The sentence pairs of one file as ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corpus {
    /// Source side.
    pub source: Packed,
    /// Target side.
    pub target: Packed,
}

impl Corpus {
    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.source.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.source.is_empty()
    }

    /// Writes the corpus; `key` says what it was made from.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path, key: &str) -> Result<()> {
        let sides = [("source", &self.source), ("target", &self.target)];
        let blocks: Vec<(String, Dtype, usize, Vec<u8>)> = sides
            .iter()
            .flat_map(|(name, side)| {
                [
                    (
                        format!("{name}.ids"),
                        Dtype::U16,
                        side.ids.len(),
                        side.ids.iter().flat_map(|v| v.to_le_bytes()).collect(),
                    ),
                    (
                        format!("{name}.ends"),
                        Dtype::U32,
                        side.ends.len(),
                        side.ends.iter().flat_map(|v| v.to_le_bytes()).collect(),
                    ),
                ]
            })
            .collect();
        let views = blocks
            .iter()
            .map(|(name, dtype, len, bytes)| {
                Ok((name, TensorView::new(*dtype, vec![*len], bytes)?))
            })
            .collect::<std::result::Result<Vec<_>, safetensors::SafeTensorError>>()
            .map_err(|e| Error::file(path, e))?;
        let metadata = HashMap::from([("key".to_owned(), key.to_owned())]);
        let bytes =
            safetensors::serialize(views, Some(metadata)).map_err(|e| Error::file(path, e))?;
        Ok(write_atomically(path, &bytes)?)
    }

    /// Reads a corpus if the file exists and was made from `key`.
    pub fn read(path: &Path, key: &str) -> Option<Self> {
        let bytes = std::fs::read(path).ok()?;
        let (_, metadata) = SafeTensors::read_metadata(&bytes).ok()?;
        if metadata.metadata().as_ref()?.get("key")? != key {
            return None;
        }
        let file = SafeTensors::deserialize(&bytes).ok()?;
        let side = |name: &str| -> Option<Packed> {
            let ids = file.tensor(&format!("{name}.ids")).ok()?;
            let ends = file.tensor(&format!("{name}.ends")).ok()?;
            Some(Packed {
                ids: ids
                    .data()
                    .as_chunks()
                    .0
                    .iter()
                    .map(|b| u16::from_le_bytes(*b))
                    .collect(),
                ends: ends
                    .data()
                    .as_chunks()
                    .0
                    .iter()
                    .map(|b| u32::from_le_bytes(*b))
                    .collect(),
            })
        };
        Some(Self {
            source: side("source")?,
            target: side("target")?,
        })
    }
}
