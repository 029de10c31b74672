//! Marks of markup: tags and entities of HTML, emphasis and code of Markdown.

use std::ops::Range;

/// Most bytes of a tag, and of code between backticks.
const LONGEST: usize = 300;
/// Marks that stand on both sides of what they emphasise; longer ones first.
const EMPHASIS: [&str; 6] = ["***", "**", "__", "~~", "*", "_"];

/// Adds the marks of a text.
pub fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let mut rest = 0;
    // The mark that each kind of emphasis was last opened with.
    let mut open: [Option<Range<usize>>; EMPHASIS.len()] = Default::default();
    while let Some(at) = text[rest..].find(['<', '&', '`', '*', '_', '~']) {
        let start = rest + at;
        let all = &text[start..];
        let kinds = [tag(all), entity(all), code(all)];
        if let Some(len) = kinds.into_iter().flatten().max() {
            found.push(start..start + len);
            rest = start + len;
            continue;
        }
        let Some(kind) = EMPHASIS.iter().position(|mark| all.starts_with(mark)) else {
            rest = start + 1;
            continue;
        };
        let mark = start..start + EMPHASIS[kind].len();
        rest = mark.end;
        let before = text[..mark.start].chars().next_back();
        let after = text[mark.end..].chars().next();
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_gap = |c: Option<char>| c.is_none_or(char::is_whitespace);
        match open[kind].take() {
            Some(opening) if !is_gap(before) && !is_word(after) => found.extend([opening, mark]),
            _ if !is_word(before) && !is_gap(after) => open[kind] = Some(mark),
            _ => {}
        }
    }
}

/// Whether a literal is a mark of what stands beside it: as near to it in the translation as in the source.
pub fn is_mark(literal: &str) -> bool {
    let is_emphasis = literal.bytes().all(|c| b"*_~".contains(&c));
    is_emphasis || literal.starts_with('<') && literal.ends_with('>')
}

/// White space, and what opens a quotation or a bracket: no space stands after it.
pub fn opens(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | '[' | '{' | '„' | '“' | '«')
}

/// White space, and punctuation that no space stands before.
pub fn closes(c: char) -> bool {
    c.is_whitespace() || matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '}')
}

/// The first `LONGEST` bytes of a text.
fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST)]
}

/// `<b>`, `</b>`, `<br/>`, `<a href="…">`.
fn tag(text: &str) -> Option<usize> {
    let inner = head(text).strip_prefix('<')?;
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let end = inner.find(['<', '>'])?;
    let is_tag =
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && inner[end..].starts_with('>');
    is_tag.then_some(1 + end + 1)
}

/// `&nbsp;`, `&#8212;`.
fn entity(text: &str) -> Option<usize> {
    let name = text.strip_prefix('&')?;
    let is_part = |c: &u8| c.is_ascii_alphanumeric() || *c == b'#';
    let len = name.bytes().take(10).take_while(is_part).count();
    (len > 1 && name[len..].starts_with(';')).then_some(1 + len + 1)
}

/// Code between backticks, one or several on each side.
fn code(text: &str) -> Option<usize> {
    let text = head(text);
    let ticks = text.bytes().take_while(|c| *c == b'`').count();
    let mark = &text[..ticks];
    let inner = text[ticks..]
        .find(mark)
        .filter(|len| *len > 0 && ticks > 0)?;
    Some(ticks + inner + ticks)
}
