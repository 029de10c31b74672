//! Rows that do not follow one another: keys and values on the path of a hypothesis.

/// Rows of a matrix, in the order in which they are read.
#[derive(Clone, Copy)]
pub enum Rows<'a> {
    /// One after another from this one on.
    From(usize),
    /// These.
    These(&'a [u32]),
}

impl Rows<'_> {
    /// All but the first `count`.
    ///
    /// # Panics
    /// If fewer are listed.
    pub fn skip(self, count: usize) -> Self {
        match self {
            Self::From(first) => Self::From(first + count),
            Self::These(rows) => Self::These(&rows[count..]),
        }
    }
}

/// Rows of a matrix (rows, width) from one column on: the keys or values of a head.
#[derive(Clone, Copy)]
pub struct Gather<'a> {
    /// Which rows.
    pub rows: Rows<'a>,
    /// Columns of the matrix.
    pub width: usize,
    /// The first column that is read.
    pub column: usize,
}

impl Gather<'_> {
    /// Where row j begins in the matrix.
    ///
    /// # Panics
    /// If fewer rows are listed.
    #[inline(always)]
    pub fn offset(&self, j: usize) -> usize {
        let row = match self.rows {
            Rows::From(first) => first + j,
            Rows::These(rows) => rows[j] as usize,
        };
        row * self.width + self.column
    }
}
