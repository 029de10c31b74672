//! How a signal gets from one position to another through layers of one type: the paths that Table 1 counts.

use super::{LayerType, Order};
use crate::layers::comparison::Neighbourhood;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Which graphs are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Ends {
    /// Positions, 2 to 64.
    pub n: usize,
    /// Where the signal begins; the earlier of the two, as a recurrent layer reads forward.
    pub from: usize,
    /// Where it is wanted.
    pub to: usize,
}

/// Layers as a graph of positions, with a shortest path through it. Level 0 are the inputs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PathGraph {
    /// The layer type.
    pub layer: LayerType,
    /// Positions.
    pub n: usize,
    /// Layers that are needed.
    pub levels: usize,
    /// `[level, from, to]`: position `from` of the level is read by `to` of the next. Of the recurrent layer also
    /// `[1, from, to]` within its one layer.
    pub edges: Vec<[usize; 3]>,
    /// A shortest way, as `[level, position]`.
    pub path: Vec<[usize; 2]>,
    /// Connections passed.
    pub length: usize,
}

/// The graphs of Table 1's four layer types and of contiguous convolutions, with k and r of `order`.
///
/// # Errors
/// [`Error::RequestInvalid`] if there are not 2 to 64 positions, or the ends are not among them.
pub fn paths(order: Order, ends: Ends) -> Result<Vec<PathGraph>> {
    let Ends { n, from, to } = ends;
    if !(2..=64).contains(&n) || from >= n || to >= n {
        return Err(Error::RequestInvalid {
            field: "paths",
            reason: format!(
                "lead from {from} to {to} of {n} positions, they need 2 to 64 positions, numbered from 0"
            ),
        });
    }
    let (from, to) = (from.min(to), from.max(to));
    let k = order.k.clamp(2, n);
    let kernel = |q: usize, step: usize| {
        // A kernel centred on its position; one more to the left where k is even.
        let taps = (0..k).map(move |tap| (tap as i64 - (k / 2) as i64) * step as i64);
        let read = taps.map(move |offset| q as i64 + offset);
        read.filter_map(|p| usize::try_from(p).ok())
            .filter(|p| *p < n)
            .collect::<Vec<_>>()
    };
    let r = order.r.max(2);
    // Dilations grow k-fold until they pass the sequence, then begin again.
    let dilation = |level: usize| {
        let steps = std::iter::successors(Some(1), |step| Some(step * k)).take_while(|s| *s < n);
        let steps: Vec<usize> = steps.collect();
        steps[level % steps.len()]
    };
    Ok(vec![
        stacked(LayerType::SelfAttention, n, from, to, |_, _| {
            (0..n).collect()
        }),
        recurrent(n, from, to),
        stacked(LayerType::Convolutional, n, from, to, |level, q| {
            kernel(q, dilation(level))
        }),
        stacked(LayerType::RestrictedSelfAttention, n, from, to, |_, q| {
            Neighbourhood { r }.window(q, n).collect()
        }),
        stacked(LayerType::ContiguousConvolutional, n, from, to, |_, q| {
            kernel(q, 1)
        }),
    ])
}

/// Layers one on the other; `reads(level, q)`: what position q of level + 1 reads.
fn stacked(
    layer: LayerType,
    n: usize,
    from: usize,
    to: usize,
    reads: impl Fn(usize, usize) -> Vec<usize>,
) -> PathGraph {
    let mut edges = Vec::new();
    let mut reached = vec![BTreeSet::from([from])];
    // Every position reads itself and at least one earlier neighbour, so that n levels always suffice.
    for level in 0..n {
        if level > 0 && reached[level].contains(&to) {
            break;
        }
        let mut next = BTreeSet::new();
        for q in 0..n {
            for p in reads(level, q) {
                edges.push([level, p, q]);
                if reached[level].contains(&p) {
                    next.insert(q);
                }
            }
        }
        reached.push(next);
    }
    let levels = reached.len() - 1;
    let mut path = vec![[levels, to]];
    let mut at = to;
    for level in (0..levels).rev() {
        let before = reads(level, at).into_iter();
        // Of those that the signal reached, the one next to where it is.
        let nearest = before.filter(|p| reached[level].contains(p));
        at = nearest.min_by_key(|p| p.abs_diff(at)).unwrap_or(at);
        path.push([level, at]);
    }
    path.reverse();
    PathGraph {
        layer,
        n,
        levels,
        edges,
        length: levels,
        path,
    }
}

/// One layer whose positions read one another in turn.
fn recurrent(n: usize, from: usize, to: usize) -> PathGraph {
    let inputs = (0..n).map(|p| [0, p, p]);
    let steps = (1..n).map(|q| [1, q - 1, q]);
    let path: Vec<[usize; 2]> = std::iter::once([0, from])
        .chain((from..=to).map(|p| [1, p]))
        .collect();
    PathGraph {
        layer: LayerType::Recurrent,
        n,
        levels: 1,
        edges: inputs.chain(steps).collect(),
        length: path.len() - 1,
        path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graphs(n: usize, from: usize, to: usize) -> Vec<PathGraph> {
        let order = Order {
            n,
            d: 8,
            k: 3,
            r: 4,
        };
        paths(order, Ends { n, from, to }).unwrap()
    }

    #[test]
    fn paths_are_as_long_as_the_reach_of_the_layers_demands() {
        let lengths = |n, from, to| {
            let graphs = graphs(n, from, to);
            graphs.iter().map(|graph| graph.length).collect::<Vec<_>>()
        };
        // 12 apart: at once; 13 connections; 1 + 3 + 9 reach 13; two a layer; one a layer.
        assert_eq!(lengths(14, 0, 12)[..2], [1, 13]);
        assert_eq!(lengths(14, 0, 12)[3..], [6, 12]);
        assert_eq!(lengths(27, 9, 9 + 13)[2], 3);
        assert_eq!(lengths(9, 5, 5), [1, 1, 1, 1, 1]);
    }

    #[test]
    fn every_step_of_a_path_is_an_edge() {
        for graph in graphs(20, 17, 2) {
            assert_eq!((graph.path[0], graph.path.last().unwrap()[1]), ([0, 2], 17));
            for step in graph.path.windows(2) {
                let edge = [step[0][0], step[0][1], step[1][1]];
                assert!(graph.edges.contains(&edge), "{:?} {edge:?}", graph.layer);
            }
            assert_eq!(graph.length, graph.path.len() - 1);
        }
    }

    #[test]
    fn ends_outside_are_refused() {
        let order = Order {
            n: 9,
            d: 8,
            k: 3,
            r: 4,
        };
        for (n, from, to) in [(1, 0, 0), (9, 9, 0), (65, 0, 1)] {
            assert!(paths(order, Ends { n, from, to }).is_err());
        }
    }
}
