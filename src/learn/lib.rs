//! Trains the paper's Transformer (§5): label-smoothed loss, the backward pass of every layer, dropout, Adam with the
//! schedule of eq. 3. Sized for models that learn a small task in minutes on one thread.
//!
//! The order of the modules is that of one step: [`batch`] packs pairs, [`model`] runs the layers forward and
//! backward over [`parameters`], [`loss`] gives the first gradient, [`adam`] updates. [`task`] makes the pairs.
//!
//! [`attribution`] uses the same backward pass for another question: what a prediction depends on.
//!
//! What is trained is a configuration of [`translucent::Config`] with the paper's layout: layer norm after each
//! residual sum, ReLU, one matrix for both embeddings and the projection. [`Parameters::tensors`] gives the weights
//! under the names of a model folder.
#![warn(missing_docs, clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod adam;
pub mod answer;
mod attention;
pub mod attribution;
pub mod batch;
mod dropout;
mod embedding;
pub mod error;
mod feed_forward;
mod folder;
mod linear;
pub mod loss;
pub mod model;
mod norm;
pub mod parameters;
pub mod run;
pub mod settings;
mod store;
mod sublayer;
pub mod task;
#[cfg(test)]
mod tests;
pub mod update;
pub mod vocabulary;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use adam::{Adam, Schedule};
pub use answer::Answer;
pub use attribution::Attributor;
pub use batch::Batch;
pub use error::{Error, Result};
pub use model::{Maps, Model, Regularization};
pub use parameters::Parameters;
pub use run::{Measured, Run, Step};
pub use settings::Settings;
pub use task::Task;
pub use update::{Share, WeightUpdate};
pub use vocabulary::Vocabulary;
