//! The beam tree: every candidate of a search, by parent.

use super::{Hypothesis, Node, NodeId, NodeState};
use crate::model::Slot;

/// A node and where it came from.
#[derive(Clone, Debug)]
struct Entry {
    node: Node,
    /// The slot whose logits chose it.
    from: Slot,
    /// Pieces from the root to it.
    length: usize,
}

/// All nodes of a batch; a node's id is its index.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    entries: Vec<Entry>,
}

impl Tree {
    /// Adds a node (its `id` is set here) that was chosen from the logits of `from`.
    pub fn add(&mut self, node: Node, from: Slot) -> &Node {
        let id = NodeId(self.entries.len() as u32);
        let length = 1 + node.parent.map_or(0, |parent| self.length(parent));
        self.entries.push(Entry {
            node: Node { id, ..node },
            from,
            length,
        });
        &self.entries[id.0 as usize].node
    }

    fn entry(&self, id: NodeId) -> &Entry {
        &self.entries[id.0 as usize]
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.entry(id).node
    }

    /// Whether the tree has such a node.
    pub fn has(&self, id: NodeId) -> bool {
        (id.0 as usize) < self.entries.len()
    }

    /// The slot whose logits chose a node.
    pub fn from(&self, id: NodeId) -> Slot {
        self.entry(id).from
    }

    /// Number of pieces from the root to a node.
    pub fn length(&self, id: NodeId) -> usize {
        self.entry(id).length
    }

    /// A node and its ancestors, the node first.
    pub fn up(&self, id: NodeId) -> impl Iterator<Item = &Node> {
        std::iter::successors(Some(self.node(id)), |node| {
            node.parent.map(|parent| self.node(parent))
        })
    }

    /// What was read to choose each piece from the root to a node.
    pub fn path(&self, id: NodeId) -> Vec<Slot> {
        let mut path: Vec<Slot> = self.up(id).map(|node| self.from(node.id)).collect();
        path.reverse();
        path
    }

    /// The hypothesis that ends in a node.
    pub fn hypothesis(&self, id: NodeId) -> Hypothesis {
        let (mut tokens, mut logprobs): (Vec<u32>, Vec<f32>) =
            self.up(id).map(|n| (n.token, n.logprob)).unzip();
        tokens.reverse();
        logprobs.reverse();
        Hypothesis {
            tokens,
            logprobs,
            score: self.node(id).score,
            node: id,
        }
    }

    /// Number of leading pieces that two hypotheses share.
    pub fn shared(&self, a: NodeId, b: NodeId) -> usize {
        let (mut a, mut b) = (Some(a), Some(b));
        let length = |id: Option<NodeId>| id.map_or(0, |id| self.length(id));
        while a != b {
            if length(a) >= length(b) {
                a = a.and_then(|id| self.node(id).parent);
            } else {
                b = b.and_then(|id| self.node(id).parent);
            }
        }
        length(a)
    }

    /// Marks a node that will not be expanded after all.
    pub fn prune(&mut self, id: NodeId) {
        self.entries[id.0 as usize].node.state = NodeState::Pruned;
    }
}
