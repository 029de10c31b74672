//! Splitting a text into the sentences that are translated one by one, with nothing lost in between.
//!
//! The rules know English and German abbreviations, initials, ordinals and quotations, and the full stops
//! of Chinese and Japanese. Where a case is unclear, two sentences stay one: the model can translate
//! both together, but half a sentence is past help.

#[cfg(test)]
mod tests;
mod words;

use super::lead::lead;
use super::literals::named_dates::is_german_month;
use std::ops::Range;
use words::{ALWAYS, BEFORE_NUMBER, ORDINAL, SOMETIMES, STARTERS};

/// The sentences of a text as byte ranges: in order, not overlapping, without white space at their ends.
/// Between them (and around) is white space, or nothing after a Chinese or Japanese full stop or a tag, or a block of code between
/// lines of ```` ``` ````; so the ranges and what lies between them give the text again. Every line break ends a sentence, and so
/// does a tab between the cells of a table.
pub fn split(text: &str) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut line_start = 0;
    let mut is_code = false;
    for line in text.split_inclusive(is_line_break) {
        let line_end = line_start + line.len();
        if is_fence(line) && (is_code || text[line_end..].split(is_line_break).any(is_fence)) {
            is_code = !is_code;
        } else if !is_code {
            for cell in cells(text, line_start..line_end) {
                split_line(text, cell, &mut sentences);
            }
        }
        line_start = line_end;
    }
    sentences
}

/// The parts of a line between tabs. One behind the mark of an item is no end.
fn cells(text: &str, line: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let start = trim(text, line.clone()).start;
    let mut from = start + lead(&text[start..line.end], None);
    let mut rest = Some(line.start);
    std::iter::from_fn(move || {
        let cell = rest?;
        let tab = text[from..line.end].find('\t').map(|at| from + at);
        rest = tab.map(|at| at + 1);
        from = rest.unwrap_or(from);
        Some(cell..tab.unwrap_or(line.end))
    })
}

/// Whether a line begins or ends a block of code of Markdown.
fn is_fence(line: &str) -> bool {
    let after = line.trim_start().strip_prefix("```");
    after.is_some_and(|after| !after.contains('`'))
}

/// A text as one sentence: its range without white space at its ends, none if it has nothing else.
pub(crate) fn whole(text: &str) -> Vec<Range<usize>> {
    let range = trim(text, 0..text.len());
    Vec::from_iter(Some(range).filter(|range| !range.is_empty()))
}

/// Cuts a sentence into parts that each satisfy `fits`: after clause punctuation where there is any in
/// the second half of what fits, else at a white space, else between two characters. Nothing is lost but
/// white space at the cuts. A single character that does not fit stays as it is.
pub fn cut(text: &str, sentence: Range<usize>, fits: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut rest = trim(text, sentence);
    while let Some(at) = cut_place(text, &rest, &fits) {
        parts.push(trim(text, rest.start..at));
        rest = trim(text, at..rest.end);
    }
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts
}

/// Characters that are tried first.
const FIRST_TRY: usize = 256;

/// Where to end the first part of a text; none if all of it fits.
fn cut_place(text: &str, rest: &Range<usize>, fits: impl Fn(&str) -> bool) -> Option<usize> {
    // Reads no more than the part needs, so that a very long text is cut in linear time.
    let mut ends = Vec::new();
    let mut characters = text[rest.clone()].char_indices();
    loop {
        let wanted = ends.len().max(FIRST_TRY);
        let more = characters.by_ref().take(wanted);
        ends.extend(more.map(|(at, c)| rest.start + at + c.len_utf8()));
        let &end = ends.last()?;
        if !fits(&text[rest.start..end]) {
            break;
        }
        if end == rest.end {
            return None;
        }
    }
    // A longer text has more pieces: binary search for the longest that fits.
    let longest = ends
        .partition_point(|end| fits(&text[rest.start..*end]))
        .max(1);
    if ends[longest - 1] == rest.end {
        // A last character that does not fit.
        return None;
    }
    let hardest = ends[longest - 1];
    let last = |is_place: fn(&str, char) -> bool| {
        let places = text[rest.start..hardest].char_indices();
        places
            .map(|(at, c)| (rest.start + at + c.len_utf8(), c))
            .filter(|(end, c)| is_place(&text[*end..], *c))
            .map(|(end, _)| end)
            .next_back()
    };
    let clause = last(|after, c| match c {
        '，' | '；' | '：' | '、' => true,
        ',' | ';' | ':' | '–' | '—' => after.starts_with(char::is_whitespace),
        _ => false,
    });
    Some(match clause {
        Some(end) if end - rest.start > (hardest - rest.start) / 2 => end,
        _ => last(|_, c| c.is_whitespace()).unwrap_or(hardest),
    })
}

fn is_line_break(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// A range without the white space at its ends.
fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let inside = &text[range.clone()];
    let start = range.start + (inside.len() - inside.trim_start().len());
    let end = (range.start + inside.trim_end().len()).max(start);
    start..end
}

/// Full stops after which no space stands.
fn is_wide_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡')
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '‽') || is_wide_stop(c)
}

/// What may stand between a full stop and the end of its sentence.
fn is_closing(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '”'
            | '“'
            | '’'
            | '‘'
            | '»'
            | '«'
            | '›'
            | '‹'
            | ')'
            | ']'
            | '}'
            | '」'
            | '』'
            | '）'
            | '】'
            | '*'
            | '_'
            | '~'
    )
}

/// What is left of a text after quotation marks, brackets, and marks of markup that close.
fn without_closing(mut text: &str) -> &str {
    /// `</blockquote>`
    const LONGEST_TAG: usize = 13;
    loop {
        text = text.trim_start_matches(is_closing);
        let head = &text[..text.floor_char_boundary(LONGEST_TAG)];
        let tag = head.starts_with("</").then(|| head.find('>')).flatten();
        let Some(end) = tag else {
            return text;
        };
        text = &text[end + 1..];
    }
}

fn split_line(text: &str, line: Range<usize>, sentences: &mut Vec<Range<usize>>) {
    let line = trim(text, line);
    let mut start = line.start;
    let mut at = line.start;
    // The next letter or digit, searched for once however many stops precede it: the pass stays linear.
    let mut next = line.start;
    while let Some(found) = text[at..line.end].find(is_stop) {
        let stop = at + found;
        let run = &text[stop..line.end];
        let after_stops = stop + (run.len() - run.trim_start_matches(is_stop).len());
        let rest = &text[after_stops..line.end];
        let after = after_stops + (rest.len() - without_closing(rest).len());
        at = after;
        if next < after {
            let alphanumeric = text[after..line.end].find(char::is_alphanumeric);
            next = alphanumeric.map_or(line.end, |found| after + found);
        }
        let boundary = Boundary {
            before: &text[start..stop],
            stops: &text[stop..after_stops],
            closed: after > after_stops,
            has_tag: text[after_stops..after].ends_with('>'),
            after: &text[after..line.end],
            next: &text[next..line.end],
        };
        if boundary.ends_sentence() {
            sentences.push(start..after);
            start = trim(text, after..line.end).start;
            at = start;
        }
    }
    if start < line.end {
        sentences.push(start..line.end);
    }
}

/// Longer words are in no list, so only as many bytes of the next word are compared.
const LONGEST_WORD: usize = 16;

/// One or several full stops and what stands around them.
struct Boundary<'a> {
    /// The sentence up to the stops.
    before: &'a str,
    /// The stops.
    stops: &'a str,
    /// Whether quotation marks or brackets close after the stops.
    closed: bool,
    /// Whether a tag closes last.
    has_tag: bool,
    /// The rest of the line.
    after: &'a str,
    /// The rest of the line from its first letter or digit on.
    next: &'a str,
}

impl Boundary<'_> {
    fn ends_sentence(&self) -> bool {
        if self.after.is_empty() {
            return true;
        }
        if self.stops.ends_with(is_wide_stop) {
            // 「…。」と: a quotation is part of its sentence.
            return !self.closed;
        }
        if self.has_tag && self.after.trim_start().starts_with('<') {
            return true;
        }
        if !self.after.starts_with(char::is_whitespace) {
            return false;
        }
        let Some(first) = self.next.chars().next() else {
            // Only marks follow ("Really? – !"): they belong to this sentence.
            return false;
        };
        let ellipsis = self.stops.contains('…') || self.stops.starts_with("..");
        if first.is_lowercase() && (self.closed || ellipsis) {
            return false;
        }
        if self.stops != "." || self.closed {
            return true;
        }
        let end = self
            .next
            .ceil_char_boundary(LONGEST_WORD.min(self.next.len()));
        let next_word = self.next[..end]
            .split(|c: char| !c.is_alphanumeric() && c != '\'')
            .next()
            .unwrap_or("");
        self.full_stop_ends(first, next_word)
    }

    /// Whether a lone full stop that is followed by a space and `next_word` ends the sentence.
    fn full_stop_ends(&self, first: char, next_word: &str) -> bool {
        let mut words = self
            .before
            .rsplit(|c: char| c.is_whitespace() || is_closing(c) || "(\"„[{-–—/".contains(c));
        let word = words.next().unwrap_or("");
        let word_before = words.next().unwrap_or("").to_lowercase();
        let lower = word.to_lowercase();
        let starter = STARTERS.binary_search(&next_word).is_ok();
        if word.is_empty() {
            return false;
        }
        if word.chars().all(|c| c.is_ascii_digit()) {
            // "1. Introduction", "am 3. Mai", "der 2. weltweite Versuch", "den 55. Platz".
            let enumerates = word.len() == self.before.len() && word.len() <= 3;
            let german = ORDINAL.binary_search(&word_before.as_str()).is_ok();
            let ordinal = first.is_lowercase() || german || is_german_month(next_word);
            return !(enumerates || ordinal && word.len() <= 2);
        }
        if !word.is_empty() && word.chars().all(|c| "IVX".contains(c)) {
            // "Ludwig XIV. regierte", "des XXII. Bezirkes"; but "after World War II. The".
            return starter;
        }
        if ALWAYS.binary_search(&lower.as_str()).is_ok() {
            return false;
        }
        if BEFORE_NUMBER.binary_search(&lower.as_str()).is_ok() {
            return !first.is_numeric();
        }
        let initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
        let acronym = word.contains('.') && word.split('.').all(|part| part.chars().count() <= 2);
        if initial || acronym || SOMETIMES.binary_search(&lower.as_str()).is_ok() {
            return starter;
        }
        let vowel = lower.chars().any(|c| "aeiouyäöü".contains(c));
        if first.is_lowercase() {
            // Text typed without capitals; but no word without a vowel ends it ("bzgl.", "vgl.").
            return vowel && lower.chars().count() > 1;
        }
        let short =
            word.len() <= 4 && word.is_ascii() && word.chars().any(|c| c.is_ascii_lowercase());
        if short && !vowel && word.starts_with(|c: char| c.is_ascii_uppercase()) {
            // "Philip Wm. McKinley".
            return starter;
        }
        true
    }
}
