//! Label-smoothed cross entropy (§5.4) of the shared projection, in chunks of rows, with its gradient
//! written in the forward pass.

use tch::{Kind, Tensor};

/// Rows of logits held at a time.
const CHUNK: i64 = 1024;

/// What the head gives for a batch.
pub struct Loss {
    /// Sum over tokens of the smoothed loss: (1 − ε)·(−log p_gold) + ε·mean over all pieces of −log p,
    /// as PyTorch's `CrossEntropyLoss(label_smoothing = ε)`; every piece takes its share, padding too.
    pub smoothed: Tensor,
    /// Sum over tokens of −log p_gold.
    pub nll: Tensor,
    /// A scalar whose gradient is that of `smoothed / normaliser`; `None` when no gradient was asked for.
    pub surrogate: Option<Tensor>,
}

/// What the head computes with.
#[derive(Clone, Copy)]
pub struct Head {
    /// ε_ls.
    pub smoothing: f64,
    /// What the sum is divided by for the gradient: target tokens of the whole optimiser step.
    pub normaliser: f64,
    /// Precision of the products.
    pub products: Kind,
    /// Whether the gradient is wanted.
    pub train: bool,
}

impl Head {
    /// The loss of `hidden` (rows, d_model) · `embedding`ᵀ (vocab, d_model) against `gold` (rows).
    ///
    /// Logits of a whole batch would be its largest tensor by far, so each chunk's softmax is turned into
    /// its gradient at once, and backward runs through h·dh + E·dE, which covers a tied embedding.
    pub fn loss(&self, hidden: &Tensor, embedding: &Tensor, gold: &Tensor) -> Loss {
        let rows = hidden.size()[0];
        let vocab = embedding.size()[0];
        let float = (Kind::Float, hidden.device());
        let mut smoothed = Tensor::zeros([], float);
        let mut nll = Tensor::zeros([], float);
        let mut hidden_gradients = Vec::new();
        let mut embedding_gradient = Tensor::zeros(
            if self.train {
                embedding.size()
            } else {
                vec![0]
            },
            float,
        );
        tch::no_grad(|| {
            let e = embedding.to_kind(self.products);
            for start in (0..rows).step_by(CHUNK as usize) {
                let len = CHUNK.min(rows - start);
                let h = hidden.narrow(0, start, len).to_kind(self.products);
                let t = gold.narrow(0, start, len).unsqueeze(1);
                let mut logits = h.matmul(&e.tr()).to_kind(Kind::Float); // (len, vocab)
                let lse = logits.logsumexp([1], true);
                let gold_nll = &lse - logits.gather(1, &t, false);
                let mean_nll = &lse - logits.mean_dim([1].as_slice(), true, Kind::Float);
                let _ = nll.g_add_(&gold_nll.sum(Kind::Float));
                let mixed = gold_nll * (1.0 - self.smoothing) + mean_nll * self.smoothing;
                let _ = smoothed.g_add_(&mixed.sum(Kind::Float));
                if !self.train {
                    continue;
                }
                let _ = logits
                    .subtract_(&lse)
                    .exp_()
                    .g_sub_scalar_(self.smoothing / vocab as f64);
                let _ = logits.scatter_add_(
                    1,
                    &t,
                    &Tensor::full([len, 1], self.smoothing - 1.0, float),
                );
                let d = (logits * (1.0 / self.normaliser)).to_kind(self.products);
                hidden_gradients.push(d.matmul(&e));
                let _ = embedding_gradient.g_add_(&d.tr().matmul(&h).to_kind(Kind::Float));
            }
        });
        let surrogate = self.train.then(|| {
            let gradient = Tensor::cat(&hidden_gradients, 0).to_kind(hidden.kind());
            (hidden * gradient).sum(Kind::Float) + (embedding * embedding_gradient).sum(Kind::Float)
        });
        Loss {
            smoothed,
            nll,
            surrogate,
        }
    }
}
