//! Working memory of a pass through encoder or decoder, reused from pass to pass.

use crate::layers::Buffer;
use crate::layers::attention::AttentionBuffers;
use crate::layers::norm::ResidualBuffers;

/// One stack's working memory.
#[derive(Default)]
pub(super) struct Workspace {
    /// The residual stream (rows, d_model).
    pub x: Buffer,
    pub residual: ResidualBuffers,
    pub attention: AttentionBuffers,
    /// Keys of the rows of this pass (rows, h · d_k).
    pub key: Buffer,
    /// Values of the rows of this pass (rows, h · d_v).
    pub value: Buffer,
    /// Inner layer of the feed-forward network (rows, d_ff).
    pub hidden: Buffer,
}
