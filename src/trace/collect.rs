//! Collecting what a [`TraceRequest`] asks for while a model runs.

use super::{AttentionKind, Stacks, TraceRequest};
use crate::{Error, Result};
use ndarray::{Array3, Array4, ArrayView2, s};
use std::sync::Arc;

/// The layers and heads of a stack that a request selects. Every query has its block: a clone shares the lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    layers: Arc<[usize]>,
    heads: Arc<[usize]>,
}

impl Selection {
    /// The selection of `request` in the stack that an attention belongs to.
    ///
    /// # Errors
    /// [`Error::RequestInvalid`] if it names a layer or head that the stack has not.
    pub fn new(request: &TraceRequest, stacks: Stacks, kind: AttentionKind) -> Result<Self> {
        Ok(Self {
            layers: resolve("layers", request.layers.as_deref(), stacks.layers(kind))?,
            heads: resolve("heads", request.heads.as_deref(), stacks.heads(kind))?,
        })
    }

    /// An empty block for `queries` × `keys` weights of every selected layer and head.
    pub fn block(&self, queries: usize, keys: usize) -> AttentionBlock {
        AttentionBlock {
            weights: Array4::zeros((self.layers.len(), self.heads.len(), queries, keys)),
            selection: self.clone(),
        }
    }

    /// Empty norms for the values of `keys` keys in every selected layer and head.
    pub fn norms(&self, keys: usize) -> KeyNorms {
        KeyNorms {
            norms: Array3::zeros((self.layers.len(), self.heads.len(), keys)),
            selection: self.clone(),
        }
    }
}

fn resolve(
    field: &'static str,
    requested: Option<&[usize]>,
    available: usize,
) -> Result<Arc<[usize]>> {
    let Some(requested) = requested else {
        return Ok((0..available).collect());
    };
    match requested.iter().find(|&&number| number >= available) {
        None => Ok(requested.into()),
        Some(number) => Err(Error::RequestInvalid {
            field,
            reason: format!("holds {number}, the model has 0 to {}", available - 1),
        }),
    }
}

/// Attention weights of the selected layers and heads, filled query by query.
#[derive(Clone, Debug)]
pub struct AttentionBlock {
    selection: Selection,
    /// (layers, heads, queries, keys)
    weights: Array4<f32>,
}

impl AttentionBlock {
    /// Records one query's weights (all heads, keys covered), the first of which is that of `first_key`.
    pub fn record(
        &mut self,
        layer: usize,
        query: usize,
        first_key: usize,
        n_heads: usize,
        weights: &[f32],
    ) {
        let covered = weights.len() / n_heads;
        let Selection { layers, heads } = &self.selection;
        let (_, n_selected, queries, keys) = self.weights.dim();
        // Rows by their offset: through views of the four axes, observing a pass takes half as long again. A block is made
        // here and always lies in one piece.
        let Some(cells) = self.weights.as_slice_mut() else {
            return;
        };
        for selected_layer in (0..layers.len()).filter(|&index| layers[index] == layer) {
            for (selected_head, head) in heads.iter().enumerate() {
                let row = (selected_layer * n_selected + selected_head) * queries + query;
                let row_weights = &weights[head * covered..][..covered];
                cells[row * keys + first_key..][..covered].copy_from_slice(row_weights);
            }
        }
    }

    /// Copies the single query of `row` into query `query` of this block; keys beyond it stay 0.
    pub fn copy_query(&mut self, query: usize, row: &AttentionBlock) {
        let (layers, heads, queries, keys) = self.weights.dim();
        let covered = row.weights.dim().3;
        let (Some(cells), Some(rows)) = (self.weights.as_slice_mut(), row.weights.as_slice())
        else {
            return;
        };
        for (head, row_weights) in rows.chunks_exact(covered).enumerate().take(layers * heads) {
            cells[(head * queries + query) * keys..][..covered].copy_from_slice(row_weights);
        }
    }

    /// The weights.
    ///
    /// # Shapes
    /// (layers, heads, queries, keys).
    pub fn weights(&self) -> &Array4<f32> {
        &self.weights
    }

    /// The weights.
    ///
    /// # Shapes
    /// (layers, heads, queries, keys).
    pub fn into_weights(self) -> Array4<f32> {
        self.weights
    }
}

/// ‖v·W^O‖ of every key in the selected layers and heads.
#[derive(Clone, Debug)]
pub struct KeyNorms {
    selection: Selection,
    /// (layers, heads, keys)
    norms: Array3<f32>,
}

impl KeyNorms {
    /// Records one layer's norms.
    ///
    /// # Shapes
    /// norms (keys, h).
    pub fn record(&mut self, layer: usize, norms: ArrayView2<'_, f32>) {
        let Selection { layers, heads } = &self.selection;
        for selected_layer in (0..layers.len()).filter(|&index| layers[index] == layer) {
            for (selected_head, head) in heads.iter().enumerate() {
                let mut cells = self.norms.slice_mut(s![selected_layer, selected_head, ..]);
                cells.assign(&norms.column(*head));
            }
        }
    }

    /// Multiplies the weights of the keys from `first` on by their norms.
    ///
    /// # Shapes
    /// weights (layers, heads, queries, keys).
    pub fn weigh(&self, weights: &mut Array4<f32>, first: usize) {
        let keys = self.norms.dim().2;
        let mut cells = weights.slice_mut(s![.., .., .., first..first + keys]);
        for mut query in cells.axis_iter_mut(ndarray::Axis(2)) {
            query *= &self.norms;
        }
    }
}
