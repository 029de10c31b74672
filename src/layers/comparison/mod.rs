//! What the paper compares its Transformer with: additive attention (§3.2.1), self-attention
//! restricted to a neighbourhood (§4), learned positions (Table 3, row E), unscaled products (footnote 4) and the
//! costs of Table 1.

mod additive;
mod complexity;
mod learned_positions;
mod paths;
mod random_products;
mod restricted;

pub use additive::AdditiveAttention;
pub use complexity::{Complexity, Curves, LayerType, Order, Sweep, Variable, complexity, curves};
pub use learned_positions::learned_positions;
pub use paths::{Ends, PathGraph, paths};
pub use random_products::RandomProducts;
pub use restricted::Neighbourhood;
