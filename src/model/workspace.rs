//! Working memory of a pass through encoder or decoder, reused from pass to pass.

use crate::kernels::QuantizedRows;
use crate::layers::Buffer;
use crate::layers::attention::AttentionBuffers;
use crate::layers::feed_forward::FeedForwardBuffers;
use crate::layers::norm::ResidualBuffers;

/// One stack's working memory.
#[derive(Default)]
pub(crate) struct Workspace {
    /// The residual stream (rows, d_model).
    pub x: Buffer,
    pub residual: ResidualBuffers,
    pub attention: AttentionWorkspace,
    pub feed_forward: FeedForwardBuffers,
    /// What the projection reads (rows, d_model).
    pub quantized: QuantizedRows,
}

/// Working memory of an attention with the keys and values of the rows of this pass.
#[derive(Default)]
pub(crate) struct AttentionWorkspace {
    pub buffers: AttentionBuffers,
    /// (rows, h · d_k)
    pub keys: Buffer,
    /// (rows, h · d_v)
    pub values: Buffer,
}
