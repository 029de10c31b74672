//! A file's content, wherever it lies.

use crate::{Error, Result};
use std::ops::Range;

/// The content of a file, of which parts are read when they are needed: a model's weights then are in memory once,
/// as the kernels read them, and not a second time as a file.
pub trait Content: std::fmt::Debug {
    /// Its length in bytes.
    fn len(&self) -> usize;

    /// Whether it has no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads the bytes from `start` on.
    ///
    /// # Errors
    /// [`crate::Error::Io`] if they cannot be read.
    ///
    /// # Panics
    /// If they reach beyond the end.
    fn read(&self, start: usize, out: &mut [u8]) -> Result<()>;
}

impl Content for Vec<u8> {
    fn len(&self) -> usize {
        self.as_slice().len()
    }

    fn read(&self, start: usize, out: &mut [u8]) -> Result<()> {
        out.copy_from_slice(&self[start..][..out.len()]);
        Ok(())
    }
}

impl<C: Content + ?Sized> Content for &C {
    fn len(&self) -> usize {
        (**self).len()
    }

    fn read(&self, start: usize, out: &mut [u8]) -> Result<()> {
        (**self).read(start, out)
    }
}

/// The bytes of a range.
pub(super) fn part(content: &dyn Content, range: Range<usize>) -> Result<Vec<u8>> {
    let mut bytes = vec![0; range.len()];
    content.read(range.start, &mut bytes)?;
    Ok(bytes)
}

/// Why the description of a file's tensors is not read.
#[derive(Debug)]
pub(super) enum Fault {
    /// What is wrong with the file, as the end of a sentence that begins with its name.
    Format(String),
    /// It cannot be read at all.
    Read(Error),
}

impl Fault {
    /// The error of the file `name`.
    pub fn of(self, name: &str) -> Error {
        match self {
            Self::Format(reason) => Error::ModelFormat {
                name: name.to_owned(),
                reason,
            },
            Self::Read(error) => error,
        }
    }
}

impl From<String> for Fault {
    fn from(reason: String) -> Self {
        Self::Format(reason)
    }
}

impl From<&str> for Fault {
    fn from(reason: &str) -> Self {
        Self::Format(reason.to_owned())
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Read(error)
    }
}
