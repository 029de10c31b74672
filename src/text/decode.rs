//! From pieces back to text, and where in the text each piece is.

use super::carried::Carried;
use super::literals::Literal;
use super::marks::Marks;
use super::spm::{SPACE, byte_of_piece};
use std::cmp::Reverse;
use std::ops::Range;

/// A decoded text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without spaces at its ends.
    pub text: String,
    /// The byte range of each piece in `text`, with the space before a word; `None` for special pieces.
    /// Byte pieces have the range of the character that they make together.
    pub ranges: Vec<Option<Range<usize>>>,
}

/// Collects pieces and joins the bytes among them to characters.
#[derive(Default)]
pub(super) struct Decoder<'c> {
    out: Decoded,
    /// The run of byte pieces that has not become text yet: its last pieces in `out.ranges`.
    bytes: Vec<(usize, u8)>,
    /// What the text begins with.
    lead: Box<str>,
    /// Whether all is written in capitals.
    is_upper_case: bool,
    /// Whether slips of a model are mended.
    is_mended: bool,
    /// Whether the first word gets a capital.
    begins_with_capital: bool,
    /// The first piece that stands for a literal.
    first_literal: Option<usize>,
    /// Whether the next piece touches what is before it.
    touches: bool,
    /// Marks with the number of pieces before each, the last to be written first.
    opening: Vec<(usize, &'c str)>,
    closing: Vec<(usize, &'c str)>,
    /// What opens before the next piece's word.
    opened: String,
}

impl<'c> Decoder<'c> {
    /// Nothing yet of the translation of a source that carries these.
    /// `around` are the pieces that its marks stand around.
    pub fn new(carried: &'c Carried, around: &[Option<Range<usize>>]) -> Self {
        let pairs = carried.marks.iter().zip(around).enumerate();
        let mut pairs: Vec<(usize, &Marks, &Range<usize>)> = pairs
            .filter_map(|(i, (marks, pieces))| Some((i, marks, pieces.as_ref()?)))
            .collect();
        // Of pairs around the same pieces the first is the inner one.
        pairs.sort_by_key(|(i, _, pieces)| (Reverse(pieces.start), pieces.end, *i));
        let opening = pairs.iter();
        let opening = opening.map(|(_, marks, pieces)| (pieces.start, &*marks.open));
        let opening = opening.collect();
        pairs.sort_by_key(|(i, _, pieces)| (Reverse(pieces.end), pieces.start, Reverse(*i)));
        let closing = pairs.iter();
        let closing = closing.map(|(_, marks, pieces)| (pieces.end, &*marks.close));
        Self {
            closing: closing.collect(),
            opening,
            lead: carried.lead.clone(),
            is_upper_case: carried.is_upper_case,
            is_mended: carried.is_mended,
            begins_with_capital: carried.begins_with_capital,
            ..Self::default()
        }
    }

    /// Writes the marks that close after the last piece, and takes those that open before the next.
    fn marks(&mut self) {
        let at = self.out.ranges.len();
        let is_here = |(place, _): &mut (usize, &str)| *place == at;
        while let Some((_, mark)) = self.closing.pop_if(is_here) {
            self.flush();
            self.out.text.push_str(mark);
        }
        while let Some((_, mark)) = self.opening.pop_if(is_here) {
            self.flush();
            self.opened.push_str(mark);
        }
    }

    /// A piece that is no text.
    pub fn skip(&mut self) {
        self.marks();
        self.out.ranges.push(None);
    }

    /// A piece of text.
    pub fn push(&mut self, piece: &str) {
        self.marks();
        if let Some(byte) = byte_of_piece(piece) {
            self.bytes.push((self.out.ranges.len(), byte));
            self.out.ranges.push(None);
            return;
        }
        self.flush();
        let piece = match self.is_mended {
            true => mended(piece, &self.out.text),
            false => piece,
        };
        let word = piece.trim_start_matches(SPACE);
        let (mut start, mut rest) = (self.out.text.len(), piece);
        if self.touches || !self.opened.is_empty() {
            let spaces = if self.touches {
                0
            } else {
                piece.len() - word.len()
            };
            self.out
                .text
                .extend(std::iter::repeat_n(' ', spaces / SPACE.len_utf8()));
            start = self.open();
            rest = word;
        }
        self.touches &= rest.is_empty();
        let characters = rest.chars().map(|c| if c == SPACE { ' ' } else { c });
        match self.is_upper_case {
            true => self
                .out
                .text
                .extend(characters.flat_map(char::to_uppercase)),
            false => self.out.text.extend(characters),
        }
        self.out.ranges.push(Some(start..self.out.text.len()));
    }

    /// The text of a placeholder. Where a space was before it in the source, words and closing punctuation do not
    /// touch it in the translation either.
    pub fn push_literal(&mut self, literal: &Literal) {
        self.marks();
        self.flush();
        let [before, after] = literal.touched.unwrap_or_default();
        if before {
            self.trim_end();
        }
        let is_joined = std::mem::replace(&mut self.touches, after);
        let touches = |c: char| {
            c.is_alphanumeric()
                || matches!(
                    c,
                    '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '*' | '_' | '~' | '>'
                )
        };
        if literal.after_space && !is_joined && self.out.text.ends_with(touches) {
            self.out.text.push(' ');
        }
        let start = self.open();
        self.first_literal.get_or_insert(self.out.ranges.len());
        self.out.text.push_str(&literal.written);
        self.out.ranges.push(Some(start..self.out.text.len()));
    }

    /// Writes what opens; the end of the text after it.
    fn open(&mut self) -> usize {
        self.out.text.push_str(&std::mem::take(&mut self.opened));
        self.out.text.len()
    }

    /// Cuts off the spaces at the end.
    fn trim_end(&mut self) {
        let end = self.out.text.trim_end_matches(is_space).len();
        self.out.text.truncate(end);
        for range in self.out.ranges.iter_mut().rev().flatten() {
            if range.end <= end {
                break;
            }
            *range = range.start.min(end)..end;
        }
    }

    /// The text, with the spaces at its ends cut off.
    pub fn finish(mut self) -> Decoded {
        self.marks();
        self.flush();
        if self.begins_with_capital {
            self.capitalise();
        }
        let Decoded { text, ranges } = self.out;
        let start = text.len() - text.trim_start_matches(is_space).len();
        let trimmed = text.trim_matches(is_space);
        let lead = match trimmed.is_empty() {
            true => "",
            false => &*self.lead,
        };
        let clamp = |at: usize| lead.len() + at.saturating_sub(start).min(trimmed.len());
        let clamped = |range: Option<Range<usize>>| range.map(|r| clamp(r.start)..clamp(r.end));
        Decoded {
            ranges: ranges.into_iter().map(clamped).collect(),
            text: format!("{lead}{trimmed}"),
        }
    }

    /// Writes the first word with a capital, if it is all lower case, no literal and no abbreviation.
    fn capitalise(&mut self) {
        let Decoded { text, ranges } = &mut self.out;
        // What is in no range are marks.
        let first = ranges.iter().enumerate().find_map(|(piece, range)| {
            let range = range.clone()?;
            let letter = text[range.clone()].find(char::is_alphanumeric)?;
            Some((piece, range.start + letter))
        });
        let Some((piece, start)) = first else { return };
        if self.first_literal == Some(piece) {
            return;
        }
        let rest = &text[start..];
        let word = rest.split(|c: char| !c.is_alphanumeric()).next();
        let word = word.unwrap_or_default();
        let is_abbreviation = rest[word.len()..].starts_with('.') && rest.len() > word.len() + 1;
        if is_abbreviation || !word.chars().all(char::is_lowercase) {
            return;
        }
        let end = start + word.chars().next().map_or(0, char::len_utf8);
        let capital = text[start..end].to_uppercase();
        // The ranges stay; ß has no capital.
        if capital.len() == end - start && capital.chars().count() == 1 {
            text.replace_range(start..end, &capital);
        }
    }

    /// Turns the run of bytes into characters; a byte that belongs to none becomes U+FFFD.
    fn flush(&mut self) {
        let run = std::mem::take(&mut self.bytes);
        if !run.is_empty() {
            self.open();
        }
        let mut rest = &run[..];
        while !rest.is_empty() {
            // No character has more than four bytes.
            let bytes: Vec<u8> = rest.iter().take(4).map(|(_, byte)| *byte).collect();
            let valid = bytes
                .utf8_chunks()
                .next()
                .and_then(|chunk| chunk.valid().chars().next());
            let (character, width) = match valid {
                Some(character) => (character, character.len_utf8()),
                None => (char::REPLACEMENT_CHARACTER, 1),
            };
            let start = self.out.text.len();
            self.out
                .text
                .push(if character == SPACE { ' ' } else { character });
            for (index, _) in &rest[..width] {
                self.out.ranges[*index] = Some(start..self.out.text.len());
            }
            rest = &rest[width..];
        }
    }
}

/// A piece behind a text as it is written: no language has a space before a comma, and German *ich* has a capital only where a
/// sentence begins.
fn mended<'p>(piece: &'p str, before: &str) -> &'p str {
    match piece {
        "▁," => ",",
        "▁Ich" if before.ends_with(',') => "▁ich",
        _ => piece,
    }
}

/// What Python's `strip`, by which `MarianTokenizer` ends, takes for a space: U+001C to U+001F as well.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(pieces: &[&str]) -> Decoded {
        let carried = Carried {
            is_mended: true,
            begins_with_capital: true,
            ..Carried::default()
        };
        let mut decoder = Decoder::new(&carried, &[]);
        for piece in pieces {
            decoder.push(piece);
        }
        decoder.finish()
    }

    #[test]
    fn slips_of_a_model_are_mended() {
        let decoded = written(&["▁er", "▁,", "▁Ich", "▁und", "▁Ich"]);
        assert_eq!(decoded.text, "Er, ich und Ich");
        let ranges = [0..2, 2..3, 3..7, 7..11, 11..15].map(Some);
        assert_eq!(decoded.ranges, ranges);
        assert_eq!(written(&["▁\"", "é", "t", "é"]).text, "\"Été");
    }

    #[test]
    fn abbreviations_and_names_with_small_letters_stay() {
        assert_eq!(written(&["▁d", ".", "▁h", "."]).text, "d. h.");
        assert_eq!(written(&["▁i", "Phone", "s"]).text, "iPhones");
        assert_eq!(written(&["▁ß"]).text, "ß");
        assert_eq!(written(&["▁ja", "."]).text, "Ja.");
        assert_eq!(written(&[]).text, "");
    }

    #[test]
    fn a_literal_keeps_its_small_letters() {
        let carried = Carried {
            begins_with_capital: true,
            ..Carried::default()
        };
        let literal = Literal {
            id: 7,
            text: "report.pdf".into(),
            written: "report.pdf".into(),
            after_space: true,
            touched: None,
        };
        let mut decoder = Decoder::new(&carried, &[]);
        decoder.push("▁\"");
        decoder.push_literal(&literal);
        decoder.push("▁ist");
        assert_eq!(decoder.finish().text, "\"report.pdf ist");
    }

    #[test]
    fn what_no_source_asks_for_is_written_as_it_is() {
        let carried = Carried::default();
        let mut decoder = Decoder::new(&carried, &[]);
        for piece in ["▁er", "▁,", "▁Ich"] {
            decoder.push(piece);
        }
        assert_eq!(decoder.finish().text, "er , Ich");
    }
}
