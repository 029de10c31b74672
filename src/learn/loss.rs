//! Label-smoothed cross entropy (§5.4) of the shared projection.

use serde::Serialize;

/// Loss of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Loss {
    /// Σ over tokens of (1 − ε)·(−log p_gold) + ε·mean over all pieces of −log p, as PyTorch's
    /// `CrossEntropyLoss(label_smoothing = ε, reduction = "sum")`.
    pub smoothed: f64,
    /// Σ over tokens of −log p_gold.
    pub nll: f64,
    /// Number of target tokens.
    pub tokens: usize,
    /// Tokens whose most probable piece is the gold one.
    pub correct: usize,
}

impl Loss {
    /// Smoothed loss of a token, nats.
    pub fn mean_smoothed(&self) -> f64 {
        self.smoothed / self.tokens.max(1) as f64
    }

    /// −log p of a gold token, nats.
    pub fn mean_nll(&self) -> f64 {
        self.nll / self.tokens.max(1) as f64
    }
}

/// The loss of `logits` (tokens, vocab) against `gold`; each row is replaced by its gradient
/// p − (1 − ε)·onehot(gold) − ε/vocab, divided by the number of tokens. Calls `correct(row, is_best)` for each row.
///
/// # Shapes
/// `logits`: (tokens, vocab); `gold`: (tokens).
pub fn cross_entropy(
    logits: &mut [f32],
    gold: &[u32],
    label_smoothing: f32,
    mut correct: impl FnMut(usize, bool),
) -> Loss {
    let mut loss = Loss {
        tokens: gold.len(),
        ..Loss::default()
    };
    if gold.is_empty() {
        return loss;
    }
    let vocab = logits.len() / gold.len();
    let share = 1.0 / gold.len() as f32;
    let smoothing = label_smoothing / vocab as f32;
    for (row, (logits, gold)) in logits.chunks_exact_mut(vocab).zip(gold).enumerate() {
        let gold = *gold as usize;
        let log_sum = translucent::kernels::log_sum_exp(logits);
        let nll = f64::from(log_sum - logits[gold]);
        let mean = logits.iter().sum::<f32>() / vocab as f32;
        loss.nll += nll;
        let epsilon = f64::from(label_smoothing);
        loss.smoothed += (1.0 - epsilon) * nll + epsilon * f64::from(log_sum - mean);
        let best = logits.iter().all(|logit| *logit <= logits[gold]);
        loss.correct += usize::from(best);
        correct(row, best);
        translucent::kernels::softmax(logits);
        for p in logits.iter_mut() {
            *p = (*p - smoothing) * share;
        }
        logits[gold] -= (1.0 - label_smoothing) * share;
    }
    loss
}
