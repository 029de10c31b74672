//! Additive attention: a feed-forward network with a single hidden layer as compatibility function (§3.2.1).

use crate::kernels::Gather;

/// w · tanh(q + k) for each head (Bahdanau et al., 2014). The hidden layer has width d_k; its input
/// weights are the attention's W^Q and W^K, so only its output weights w are here.
pub struct AdditiveAttention {
    /// (h, d_k)
    weight: Vec<f32>,
}

impl AdditiveAttention {
    /// Of output weights (h, d_k), row-major.
    pub fn new(weight: Vec<f32>) -> Self {
        Self { weight }
    }

    /// One head's output weights w (d_k).
    pub fn weight(&self, head: usize, d_k: usize) -> &[f32] {
        &self.weight[head * d_k..][..d_k]
    }

    /// Scores of one head's query (d_k) against keys standing at `keys[gather.offset(j)..]`, to `scores` (keys).
    pub fn scores(
        &self,
        head: usize,
        query: &[f32],
        keys: &[f32],
        gather: Gather<'_>,
        scores: &mut [f32],
    ) {
        let d_k = query.len();
        let weight = self.weight(head, d_k);
        for (j, score) in scores.iter_mut().enumerate() {
            let key = &keys[gather.offset(j)..][..d_k];
            let hidden = query.iter().zip(key).map(|(q, k)| (q + k).tanh());
            *score = hidden.zip(weight).map(|(hidden, w)| hidden * w).sum();
        }
    }
}
