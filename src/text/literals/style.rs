//! Whose way of writing times and dates.

/// A language with its own way of writing times of day and dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// *3:30 pm*, *12 March 2024*
    English,
    /// *15:30 Uhr*, *12.03.2024*
    German,
    /// *15 h 30*, *12/03/2024*
    French,
}
