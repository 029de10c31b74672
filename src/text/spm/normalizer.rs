//! Normalisation: characters rewritten by the model's map, white space unified, and where it all came from.

use super::prefixes::Prefixes;
use super::{Charsmap, SPACE};
use std::ops::Range;

/// The normaliser of a model.
#[derive(Clone, Debug)]
pub struct Normalizer {
    /// Rewriting rules; `None` leaves characters as they are.
    pub charsmap: Option<Charsmap>,
    /// Put a space before the text, so that a word is the same piece at its start and inside.
    pub add_dummy_prefix: bool,
    /// Remove spaces at both ends, and all but one of several.
    pub remove_extra_whitespaces: bool,
    /// Write spaces as `▁`.
    pub escape_whitespaces: bool,
    /// The dummy space follows the text instead of going before it.
    pub treat_whitespace_as_suffix: bool,
    /// Strings that are never rewritten.
    pub(super) user_defined: Prefixes,
}

/// A normalised text with the offsets of its characters in the original.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Normalized {
    /// The text.
    pub text: String,
    /// For each byte of `text` the range of the original text that it was made from.
    sources: Vec<(u32, u32)>,
}

impl Normalizer {
    /// SentencePiece's defaults (dummy prefix, no extra white space, `▁` for spaces) with the rules of `charsmap`.
    pub fn new(charsmap: Charsmap) -> Self {
        Self {
            charsmap: Some(charsmap),
            add_dummy_prefix: true,
            remove_extra_whitespaces: true,
            escape_whitespaces: true,
            treat_whitespace_as_suffix: false,
            user_defined: Prefixes::default(),
        }
    }

    /// Normalises a text (of less than 4 GiB).
    pub fn normalize(&self, text: &str) -> Normalized {
        let mut out = Normalized::default();
        let mut at = 0;
        if self.remove_extra_whitespaces {
            while let (" ", length) = self.rewrite(&text[at..]) {
                at += length;
            }
        }
        if at == text.len() {
            return out;
        }
        out.reserve(text.len());
        if self.add_dummy_prefix && !self.treat_whitespace_as_suffix {
            out.push_str(self.space(), at..at);
        }
        let mut after_space = self.remove_extra_whitespaces;
        while at < text.len() {
            let (mut rewritten, length) = self.rewrite(&text[at..]);
            if after_space {
                rewritten = rewritten.trim_start_matches(' ');
            }
            for (index, word) in rewritten.split(' ').enumerate() {
                if index > 0 {
                    out.push_str(self.space(), at..at + length);
                }
                out.push_str(word, at..at + length);
            }
            if !rewritten.is_empty() {
                after_space = self.remove_extra_whitespaces && rewritten.ends_with(' ');
            }
            at += length;
        }
        if self.remove_extra_whitespaces {
            let end = out.text.trim_end_matches(self.space()).len();
            out.text.truncate(end);
            out.sources.truncate(end);
        }
        if self.add_dummy_prefix && self.treat_whitespace_as_suffix {
            out.push_str(self.space(), at..at);
        }
        out
    }

    /// What the start of `text` becomes, and how many bytes of it that was.
    fn rewrite<'a>(&'a self, text: &'a str) -> (&'a str, usize) {
        if !self.user_defined.is_empty()
            && let Some((length, _)) = self.user_defined.of(text).last()
        {
            return (&text[..length], length);
        }
        if let Some((length, replacement)) = self
            .charsmap
            .as_ref()
            .and_then(|map| map.longest_match(text))
        {
            return (replacement, length);
        }
        let length = text.chars().next().map_or(0, char::len_utf8);
        (&text[..length], length)
    }

    fn space(&self) -> &'static str {
        if self.escape_whitespaces { "▁" } else { " " }
    }
}

impl Normalized {
    /// The part of the original text that a byte range of the normalised text was made from. A character
    /// that became several counts whole for each of them.
    pub fn source_range(&self, range: Range<usize>) -> Range<usize> {
        match self.sources.get(range) {
            Some([(start, end)]) => *start as usize..*end as usize,
            Some([(start, _), .., (_, end)]) => *start as usize..*end as usize,
            _ => 0..0,
        }
    }

    /// Byte ranges of the words: each begins with `▁` (but the first, where there is no dummy prefix).
    pub fn words(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut start = 0;
        std::iter::from_fn(move || {
            let rest = &self.text[start..];
            let mut characters = rest.char_indices();
            characters.next()?;
            let length = characters
                .find(|(_, c)| *c == SPACE)
                .map_or(rest.len(), |(at, _)| at);
            start += length;
            Some(start - length..start)
        })
    }

    fn reserve(&mut self, bytes: usize) {
        self.text.reserve(bytes + bytes / 2);
        self.sources.reserve(bytes + bytes / 2);
    }

    fn push_str(&mut self, text: &str, source: Range<usize>) {
        self.text.push_str(text);
        let source = (source.start as u32, source.end as u32);
        self.sources.resize(self.text.len(), source);
    }
}
