//! A tensor as it lies in a file: described, and neither copied nor converted before it is read.

use super::Content;
use crate::{Error, Result};
use half::{bf16, f16};
use std::ops::Range;
use std::rc::Rc;

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

/// Bytes of a file.
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    pub file: Rc<dyn Content + 'a>,
    pub range: Range<usize>,
}

impl Place<'_> {
    fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.file, &other.file) && self.range == other.range
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
    pub(super) fn row_major(dtype: Dtype, shape: Vec<usize>, data: Place<'a>) -> Self {
        Self {
            dtype,
            shape,
            strides: None,
            data,
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
        storage: &Place<'a>,
    ) -> std::result::Result<Self, String> {
        let length = storage.range.len();
        let beyond = || {
            format!(
                "has shape {shape:?}, strides {strides:?} and offset {offset}, which reach beyond its storage of {length} bytes"
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
        let range = extent.and_then(|extent| {
            let start = offset.checked_mul(size)?;
            let end = start.checked_add(extent.checked_mul(size)?)?;
            (end <= length).then(|| storage.range.start + start..storage.range.start + end)
        });
        let range = range.ok_or_else(beyond)?;
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
            data: Place {
                file: storage.file.clone(),
                range,
            },
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
        self.data.is(&other.data)
            && (&self.dtype, &self.shape, &self.strides)
                == (&other.dtype, &other.shape, &other.strides)
    }

    /// Where its first byte lies in its file.
    pub(super) fn start(&self) -> usize {
        self.data.range.start
    }

    /// How many of its rows are read at a time: so many that there is no need for much memory beside that of what they become.
    pub(super) fn rows_at_once(&self) -> usize {
        const VALUES: usize = 1 << 18;
        let &[rows, columns] = self.shape() else {
            return usize::MAX;
        };
        match self.strides {
            None => (VALUES / columns.max(1)).next_multiple_of(16),
            // Its rows do not lie one behind the other.
            Some(_) => rows,
        }
    }

    /// Reads its values as bytes, row-major, from value `first` on.
    ///
    /// # Errors
    /// If the file cannot be read.
    ///
    /// # Panics
    /// If it has not so many values.
    pub(super) fn read_bytes(&self, first: usize, out: &mut [u8]) -> Result<()> {
        let size = self.dtype.size();
        assert!(
            first * size + out.len() <= self.len() * size,
            "beyond the last value"
        );
        let Place { file, range } = &self.data;
        let Some(strides) = &self.strides else {
            return file.read(range.start + first * size, out);
        };
        let data = super::content::part(file.as_ref(), range.clone())?;
        for (number, place) in (first..).zip(out.chunks_exact_mut(size)) {
            let mut rest = number;
            let mut at = 0;
            for (n, stride) in self.shape.iter().zip(strides).rev() {
                at += rest % n * stride;
                rest /= n;
            }
            place.copy_from_slice(&data[at * size..][..size]);
        }
        Ok(())
    }

    /// Reads its values as 32-bit floats, row-major, from value `first` on; `name` is for errors.
    ///
    /// # Errors
    /// [`Error::ModelFormat`] if they are no floats or not all finite; if the file cannot be read.
    ///
    /// # Panics
    /// If it has not so many values.
    pub(super) fn read_floats(&self, name: &str, first: usize, out: &mut [f32]) -> Result<()> {
        let bad = |reason| Error::ModelFormat {
            name: name.to_owned(),
            reason,
        };
        match self.dtype {
            Dtype::F32 => {
                self.read_bytes(first, bytemuck::cast_slice_mut(out))?;
                if cfg!(target_endian = "big") {
                    for value in &mut *out {
                        *value = f32::from_bits(value.to_bits().swap_bytes());
                    }
                }
            }
            Dtype::F16 | Dtype::Bf16 => {
                let mut bytes = vec![0; out.len() * 2];
                self.read_bytes(first, &mut bytes)?;
                let widen = match self.dtype {
                    Dtype::F16 => |b| f16::from_le_bytes(b).to_f32(),
                    _ => |b| bf16::from_le_bytes(b).to_f32(),
                };
                for (value, b) in out.iter_mut().zip(bytes.as_chunks::<2>().0) {
                    *value = widen(*b);
                }
            }
            _ => {
                return Err(bad(format!(
                    "has type {}, it must be F32, F16, BF16, or I8 with scales",
                    self.dtype
                )));
            }
        }
        // A sum that no finite value makes anything but 0 runs in vectors, as a search that ends at the first does not.
        if taint(out) == 0.0 {
            return Ok(());
        }
        match out.iter().position(|value| !value.is_finite()) {
            Some(at) => Err(bad(format!(
                "value {} is {}, all must be finite numbers",
                first + at,
                out[at]
            ))),
            None => Ok(()),
        }
    }

    /// All its values as 32-bit floats, row-major.
    ///
    /// # Errors
    /// As [`Self::read_floats`].
    pub(super) fn floats(&self, name: &str) -> Result<Vec<f32>> {
        let mut values = vec![0.0; self.len()];
        self.read_floats(name, 0, &mut values)?;
        Ok(values)
    }
}

/// The sum of 0 · x: 0, or NaN if any x is not finite.
fn taint(values: &[f32]) -> f32 {
    let (chunks, rest) = values.as_chunks::<8>();
    let mut sums = [0.0f32; 8];
    for chunk in chunks {
        for (sum, value) in sums.iter_mut().zip(chunk) {
            *sum += value * 0.0;
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|value| value * 0.0).sum::<f32>()
}
