//! The decoder's caches: keys and values of everything read so far, and the tree of slots over them.

use super::{Row, Slot};
use crate::{Error, Result};

/// Keys and values of one attention, by row.
#[derive(Default)]
pub(crate) struct KeyValueRows {
    /// (rows, h · d_k)
    pub keys: Vec<f32>,
    /// (rows, h · d_v)
    pub values: Vec<f32>,
}

impl KeyValueRows {
    /// Writes rows to the given cache entries, growing as needed.
    pub fn store(&mut self, entries: &[u32], keys: &[f32], values: &[f32]) {
        scatter(&mut self.keys, entries, keys);
        scatter(&mut self.values, entries, values);
    }
}

fn scatter(table: &mut Vec<f32>, entries: &[u32], rows: &[f32]) {
    let Some(last) = entries.iter().max() else {
        return;
    };
    let width = rows.len() / entries.len();
    let needed = (*last as usize + 1) * width;
    if table.len() < needed {
        table.resize(needed, 0.0);
    }
    for (entry, row) in entries.iter().zip(rows.chunks_exact(width)) {
        table[*entry as usize * width..][..width].copy_from_slice(row);
    }
}

/// A slot.
#[derive(Clone, Copy)]
struct Node {
    sentence: u32,
    parent: Option<Slot>,
    /// Number of pieces read before it.
    position: u32,
    /// Where its keys and values stand in every layer's [`KeyValueRows`].
    entry: u32,
}

/// The tree of slots: each continues the path to its parent, so that hypotheses share their
/// common prefix. Cache entries of released sentences are reused.
#[derive(Default)]
pub(crate) struct SlotTree {
    nodes: Vec<Node>,
    /// Sentence → whether it was released.
    released: Vec<bool>,
    free: Vec<u32>,
    /// Entries ever allocated.
    entries: u32,
    pass: PassSlots,
}

/// The slots of the pass at hand.
#[derive(Default)]
pub(crate) struct PassSlots {
    /// Cache entry of each row.
    pub entries: Vec<u32>,
    /// Position of each row.
    pub positions: Vec<usize>,
    /// Cache entries on the path from the root to each row's slot, one row after the other.
    paths: Vec<u32>,
    /// Where each row's path ends in `paths`.
    ends: Vec<usize>,
}

impl PassSlots {
    /// The cache entries visible to a row, root first, its own last.
    pub fn path(&self, row: usize) -> &[u32] {
        let start = row.checked_sub(1).map_or(0, |previous| self.ends[previous]);
        &self.paths[start..self.ends[row]]
    }
}

impl SlotTree {
    pub fn new(sentences: usize) -> Self {
        Self {
            released: vec![false; sentences],
            ..Self::default()
        }
    }

    /// Slots so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Makes one slot for each row. A row may continue an earlier row of the same call.
    ///
    /// # Errors
    /// If a row names an unknown sentence, a released one, a slot that is unknown or another
    /// sentence's, or would stand at `max_positions`. Nothing has changed then.
    pub fn extend(&mut self, rows: &[Row], max_positions: usize) -> Result<&PassSlots> {
        let before = self.nodes.len();
        for (number, row) in rows.iter().enumerate() {
            match self.node(row, max_positions) {
                Ok(node) => self.nodes.push(node),
                Err(reason) => {
                    self.nodes.truncate(before);
                    return Err(Error::RequestInvalid {
                        field: "rows",
                        reason: format!("row {number} {reason}"),
                    });
                }
            }
        }
        let Self {
            nodes,
            free,
            entries,
            pass,
            ..
        } = self;
        pass.entries.clear();
        pass.positions.clear();
        pass.paths.clear();
        pass.ends.clear();
        for number in before..nodes.len() {
            let entry = free.pop().unwrap_or_else(|| {
                *entries += 1;
                *entries - 1
            });
            nodes[number].entry = entry;
            let node = nodes[number];
            pass.entries.push(entry);
            pass.positions.push(node.position as usize);
            let start = pass.paths.len();
            pass.paths.resize(start + node.position as usize + 1, entry);
            let mut parent = node.parent;
            for entry in pass.paths[start..start + node.position as usize]
                .iter_mut()
                .rev()
            {
                let Some(slot) = parent else { break };
                *entry = nodes[slot.0 as usize].entry;
                parent = nodes[slot.0 as usize].parent;
            }
            pass.ends.push(pass.paths.len());
        }
        Ok(&self.pass)
    }

    fn node(&self, row: &Row, max_positions: usize) -> std::result::Result<Node, String> {
        match self.released.get(row.sentence) {
            None => {
                return Err(format!(
                    "names sentence {}, the state has {}",
                    row.sentence,
                    self.released.len()
                ));
            }
            Some(true) => {
                return Err(format!(
                    "names sentence {}, which was released",
                    row.sentence
                ));
            }
            Some(false) => {}
        }
        let position = match row.parent {
            None => 0,
            Some(slot) => match self.nodes.get(slot.0 as usize) {
                None => {
                    return Err(format!(
                        "continues slot {}, there are {}",
                        slot.0,
                        self.nodes.len()
                    ));
                }
                Some(parent) if parent.sentence as usize != row.sentence => {
                    return Err(format!(
                        "of sentence {} continues a slot of sentence {}",
                        row.sentence, parent.sentence
                    ));
                }
                Some(parent) => parent.position + 1,
            },
        };
        if position as usize >= max_positions {
            return Err(format!(
                "stands at position {position}, the model has {max_positions}"
            ));
        }
        Ok(Node {
            sentence: row.sentence as u32,
            parent: row.parent,
            position,
            entry: 0,
        })
    }

    /// Frees the cache entries of a sentence; returns whether the sentence exists and was not released before.
    pub fn release(&mut self, sentence: usize) -> bool {
        let Some(released) = self
            .released
            .get_mut(sentence)
            .filter(|released| !**released)
        else {
            return false;
        };
        *released = true;
        let freed = self
            .nodes
            .iter()
            .filter(|node| node.sentence as usize == sentence);
        self.free.extend(freed.map(|node| node.entry));
        true
    }
}
