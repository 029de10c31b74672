//! What the paper compares its Transformer with: additive attention (§3.2.1), self-attention restricted to a
//! neighbourhood (§4) and learned positions (Table 3, row E).

mod additive;
mod learned_positions;
mod restricted;

pub use additive::AdditiveAttention;
pub use learned_positions::learned_positions;
pub use restricted::Neighbourhood;
