//! How a packed 8-bit weight lies in memory: the constants that packing and products share.

/// Outputs in a panel.
pub(crate) const PANEL: usize = 16;
/// Inputs that stand side by side.
pub(crate) const GROUP: usize = 4;
/// Rows are padded to multiples of so many inputs, so that loops may take two groups at a time.
pub(crate) const ALIGN: usize = 2 * GROUP;
/// Rows that are packed at a time.
pub(crate) const INTERLEAVE: usize = 4;
