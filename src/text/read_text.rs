//! A text as it is read: with masks for its literals and with what is rewritten, and where that stands in the original.

use super::literals;
use super::typed::Rewrite;
use std::ops::Range;

/// A text as SentencePiece reads it: literals are masked, so that what is around them is split as around any unknown
/// character, and what is rewritten stands there in full.
pub(super) struct ReadText<'p> {
    pub text: String,
    /// In order, not overlapping.
    edits: Vec<Edit<'p>>,
    /// Where in the original text this one begins.
    start: usize,
}

/// A range of the original text for which another stands.
struct Edit<'p> {
    original: Range<usize>,
    read: Range<usize>,
    /// The literal that is masked there.
    place: Option<&'p (u32, Range<usize>)>,
    /// Whether the characters of both are as long, one by one.
    is_aligned: bool,
}

impl<'p> ReadText<'p> {
    /// A character for private use: no vocabulary has it, and literals of a text hold all that it has of them.
    const MASK: &'static str = "\u{e000}";

    /// `text` from `start` on. What is rewritten inside a literal or before `start` is not.
    pub fn new(
        text: &str,
        start: usize,
        places: &'p [(u32, Range<usize>)],
        rewrites: &[Rewrite],
    ) -> Self {
        let masks = places
            .iter()
            .map(|place| (place.1.clone(), Self::MASK, Some(place)));
        let rewrites = rewrites
            .iter()
            .map(|rewrite| (rewrite.range.clone(), &*rewrite.text, None));
        let mut all: Vec<_> = masks.chain(rewrites).collect();
        all.sort_by_key(|(range, ..)| range.start);
        let mut read = Self {
            text: String::with_capacity(text.len()),
            edits: Vec::with_capacity(all.len()),
            start,
        };
        let mut end = start;
        let inside = |range: &Range<usize>| {
            let overlaps = |(_, place): &(u32, Range<usize>)| {
                range.start < place.end && place.start < range.end
            };
            places.iter().any(overlaps)
        };
        for (original, by, place) in all {
            if original.start < end || place.is_none() && inside(&original) {
                continue;
            }
            read.text.push_str(&text[end..original.start]);
            let is_mark = place.is_some() && literals::is_mark(&text[original.clone()]);
            if is_mark && !(read.text.is_empty() || read.text.ends_with(literals::opens)) {
                read.push(original.start..original.start, " ", None, false);
            }
            end = original.end;
            let lengths = |text: &str| text.chars().map(char::len_utf8).collect::<Vec<_>>();
            let is_aligned = place.is_none() && lengths(&text[original.clone()]) == lengths(by);
            read.push(original, by, place, is_aligned);
            if is_mark && !text[end..].starts_with(literals::closes) {
                read.push(end..end, " ", None, false);
            }
        }
        read.text.push_str(&text[end..]);
        read
    }

    /// Adds what is read instead of a range.
    fn push(
        &mut self,
        original: Range<usize>,
        by: &str,
        place: Option<&'p (u32, Range<usize>)>,
        is_aligned: bool,
    ) {
        let at = self.text.len();
        self.text.push_str(by);
        self.edits.push(Edit {
            original,
            read: at..self.text.len(),
            place,
            is_aligned,
        });
    }

    /// The place whose mask a range of this text is.
    pub fn place(&self, range: &Range<usize>) -> Option<&'p (u32, Range<usize>)> {
        let at = self
            .edits
            .binary_search_by_key(&range.start, |edit| edit.read.start);
        let edit = &self.edits[at.ok()?];
        edit.place.filter(|_| edit.read == *range)
    }

    /// A range of this text in the original one; of what is rewritten all, where only a part is meant.
    pub fn original(&self, range: Range<usize>) -> Range<usize> {
        // What is not read at all stands before the piece that begins there.
        let before = |at: usize, begins: bool| {
            let is_before = |edit: &Edit| {
                edit.read.start < at || begins && edit.read.end == at && edit.read.is_empty()
            };
            let count = self.edits.partition_point(is_before);
            self.edits[..count].last()
        };
        let offset = |at: usize, begins, inside: fn(&Edit<'_>) -> usize| match before(at, begins) {
            None => self.start + at,
            Some(edit) if at >= edit.read.end => edit.original.end + at - edit.read.end,
            Some(edit) if edit.is_aligned => edit.original.start + at - edit.read.start,
            Some(edit) => inside(edit),
        };
        let start = offset(range.start, true, |edit| edit.original.start);
        start..offset(range.end, false, |edit| edit.original.end)
    }
}
