//! Label-smoothed cross entropy (§5.4) of the shared projection, in chunks of rows, with its gradient
//! written in the forward pass.

use tch::{Device, Kind, Tensor};

/// Rows of logits held at a time. On a GPU, which has the memory, starting many small operations takes longer than they do.
fn chunk(device: Device) -> i64 {
    match device {
        Device::Cpu => 4096,
        _ => 32_768,
    }
}

/// Sums of the loss over a batch.
pub struct Loss {
    /// Sum over tokens of the smoothed loss: (1 − ε)·(−log p_gold) + ε·mean over all pieces of −log p,
    /// as PyTorch's `CrossEntropyLoss(label_smoothing = ε)`; every piece takes its share, padding too.
    pub smoothed: Tensor,
    /// Sum over tokens of −log p_gold.
    pub nll: Tensor,
    /// A scalar whose gradient is that of `smoothed / normaliser`; `None` when no gradient was asked for.
    pub surrogate: Option<Tensor>,
}

/// Gold ids of the rows.
#[derive(Clone, Copy)]
pub struct Targets<'t> {
    /// Ids (rows).
    pub gold: &'t Tensor,
    /// 1 for rows that predict a token, 0 for padding rows (rows).
    pub loss_mask: &'t Tensor,
}

/// The loss of the shared output projection.
#[derive(Clone, Copy)]
pub struct OutputLoss {
    /// ε_ls.
    pub smoothing: f64,
    /// Divisor of the sum for the gradient: target tokens of the whole optimiser step.
    pub normaliser: f64,
    /// Number format of the matrix products.
    pub compute_dtype: Kind,
    /// Whether the gradient is wanted.
    pub train: bool,
}

impl OutputLoss {
    /// The loss of `hidden` (rows, d_model) · `embedding`ᵀ (vocab, d_model) against `gold` (rows);
    /// rows whose `loss_mask` is 0 are padding and add nothing.
    pub fn loss(&self, hidden: &Tensor, embedding: &Tensor, targets: &Targets) -> Loss {
        if self.train {
            self.with_gradient(hidden, embedding, targets)
        } else {
            self.without_gradient(hidden, embedding, targets)
        }
    }

    fn without_gradient(&self, hidden: &Tensor, embedding: &Tensor, targets: &Targets) -> Loss {
        let mut sums = Sums::new(hidden);
        tch::no_grad(|| {
            let e = embedding.to_kind(self.compute_dtype);
            for (h, t, mask) in chunks(hidden, targets) {
                let logits = h
                    .to_kind(self.compute_dtype)
                    .matmul(&e.tr())
                    .to_kind(Kind::Float);
                let lse = logits.logsumexp([1], true);
                let gold_nll = &lse - logits.gather(1, &t, false);
                let mean_nll = &lse - logits.mean_dim([1].as_slice(), true, Kind::Float);
                sums.add(&(gold_nll * &mask), &(mean_nll * &mask), self.smoothing);
            }
        });
        sums.loss(None)
    }

    /// Logits of a whole batch would be its largest tensor by far, so each chunk's softmax is turned into
    /// its gradient at once, and backward runs through h·dh + E·dE, which covers a tied embedding.
    ///
    /// With p = softmax(h·Eᵀ) the gradient of the logits is p − (1 − ε)·onehot − ε/V. The last term is the
    /// same for every piece, so it reaches h as ε times the mean row of E, and E as ε/V times the sum of h:
    /// nothing but p itself is ever as large as the logits.
    fn with_gradient(&self, hidden: &Tensor, embedding: &Tensor, targets: &Targets) -> Loss {
        let mut sums = Sums::new(hidden);
        let (share, vocab) = (1.0 / self.normaliser, embedding.size()[0] as f64);
        let mut hidden_gradients = Vec::new();
        let mut embedding_gradient: Option<Tensor> = None;
        tch::no_grad(|| {
            let e = embedding.to_kind(self.compute_dtype);
            let mean_row = embedding.mean_dim([0].as_slice(), true, Kind::Float); // (1, d_model)
            for (h, t, mask) in chunks(hidden, targets) {
                let h = h.to_kind(self.compute_dtype);
                let logits = h.matmul(&e.tr()); // (len, vocab)
                let mut d = logits.softmax(-1, None::<Kind>);
                let float = h.to_kind(Kind::Float) * &mask;
                let gold_nll = -d
                    .gather(1, &t, false)
                    .to_kind(Kind::Float)
                    .clamp_min(1e-30)
                    .log();
                let lse = &gold_nll + logits.gather(1, &t, false).to_kind(Kind::Float);
                let mean_nll = lse - float.matmul(&mean_row.tr());
                sums.add(&(gold_nll * &mask), &(mean_nll * &mask), self.smoothing);
                let target = Tensor::full(
                    t.size(),
                    self.smoothing - 1.0,
                    (self.compute_dtype, h.device()),
                );
                let _ = d.scatter_add_(1, &t, &target);
                let gradient = d.matmul(&e).to_kind(Kind::Float) - &mean_row * self.smoothing;
                hidden_gradients.push(gradient * (&mask * share));
                let float = float * share;
                let shared = float.sum_dim_intlist([0].as_slice(), true, Kind::Float)
                    * (self.smoothing / vocab);
                let mut gradient = d
                    .tr()
                    .matmul(&float.to_kind(self.compute_dtype))
                    .to_kind(Kind::Float);
                let _ = gradient.g_sub_(&shared);
                embedding_gradient = Some(match embedding_gradient.take() {
                    Some(mut sum) => sum.g_add_(&gradient),
                    None => gradient,
                });
            }
        });
        let Some(embedding_gradient) = embedding_gradient else {
            return sums.loss(None); // No rows.
        };
        let gradient = Tensor::cat(&hidden_gradients, 0).to_kind(hidden.kind());
        let dot =
            |a: &Tensor, b: &Tensor| a.reshape([-1]).dot(&b.reshape([-1])).to_kind(Kind::Float);
        let surrogate = dot(hidden, &gradient) + dot(embedding, &embedding_gradient);
        sums.loss(Some(surrogate))
    }
}

/// Rows of both, a chunk at a time; gold ids and loss mask as columns.
fn chunks(hidden: &Tensor, targets: &Targets) -> impl Iterator<Item = (Tensor, Tensor, Tensor)> {
    let (rows, chunk) = (hidden.size()[0], chunk(hidden.device()));
    (0..rows).step_by(chunk as usize).map(move |start| {
        let part = |t: &Tensor| t.narrow(0, start, chunk.min(rows - start));
        (
            part(hidden),
            part(targets.gold).unsqueeze(1),
            part(targets.loss_mask).unsqueeze(1),
        )
    })
}

struct Sums {
    smoothed: Tensor,
    nll: Tensor,
}

impl Sums {
    fn new(hidden: &Tensor) -> Self {
        let zero = || Tensor::zeros([], (Kind::Float, hidden.device()));
        Self {
            smoothed: zero(),
            nll: zero(),
        }
    }

    fn add(&mut self, gold_nll: &Tensor, mean_nll: &Tensor, smoothing: f64) {
        let (gold, mean) = (gold_nll.sum(Kind::Float), mean_nll.sum(Kind::Float));
        let _ = self.nll.g_add_(&gold);
        let _ = self
            .smoothed
            .g_add_(&(gold * (1.0 - smoothing) + mean * smoothing));
    }

    fn loss(self, surrogate: Option<Tensor>) -> Loss {
        Loss {
            smoothed: self.smoothed,
            nll: self.nll,
            surrogate,
        }
    }
}
