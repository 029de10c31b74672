//! Probes: the attention of a few fixed sentence pairs, recorded at some steps from the first on, to show how
//! heads form.
//!
//! # File
//! `probes.bin` is `TLPROBES`, then a little-endian u32 with the length of a UTF-8 JSON [`Header`], the header,
//! and then bytes without padding. For each entry of `header.checkpoints`, for each of `header.sentences`
//! (S source pieces, T target pieces), three blocks in row-major order: encoder self-attention
//! (encoder layers, heads, S, S), decoder self-attention (decoder layers, heads, T, T), cross-attention
//! (decoder layers, heads, T, S). A byte b stands for the weight b / 255. Row t of a decoder block belongs to the
//! prediction of target piece t, made after reading the start mark and target pieces 0 .. t − 1.

use crate::data::batch::{Batch, SpecialIds};
use crate::error::{Error, Result};
use crate::model::{Observed, Transformer};
use serde::{Deserialize, Serialize};
use std::path::Path;
use tch::{Device, Kind, Tensor};
use translucent::checkpoint::write_atomically;

/// First bytes of the file.
const MAGIC: &[u8; 8] = b"TLPROBES";
/// Limit of the file's bytes, as the page loads it.
const LIMIT: usize = 300_000;

/// What the bytes of the file mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Number of encoder layers.
    pub encoder_layers: usize,
    /// Number of decoder layers.
    pub decoder_layers: usize,
    /// Heads of every attention.
    pub n_heads: usize,
    /// The sentence pairs.
    pub sentences: Vec<Sentence>,
    /// When the attention was recorded, in order.
    pub checkpoints: Vec<Checkpoint>,
}

/// A sentence pair whose attention is recorded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sentence {
    /// Source sentence.
    pub source: String,
    /// Its translation, which the decoder was made to read.
    pub target: String,
    /// Source pieces, with the end mark.
    pub source_pieces: Vec<String>,
    /// Target pieces, with the end mark: what each row of a decoder block predicts.
    pub target_pieces: Vec<String>,
    /// Source ids without the end mark.
    pub source_ids: Vec<u16>,
    /// Target ids without the end mark.
    pub target_ids: Vec<u16>,
}

/// A step at which attention was recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Optimiser steps done.
    pub step: u64,
    /// Target tokens trained on.
    pub target_tokens: u64,
}

/// A file of probes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Probes {
    /// What the bytes mean.
    pub header: Header,
    /// The blocks of each checkpoint.
    pub blocks: Vec<Vec<u8>>,
}

impl Probes {
    /// Reads the file if it is there; otherwise starts an empty one.
    /// Checkpoints after `step` are dropped: a run that continues from an older step makes them again.
    ///
    /// # Errors
    /// If the file exists and is not of this format, or was made for other sentences or another model.
    pub fn open(path: &Path, mut header: Header, step: u64) -> Result<Self> {
        let Ok(bytes) = std::fs::read(path) else {
            return Ok(Self {
                header,
                blocks: Vec::new(),
            });
        };
        let mut probes = Self::parse(&bytes).map_err(|reason| Error::file(path, reason))?;
        header.checkpoints.clone_from(&probes.header.checkpoints);
        if header != probes.header {
            return Err(Error::file(
                path,
                "was made with other probes or another model: move it away",
            ));
        }
        let kept = header.checkpoints.iter().filter(|c| c.step <= step).count();
        probes.header.checkpoints.truncate(kept);
        probes.blocks.truncate(kept);
        Ok(probes)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// A description of the damage.
    pub fn parse(bytes: &[u8]) -> std::result::Result<Self, String> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("no probes file")?;
        let (length, rest) = rest.split_first_chunk::<4>().ok_or("cut short")?;
        let (json, mut rest) = rest
            .split_at_checked(u32::from_le_bytes(*length) as usize)
            .ok_or("cut short")?;
        let header: Header = serde_json::from_slice(json).map_err(|e| e.to_string())?;
        let size = header.block_size();
        let mut blocks = Vec::new();
        for _ in &header.checkpoints {
            let (block, after) = rest.split_at_checked(size).ok_or("cut short")?;
            blocks.push(block.to_vec());
            rest = after;
        }
        if !rest.is_empty() {
            return Err(format!("{} bytes too many", rest.len()));
        }
        Ok(Self { header, blocks })
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let json = serde_json::to_vec(&self.header).map_err(|e| Error::Recipe(e.to_string()))?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend(json);
        bytes.extend(self.blocks.concat());
        Ok(bytes)
    }

    /// Records the model's attention now and writes the file.
    ///
    /// # Errors
    /// If the file would pass 300 KB or cannot be written.
    pub fn record(
        &mut self,
        path: &Path,
        model: &Transformer,
        special: SpecialIds,
        now: Checkpoint,
    ) -> Result<()> {
        let mut block = Vec::new();
        for sentence in &self.header.sentences {
            let pair = [(
                sentence.source_ids.as_slice(),
                sentence.target_ids.as_slice(),
            )];
            let batch = Batch::new(&pair, special, model.device());
            let mut observed = Observed::default();
            let _hidden = tch::no_grad(|| model.hidden(&batch, None, Some(&mut observed)));
            let (s, t) = (
                sentence.source_pieces.len() as i64,
                sentence.target_pieces.len() as i64,
            );
            for (layers, rows, columns) in [
                (&observed.encoder_self, s, s),
                (&observed.decoder_self, t, t),
                (&observed.cross, t, s),
            ] {
                for weights in layers {
                    // Batches are padded to lengths that recur.
                    block.extend(quantise(&weights.narrow(2, 0, rows).narrow(3, 0, columns))?);
                }
            }
        }
        if let Some(index) = self
            .header
            .checkpoints
            .iter()
            .position(|c| c.step == now.step)
        {
            self.header.checkpoints[index] = now;
            self.blocks[index] = block;
        } else {
            self.header.checkpoints.push(now);
            self.blocks.push(block);
        }
        let bytes = self.to_bytes()?;
        if bytes.len() > LIMIT {
            return Err(Error::Recipe(format!(
                "the probes need {} bytes, the limit is {LIMIT}: take shorter sentences or fewer probe_steps",
                bytes.len()
            )));
        }
        Ok(write_atomically(path, &bytes)?)
    }
}

impl Header {
    /// Bytes of one checkpoint.
    pub fn block_size(&self) -> usize {
        self.sentences
            .iter()
            .map(|sentence| {
                let (s, t) = (sentence.source_pieces.len(), sentence.target_pieces.len());
                self.n_heads * (self.encoder_layers * s * s + self.decoder_layers * (t * t + t * s))
            })
            .sum()
    }
}

fn quantise(weights: &Tensor) -> Result<Vec<u8>> {
    let bytes = (weights * 255.0)
        .round()
        .to_kind(Kind::Uint8)
        .to(Device::Cpu)
        .contiguous();
    let mut out = vec![0u8; bytes.numel()];
    bytes.f_copy_data(&mut out, bytes.numel())?;
    Ok(out)
}
