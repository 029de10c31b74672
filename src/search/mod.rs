//! Decoding as a value that you step: [`Batch`] runs one decoder pass over all live rows
//! (sentences × beams), then each sentence's search chooses; whatever happened comes back as [`Event`]s.
//!
//! The search is the paper's (§6.1): a beam, compared under a length penalty, outputs of at most the
//! input's length + 50, terminated early when that cannot change the result. Greedy is beam 1.

mod batch;
mod beam;
mod event;
mod force_decode;
mod options;
mod scoring;
mod select;
#[cfg(test)]
mod tests;
mod tree;

pub use batch::Batch;
pub use event::{Event, Hypothesis, Node, NodeId, NodeState};
pub use force_decode::{ForceRequest, Forced, PieceScore, force_decode};
pub use options::{EarlyStopping, Scoring, SearchOptions};
