//! **The trainer of Translucent**: from files of sentence pairs to a model folder that the page reads.
//!
//! A [`recipe`] says what to train on and how; [`data`] makes batches of ids, [`model`] is the core's
//! model on libtorch's tensors, [`optimizer`] is the paper's Adam, and [`run`] is the training loop, which
//! saves a [`state`] and resumes from it after a kill at any moment.
#![warn(missing_docs)]

pub mod average;
pub mod back_translate;
pub mod bleu;
pub mod clock;
pub mod curve;
pub mod data;
pub mod deeper;
pub mod dual_score;
pub mod error;
pub mod export;
pub mod folder;
pub mod init;
pub mod metrics;
pub mod model;
pub mod optimizer;
pub mod pieces;
pub mod probes;
pub mod progress;
pub mod ranks;
pub mod recipe;
pub mod run;
pub mod setup;
pub mod speed;
pub mod state;
pub mod stop;
pub mod svg;
pub mod sweep;
pub mod validation;
pub mod vocab;
pub mod workers;

pub use error::{Error, Result};
