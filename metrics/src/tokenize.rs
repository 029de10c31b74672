//! The tokenisation `13a` of mteval and sacrebleu.

/// Words and signs of a line, as sacrebleu's `13a` splits them.
pub fn tokenize_13a(line: &str) -> Vec<String> {
    let mut line = line.trim_end_matches(is_space).replace("<skipped>", "");
    for (entity, sign) in [
        ("&quot;", "\""),
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
    ] {
        line = line.replace(entity, sign);
    }
    let mut chars: Vec<char> = vec![' '];
    for c in line.chars() {
        // Signs of ASCII but for ' , - . are words of their own.
        match c {
            ' '..='&' | '('..='+' | '/' | ':'..='@' | '['..='`' | '{'..='~' => {
                chars.extend([' ', c, ' '])
            }
            _ => chars.push(c),
        }
    }
    chars.push(' ');
    let digit = |c: char| c.is_ascii_digit();
    let stop = |c: char| matches!(c, '.' | ',');
    // Full stop and comma, unless after a digit; unless before a digit; a dash after a digit.
    let chars = pairs(&chars, |a, b| {
        (!digit(a) && stop(b)).then_some([a, ' ', b, ' '])
    });
    let chars = pairs(&chars, |a, b| {
        (stop(a) && !digit(b)).then_some([' ', a, ' ', b])
    });
    let chars = pairs(&chars, |a, b| {
        (digit(a) && b == '-').then_some([a, ' ', b, ' '])
    });
    let words = chars
        .split(|c| is_space(*c))
        .filter(|word| !word.is_empty());
    words.map(|word| word.iter().collect()).collect()
}

/// Python's white space: Unicode's and the four separators of ASCII.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// Replaces pairs of characters from left to right; a replaced pair is not looked at again,
/// as in a regular expression's substitution.
fn pairs(chars: &[char], replace: impl Fn(char, char) -> Option<[char; 4]>) -> Vec<char> {
    let mut out = Vec::with_capacity(chars.len() * 2);
    let mut rest = chars;
    while let [first, tail @ ..] = rest {
        match tail.first().and_then(|second| replace(*first, *second)) {
            Some(four) => {
                out.extend(four);
                rest = &tail[1..];
            }
            None => {
                out.push(*first);
                rest = tail;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_split_but_not_inside_numbers() {
        let words = tokenize_13a("He paid 1,000.50 (in cash), don't ask -- 3-4 &quot;times&quot;.");
        let expected = "He paid 1,000.50 ( in cash ) , don't ask -- 3 - 4 \" times \" .";
        assert_eq!(words.join(" "), expected);
    }
}
