//! Decoding as a value that you step: [`Batch`] runs one decoder pass over all live rows,
//! then each sentence's [`beam::Search`] chooses; whatever happened comes back as [`Event`]s.

pub mod batch;
pub mod beam;
mod event;
mod options;

pub use batch::Batch;
pub use event::{Event, Hypothesis, Node, NodeId, NodeState};
pub use options::{EarlyStopping, Scoring, SearchOptions};
