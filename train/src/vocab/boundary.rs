//! Which strings may become pieces: the boundaries that sentencepiece respects by default.

use translucent::text::spm::SPACE;
use unicode_script::{Script, UnicodeScript};

/// Whether `text` may be one piece: `▁` only at its start, and letters of one script only. Digits and
/// punctuation are of the script *Common*, so `3rd` and `end.` fall apart, as do words of mixed scripts;
/// Han, Hiragana and Katakana count as one (`split_by_unicode_script`, `split_by_number` and
/// `split_by_whitespace` of sentencepiece).
pub fn may_be_a_piece(text: &str) -> bool {
    let mut script = None;
    for (i, c) in text.chars().enumerate() {
        if c == SPACE {
            if i > 0 {
                return false;
            }
            continue;
        }
        let this = match c.script() {
            Script::Hiragana | Script::Katakana => Script::Han,
            // The long-vowel mark is Common, but stands only in Japanese.
            _ if c == 'ー' => Script::Han,
            Script::Inherited => script.unwrap_or(Script::Inherited),
            other => other,
        };
        if script.is_some_and(|s| s != this) {
            return false;
        }
        script = Some(this);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_pieces_and_mixtures_are_not() {
        for piece in ["▁the", "straße", "▁1984", "...", "▁", "がく学"] {
            assert!(may_be_a_piece(piece), "{piece}");
        }
        for mixture in ["the▁", "end.", "3rd", "aд", "▁\"A"] {
            assert!(!may_be_a_piece(mixture), "{mixture}");
        }
    }
}
