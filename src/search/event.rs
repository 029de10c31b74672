//! Events of a search: tokens, nodes of the beam tree, finished hypotheses.

use serde::Serialize;

/// A node of the search tree: one decoded piece after one prefix. Ids count up from 0 over a batch
/// and never change; a hypothesis is read by walking parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct NodeId(pub u32);

/// State of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeState {
    /// In the beam: the next step expands it.
    Open,
    /// Ends with the end mark: a whole translation.
    Finished,
    /// A candidate that fell out of the beam.
    Pruned,
}

/// One node of the beam tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Node {
    /// Its id.
    pub id: NodeId,
    /// The node it continues (`None`: the start symbol).
    pub parent: Option<NodeId>,
    /// The piece chosen.
    pub token: u32,
    /// ln P(token | prefix, source).
    pub logprob: f32,
    /// Sum of `logprob` from the root, under the search's [`super::Scoring`]. (As `transformers` scores, a
    /// forced prefix and an end mark forced at the maximum length count as certain.)
    pub score: f32,
    /// Its state.
    pub state: NodeState,
}

/// A finished translation of one sentence.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Hypothesis {
    /// Its pieces, without start symbol, with the end mark if one was generated.
    pub tokens: Vec<u32>,
    /// ln P of each piece.
    pub logprobs: Vec<f32>,
    /// Sum of `logprobs` under the search's scoring.
    pub score: f32,
    /// Its last node.
    pub node: NodeId,
}

/// An event of one [`super::Batch::step`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
#[non_exhaustive]
pub enum Event {
    /// The best hypothesis of a sentence so far, open or finished, changed or grew, or more of it is final.
    Token {
        /// Index of the sentence in the batch.
        sentence: usize,
        /// Its pieces.
        tokens: Vec<u32>,
        /// ln P of each piece.
        logprobs: Vec<f32>,
        /// How many leading pieces all hypotheses share that may still win: these are final.
        stable_prefix_len: usize,
        /// Its last node.
        node: NodeId,
    },
    /// The nodes that this step added to a sentence's tree, best first. Their states are final: an open
    /// node is expanded in the next step.
    Nodes {
        /// Index of the sentence in the batch.
        sentence: usize,
        /// The nodes.
        nodes: Vec<Node>,
    },
    /// A sentence is finished; best hypothesis first.
    Done {
        /// Index of the sentence in the batch.
        sentence: usize,
        /// The n best.
        hypotheses: Vec<Hypothesis>,
    },
}
