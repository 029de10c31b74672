//! Compatibility functions: how well a query fits a key (§3.2.1).

use super::comparison::AdditiveAttention;
use crate::kernels::{self, Gather};
use serde::{Deserialize, Serialize};

/// The compatibility function between a query and a key (§3.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compatibility {
    /// q·k / √d_k (eq. 1).
    ScaledDotProduct,
    /// q·k, without the scaling that §3.2.1 argues for.
    DotProduct,
    /// w · tanh(q + k) per head: a feed-forward network with a single hidden layer of width d_k,
    /// whose input weights are W^Q and W^K (Bahdanau et al., 2014).
    Additive,
}

/// How well a query fits a key, for all heads of one attention (§3.2.1).
pub enum CompatibilityFunction {
    /// `scale` · q·k: 1/√d_k in eq. 1; 1 for the unscaled product that the paper argues against.
    DotProduct {
        /// Factor on q·k.
        scale: f32,
    },
    /// w · tanh(q + k).
    Additive(AdditiveAttention),
}

impl CompatibilityFunction {
    /// q·k / √d_k (eq. 1).
    pub fn scaled(d_k: usize) -> Self {
        Self::DotProduct {
            scale: 1.0 / (d_k as f32).sqrt(),
        }
    }

    /// What q·k is multiplied by; `None` where scores are no dot products.
    pub fn scale(&self) -> Option<f32> {
        match self {
            Self::DotProduct { scale } => Some(*scale),
            Self::Additive(_) => None,
        }
    }

    /// Scores of one head's query (d_k) against keys standing at `keys[gather.offset(j)..]`, to `scores` (keys); dot
    /// products without their factor unless `scaled`.
    pub(crate) fn scores(
        &self,
        head: usize,
        scaled: bool,
        query: &[f32],
        keys: &[f32],
        gather: Gather<'_>,
        scores: &mut [f32],
    ) {
        match self {
            Self::DotProduct { scale } => {
                let scale = if scaled { *scale } else { 1.0 };
                kernels::gather_dot(query, keys, gather, scale, scores);
            }
            Self::Additive(additive) => additive.scores(head, query, keys, gather, scores),
        }
    }
}
