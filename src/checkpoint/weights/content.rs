//! A file's content, wherever it lies.

use std::borrow::Cow;
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

    /// The bytes of a range.
    ///
    /// # Panics
    /// If the range reaches beyond the end.
    fn part(&self, range: Range<usize>) -> Cow<'_, [u8]>;

    /// All bytes, which from then on are in memory: for formats in which one thing refers to another.
    fn whole(&self) -> &[u8];
}

impl Content for Vec<u8> {
    fn len(&self) -> usize {
        self.as_slice().len()
    }

    fn part(&self, range: Range<usize>) -> Cow<'_, [u8]> {
        self[range].into()
    }

    fn whole(&self) -> &[u8] {
        self
    }
}
