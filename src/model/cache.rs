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
    /// Writes rows to the given places, growing to them.
    pub fn store(&mut self, places: &[u32], keys: &[f32], values: &[f32]) {
        scatter(&mut self.keys, places, keys);
        scatter(&mut self.values, places, values);
    }
}

fn scatter(table: &mut Vec<f32>, places: &[u32], rows: &[f32]) {
    let Some(last) = places.iter().max() else {
        return;
    };
    let width = rows.len() / places.len();
    let needed = (*last as usize + 1) * width;
    if table.len() < needed {
        table.resize(needed, 0.0);
    }
    for (place, row) in places.iter().zip(rows.chunks_exact(width)) {
        table[*place as usize * width..][..width].copy_from_slice(row);
    }
}

/// What is known of a slot.
#[derive(Clone, Copy)]
struct Node {
    sentence: u32,
    parent: Option<Slot>,
    /// Number of pieces read before it.
    position: u32,
    /// Where its keys and values stand in every layer's [`KeyValueRows`].
    place: u32,
}

/// The tree of slots: each continues the path to its parent, so that hypotheses share what they
/// have in common. Places of released sentences are used again.
#[derive(Default)]
pub(crate) struct SlotTree {
    nodes: Vec<Node>,
    /// Sentence → whether it was released.
    released: Vec<bool>,
    free: Vec<u32>,
    /// Places ever handed out.
    places: u32,
    pass: PassSlots,
}

/// The slots of the pass at hand.
#[derive(Default)]
pub(crate) struct PassSlots {
    /// Place of each row's own key and value.
    pub places: Vec<u32>,
    /// Position of each row.
    pub positions: Vec<usize>,
    /// Places from the root to each row's own slot, one row after the other.
    paths: Vec<u32>,
    /// Where each row's path ends in `paths`.
    ends: Vec<usize>,
}

impl PassSlots {
    /// The places that row `row` sees, root first, its own last.
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
            places,
            pass,
            ..
        } = self;
        pass.places.clear();
        pass.positions.clear();
        pass.paths.clear();
        pass.ends.clear();
        for number in before..nodes.len() {
            let place = free.pop().unwrap_or_else(|| {
                *places += 1;
                *places - 1
            });
            nodes[number].place = place;
            let node = nodes[number];
            pass.places.push(place);
            pass.positions.push(node.position as usize);
            let start = pass.paths.len();
            pass.paths.resize(start + node.position as usize + 1, place);
            let mut parent = node.parent;
            for place in pass.paths[start..start + node.position as usize]
                .iter_mut()
                .rev()
            {
                let Some(slot) = parent else { break };
                *place = nodes[slot.0 as usize].place;
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
            place: 0,
        })
    }

    /// Frees the places of a sentence; returns whether it was known and not yet released.
    pub fn release(&mut self, sentence: usize) -> bool {
        let Some(released) = self
            .released
            .get_mut(sentence)
            .filter(|released| !**released)
        else {
            return false;
        };
        *released = true;
        let own = self
            .nodes
            .iter()
            .filter(|node| node.sentence as usize == sentence);
        self.free.extend(own.map(|node| node.place));
        true
    }
}
