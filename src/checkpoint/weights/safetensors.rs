//! `model.safetensors`, read and written.

use super::super::tensors::{Tensors, Values};
use super::content::{Fault, part};
use super::stored::{Dtype, Place, SCALE, Stored};
use super::{Content, WEIGHTS};
use crate::{Error, Result};
use half::{bf16, f16};
use safetensors::tensor::{Dtype as Type, Metadata, SafeTensorError, TensorInfo, TensorView, View};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// The tensors of the file `name`, as they lie in it.
///
/// # Errors
/// [`Error::ModelFormat`] naming the file and what is wrong with it.
pub fn index<'a>(name: &str, file: &Rc<dyn Content + 'a>) -> Result<Vec<(String, Stored<'a>)>> {
    let (start, metadata) = header(file.as_ref()).map_err(|fault| fault.of(name))?;
    let tensors = metadata.tensors().into_iter();
    Ok(tensors
        .map(|(name, info)| {
            let (from, to) = info.data_offsets;
            let place = Place {
                file: file.clone(),
                range: start + from..start + to,
            };
            let stored = Stored::row_major(dtype(info.dtype), info.shape.clone(), place);
            (name, stored)
        })
        .collect())
}

/// Where the values begin, and the checked description of the tensors: as `SafeTensors::read_metadata`, which would
/// need the whole file in memory.
fn header(file: &dyn Content) -> std::result::Result<(usize, Metadata), Fault> {
    const LENGTH: usize = size_of::<u64>();
    let fault = |error| Fault::Format(fault(&error, file.len()));
    if file.len() < LENGTH {
        return Err(fault(SafeTensorError::HeaderTooSmall));
    }
    let mut length = [0; LENGTH];
    file.read(0, &mut length)?;
    let start = checked_start(u64::from_le_bytes(length), file.len()).map_err(fault)?;
    let bytes = part(file, LENGTH..start)?;
    let metadata = metadata(&bytes).map_err(fault)?;
    if start + metadata.data_len() != file.len() {
        return Err(fault(SafeTensorError::MetadataIncompleteBuffer));
    }
    Ok((start, metadata))
}

/// Where the values of a file of `len` bytes begin, whose header has `length` bytes.
fn checked_start(length: u64, len: usize) -> std::result::Result<usize, SafeTensorError> {
    /// The crate's own limit.
    const LONGEST: usize = 100_000_000;
    let length = usize::try_from(length).ok();
    let length = length.filter(|length| *length <= LONGEST);
    let start = length.ok_or(SafeTensorError::HeaderTooLarge)? + size_of::<u64>();
    match start > len {
        true => Err(SafeTensorError::InvalidHeaderLength),
        false => Ok(start),
    }
}

/// The description of the tensors that a header's JSON gives.
fn metadata(bytes: &[u8]) -> std::result::Result<Metadata, SafeTensorError> {
    #[derive(Deserialize)]
    struct Header {
        #[serde(rename = "__metadata__")]
        _metadata: Option<IgnoredAny>,
        #[serde(flatten)]
        tensors: HashMap<String, TensorInfo>,
    }
    let text = std::str::from_utf8(bytes).map_err(SafeTensorError::InvalidHeader)?;
    let header: Header =
        serde_json::from_str(text).map_err(SafeTensorError::InvalidHeaderDeserialization)?;
    let mut tensors: Vec<_> = header.tensors.into_iter().collect();
    tensors.sort_unstable_by_key(|(_, info)| info.data_offsets);
    Metadata::new(None, tensors)
}

/// A floating-point type of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FloatType {
    /// 32 bits.
    #[default]
    F32,
    /// IEEE half precision: 11 binary digits, at most 65504.
    F16,
    /// The upper half of a 32-bit float: 8 binary digits.
    Bf16,
}

impl FloatType {
    /// Its name in `torch`.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "float32",
            Self::F16 => "float16",
            Self::Bf16 => "bfloat16",
        }
    }

    fn bytes(self, data: &[f32]) -> std::result::Result<(Type, Cow<'_, [u8]>), String> {
        Ok(match self {
            Self::F32 => (Type::F32, little_endian(data)),
            Self::Bf16 => {
                let rounded: Vec<bf16> = data.iter().map(|x| bf16::from_f32(*x)).collect();
                if let Some(at) = rounded.iter().position(|x| !x.is_finite()) {
                    return Err(format!(
                        "value {at} is {}, too large for BF16: choose F32",
                        data[at]
                    ));
                }
                let bytes: Vec<u8> = rounded.iter().flat_map(|x| x.to_le_bytes()).collect();
                (Type::BF16, bytes.into())
            }
            Self::F16 => {
                let rounded: Vec<f16> = data.iter().map(|x| f16::from_f32(*x)).collect();
                if let Some(at) = rounded.iter().position(|x| !x.is_finite()) {
                    return Err(format!(
                        "value {at} is {}, too large for F16: choose BF16",
                        data[at]
                    ));
                }
                let bytes: Vec<u8> = rounded.iter().flat_map(|x| x.to_le_bytes()).collect();
                (Type::F16, bytes.into())
            }
        })
    }
}

/// The bytes of floats, not copied where the machine has them in this order.
fn little_endian(data: &[f32]) -> Cow<'_, [u8]> {
    match cfg!(target_endian = "little") {
        true => bytemuck::cast_slice(data).into(),
        false => Cow::Owned(data.iter().flat_map(|x| x.to_le_bytes()).collect()),
    }
}

fn dtype(dtype: Type) -> Dtype {
    match dtype {
        Type::F32 => Dtype::F32,
        Type::F16 => Dtype::F16,
        Type::BF16 => Dtype::Bf16,
        Type::I8 => Dtype::I8,
        other => Dtype::Other(format!("{other:?}"), other.bitsize().div_ceil(8)),
    }
}

/// Name, type, shape and bytes of a tensor.
type Part<'a> = (String, Type, Vec<usize>, Cow<'a, [u8]>);

/// Writes tensors: floats in the type chosen, I8 with `…_scale` in F32.
///
/// # Errors
/// [`Error::ModelFormat`] if the format cannot hold them, or a value is too large for the type.
pub fn write(tensors: &Tensors, floats: FloatType) -> Result<Vec<u8>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for (name, tensor) in tensors.iter() {
        let shape = tensor.shape().to_vec();
        match tensor.values() {
            Values::F32(data) => {
                let (dtype, bytes) = floats.bytes(data).map_err(|reason| Error::ModelFormat {
                    name: name.to_owned(),
                    reason,
                })?;
                parts.push((name.to_owned(), dtype, shape, bytes));
            }
            Values::Int8 { data, scale } => {
                let bytes: &[u8] = bytemuck::cast_slice(data);
                parts.push((name.to_owned(), Type::I8, shape, bytes.into()));
                let shape = vec![scale.len()];
                let bytes = little_endian(scale);
                parts.push((format!("{name}{SCALE}"), Type::F32, shape, bytes));
            }
        }
    }
    let views = parts.iter().map(|(name, dtype, shape, bytes)| {
        let view = TensorView::new(*dtype, shape.clone(), bytes);
        view.map(|view| (name.clone(), view))
    });
    let views = views.collect::<std::result::Result<_, _>>();
    serialize(views.map_err(unwritable)?)
}

/// A file whose tensors are written one after the other, in any order: it needs no second copy of them.
pub struct Blank {
    bytes: Vec<u8>,
    ranges: HashMap<String, Range<usize>>,
}

impl Blank {
    /// Of tensors by name and shape, as I8 with scales in F32 or as F32; all values are 0.
    ///
    /// # Errors
    /// [`Error::ModelFormat`] if the format cannot hold them.
    pub fn new<'n>(tensors: impl Iterator<Item = (&'n str, &'n [usize], bool)>) -> Result<Self> {
        let mut zeros = Vec::new();
        for (name, shape, is_int8) in tensors {
            let dtype = if is_int8 { Type::I8 } else { Type::F32 };
            zeros.push((name.to_owned(), Zeros(dtype, shape.to_vec())));
            if is_int8 {
                let rows = shape.first().copied().unwrap_or_default();
                zeros.push((format!("{name}{SCALE}"), Zeros(Type::F32, vec![rows])));
            }
        }
        let bytes = serialize(zeros)?;
        let (start, metadata) = header(&bytes).map_err(|fault| fault.of(WEIGHTS))?;
        let ranges = metadata.tensors().into_iter();
        let ranges = ranges.map(|(name, info)| {
            let (from, to) = info.data_offsets;
            (name, start + from..start + to)
        });
        Ok(Self {
            ranges: ranges.collect(),
            bytes,
        })
    }

    /// Writes integers of a matrix, from value `first` on.
    ///
    /// # Panics
    /// If it has not so many.
    pub fn write_integers(&mut self, name: &str, first: usize, values: &[i8]) {
        self.write(name, first, bytemuck::cast_slice(values));
    }

    /// Writes scales of a matrix, from row `first` on.
    ///
    /// # Panics
    /// If it has not so many.
    pub fn write_scales(&mut self, name: &str, first: usize, values: &[f32]) {
        let name = format!("{name}{SCALE}");
        self.write(&name, first * size_of::<f32>(), &little_endian(values));
    }

    /// Writes all values of a tensor of floats.
    ///
    /// # Panics
    /// If it has not so many.
    pub fn write_floats(&mut self, name: &str, values: &[f32]) {
        self.write(name, 0, &little_endian(values));
    }

    fn write(&mut self, name: &str, at: usize, bytes: &[u8]) {
        let range = self.ranges[name].clone();
        self.bytes[range][at..][..bytes.len()].copy_from_slice(bytes);
    }

    /// The file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// A tensor of zeros.
struct Zeros(Type, Vec<usize>);

impl View for Zeros {
    fn dtype(&self) -> Type {
        self.0
    }

    fn shape(&self) -> &[usize] {
        &self.1
    }

    fn data(&self) -> Cow<'_, [u8]> {
        vec![0; self.data_len()].into()
    }

    fn data_len(&self) -> usize {
        self.1.iter().product::<usize>() * self.0.bitsize() / 8
    }
}

/// A file of these tensors.
fn serialize(tensors: Vec<(String, impl View)>) -> Result<Vec<u8>> {
    // `transformers` refuses files that do not say that they were written for PyTorch.
    let metadata = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    safetensors::serialize(tensors, Some(metadata)).map_err(unwritable)
}

fn unwritable(error: SafeTensorError) -> Error {
    Error::ModelFormat {
        name: WEIGHTS.into(),
        reason: format!("cannot be written: {error}"),
    }
}

fn fault(error: &SafeTensorError, found: usize) -> String {
    let what = match error {
        SafeTensorError::HeaderTooSmall => "is too short for a header".to_owned(),
        SafeTensorError::HeaderTooLarge | SafeTensorError::InvalidHeaderLength => {
            "begins with a header length that the file does not have".to_owned()
        }
        SafeTensorError::InvalidHeader(_) | SafeTensorError::InvalidHeaderStart => {
            "has a header that is no UTF-8 JSON object".to_owned()
        }
        SafeTensorError::InvalidHeaderDeserialization(error) => {
            format!("has a header that cannot be read: {error}")
        }
        SafeTensorError::InvalidOffset(tensor) => format!(
            "has a header whose data_offsets of {tensor} overlap those of another tensor or leave a gap"
        ),
        SafeTensorError::TensorInvalidInfo => {
            "has a header in which the data_offsets of a tensor do not fit its shape and type"
                .to_owned()
        }
        SafeTensorError::ValidationOverflow => {
            "has a header with a shape that no memory holds".to_owned()
        }
        SafeTensorError::MetadataIncompleteBuffer => {
            "is cut short or too long: its tensors end elsewhere".to_owned()
        }
        other => format!("has a damaged header: {other}"),
    };
    format!(
        "{what} ({found} bytes); it must be a whole safetensors file, so fetch or export it again"
    )
}
