//! Table 1: complexity per layer, sequential operations and maximum path length of layer types (§4).

use crate::{Error, Result};
use ndarray::Array2;
use serde::{Deserialize, Serialize};

/// A layer type of Table 1, or one more of §4.
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
    /// A stack of convolutions with contiguous kernels of width k.
    ContiguousConvolutional,
    /// A stack of dilated separable convolutions with kernel width k.
    SeparableConvolutional,
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
    /// Multiply-adds per layer, as Table 1 counts.
    pub operations: f64,
    /// Multiply-adds of the linear maps that Table 1 leaves out: the four projections of self-attention, 4·n·d², and
    /// the map of a recurrent layer's inputs, n·d². Convolutions have none.
    pub projections: f64,
    /// operations + projections.
    pub total: f64,
    /// Operations that must follow one another.
    pub sequential: f64,
    /// Longest path between any two positions, in layers passed.
    pub path: f64,
}

/// The four rows of Table 1 in its order, then contiguous and separable convolutions (§4). k and r beyond n count as
/// n, as no position sees more.
pub fn complexity(order: Order) -> [Complexity; 6] {
    let (n, d) = (order.n as f64, order.d as f64);
    let k = order.k.clamp(1, order.n.max(1)) as f64;
    let r = order.r.clamp(1, order.n.max(1)) as f64;
    // Dilated convolutions reach k-fold further with every layer; one layer suffices for n ≤ k.
    let dilated = match (order.n <= 1, k <= 1.0) {
        (true, _) => 1.0,
        (false, true) => f64::INFINITY,
        (false, false) => (n.ln() / k.ln()).max(1.0),
    };
    let row = |layer, operations, projections, sequential, path| Complexity {
        layer,
        operations,
        projections,
        total: operations + projections,
        sequential,
        path,
    };
    let four = 4.0 * n * d * d;
    [
        row(LayerType::SelfAttention, n * n * d, four, 1.0, 1.0),
        row(LayerType::Recurrent, n * d * d, n * d * d, n, n),
        row(LayerType::Convolutional, k * n * d * d, 0.0, 1.0, dilated),
        row(
            LayerType::RestrictedSelfAttention,
            r * n * d,
            four,
            1.0,
            n / r,
        ),
        row(
            LayerType::ContiguousConvolutional,
            k * n * d * d,
            0.0,
            1.0,
            n / k,
        ),
        row(
            LayerType::SeparableConvolutional,
            k * n * d + n * d * d,
            0.0,
            1.0,
            dilated,
        ),
    ]
}

/// The variable of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variable {
    /// Sequence length.
    N,
    /// Representation dimension.
    D,
    /// Kernel size.
    K,
    /// Neighbourhood size.
    R,
}

/// Where curves begin and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sweep {
    /// What varies.
    pub over: Variable,
    /// Its first value, at least 1.
    pub from: usize,
    /// Its last value.
    pub to: usize,
    /// Values at most.
    pub points: usize,
}

/// Table 1 as functions of one variable. Tensors are (layer types, points), rows in the order of [`complexity`].
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// The variable's values.
    pub at: Vec<usize>,
    /// The rows.
    pub layers: Vec<LayerType>,
    /// See [`Complexity::operations`].
    pub operations: Array2<f32>,
    /// See [`Complexity::total`].
    pub total: Array2<f32>,
    /// See [`Complexity::sequential`].
    pub sequential: Array2<f32>,
    /// See [`Complexity::path`].
    pub path: Array2<f32>,
}

/// Curves over one variable, the others held at those of `order`.
///
/// # Errors
/// [`Error::RequestInvalid`] if the sweep is empty or has more than 1000 points.
pub fn curves(order: Order, sweep: Sweep) -> Result<Curves> {
    let Sweep {
        over,
        from,
        to,
        points,
    } = sweep;
    if from == 0 || to < from || !(1..=1000).contains(&points) {
        return Err(Error::RequestInvalid {
            field: "curves",
            reason: format!(
                "go from {from} to {to} in {points} points, they need 1 ≤ from ≤ to and 1 to 1000 points"
            ),
        });
    }
    // Evenly spaced in the logarithm, as far as whole numbers can be.
    let ratio = (to as f64 / from as f64).ln() / points.saturating_sub(1).max(1) as f64;
    let mut at: Vec<usize> = (0..points)
        .map(|point| (from as f64 * (ratio * point as f64).exp()).round() as usize)
        .collect();
    at.dedup();
    let rows: Vec<[Complexity; 6]> = at
        .iter()
        .map(|&value| {
            let mut order = order;
            match over {
                Variable::N => order.n = value,
                Variable::D => order.d = value,
                Variable::K => order.k = value,
                Variable::R => order.r = value,
            }
            complexity(order)
        })
        .collect();
    let curve = |of: fn(&Complexity) -> f64| {
        Array2::from_shape_fn((6, at.len()), |(layer, point)| {
            of(&rows[point][layer]) as f32
        })
    };
    Ok(Curves {
        layers: rows[0].iter().map(|row| row.layer).collect(),
        operations: curve(|row| row.operations),
        total: curve(|row| row.total),
        sequential: curve(|row| row.sequential),
        path: curve(|row| row.path),
        at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_table_1() {
        let [
            attention,
            recurrent,
            convolution,
            restricted,
            contiguous,
            separable,
        ] = complexity(Order {
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
        assert_eq!(
            (contiguous.operations, contiguous.path),
            (convolution.operations, 16.0)
        );
        assert_eq!(separable.operations, 64.0 * 512.0 * (4.0 + 512.0));
        assert_eq!(
            attention.total - attention.operations,
            4.0 * 64.0 * 512.0 * 512.0
        );
    }

    #[test]
    fn with_k_of_n_a_separable_convolution_costs_self_attention_and_a_point_wise_layer() {
        let (n, d) = (96, 512);
        let [attention, .., separable] = complexity(Order { n, d, k: n, r: 1 });
        let point_wise = (n * d * d) as f64;
        assert_eq!(separable.operations, attention.operations + point_wise);
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

    #[test]
    fn curves_are_the_table_at_every_value() {
        let order = Order {
            n: 1,
            d: 64,
            k: 3,
            r: 8,
        };
        let sweep = Sweep {
            over: Variable::N,
            from: 1,
            to: 1000,
            points: 50,
        };
        let found = curves(order, sweep).unwrap();
        assert_eq!((found.at[0], found.at.last()), (1, Some(&1000)));
        assert!(found.at.is_sorted_by(|a, b| a < b));
        for (point, &n) in found.at.iter().enumerate() {
            for (layer, row) in complexity(Order { n, ..order }).iter().enumerate() {
                assert_eq!(found.total[[layer, point]], row.total as f32);
                assert_eq!(found.path[[layer, point]], row.path as f32);
            }
        }
        let empty = Sweep { to: 0, ..sweep };
        assert!(curves(order, empty).is_err());
    }
}
