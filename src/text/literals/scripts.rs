//! Pictograms, and words in scripts other than the Latin one.

use std::ops::Range;

/// Adds the pictograms of a text, and its runs of words in other scripts.
pub fn find(text: &str, found: &mut Vec<Range<usize>>) {
    pictograms(text, found);
    foreign(text, found);
}

/// Runs of pictograms with what joins them to one (skin tones, joiners, variation selectors, keycaps).
fn pictograms(text: &str, found: &mut Vec<Range<usize>>) {
    let mut run: Option<Range<usize>> = None;
    let mut before = None;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match &mut run {
            Some(run) if is_pictogram(c) || is_joiner(c) => run.end = end,
            _ if is_pictogram(c) => found.extend(run.replace(at..end)),
            // A keycap: `1` U+FE0F U+20E3.
            _ if matches!(c, '\u{fe0f}' | '\u{20e3}')
                && matches!(before, Some('0'..='9' | '#' | '*')) =>
            {
                found.extend(run.replace(at - 1..end));
            }
            _ => found.extend(run.take()),
        }
        before = Some(c);
    }
    found.extend(run);
}

/// Emoji, arrows, dingbats and other small pictures; signs of mathematics, law and footnotes; fractions; what a font defines for itself (private use).
fn is_pictogram(c: char) -> bool {
    matches!(c,
        '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{2300}'..='\u{23ff}'
        | '\u{2190}'..='\u{21ff}' | '\u{2900}'..='\u{297f}' | '\u{25a0}'..='\u{25ff}' | '\u{3030}' | '\u{303d}'
        | '\u{2200}'..='\u{22ff}' | '\u{2020}'..='\u{2022}' | '¼'..='¾' | '\u{2150}'..='\u{215e}' | '§' | '¶' | '±' | '×' | '÷' | '‰' | '\u{3297}' | '\u{3299}' | '©' | '®' | '™' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}

fn is_joiner(c: char) -> bool {
    matches!(
        c,
        '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' | '\u{20e3}' | '\u{e0020}'..='\u{e007f}'
    )
}

/// Runs from the first to the last character of other scripts that no Latin letter comes between.
fn foreign(text: &str, found: &mut Vec<Range<usize>>) {
    let mut run: Option<Range<usize>> = None;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match &mut run {
            None if is_foreign(c) => run = Some(at..end),
            Some(run) if is_foreign(c) || goes_with_foreign(c) => run.end = end,
            Some(_) if c.is_alphabetic() => found.extend(run.take()),
            _ => {}
        }
    }
    found.extend(run);
}

/// A letter that is not Latin.
pub fn is_foreign(c: char) -> bool {
    c.is_alphabetic() && !is_latin(c)
}

/// Marks and punctuation of other scripts, which end a run of theirs.
fn goes_with_foreign(c: char) -> bool {
    matches!(c, '\u{3001}'..='\u{3020}' | '\u{ff01}'..='\u{ff20}' | '\u{ff61}'..='\u{ff65}' | '\u{60c}' | '\u{61b}' | '\u{61f}'
        | '\u{591}'..='\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{6d4}' | '\u{900}'..='\u{dff}' | '\u{e31}'..='\u{e4e}')
}

/// Latin letters with all their accents and forms, which normalisation (NFKC) makes plain.
fn is_latin(c: char) -> bool {
    matches!(c, '\0'..='\u{36f}' | '\u{1d00}'..='\u{1dbf}' | '\u{1e00}'..='\u{1eff}' | '\u{2070}'..='\u{209f}'
        | '\u{2100}'..='\u{218f}' | '\u{24b6}'..='\u{24e9}' | '\u{2c60}'..='\u{2c7f}' | '\u{a720}'..='\u{a7ff}'
        | '\u{ab30}'..='\u{ab6f}' | '\u{fb00}'..='\u{fb06}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}'
        | '\u{1d400}'..='\u{1d7ff}')
}
