//! A short sentence as its words, by whose order it is read.

use super::BLANK;
use std::ops::Range;

/// Words of a sentence that is looked at: people end longer ones with a mark.
pub const MOST_WORDS: usize = 20;

/// The words of a sentence in lower case, with straight apostrophes, behind a word that joins it.
pub struct Sentence {
    pub words: Vec<String>,
    /// The number of the first word behind a comma.
    pub comma: Option<usize>,
    /// Whether the second word is a name by its capital, which others do not have.
    pub is_second_name: bool,
    /// Whether it has three words and more, each with a capital and not all in capitals, as headings have.
    pub is_title: bool,
    /// Where the first word stands.
    pub first: Range<usize>,
}

/// Where the last word of a text ends: before its marks, closing quotes, stars and emoji.
pub fn end_of_words(text: &str) -> usize {
    text.trim_end_matches(|c: char| is_beside(c) || matches!(c, '.' | '!' | '?' | '…'))
        .len()
}

/// Whether a character stands beside the mark of a sentence: emoji, closing quotes, stars.
pub fn is_beside(c: char) -> bool {
    match c {
        '"' | '”' | '“' | '»' | ')' | '*' | '_' => true,
        '…' | '’' => false,
        c => !c.is_alphanumeric() && !c.is_ascii_punctuation(),
    }
}

impl Sentence {
    /// The sentence of a text without the mark at its end, behind one of these words. None: the text is long, or has marks of
    /// other sentences.
    pub fn of(text: &str, before: &[&str]) -> Option<Self> {
        let whole = text;
        let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
        // "Anna: where are you"
        let text = match text.split_once(": ") {
            Some((name, said)) if !name.contains(char::is_whitespace) => said,
            _ => text,
        };
        if text.contains(['.', '!', '?', ':', ';', '"', '„', '“', '«', '(', '\n']) {
            return None;
        }
        let typed: Vec<&str> = text
            .split_whitespace()
            .map(|word| word.trim_matches(BLANK))
            .filter(|word| !word.is_empty())
            .take(MOST_WORDS + 1)
            .collect();
        let bare = |word: &'_ str| word.trim_end_matches([',', BLANK]).len();
        let plain = |word: &&str| word[..bare(word)].to_lowercase().replace('’', "'");
        let is_before = |word: &&str| before.contains(&&*plain(word));
        let start = usize::from(typed.first().is_some_and(is_before));
        let typed = &typed[start..];
        let comma = typed.iter().position(|word| word.ends_with(','));
        let has_capital = |word: &&str| word.starts_with(char::is_uppercase);
        let first = typed.first()?;
        // A slice of `whole`, so its place there is known.
        let at = first.as_ptr() as usize - whole.as_ptr() as usize;
        (typed.len() <= MOST_WORDS).then(|| Self {
            words: typed.iter().map(plain).collect(),
            comma: comma.map(|at| at + 1),
            is_second_name: typed.len() > 2
                && has_capital(&typed[1])
                && !typed[2..].iter().all(has_capital),
            is_title: typed.len() > 2
                && typed.iter().all(has_capital)
                && text.contains(char::is_lowercase),
            first: at..at + bare(first),
        })
    }

    /// A word; empty where there is none.
    pub fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    pub fn is(&self, at: usize, any: &[&str]) -> bool {
        any.contains(&self.word(at))
    }

    /// The first word of a range that is one of these.
    pub fn find(&self, range: std::ops::RangeInclusive<usize>, any: &[&str]) -> Option<usize> {
        range.into_iter().find(|at| self.is(*at, any))
    }
}
