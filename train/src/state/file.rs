//! A file of tensors with a header and a checksum, as safetensors.

use super::Header;
use crate::error::{Error, Result};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use tch::{Device, Kind, Tensor};
use translucent::checkpoint::write_atomically;
use translucent::random;

/// Version of the file's layout.
pub(super) const FORMAT: u32 = 1;

/// Name of the checksum among the metadata.
const CHECKSUM: &str = "checksum";

/// Reads the header and all tensors of a file that the trainer wrote.
///
/// # Errors
/// A missing or damaged file, or one of another layout.
pub fn read(path: &Path) -> Result<(Header, BTreeMap<String, Tensor>)> {
    let bytes = std::fs::read(path).map_err(|e| Error::file(path, e))?;
    let fault = |e: safetensors::SafeTensorError| Error::file(path, format!("no checkpoint: {e}"));
    let (_, metadata) = SafeTensors::read_metadata(&bytes).map_err(fault)?;
    let header = metadata
        .metadata()
        .as_ref()
        .and_then(|m| m.get("header"))
        .ok_or_else(|| Error::file(path, "no checkpoint of the trainer: it has no header"))?;
    let header: Header = serde_json::from_str(header)
        .map_err(|e| Error::file(path, format!("damaged header: {e}")))?;
    if header.format != FORMAT {
        return Err(Error::file(
            path,
            format!(
                "has layout {}, this trainer reads layout {FORMAT}",
                header.format
            ),
        ));
    }
    let file = SafeTensors::deserialize(&bytes).map_err(fault)?;
    let told = metadata.metadata().as_ref().and_then(|m| m.get(CHECKSUM));
    let views = file.iter();
    // States of older trainers have none.
    if told.is_some_and(|told| *told != checksum(views.map(|(name, view)| (name, view.data())))) {
        return Err(Error::file(path, "damaged: its checksum is another"));
    }
    let tensors = file
        .iter()
        .map(|(name, view)| {
            if view.dtype() != Dtype::F32 {
                return Err(Error::file(
                    path,
                    format!("tensor {name} is {:?}, not F32", view.dtype()),
                ));
            }
            let shape: Vec<i64> = view.shape().iter().map(|&n| n as i64).collect();
            Ok((
                name.to_owned(),
                Tensor::f_from_data_size(view.data(), &shape, Kind::Float)?,
            ))
        })
        .collect::<Result<_>>()?;
    Ok((header, tensors))
}

/// A sum of all names and bytes in which the order of the tensors does not matter.
fn checksum<'a>(tensors: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let sum = |bytes: &[u8]| {
        bytes
            .chunks(8)
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                (hash ^ u64::from_le_bytes(word))
                    .wrapping_mul(0x0100_0000_01b3)
                    .rotate_left(29)
            })
    };
    let all = tensors.fold(0u64, |all, (name, bytes)| {
        all.wrapping_add(random::mix(sum(name.as_bytes()) ^ sum(bytes)))
    });
    format!("{all:016x}")
}

/// Writes a file that [`read`] reads.
pub(super) fn write<'a>(
    path: &Path,
    header: &Header,
    tensors: impl Iterator<Item = (String, &'a Tensor)>,
) -> Result<()> {
    let blocks: Vec<(String, Vec<usize>, Vec<u8>)> = tensors
        .map(|(name, tensor)| {
            let tensor = tensor.detach().to(Device::Cpu).contiguous();
            let mut bytes = vec![0; 4 * tensor.numel()];
            tensor.f_copy_data_u8(&mut bytes, tensor.numel())?;
            Ok((
                name,
                tensor.size().iter().map(|&n| n as usize).collect(),
                bytes,
            ))
        })
        .collect::<Result<_>>()?;
    let views = blocks
        .iter()
        .map(|(name, shape, bytes)| Ok((name, TensorView::new(Dtype::F32, shape.clone(), bytes)?)))
        .collect::<std::result::Result<Vec<_>, safetensors::SafeTensorError>>()
        .map_err(|e| Error::file(path, e))?;
    let header = serde_json::to_string(header).map_err(|e| Error::file(path, e))?;
    let metadata = HashMap::from([
        ("header".to_owned(), header),
        ("format".to_owned(), "pt".to_owned()),
        (
            CHECKSUM.to_owned(),
            checksum(blocks.iter().map(|(name, _, bytes)| (&**name, &**bytes))),
        ),
    ]);
    let bytes = safetensors::serialize(views, Some(metadata)).map_err(|e| Error::file(path, e))?;
    Ok(write_atomically(path, &bytes)?)
}
