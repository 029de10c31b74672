//! Marks of markup that stand in pairs around words: tags, emphasis and links of Markdown. The model does not read them: they
//! are set around the words of the translation that stand for those between them.

use super::literals::{code, tag};
use super::typed::BLANK;
use std::ops::Range;

/// Signs that stand on both sides of what they emphasise; longer ones first.
const EMPHASIS: [&str; 6] = ["***", "**", "__", "~~", "*", "_"];
/// Tags around what is not translated.
const CODE: [&str; 5] = ["code", "kbd", "pre", "samp", "var"];

/// A pair of marks of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub open: Range<usize>,
    pub close: Range<usize>,
}

/// A pair of marks that a translation has from its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    /// What opens, with the white space that follows it.
    pub open: Box<str>,
    /// What closes, with the white space before it.
    pub close: Box<str>,
    /// The source's pieces between them; `None` for all of them.
    pub source: Option<Range<usize>>,
    /// Whether punctuation before and after the words is between them too.
    pub has_punctuation: [bool; 2],
}

/// The marks of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Inner pairs come before those around them.
    pub pairs: Vec<Pair>,
    /// Words with marks in them and code between tags: they are copied as they are.
    pub copied: Vec<Range<usize>>,
}

/// A mark that was opened.
struct Open<'t> {
    name: &'t str,
    range: Range<usize>,
}

/// Finds the marks of a text from `start` on.
pub(super) fn find(text: &str, start: usize) -> Found {
    let mut found = Found::default();
    let mut open: Vec<Open> = Vec::new();
    let mut rest = start;
    while let Some(at) = text[rest..].find(['<', '`', '*', '_', '~', '[', ']']) {
        let start = rest + at;
        let all = &text[start..];
        if let Some(len) = code(all) {
            rest = start + len;
        } else if let Some(len) = tag(all) {
            rest = start + len;
            let name = tag_name(&all[..len]);
            match all.starts_with("</") {
                true => found.close(text, &mut open, name, start..rest),
                false => open.push(Open {
                    name,
                    range: start..rest,
                }),
            }
        } else if all.starts_with('[') {
            rest = start + 1;
            let image = usize::from(text[..start].ends_with('!'));
            open.push(Open {
                name: "[",
                range: start - image..rest,
            });
        } else if all.starts_with(']') {
            rest = start + link_end(all);
            if rest > start + 1 {
                found.close(text, &mut open, "[", start..rest);
            } else {
                open.retain(|mark| mark.name != "[");
            }
        } else {
            let sign = EMPHASIS.into_iter().find(|sign| all.starts_with(sign));
            rest = start + sign.map_or(1, str::len);
            let Some(sign) = sign else {
                continue;
            };
            let before = text[..start].chars().next_back();
            let after = text[rest..].chars().next();
            // Longer signs also stand inside of words, where `_` and `*` are part of names and sums.
            let may_join = matches!(sign, "***" | "**" | "~~");
            let is_open = open.iter().any(|mark| mark.name == sign);
            if is_open && !is_gap(before) && (may_join || !is_word(after)) {
                found.close(text, &mut open, sign, start..rest);
            } else if (may_join || !is_word(before)) && !is_gap(after) {
                open.push(Open {
                    name: sign,
                    range: start..rest,
                });
            }
        }
    }
    found.finish()
}

impl Found {
    /// Takes a mark that closes what was opened with the same name; what was opened since then stays open for ever.
    fn close(&mut self, text: &str, open: &mut Vec<Open>, name: &str, close: Range<usize>) {
        let Some(at) = open.iter().rposition(|mark| mark.name == name) else {
            return;
        };
        let start = open[at].range.clone();
        open.truncate(at);
        let inner = &text[start.end..close.start];
        if !inner.contains(char::is_alphanumeric) {
            return;
        }
        let touches_copied = |end: usize| self.copied.last().is_some_and(|last| last.end == end);
        let before = text[..start.start].chars().next_back();
        let after = text[close.end..].chars().next();
        let is_joined = is_word(before) || is_word(after) || touches_copied(start.start);
        // `__init__`
        let is_name = name == "__" && inner.bytes().all(|c| c.is_ascii_lowercase() || c == b'_');
        if is_name || CODE.contains(&name) {
            self.copied.push(start.start..close.end);
        } else if !is_joined {
            self.pairs.push(Pair { open: start, close });
        } else if !inner.contains(char::is_whitespace) {
            let word = text[..start.start].trim_end_matches(char::is_alphanumeric);
            let rest = text[close.end..].trim_start_matches(char::is_alphanumeric);
            self.copied.push(word.len()..text.len() - rest.len());
        }
    }

    /// Joins what is copied, and leaves out the pairs in it.
    fn finish(mut self) -> Self {
        self.copied.sort_unstable_by_key(|range| range.start);
        let mut copied: Vec<Range<usize>> = Vec::new();
        for range in std::mem::take(&mut self.copied) {
            match copied.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => copied.push(range),
            }
        }
        let inside = |mark: &Range<usize>| {
            let overlaps = |range: &Range<usize>| mark.start < range.end && range.start < mark.end;
            copied.iter().any(overlaps)
        };
        self.pairs
            .retain(|pair| !inside(&pair.open) && !inside(&pair.close));
        self.copied = copied;
        self
    }

    /// The text with its pairs blanked, byte by byte.
    pub fn blanked(&self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for mark in self.ranges() {
            bytes[mark].fill(BLANK as u8);
        }
        // Whole characters are blanked, so this is a text.
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Where its pairs' marks are.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let marks = |pair: &Pair| [pair.open.clone(), pair.close.clone()];
        self.pairs.iter().flat_map(marks)
    }
}

impl Pair {
    /// What the translation has of it, given the source (as it is, and from `start` on without marks), its literals and the
    /// ranges of its pieces.
    pub fn marks<'l>(
        &self,
        (text, blanked, start): (&str, &str, usize),
        mut literals: impl Iterator<Item = &'l Range<usize>>,
        pieces: &[Option<Range<usize>>],
    ) -> Marks {
        let inner = self.open.end..self.close.start;
        let is_gap = |c: char| c.is_whitespace() || c == BLANK;
        let words = blanked[inner.clone()].trim_matches(is_gap);
        let trimmed = text[inner.clone()].trim();
        let from = self.open.end + text[inner.clone()].find(trimmed).unwrap_or(0);
        let outside = [&blanked[start..self.open.start], &blanked[self.close.end..]];
        let has_words = |text: &&str| text.contains(char::is_alphanumeric);
        let is_inside = |literal: &Range<usize>| inner.contains(&literal.start);
        let is_all = !outside.iter().any(has_words) && literals.all(is_inside);
        let is_between = |range: &Option<Range<usize>>| {
            let overlaps =
                |range: &Range<usize>| range.start < inner.end && inner.start < range.end;
            range.as_ref().is_some_and(overlaps)
        };
        let first = pieces.iter().position(is_between).unwrap_or(0);
        let last = pieces.iter().rposition(is_between).map_or(0, |at| at + 1);
        Marks {
            open: text[self.open.start..from].into(),
            close: text[from + trimmed.len()..self.close.end].into(),
            source: (!is_all).then_some(first..last),
            has_punctuation: [words.chars().next(), words.chars().next_back()].map(|c| !is_word(c)),
        }
    }
}

fn is_word(c: Option<char>) -> bool {
    c.is_some_and(char::is_alphanumeric)
}

fn is_gap(c: Option<char>) -> bool {
    c.is_none_or(char::is_whitespace)
}

/// The name of `<b>`, `</b>`, `<a href="…">`.
fn tag_name(tag: &str) -> &str {
    let inner = tag.trim_start_matches(['<', '/']);
    let end = inner.find(|c: char| c == '>' || c == '/' || c.is_whitespace());
    &inner[..end.unwrap_or(inner.len())]
}

/// Bytes of `](https://…)`; 1 where no address follows.
fn link_end(text: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')');
    let address = text.strip_prefix("](").and_then(|rest| {
        let len = rest.find(ends)?;
        (len > 0 && rest[len..].starts_with(')')).then_some(len)
    });
    address.map_or(1, |len| "](".len() + len + ")".len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::timing::assert_in_proportion;

    /// What opens, what stands between, what closes, for each pair.
    fn pairs(text: &str) -> Vec<[&str; 3]> {
        let pairs = find(text, 0).pairs.into_iter();
        let parts = pairs.map(|Pair { open, close }| {
            [
                &text[open.clone()],
                &text[open.end..close.start],
                &text[close],
            ]
        });
        parts.collect()
    }

    fn copied(text: &str) -> Vec<&str> {
        let copied = find(text, 0).copied.into_iter();
        copied.map(|range| &text[range]).collect()
    }

    #[test]
    fn marks_in_pairs_are_found_the_inner_ones_first() {
        for (text, expected) in [
            ("A **bold** word", &[["**", "bold", "**"]][..]),
            (
                "_Note_: ~~no~~ yes",
                &[["_", "Note", "_"], ["~~", "no", "~~"]],
            ),
            (
                "<p>Hi <b class=\"a b\">you</b></p>",
                &[
                    ["<b class=\"a b\">", "you", "</b>"],
                    ["<p>", "Hi <b class=\"a b\">you</b>", "</p>"],
                ],
            ),
            (
                "See [the *page*](https://a.org/b) and ![it](a.png)",
                &[
                    ["*", "page", "*"],
                    ["[", "the *page*", "](https://a.org/b)"],
                    ["![", "it", "](a.png)"],
                ],
            ),
            (
                "l'<b>eau</b> (<i>x</i>)",
                &[["<b>", "eau", "</b>"], ["<i>", "x", "</i>"]],
            ),
        ] {
            assert_eq!(pairs(text), expected, "{text}");
        }
        for text in [
            "2*3*4 and a* b",
            "snake_case_name",
            "snake* *",
            "a < b > c",
            "<b>not closed, <br/> or </i>",
            "`**code**`",
            "[1] and [x] (see)",
            "****",
        ] {
            assert_eq!(pairs(text), [[""; 3]; 0], "{text}");
        }
    }

    #[test]
    fn words_with_marks_in_them_and_code_are_copied() {
        assert_eq!(
            copied("H<sub>2</sub>O is m<sup>2</sup>"),
            ["H<sub>2</sub>O", "m<sup>2</sup>"]
        );
        assert_eq!(
            copied("x<sub>1</sub><sup>2</sup> = 1"),
            ["x<sub>1</sub><sup>2</sup>"]
        );
        assert_eq!(
            copied("Call <code>a b()</code> now"),
            ["<code>a b()</code>"]
        );
        assert_eq!(
            copied("un**believ**able 2**3**4"),
            ["un**believ**able", "2**3**4"]
        );
        assert_eq!(copied("Call __init__ now"), ["__init__"]);
        assert!(copied("A **bold** word").is_empty());
    }

    #[test]
    fn long_texts_take_time_in_proportion() {
        for part in [
            "**a ",
            "<b",
            "<b>",
            "_a",
            "[a",
            "[a](b",
            "`a",
            "a<i>b</i>",
            "<b>a</b> ",
        ] {
            assert_in_proportion(4_000, &|n| part.repeat(n), |text| {
                std::hint::black_box(find(text, 0).blanked(text));
            });
        }
    }
}
