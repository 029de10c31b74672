//! Observed blocks summed up: words instead of pieces, means over heads and layers, special pieces hidden.
//!
//! Everything here is a pure function of blocks that were observed: nothing is decoded again.

use super::AttentionKind;
use crate::{Error, Result};
use ndarray::{Array3, Array4, ArrayView4, Axis, s};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What an aggregation needs to know of a piece.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct PieceLabel {
    /// As printed: "▁" marks a word start.
    pub text: String,
    /// Half-open range in its text; `None` for special pieces.
    pub range: Option<[usize; 2]>,
    /// Index of its word; `None` for pieces that belong to none.
    pub word: Option<usize>,
}

/// Whether rows and columns are pieces or words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// As the model reads.
    #[default]
    Pieces,
    /// A word's row is the mean over its pieces' rows, its column the sum over its pieces' columns.
    Words,
}

/// Whether special pieces have rows and columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Special {
    /// They do.
    #[default]
    Shown,
    /// They do not, and the weights of each row are divided by what is left of it.
    Hidden,
}

/// Each one, or their mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fold {
    /// Each by itself.
    #[default]
    Each,
    /// One: their mean.
    Mean,
}

/// How blocks are summed up; the default leaves them as they are.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ViewOptions {
    /// Pieces or words.
    pub unit: Unit,
    /// Special pieces.
    pub special_tokens: Special,
    /// Heads; their mean is taken before rows are renormalised.
    pub heads: Fold,
    /// Layers; their mean is taken before rows are renormalised.
    pub layers: Fold,
}

/// What the cells of a block are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Attention weights: a row sums to 1.
    Weights,
    /// Value-weighted norms; of words and means a sum and a mean of norms. They are never renormalised.
    Norms,
}

/// A piece that is no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SpecialPiece {
    /// The start symbol that the decoder reads first.
    Start,
    /// The end mark.
    End,
    /// Any other.
    Other,
}

/// A row or a column of a view: a piece or a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AxisItem {
    /// A piece as printed, or a word without the marks of its pieces.
    pub text: String,
    /// Half-open range in its text; `None` for special pieces.
    pub range: Option<[usize; 2]>,
    /// Rows or columns of the block that it sums up, `[first, end)`.
    pub pieces: [usize; 2],
    /// Set for special pieces.
    pub special: Option<SpecialPiece>,
    /// Rows of the decoder: what is read at its first step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads: Option<String>,
}

/// One attention, summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// (layers or 1, heads or 1, rows, columns)
    pub values: Array4<f32>,
    /// One for each row.
    pub rows: Vec<AxisItem>,
    /// One for each column.
    pub cols: Vec<AxisItem>,
    /// (layers or 1, heads or 1, rows): what was left of each row's weight before it was renormalised.
    pub shown: Option<Array3<f32>>,
}

/// The pieces of one sentence and of the hypothesis that was observed.
#[derive(Clone, Copy, Debug)]
pub struct Labels<'a> {
    /// Source pieces.
    pub source: &'a [PieceLabel],
    /// Target pieces, without the start symbol.
    pub target: &'a [PieceLabel],
}

/// Sums up one block of an observation.
///
/// # Shapes
/// block (layers, heads, rows, columns), as in [`super::Trace`].
///
/// # Errors
/// [`Error::RequestInvalid`] if the block has other numbers of rows and columns than there are pieces.
pub fn view(
    kind: AttentionKind,
    measure: Measure,
    block: ArrayView4<'_, f32>,
    labels: Labels<'_>,
    options: ViewOptions,
) -> Result<View> {
    let (rows, cols) = axes(kind, labels);
    let (_, _, found_rows, found_cols) = block.dim();
    if (found_rows, found_cols) != (rows.len(), cols.len()) {
        return Err(Error::RequestInvalid {
            field: "trace",
            reason: format!(
                "has a block of {found_rows} × {found_cols} cells for {} × {} pieces",
                rows.len(),
                cols.len()
            ),
        });
    }
    let block = folded(block, options);
    let rows = items(rows, options);
    let cols = items(cols, options);
    let mut values = summed(&block, &rows, &cols);
    let mut shown = None;
    if options.special_tokens == Special::Hidden && measure == Measure::Weights {
        let left = values.sum_axis(Axis(3));
        for (mut row, &left) in values.lanes_mut(Axis(3)).into_iter().zip(&left) {
            // A row that read special pieces alone stays empty.
            if left > 0.0 {
                row /= left;
            }
        }
        shown = Some(left);
    }
    Ok(View {
        values,
        rows,
        cols,
        shown,
    })
}

/// The mean over each item's rows of the sum over each item's columns.
fn summed(block: &Array4<f32>, rows: &[AxisItem], cols: &[AxisItem]) -> Array4<f32> {
    let (layers, heads, ..) = block.dim();
    let mut values = Array4::zeros((layers, heads, rows.len(), cols.len()));
    let maps = values.lanes_mut(Axis(3)).into_iter();
    for (at, mut row) in maps.enumerate() {
        let map = at / rows.len();
        let [from, to] = rows[at % rows.len()].pieces;
        for piece in from..to {
            let cells = block.slice(s![map / heads, map % heads, piece, ..]);
            for (
                value,
                &AxisItem {
                    pieces: [first, end],
                    ..
                },
            ) in row.iter_mut().zip(cols)
            {
                *value += (first..end).map(|col| cells[col]).sum::<f32>();
            }
        }
        row /= (to - from) as f32;
    }
    values
}

/// Means over layers and heads, as the options request.
fn folded(block: ArrayView4<'_, f32>, options: ViewOptions) -> Array4<f32> {
    let mut block = block.to_owned();
    for (fold, axis) in [(options.layers, Axis(0)), (options.heads, Axis(1))] {
        if fold == Fold::Mean
            && let Some(mean) = block.mean_axis(axis)
        {
            block = mean.insert_axis(axis);
        }
    }
    block
}

/// One item for each row and each column of a block.
fn axes(kind: AttentionKind, labels: Labels<'_>) -> (Vec<Piece>, Vec<Piece>) {
    let own = |label: &PieceLabel| Piece::from(label);
    let source = || labels.source.iter().map(own).collect::<Vec<_>>();
    // The decoder reads the target shifted right (§3.1).
    let read: Vec<Piece> = std::iter::once(Piece::start())
        .chain(labels.target.iter().map(own))
        .take(labels.target.len())
        .collect();
    let predicted = labels.target.iter().zip(&read).map(|(label, read)| Piece {
        reads: Some(read.label.text.clone()),
        ..own(label)
    });
    match kind {
        AttentionKind::EncoderSelf => (source(), source()),
        AttentionKind::DecoderSelf => (predicted.collect(), read),
        AttentionKind::Cross => (predicted.collect(), source()),
    }
}

/// A row or column before it is summed up.
struct Piece {
    label: PieceLabel,
    special: Option<SpecialPiece>,
    reads: Option<String>,
}

impl Piece {
    fn start() -> Self {
        Self {
            label: PieceLabel {
                text: "<s>".into(),
                ..PieceLabel::default()
            },
            special: Some(SpecialPiece::Start),
            reads: None,
        }
    }
}

impl From<&PieceLabel> for Piece {
    fn from(label: &PieceLabel) -> Self {
        let special = match (label.word, label.range) {
            (None, None) if label.text == "</s>" => Some(SpecialPiece::End),
            (None, None) => Some(SpecialPiece::Other),
            _ => None,
        };
        Self {
            label: label.clone(),
            special,
            reads: None,
        }
    }
}

/// Neighbouring pieces of one word together; a special piece stands for itself.
pub(crate) fn words(labels: impl Iterator<Item = PieceLabel>) -> Vec<AxisItem> {
    let options = ViewOptions {
        unit: Unit::Words,
        ..ViewOptions::default()
    };
    items(labels.map(|label| Piece::from(&label)).collect(), options)
}

/// The items of an axis: neighbouring pieces of one word together, if words are wanted.
fn items(pieces: Vec<Piece>, options: ViewOptions) -> Vec<AxisItem> {
    let mut items: Vec<AxisItem> = Vec::with_capacity(pieces.len());
    let mut word_before = None;
    for (at, piece) in pieces.into_iter().enumerate() {
        let PieceLabel { text, range, word } = piece.label;
        if options.unit == Unit::Words
            && word.is_some()
            && word == word_before
            && let Some(item) = items.last_mut()
        {
            item.text.push_str(&text.replace('▁', ""));
            item.pieces[1] = at + 1;
            item.range = joined(item.range, range);
            continue;
        }
        word_before = word;
        let text = match options.unit {
            Unit::Words if word.is_some() => text.replace('▁', ""),
            _ => text,
        };
        items.push(AxisItem {
            text,
            range,
            pieces: [at, at + 1],
            special: piece.special,
            reads: piece.reads,
        });
    }
    if options.special_tokens == Special::Hidden {
        items.retain(|item| item.special.is_none());
    }
    items
}

/// The range from the beginning of the first to the end of the last.
fn joined(a: Option<[usize; 2]>, b: Option<[usize; 2]>) -> Option<[usize; 2]> {
    let ranges = [a, b].into_iter().flatten().map(|[from, to]| Range {
        start: from,
        end: to,
    });
    let all = ranges.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end))?;
    Some([all.start, all.end])
}

#[cfg(test)]
mod tests;
