//! Offsets for JavaScript: byte ranges of a string as ranges of UTF-16 units.

use std::ops::Range;

/// A byte range of `text` in UTF-16 units. Offsets inside a character count as its start, those
/// behind the text as its end.
pub fn utf16_range(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = utf16_len(text, 0, range.start);
    start..start + utf16_len(text, range.start, range.end)
}

/// Many byte ranges of `text` in UTF-16 units, in one walk over the text.
pub fn utf16_ranges(text: &str, ranges: &[Option<Range<usize>>]) -> Vec<Option<Range<usize>>> {
    let mut offsets: Vec<usize> = ranges
        .iter()
        .flatten()
        .flat_map(|r| [r.start, r.end])
        .collect();
    offsets.sort_unstable();
    offsets.dedup();
    let mut units = Vec::with_capacity(offsets.len());
    let (mut at, mut count) = (0, 0);
    for &offset in &offsets {
        count += utf16_len(text, at, offset);
        units.push(count);
        at = offset;
    }
    let unit = |offset| units[offsets.partition_point(|o| *o < offset)];
    let convert = |range: &Range<usize>| unit(range.start)..unit(range.end);
    ranges
        .iter()
        .map(|range| range.as_ref().map(convert))
        .collect()
}

/// UTF-16 units of the characters that begin in `text[start..end]`'s bytes.
fn utf16_len(text: &str, start: usize, end: usize) -> usize {
    let (start, end) = (
        text.floor_char_boundary(start),
        text.floor_char_boundary(end),
    );
    text.get(start..end)
        .map_or(0, |part| part.chars().map(char::len_utf16).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cut_the_same_text_in_both_encodings() {
        let text = "a\u{308} ß€😀\u{301}👨‍👩‍👧 Ende";
        let units: Vec<u16> = text.encode_utf16().collect();
        let bounds: Vec<usize> = (0..=text.len())
            .filter(|at| text.is_char_boundary(*at))
            .collect();
        let pairs = bounds
            .iter()
            .flat_map(|start| bounds.iter().map(move |end| *start..*end));
        let ranges: Vec<_> = pairs
            .filter(|range| range.start <= range.end)
            .map(Some)
            .chain([None])
            .collect();
        for (bytes, utf16) in ranges.iter().zip(utf16_ranges(text, &ranges)) {
            let cut = |range: Range<usize>| String::from_utf16(&units[range]).unwrap();
            assert_eq!(
                utf16.clone().map(cut).as_deref(),
                bytes.clone().map(|range| &text[range])
            );
            assert_eq!(utf16, bytes.as_ref().map(|range| utf16_range(text, range)));
        }
    }

    #[test]
    fn offsets_inside_characters_and_behind_the_text_are_moved_to_the_nearest_before() {
        assert_eq!(utf16_range("a😀b", &(2..3)), 1..1);
        assert_eq!(utf16_range("a😀b", &(5..99)), 3..4);
    }
}
