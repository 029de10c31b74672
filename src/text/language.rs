//! Which language a text is in, where that is plain: English, German, French or Spanish.
//!
//! The bits of a text's trigrams are summed for each language (a naive Bayes classifier over the 1 000 trigrams that tell the
//! languages apart; Cavnar and Trenkle, "N-Gram-Based Text Categorization", 1994). Spanish, of which there is no model, is known
//! by its function words. Of 5 500 lines in English, as many in German and in French (newstest2013 and the development set of Tatoeba) 3, 8 and 4
//! are given a wrong language, 69, 51 and 56 none (`translucent language FILE` counts).

mod trigrams;

use trigrams::TRIGRAMS;

/// In the order of the table.
const LANGUAGES: [&str; 3] = ["en", "de", "fr"];
/// Eighths of a bit by which a language must be likelier than the next one: 64 times as likely.
const MARGIN: u32 = 6 * 8;
/// The same for one or two words, which may be a name.
const MARGIN_OF_A_NAME: u32 = 12 * 8;
/// Characters that are looked at: a long text is in the language that it begins in.
const LOOKED_AT: usize = 4000;
/// Function words of Spanish that the other languages do not have.
const SPANISH: [&str; 20] = [
    "el", "los", "las", "una", "y", "por", "con", "para", "del", "yo", "está", "muy", "pero",
    "como", "qué", "hay", "más", "también", "tiene", "ella",
];

/// Bits of a letter in a key: all that are looked at come before U+0200.
const LETTER_BITS: u32 = 9;

/// The key of the trigram that ends with this letter, and begins with the last two of another one.
const fn with(trigram: u32, letter: u32) -> u32 {
    (trigram << LETTER_BITS | letter) & ((1 << (3 * LETTER_BITS)) - 1)
}

/// The key of a trigram whose letters have one or two bytes in UTF-8.
const fn key(trigram: &str) -> u32 {
    let bytes = trigram.as_bytes();
    let (mut key, mut at) = (0, 0);
    while at < bytes.len() {
        if bytes[at] < 0x80 {
            key = with(key, bytes[at] as u32);
            at += 1;
        } else {
            key = with(
                key,
                (bytes[at] as u32 & 0x1f) << 6 | bytes[at + 1] as u32 & 0x3f,
            );
            at += 2;
        }
    }
    key
}

/// The language of a text (`en`, `de`, `fr`, `es`), or `None` where it is not plain.
pub fn detect(text: &str) -> Option<&'static str> {
    let mut letters = String::with_capacity(text.len().min(4 * LOOKED_AT) + 2);
    letters.push(' ');
    for c in text.chars().take(LOOKED_AT).flat_map(char::to_lowercase) {
        match c {
            'a'..='z' | 'à'..='ö' | 'ø'..='ÿ' | 'œ' => letters.push(c),
            _ if !letters.ends_with(' ') => letters.push(' '),
            _ => {}
        }
    }
    if !letters.ends_with(' ') {
        letters.push(' ');
    }
    let words = letters.split_whitespace();
    let spanish = words.clone().filter(|word| SPANISH.contains(word)).count();
    let words = words.count();
    // French has one of them, too: *il y a*.
    if words > 3 && spanish > 1 && spanish * 4 >= words {
        return Some("es");
    }
    let mut bits = [0; LANGUAGES.len()];
    let mut last = 0;
    for c in letters.chars() {
        last = with(last, c as u32);
        if let Ok(at) = TRIGRAMS.binary_search_by_key(&last, |(known, _)| *known) {
            for (sum, cost) in bits.iter_mut().zip(TRIGRAMS[at].1) {
                *sum += u32::from(cost);
            }
        }
    }
    let likeliest = (0..bits.len()).min_by_key(|i| bits[*i])?;
    let margin = if words > 2 { MARGIN } else { MARGIN_OF_A_NAME };
    let is_plain = (0..bits.len()).all(|i| i == likeliest || bits[i] >= bits[likeliest] + margin);
    is_plain.then_some(LANGUAGES[likeliest])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_sentence_has_its_language() {
        for (language, text) in [
            ("en", "The weather was so bad that nobody wanted to go out."),
            (
                "de",
                "Das Wetter war so schlecht, dass niemand hinausgehen wollte.",
            ),
            (
                "fr",
                "Il faisait si mauvais que personne ne voulait sortir.",
            ),
            (
                "es",
                "El tiempo era muy malo y los niños no salían por la noche.",
            ),
            ("de", "ICH HABE MEINEN SCHLÜSSEL VERGESSEN"),
            ("fr", "C’est où, l’école ?"),
        ] {
            assert_eq!(detect(text), Some(language), "{text}");
        }
    }

    #[test]
    fn what_is_not_plain_has_none() {
        for text in [
            "",
            "OK",
            "Berlin",
            "Max Mustermann 2024",
            "你好，世界。",
            "12 + 3 = 15",
            "😀😀😀",
        ] {
            assert_eq!(detect(text), None, "{text}");
        }
    }

    #[test]
    fn a_short_sentence_has_its_language() {
        for (language, text) in [
            ("de", "Wo ist der nächste Bahnhof?"),
            ("de", "Guten Tag"),
            ("fr", "Merci beaucoup."),
            ("fr", "Je suis là."),
            ("fr", "Il y a quelqu'un."),
            ("en", "Thank you very much."),
            ("en", "See you there!"),
        ] {
            assert_eq!(detect(text), Some(language), "{text}");
        }
    }

    #[test]
    fn the_table_is_in_order() {
        assert!(TRIGRAMS.is_sorted_by_key(|(trigram, _)| trigram));
        assert_eq!(
            key("aœb"),
            ('a' as u32) << 18 | ('œ' as u32) << 9 | 'b' as u32
        );
    }
}
