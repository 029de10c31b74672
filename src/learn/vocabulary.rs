//! Characters or words of a task, and their ids.

use crate::error::{Error, Result};

/// Pieces and their ids, in the order of a model folder: end mark, unknown piece, the pieces, and last the mark that starts
/// a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Vocabulary {
    pieces: Vec<String>,
    words: bool,
}

/// Ids before the first piece: the end mark and the unknown piece.
const SPECIAL: usize = 2;

impl Vocabulary {
    /// The end mark.
    pub const END: u32 = 0;
    /// Stands for a piece that is not in the vocabulary; never trained on.
    pub const UNKNOWN: u32 = 1;

    /// A vocabulary of these pieces, which are sorted.
    pub fn new(pieces: Vec<String>, words: bool) -> Self {
        Self { pieces, words }
    }

    /// Whether pieces are words instead of characters.
    pub fn has_words(&self) -> bool {
        self.words
    }

    /// Number of ids, marks included.
    pub fn len(&self) -> usize {
        self.pieces.len() + SPECIAL + 1
    }

    /// Whether there is no piece but the marks.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The start mark.
    pub fn start(&self) -> u32 {
        self.len() as u32 - 1
    }

    /// The pieces, from id 2 on.
    pub fn pieces(&self) -> &[String] {
        &self.pieces
    }

    /// Ids of a text, without marks.
    ///
    /// # Errors
    /// [`Error::Setting`] naming the first piece that the task does not have.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        let id = |piece: &str| match self
            .pieces
            .binary_search_by(|known| known.as_str().cmp(piece))
        {
            Ok(at) => Ok((at + SPECIAL) as u32),
            Err(_) => Err(Error::Setting(format!(
                "{piece:?} does not occur in this task"
            ))),
        };
        match self.words {
            true => text.split_whitespace().map(id).collect(),
            false => text
                .chars()
                .map(|c| id(c.encode_utf8(&mut [0; 4])))
                .collect(),
        }
    }

    /// The text of ids; marks are left out.
    pub fn decode(&self, ids: &[u32]) -> String {
        let piece = |id: &u32| {
            self.pieces
                .get((*id as usize).wrapping_sub(SPECIAL))
                .map(String::as_str)
        };
        let pieces: Vec<&str> = ids.iter().filter_map(piece).collect();
        pieces.join(if self.words { " " } else { "" })
    }
}
