//! A tensor as it lies in a file: described, and neither copied nor converted before it is read.

use super::Content;
use half::{bf16, f16};
use std::borrow::Cow;
use std::ops::Range;

/// Suffix of the name of an int8 matrix' scales.
pub(super) const SCALE: &str = "_scale";

/// The type of a tensor's values in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dtype {
    /// 32-bit floats.
    F32,
    /// IEEE half precision.
    F16,
    /// The upper half of a 32-bit float.
    Bf16,
    /// Integers −127..=127 with a scale for each row.
    I8,
    /// One that no model is read from: its name, and the bytes of a value.
    Other(String, usize),
}

impl Dtype {
    /// Bytes of a value.
    pub fn size(&self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
            Self::I8 => 1,
            Self::Other(_, size) => *size,
        }
    }

    /// The type of the values in a storage class of `torch`.
    pub(super) fn of_storage(class: &str) -> Option<Self> {
        let other = |name: &str, size| Some(Self::Other(name.to_owned(), size));
        match class {
            "FloatStorage" => Some(Self::F32),
            "HalfStorage" => Some(Self::F16),
            "BFloat16Storage" => Some(Self::Bf16),
            // Scales and I8 matrices are additions of this crate: in torch, integers have no scale.
            "DoubleStorage" => other("F64", 8),
            "LongStorage" => other("I64", 8),
            "IntStorage" => other("I32", 4),
            "CharStorage" => other("I8", 1),
            "ByteStorage" => other("U8", 1),
            "BoolStorage" => other("BOOL", 1),
            _ => None,
        }
    }
}

impl std::fmt::Display for Dtype {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::F32 => "F32",
            Self::F16 => "F16",
            Self::Bf16 => "BF16",
            Self::I8 => "I8",
            Self::Other(name, _) => name,
        })
    }
}

/// Where values lie.
#[derive(Clone, Debug)]
enum Place<'a> {
    Memory(&'a [u8]),
    File(&'a dyn Content, Range<usize>),
}

impl Place<'_> {
    /// Where they begin, and how many bytes they have.
    fn address(&self) -> (*const u8, usize, usize) {
        match self {
            Self::Memory(bytes) => (bytes.as_ptr(), 0, bytes.len()),
            Self::File(file, range) => {
                let file: *const dyn Content = *file;
                (file.cast(), range.start, range.len())
            }
        }
    }
}

/// One tensor of a file.
#[derive(Clone, Debug)]
pub struct Stored<'a> {
    dtype: Dtype,
    shape: Vec<usize>,
    /// Steps between neighbours along each dimension; `None`: row-major.
    strides: Option<Vec<usize>>,
    /// From the first value on, and no further than the last.
    data: Place<'a>,
}

impl<'a> Stored<'a> {
    /// A row-major tensor; the range of the file has as many bytes as the shape needs.
    pub(super) fn row_major(
        dtype: Dtype,
        shape: Vec<usize>,
        file: &'a dyn Content,
        range: Range<usize>,
    ) -> Self {
        Self {
            dtype,
            shape,
            strides: None,
            data: Place::File(file, range),
        }
    }

    /// A view of a storage, as `torch` describes it: offset and strides count values.
    ///
    /// # Errors
    /// What is wrong, as the end of a sentence, if the view reaches beyond the storage.
    pub(super) fn strided(
        dtype: Dtype,
        shape: Vec<usize>,
        strides: Vec<usize>,
        offset: usize,
        storage: &'a [u8],
    ) -> Result<Self, String> {
        let beyond = || {
            format!(
                "has shape {shape:?}, strides {strides:?} and offset {offset}, which reach beyond its storage of {} bytes",
                storage.len()
            )
        };
        if shape.len() != strides.len() {
            return Err(format!(
                "has {} dimensions and {} strides",
                shape.len(),
                strides.len()
            ));
        }
        let count = shape
            .iter()
            .try_fold(1usize, |count, n| count.checked_mul(*n));
        let count = count.ok_or_else(beyond)?;
        // One after the last value, counted from the first.
        let extent = if count == 0 {
            Some(0)
        } else {
            shape
                .iter()
                .zip(&strides)
                .try_fold(1usize, |extent, (n, stride)| {
                    extent.checked_add((n - 1).checked_mul(*stride)?)
                })
        };
        let size = dtype.size();
        let data = extent.and_then(|extent| {
            let start = offset.checked_mul(size)?;
            storage.get(start..start.checked_add(extent.checked_mul(size)?)?)
        });
        let data = data.ok_or_else(beyond)?;
        let mut expected = 1usize;
        let row_major = shape.iter().zip(&strides).rev().all(|(n, stride)| {
            let fits = *n == 1 || *stride == expected;
            expected = expected.saturating_mul(*n);
            fits
        });
        Ok(Self {
            strides: (!row_major && count > 0).then_some(strides),
            dtype,
            shape,
            data: Place::Memory(data),
        })
    }

    /// The type of its values in the file.
    pub fn dtype(&self) -> &Dtype {
        &self.dtype
    }

    /// Its shape.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Number of its values.
    pub fn len(&self) -> usize {
        // Checked by both constructors.
        self.shape.iter().product()
    }

    /// Whether it has no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether two names refer to the same bytes.
    pub(in super::super) fn is_same_place(&self, other: &Self) -> bool {
        self.data.address() == other.data.address()
            && (&self.dtype, &self.shape, &self.strides)
                == (&other.dtype, &other.shape, &other.strides)
    }

    /// Its values as bytes, row-major.
    pub(super) fn bytes(&self) -> Cow<'a, [u8]> {
        let data = match &self.data {
            Place::Memory(bytes) => (*bytes).into(),
            Place::File(file, range) => file.part(range.clone()),
        };
        let Some(strides) = &self.strides else {
            return data;
        };
        let size = self.dtype.size();
        let mut bytes = Vec::with_capacity(self.len() * size);
        let mut index = vec![0; self.shape.len()];
        for _ in 0..self.len() {
            let at: usize = index
                .iter()
                .zip(strides)
                .map(|(i, stride)| i * stride)
                .sum();
            bytes.extend_from_slice(&data[at * size..][..size]);
            for (i, n) in index.iter_mut().zip(&self.shape).rev() {
                *i += 1;
                if *i < *n {
                    break;
                }
                *i = 0;
            }
        }
        bytes.into()
    }

    /// Its values as 32-bit floats, row-major.
    ///
    /// # Errors
    /// What is wrong, as the end of a sentence, if they are no floats or not all finite.
    pub(super) fn floats(&self) -> Result<Vec<f32>, String> {
        let bytes = self.bytes();
        let values: Vec<f32> = match self.dtype {
            Dtype::F32 => {
                let values = bytes.as_chunks::<4>().0.iter();
                values.map(|b| f32::from_le_bytes(*b)).collect()
            }
            Dtype::F16 => {
                let values = bytes.as_chunks::<2>().0.iter();
                values.map(|b| f16::from_le_bytes(*b).to_f32()).collect()
            }
            Dtype::Bf16 => {
                let values = bytes.as_chunks::<2>().0.iter();
                values.map(|b| bf16::from_le_bytes(*b).to_f32()).collect()
            }
            _ => {
                return Err(format!(
                    "has type {}, it must be F32, F16, BF16, or I8 with scales",
                    self.dtype
                ));
            }
        };
        match values.iter().position(|value| !value.is_finite()) {
            Some(at) => Err(format!(
                "value {at} is {}, all must be finite numbers",
                values[at]
            )),
            None => Ok(values),
        }
    }
}
