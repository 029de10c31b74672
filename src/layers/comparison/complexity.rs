//! Table 1: complexity per layer, sequential operations and maximum path length of four layer types (§4).

use serde::Serialize;

/// A layer type of Table 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerType {
    /// Self-attention over the whole sequence.
    SelfAttention,
    /// A recurrent layer.
    Recurrent,
    /// A stack of dilated convolutions with kernel width k.
    Convolutional,
    /// Self-attention restricted to a neighbourhood of size r.
    RestrictedSelfAttention,
}

/// What Table 1 counts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Sequence length n.
    pub n: usize,
    /// Representation dimension d.
    pub d: usize,
    /// Kernel size k of convolutions.
    pub k: usize,
    /// Neighbourhood size r of restricted self-attention.
    pub r: usize,
}

/// One row of Table 1, its O(·) taken with factor 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Complexity {
    /// The layer type.
    pub layer: LayerType,
    /// Multiply-adds per layer.
    pub operations: f64,
    /// Operations that must follow one another.
    pub sequential: f64,
    /// Longest path between any two positions, in layers passed.
    pub path: f64,
}

/// The four rows of Table 1, in its order. k and r beyond n count as n, as no position sees more.
pub fn complexity(order: Order) -> [Complexity; 4] {
    let (n, d) = (order.n as f64, order.d as f64);
    let k = order.k.clamp(1, order.n.max(1)) as f64;
    let r = order.r.clamp(1, order.n.max(1)) as f64;
    // Dilated convolutions reach k-fold further with every layer; one layer suffices for n ≤ k.
    let convolution_path = if order.n <= 1 {
        1.0
    } else if k <= 1.0 {
        f64::INFINITY
    } else {
        (n.ln() / k.ln()).max(1.0)
    };
    [
        Complexity {
            layer: LayerType::SelfAttention,
            operations: n * n * d,
            sequential: 1.0,
            path: 1.0,
        },
        Complexity {
            layer: LayerType::Recurrent,
            operations: n * d * d,
            sequential: n,
            path: n,
        },
        Complexity {
            layer: LayerType::Convolutional,
            operations: k * n * d * d,
            sequential: 1.0,
            path: convolution_path,
        },
        Complexity {
            layer: LayerType::RestrictedSelfAttention,
            operations: r * n * d,
            sequential: 1.0,
            path: n / r,
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_table_1() {
        let [attention, recurrent, convolution, restricted] = complexity(Order {
            n: 64,
            d: 512,
            k: 4,
            r: 16,
        });
        assert_eq!(
            (attention.operations, attention.sequential, attention.path),
            (64.0 * 64.0 * 512.0, 1.0, 1.0)
        );
        assert_eq!(
            (recurrent.operations, recurrent.sequential, recurrent.path),
            (64.0 * 512.0 * 512.0, 64.0, 64.0)
        );
        assert_eq!(
            (convolution.operations, convolution.sequential),
            (4.0 * 64.0 * 512.0 * 512.0, 1.0)
        );
        assert!((convolution.path - 3.0).abs() < 1e-12, "log_4 64 = 3");
        assert_eq!(
            (
                restricted.operations,
                restricted.sequential,
                restricted.path
            ),
            (16.0 * 64.0 * 512.0, 1.0, 4.0)
        );
    }

    #[test]
    fn self_attention_is_cheaper_than_recurrence_exactly_where_n_is_below_d() {
        for (n, cheaper) in [(511, true), (513, false)] {
            let [attention, recurrent, ..] = complexity(Order {
                n,
                d: 512,
                k: 3,
                r: 8,
            });
            assert_eq!(attention.operations < recurrent.operations, cheaper);
        }
    }
}
