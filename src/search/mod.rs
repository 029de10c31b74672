//! Decoding as a value that you step: [`Batch`] runs one decoder pass over all live rows
//! (sentences × beams), then each sentence's search selects; results are [`Event`]s.
//!
//! The search is the paper's (§6.1): a beam, compared under a length penalty, outputs of at most the
//! input's length + 50, terminated early when that cannot change the result. Greedy is beam 1; beside them pieces can be
//! drawn at random ([`Sampling`]).
//!
//! ```
//! use translucent::Config;
//! use translucent::model::Transformer;
//! use translucent::search::{Batch, Event, SearchOptions};
//!
//! let model = Transformer::random(Config::tiny(50), 1)?;
//! let mut batch = Batch::new(&model, &[&[7, 8, 0]], &SearchOptions::default(), &[])?;
//! while !batch.is_done() {
//!     for event in batch.step(&model)? {
//!         if let Event::Done { hypotheses, .. } = event {
//!             println!("{:?} {}", hypotheses[0].tokens, hypotheses[0].score);
//!         }
//!     }
//! }
//! # Ok::<(), translucent::Error>(())
//! ```

mod batch;
mod beam;
mod event;
mod force_decode;
mod options;
mod phrases;
mod rules;
mod sampling;
mod scoring;
mod searches;
mod select;
#[cfg(test)]
mod tests;
mod tree;

pub use batch::Batch;
pub use event::{Event, Hypothesis, Node, NodeId, NodeState};
pub use force_decode::{ForceRequest, Forced, PieceScore, force_decode};
pub use options::{EarlyStopping, Scoring, SearchOptions};
pub use phrases::{Phrase, Printed};
pub use sampling::{Cut, Draw, Odds, Sampling};
