//! Prepositions that stand before a time or a date and go along with it: a model cannot read it, and would choose another one.

use super::blanks::is_blank;

/// A preposition before a time or a date.
#[derive(Clone, Copy)]
pub struct Preposition {
    /// What it says: its index among those of its language.
    pub index: usize,
    /// Whether it begins with a capital.
    pub is_capital: bool,
    /// Where it begins in the text.
    pub start: usize,
}

impl Preposition {
    /// The one of `words`, the longer ones first, that a text ends with before one blank.
    pub fn before(
        text: &str,
        words: impl IntoIterator<Item = (usize, &'static str)>,
    ) -> Option<Self> {
        let text = text.strip_suffix(is_blank)?;
        words.into_iter().find_map(|(index, word)| {
            let (start, first) = text.char_indices().nth_back(word.chars().count() - 1)?;
            let rest = text[start + first.len_utf8()..].chars();
            let rest = rest.map(|c| match c {
                '’' => '\'',
                c if is_blank(c) => ' ',
                c => c,
            });
            let is_word = first.to_lowercase().chain(rest);
            let joins = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-');
            let is_whole = is_word.eq(word.chars()) && !text[..start].ends_with(joins);
            is_whole.then_some(Self {
                index,
                is_capital: first.is_uppercase(),
                start,
            })
        })
    }

    /// Adds a word that says the same, with a capital where this one has it, and a blank.
    pub fn write(self, word: &str, out: &mut String) {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if self.is_capital => out.extend(first.to_uppercase()),
            first => out.extend(first),
        }
        out.extend(letters.chain([' ']));
    }
}
