//! What only teaches: the counts of Table 1, path lengths, random products, the claims about positions, and the
//! arithmetic behind one weight. The engine does not use it.

mod arithmetic;
mod complexity;
mod embedding_steps;
mod measure;
mod paths;
mod position_lab;
mod random_products;

pub use arithmetic::{Arithmetic, FeedForwardSteps, NormSteps, ProductStatistics, arithmetic};
pub use complexity::{Complexity, Curves, LayerType, Order, Sweep, Variable, complexity, curves};
pub use embedding_steps::EmbeddingSteps;
pub use measure::{Part, SelfAttentionBench};
pub use paths::{Ends, PathGraph, paths};
pub use position_lab::{MAX_POSITIONS, PositionLab, encodings, products};
pub use random_products::RandomProducts;
