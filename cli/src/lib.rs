//! What the command `translucent` is made of, and other programs may use: measures of translations and of heads,
//! and the page's recorded example.
#![warn(missing_docs)]

pub mod cost;
pub mod digest;
pub mod error;
pub mod files;
pub mod heads;
pub mod lines;
pub mod metrics_json;
pub mod output;
pub mod record;
pub mod stress;

pub use error::{Error, Result};
