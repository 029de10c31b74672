//! A set of strings that finds which of them a text begins with.

/// Sorted strings with a value each.
#[derive(Clone, Debug, Default)]
pub struct Prefixes {
    /// Sorted by string, without doubles.
    entries: Vec<(Box<str>, u32)>,
}

impl Prefixes {
    pub fn new(entries: impl Iterator<Item = (Box<str>, u32)>) -> Self {
        let mut entries: Vec<_> = entries.collect();
        entries.sort();
        Self { entries }
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Entries that `text` begins with, shortest first: `(length in bytes, value)`.
    pub fn of<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, u32)> + 'a {
        // `left` are the entries that begin with the `depth` bytes read; one that is no longer than that is first.
        let mut left = &self.entries[..];
        let mut bytes = text.bytes().enumerate();
        std::iter::from_fn(move || {
            while !left.is_empty() {
                let (depth, byte) = bytes.next()?;
                let at = |entry: &(Box<str>, u32)| entry.0.as_bytes().get(depth).copied();
                let start = left.partition_point(|entry| at(entry) < Some(byte));
                left = &left[start..];
                left = &left[..left.partition_point(|entry| at(entry) == Some(byte))];
                if let Some((entry, value)) = left.first()
                    && entry.len() == depth + 1
                {
                    return Some((depth + 1, *value));
                }
            }
            None
        })
    }
}
