//! From files of sentence pairs to batches of token ids.

pub mod augment;
pub mod batch;
pub mod batches;
pub mod corpus;
pub mod lines;
pub mod made_up;
pub mod plan;
pub mod shards;
