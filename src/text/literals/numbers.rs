//! Numbers that are names: telephone and account numbers, number plates, long runs of digits; pairs of numbers.

use std::ops::Range;

/// Fewest digits of a run that is copied: years and most amounts have fewer.
const LONG_RUN: usize = 5;
/// Fewest digits of a telephone number, or of a date written in figures.
const TELEPHONE_DIGITS: usize = 7;
/// Most bytes of a telephone number.
const TELEPHONE_LENGTH: usize = 24;
/// An IBAN's letters and digits (ISO 13616).
const IBAN: std::ops::RangeInclusive<usize> = 15..=34;

/// Adds the numbers of a text that are copied.
pub fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while let Some(start) = next_start(text, at) {
        let kinds = [
            iban(text, start),
            telephone(text, start),
            long_run(text, start),
            pair(text, start),
            plate(text, start),
        ];
        match kinds.into_iter().flatten().max() {
            Some(end) => {
                found.push(start..end);
                at = end;
            }
            None => at = start + 1,
        }
    }
}

/// The next place from `at` on where a number may begin: not inside of a word or another number.
fn next_start(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    (at..bytes.len()).find(|&i| {
        let begins = bytes[i].is_ascii_digit()
            || bytes[i].is_ascii_uppercase()
            || matches!(bytes[i], b'+' | b'(');
        begins
            && !text[..i]
                .chars()
                .next_back()
                .is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | ',' | '+' | '-'))
    })
}

/// Whether a number may end here: no letter, digit, per cent sign or decimal follows.
fn ends(text: &str, end: usize) -> bool {
    let mut after = text[end..].chars();
    match after.next() {
        Some('.' | ',') => !after.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => !(c.is_alphanumeric() || matches!(c, '%' | '°' | '€' | '$' | '£')),
        None => true,
    }
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().filter(|c| c.is_ascii_digit()).count()
}

/// Five digits and more.
fn long_run(text: &str, start: usize) -> Option<usize> {
    let length = text[start..].bytes().take_while(u8::is_ascii_digit).count();
    (length >= LONG_RUN && ends(text, start + length)).then_some(start + length)
}

/// Digits with blanks, hyphens, slashes and brackets among them. With blanks it has to begin as a telephone number does,
/// as two amounts may follow each other.
fn telephone(text: &str, start: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[start..];
    let bytes = &bytes[..bytes.len().min(TELEPHONE_LENGTH)];
    let is_part = |c: &u8| c.is_ascii_digit() || matches!(c, b' ' | b'-' | b'/' | b'(' | b')');
    let first = usize::from(bytes.first() == Some(&b'+'));
    let length = first + bytes[first..].iter().take_while(|c| is_part(c)).count();
    let number = bytes[..length].trim_ascii_end();
    let number = &number[..number.iter().rposition(u8::is_ascii_digit)? + 1];
    let doubled = number
        .windows(2)
        .any(|pair| !pair[0].is_ascii_digit() && pair[0] == pair[1]);
    let has_blank = number.iter().any(|c| matches!(c, b' ' | b'(' | b')'));
    let is_number = digits(number) >= TELEPHONE_DIGITS
        && !doubled
        && (!has_blank || matches!(number[0], b'+' | b'0' | b'('))
        && ends(text, start + number.len());
    is_number.then_some(start + number.len())
}

/// Two numbers that belong together: pages and years from one to another (`12-15`), the score of a match (`3:2`) where it is no
/// time of day.
fn pair(text: &str, start: usize) -> Option<usize> {
    let number = |at: usize| {
        let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
        let value = text[at..at + digits].parse::<u16>().ok()?;
        Some((at + digits, digits, value))
    };
    // `€10-20` is an amount, `9–11 Uhr` a time of day.
    const BEFORE: [char; 7] = [':', '–', '/', '€', '$', '£', '¥'];
    if text[..start].ends_with(BEFORE) {
        return None;
    }
    let (end, _, first) = number(start)?;
    let sign = text[end..].chars().next()?;
    let (end, digits, second) = number(end + sign.len_utf8())?;
    let is_pair = match sign {
        '-' | '–' => true,
        ':' => digits == 1 || first > 24 || second > 59,
        _ => false,
    };
    let goes_on = text[end..].starts_with(['-', '–', ':', '/']);
    let unit = text[end..].trim_start();
    let has_unit = unit == "h"
        || ["Uhr", "h ", "€", "$", "£", "¥"]
            .iter()
            .any(|one| unit.starts_with(one));
    let is_whole = ends(text, end) || text[end..].starts_with('%');
    (is_pair && !goes_on && !has_unit && is_whole).then_some(end)
}

/// The number plate of a German car: `B-AB 123`.
fn plate(text: &str, start: usize) -> Option<usize> {
    let run = |at: usize, is_part: fn(&u8) -> bool| text[at..].bytes().take_while(is_part).count();
    let town = run(start, u8::is_ascii_uppercase);
    let letters = start + town + 1;
    text[start + town..].strip_prefix('-')?;
    let blank = letters + run(letters, u8::is_ascii_uppercase);
    text[blank..].strip_prefix(' ')?;
    let end = blank + 1 + run(blank + 1, u8::is_ascii_digit);
    let is_plate = (1..=3).contains(&town)
        && (1..=2).contains(&(blank - letters))
        && (1..=4).contains(&(end - blank - 1));
    (is_plate && ends(text, end)).then_some(end)
}

/// `DE89 3704 0044 0532 0130 00`, with or without blanks between its groups of four.
fn iban(text: &str, start: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[start..];
    let head = bytes.first_chunk::<4>()?;
    if !(head[..2].iter().all(u8::is_ascii_uppercase) && head[2..].iter().all(u8::is_ascii_digit)) {
        return None;
    }
    let is_part = |c: &u8| c.is_ascii_uppercase() || c.is_ascii_digit();
    let run = |at: usize| {
        bytes[at..]
            .iter()
            .take_while(|c| is_part(c))
            .take(*IBAN.end())
            .count()
    };
    let (mut end, mut characters) = (run(0), run(0));
    // Groups with a blank before each of them; one without a digit is the next word.
    while characters % 4 == 0 && characters < *IBAN.end() && bytes.get(end) == Some(&b' ') {
        let group = run(end + 1);
        if !(1..=4).contains(&group) || digits(&bytes[end + 1..][..group]) == 0 {
            break;
        }
        end += 1 + group;
        characters += group;
    }
    (IBAN.contains(&characters) && ends(text, start + end)).then_some(start + end)
}
