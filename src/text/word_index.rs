//! Which word each piece belongs to, so that attention between pieces can be read between words.

use super::spm::{SPACE, byte_of_piece};
use super::vocabulary::Vocabulary;

/// What a piece does to the word before it.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// `▁` alone: a word begins, whatever comes next.
    Opening,
    /// Letters, digits, bytes: continues a word.
    Word,
    /// Apostrophes and hyphens: continue a word, which may continue after them.
    Joint,
    /// Any other punctuation: a word by itself.
    Punctuation,
}

impl Vocabulary {
    /// For each piece the index of its word, counted from 0; `None` for special pieces.
    ///
    /// A word begins at `▁`. Punctuation that follows without a space is a word of its own (`cat` `.`), as is
    /// what follows such punctuation; several marks in a row are one word. Apostrophes and hyphens inside a
    /// word stay in it (`don't`, `E-Mail`), and so do byte pieces.
    pub fn words(&self, ids: &[u32]) -> Vec<Option<u32>> {
        let mut count = 0;
        let mut before: Option<Role> = None;
        let index = |&id: &u32| {
            if self.is_special(id) {
                before = None;
                return None;
            }
            let piece = self.piece(id);
            let role = role(piece);
            let goes_on = !piece.starts_with(SPACE)
                && match (before, role) {
                    (None, _) => false,
                    (Some(Role::Opening), _) => true,
                    (Some(Role::Punctuation), role) => role != Role::Word,
                    (Some(_), role) => role != Role::Punctuation,
                };
            count += u32::from(!goes_on);
            before = Some(role);
            Some(count - 1)
        };
        ids.iter().map(index).collect()
    }
}

fn role(piece: &str) -> Role {
    let text = piece.trim_start_matches(SPACE);
    let is_word = |c: char| c.is_alphanumeric() || !(c.is_ascii() || is_mark(c));
    let is_joint = |c| matches!(c, '\'' | '’' | '-' | '‐' | '‑');
    if text.is_empty() {
        Role::Opening
    } else if byte_of_piece(text).is_some() || text.contains(is_word) {
        Role::Word
    } else if text.len() == piece.len() && text.chars().all(is_joint) {
        Role::Joint
    } else {
        Role::Punctuation
    }
}

/// Punctuation beyond ASCII: Latin-1's, general punctuation, and the marks of Chinese and Japanese.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{a1}'..='\u{bf}' | '\u{2010}'..='\u{205e}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{301f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// The word of each piece of a line of pieces.
    fn words(line: &str) -> Vec<Option<u32>> {
        let pieces: Vec<&str> = line.split(' ').collect();
        let specials = ["</s>", "<unk>", "<pad>"];
        let all: std::collections::BTreeSet<&str> =
            pieces.iter().copied().chain(specials).collect();
        let ids: BTreeMap<&str, u32> = all.into_iter().zip(0..).collect();
        let vocabulary =
            Vocabulary::parse("vocab.json", &serde_json::to_vec(&ids).unwrap()).unwrap();
        vocabulary.words(&pieces.iter().map(|piece| ids[piece]).collect::<Vec<_>>())
    }

    #[test]
    fn a_word_begins_at_its_space_and_punctuation_is_a_word_of_its_own() {
        let expected = [0, 0, 1, 2, 3, 3, 4, 4].map(Some);
        assert_eq!(words("▁ca ts ▁sleep , ▁pu rr . ."), expected);
        assert_eq!(words("▁end . . ."), [0, 1, 1, 1].map(Some));
        assert_eq!(words("▁( yes ) ▁no"), [0, 1, 2, 3].map(Some));
        assert_eq!(words("▁„ Ja “"), [0, 1, 2].map(Some));
    }

    #[test]
    fn apostrophes_hyphens_and_bytes_stay_in_their_word() {
        assert_eq!(words("▁don ' t"), [0, 0, 0].map(Some));
        assert_eq!(words("▁E - Mail ▁- ▁da"), [0, 0, 0, 1, 2].map(Some));
        assert_eq!(words("▁na <0xC3> <0xAF> ve"), [0, 0, 0, 0].map(Some));
    }

    #[test]
    fn a_space_alone_opens_the_word_that_follows() {
        assert_eq!(words("▁ 日本 ▁ !"), [0, 0, 1, 1].map(Some));
    }

    #[test]
    fn special_pieces_are_in_no_word() {
        assert_eq!(words("▁a b </s> <pad>"), [Some(0), Some(0), None, None]);
    }
}
