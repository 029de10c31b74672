//! Tags and signs that are not in pairs, entities of HTML, code between backticks, formulas and commands of LaTeX, keys of JSON,
//! places of templates that are filled in.

use std::ops::Range;

/// Most bytes of a tag, and of code between backticks.
const LONGEST: usize = 300;

/// Adds the tags, entities, code and places of a text.
pub fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let mut rest = 0;
    while let Some(at) = text[rest..].find(['<', '&', '`', '{', '%', '*', '~', '$', '\\', '"']) {
        let start = rest + at;
        let all = &text[start..];
        let kinds = [
            tag(all),
            entity(all),
            code(all),
            formula(all),
            command(all),
            key(all),
            place(text, start),
            sign(text, start),
        ];
        let len = kinds.into_iter().flatten().max();
        found.extend(len.map(|len| start..start + len));
        rest = start + len.unwrap_or(1);
    }
}

/// Whether a literal is a mark of what stands beside it: as near to it in the translation as in the source.
pub fn is_mark(literal: &str) -> bool {
    let is_sign = literal.bytes().all(|c| matches!(c, b'*' | b'~'));
    is_sign || literal.starts_with('<') && literal.ends_with('>')
}

/// Whether all of a literal is a formula or code, in which nothing is written in another way.
pub fn is_copied(literal: &str) -> bool {
    [formula(literal), code(literal)].contains(&Some(literal.len()))
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
pub fn tag(text: &str) -> Option<usize> {
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

/// `$a^2 + b^2$`, `$$…$$`, `\(x\)`, `\[…\]`.
fn formula(text: &str) -> Option<usize> {
    const DELIMITERS: [[&str; 2]; 4] = [["$$", "$$"], ["$", "$"], ["\\(", "\\)"], ["\\[", "\\]"]];
    let [open, close] = DELIMITERS
        .into_iter()
        .find(|[open, _]| text.starts_with(*open))?;
    let inner = &head(text)[open.len()..];
    let end = inner.find(close)?;
    let (inner, after) = (&inner[..end], &inner[end + close.len()..]);
    // *from $5 to $10* are amounts.
    let is_formula = open != "$"
        || inner.contains(['\\', '^', '_', '=', '{'])
        || inner.len() == 1 && inner.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_close = !inner.is_empty()
        && (open != "$"
            || inner.trim() == inner && !after.starts_with(|c: char| c.is_ascii_digit()));
    (is_formula && is_close).then_some(open.len() + end + close.len())
}

/// `\alpha`, `\ref{fig:1}`.
fn command(text: &str) -> Option<usize> {
    let name = text.strip_prefix('\\')?;
    let letters = name.bytes().take_while(u8::is_ascii_alphabetic).count();
    let argument = &head(name)[letters.min(head(name).len())..];
    let argument = argument
        .starts_with('{')
        .then(|| argument.find(['}', ' ']))
        .flatten()
        .filter(|end| argument[*end..].starts_with('}'))
        .map_or(0, |end| end + 1);
    (letters > 1).then_some(1 + letters + argument)
}

/// `"title":`, `{"title":`
fn key(text: &str) -> Option<usize> {
    let name = text.strip_prefix(['{', '[']).unwrap_or(text);
    let name = name.strip_prefix('"')?;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let rest = name.trim_start_matches(is_part);
    let value = rest.strip_prefix("\":")?.trim_start();
    let is_value = value.starts_with(|c: char| c.is_ascii_digit() || "\"[{".contains(c));
    (rest.len() < name.len() && is_value).then(|| text.len() - rest.len() + 2)
}

/// `*` of a footnote, `~` of *about*: signs that touch a word on one side.
fn sign(text: &str, start: usize) -> Option<usize> {
    let rest = text[start..].trim_start_matches(['*', '~']);
    let len = text.len() - start - rest.len();
    let touches = [
        text[..start].ends_with(char::is_alphanumeric),
        rest.starts_with(char::is_alphanumeric),
    ];
    (len > 0 && touches[0] != touches[1]).then_some(len)
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
pub fn code(text: &str) -> Option<usize> {
    let text = head(text);
    let ticks = text.bytes().take_while(|c| *c == b'`').count();
    let mark = &text[..ticks];
    let inner = text[ticks..]
        .find(mark)
        .filter(|len| *len > 0 && ticks > 0)?;
    Some(ticks + inner + ticks)
}
