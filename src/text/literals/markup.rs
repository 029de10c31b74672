//! Marks of markup: tags and entities of HTML, emphasis and code of Markdown, places of templates that are filled in.

use super::Literal;
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
    while let Some(at) = text[rest..].find(['<', '&', '`', '*', '_', '~', '{', '%']) {
        let start = rest + at;
        let all = &text[start..];
        let kinds = [tag(all), entity(all), code(all), place(text, start)];
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

/// A tag, or a run of the same sign of emphasis.
#[derive(Debug, PartialEq, Eq)]
struct Mark<'t> {
    name: &'t str,
    is_tag: bool,
    /// Whether it is a tag that closes what another opened.
    closes: bool,
}

/// The marks that a literal consists of.
fn marks(text: &str) -> Vec<Mark<'_>> {
    let mut marks = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_tag = first == '<';
        let len = match is_tag {
            true => rest.find('>').map_or(rest.len(), |at| at + 1),
            false => rest.len() - rest.trim_start_matches(first).len(),
        };
        let whole = &rest[..len];
        let inner = whole
            .strip_prefix("</")
            .unwrap_or(whole)
            .trim_start_matches('<');
        let end = inner.find(|c: char| c == '>' || c.is_whitespace());
        marks.push(Mark {
            name: &inner[..end.unwrap_or(inner.len())],
            is_tag,
            closes: whole.starts_with("</"),
        });
        rest = rest[len..].trim_start();
    }
    marks
}

/// What a piece of a translation is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written<'l> {
    /// What it is itself.
    Piece,
    /// What it is the placeholder of.
    Literal(&'l Literal),
    /// Nothing.
    Nothing,
}

/// What the pieces of a translation are written as. Of a pair of marks the opening one is written first, whichever placeholder
/// comes first; where no word stands between them, neither is written.
pub fn pieces_written<'l>(
    ids: &[u32],
    literals: &'l [Literal],
    has_word: impl Fn(u32) -> bool,
) -> Vec<Written<'l>> {
    let literal = |id: &u32| literals.iter().find(|literal| literal.id == *id);
    let written = |id: &u32| literal(id).map_or(Written::Piece, Written::Literal);
    let mut all: Vec<Written> = ids.iter().map(written).collect();
    for pair in pairs(literals) {
        let at = pair.map(|i| ids.iter().position(|id| *id == literals[i].id));
        let [Some(one), Some(other)] = at else {
            continue;
        };
        let (first, last) = (one.min(other), one.max(other));
        let is_word = |id: &u32| match literal(id) {
            Some(literal) => literal.touched.is_none(),
            None => has_word(*id),
        };
        if ids[first..last].iter().any(is_word) {
            all[first] = Written::Literal(&literals[pair[0]]);
            all[last] = Written::Literal(&literals[pair[1]]);
            continue;
        }
        all[first] = Written::Nothing;
        all[last] = Written::Nothing;
        // Punctuation that stands inside of them and once more behind them.
        let is_doubled = |id: &u32| ids.get(last + 1) == Some(id);
        if ids[first..last].iter().any(is_doubled) {
            all[first..last].fill(Written::Nothing);
        }
    }
    all
}

/// The pairs among the literals of a source, by their indices: an opening mark, and the one that closes it.
fn pairs(literals: &[Literal]) -> Vec<[usize; 2]> {
    let mut open: Vec<(usize, Vec<Mark>)> = Vec::new();
    let mut pairs = Vec::new();
    for (i, literal) in literals.iter().enumerate() {
        if literal.touched.is_none() {
            continue;
        }
        let own = marks(&literal.text);
        let closes = |(_, opening): &(usize, Vec<Mark>)| {
            let same = |(one, other): (&Mark, &Mark)| {
                one.name == other.name && !one.closes && other.closes == other.is_tag
            };
            opening.len() == own.len() && opening.iter().rev().zip(&own).all(same)
        };
        match open.iter().rposition(closes) {
            Some(at) => {
                pairs.push([open[at].0, i]);
                open.truncate(at);
            }
            None => open.push((i, own)),
        }
    }
    pairs
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
    let name_end = inner[..end].find(char::is_whitespace).unwrap_or(end);
    // `a<b and c>d` compares.
    let has_attributes = name_end == end || inner[name_end..end].contains(['=', '/']);
    let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && has_attributes
        && inner[end..].starts_with('>');
    is_tag.then_some(1 + end + 1)
}

/// `&nbsp;`, `&#8212;`.
fn entity(text: &str) -> Option<usize> {
    let name = text.strip_prefix('&')?;
    let is_part = |c: &u8| c.is_ascii_alphanumeric() || *c == b'#';
    let len = name.bytes().take(10).take_while(is_part).count();
    (len > 1 && name[len..].starts_with(';')).then_some(1 + len + 1)
}

/// `{name}`, `{{ name }}`, `%s`, `%1$d`.
fn place(text: &str, start: usize) -> Option<usize> {
    let all = head(&text[start..]);
    if let Some(format) = all.strip_prefix('%') {
        let number = format.trim_start_matches(|c: char| c.is_ascii_digit() || c == '$');
        let after = number.strip_prefix(['s', 'd', 'i', 'f', '@'])?;
        let is_place = !after.starts_with(char::is_alphanumeric)
            && !text[..start].ends_with(char::is_alphanumeric);
        return is_place.then_some(all.len() - after.len());
    }
    let braces = all.bytes().take_while(|c| *c == b'{').count();
    let close = &"}}"[..braces.min(2)];
    let inner = &all[braces..];
    let end = inner
        .find(['{', '}'])
        .filter(|end| *end > 0 && braces > 0)?;
    let is_name = braces == 2 || !inner[..end].contains(char::is_whitespace);
    (is_name && inner[end..].starts_with(close)).then_some(braces + end + close.len())
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
