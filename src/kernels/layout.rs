//! How a packed 8-bit weight lies in memory: the constants that packing and products share.

/// Outputs in a panel: eight vectors of WebAssembly, whose sums for one row hide each other's latency; one vector of AVX-512.
pub(crate) const PANEL: usize = if cfg!(target_arch = "wasm32") { 32 } else { 16 };
/// Bytes of a line of the cache. Vectors that lie across two of them are loaded twice.
pub(crate) const LINE: usize = 64;
/// Inputs that stand side by side.
pub(crate) const GROUP: usize = 4;
/// Rows are padded to multiples of so many inputs, so that loops may take two groups at a time.
pub(crate) const ALIGN: usize = 2 * GROUP;
/// Rows that are packed at a time.
pub(crate) const INTERLEAVE: usize = 4;
