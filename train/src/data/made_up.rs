//! Numbers, names, addresses and emoji that mean nothing, for [`super::augment`].

use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// A number of so many digits. Many stand twice in a row: which of two equal ones comes next is what a model that
/// copies by attention gets wrong.
pub fn plain(digits: usize, rng: &mut ChaCha8Rng) -> String {
    let mut last = char::from(b'0' + rng.random_range(1..10));
    let mut number = String::from(last);
    for _ in 1..digits {
        if rng.random_bool(0.75) {
            last = char::from(b'0' + rng.random_range(0..10));
        }
        number.push(last);
    }
    number
}

/// A number with a decimal point, or with its thousands apart, as each of these languages (ISO codes) writes it.
pub fn punctuated(languages: [&str; 2], rng: &mut ChaCha8Rng) -> [String; 2] {
    let is_decimal = rng.random_bool(0.5);
    let after = match is_decimal {
        true => rng.random_range(1..=2),
        false => 3,
    };
    let before = rng.random_range(1..=3);
    let digits = plain(before + after, rng);
    let (before, after) = digits.split_at(before);
    languages.map(|language| {
        let [point, comma] = match language {
            "de" => [",", "."],
            "fr" => [",", " "],
            _ => [".", ","],
        };
        let sign = if is_decimal { point } else { comma };
        format!("{before}{sign}{after}")
    })
}

/// A name, web address or e-mail address that means nothing.
pub fn literal(rng: &mut ChaCha8Rng) -> String {
    const ENDINGS: [&str; 8] = ["com", "org", "de", "net", "io", "eu", "co.uk", "info"];
    let ending = ENDINGS[rng.random_range(0..ENDINGS.len())];
    match rng.random_range(0..10) {
        0..4 => capitalised(&word(rng)),
        4..7 => {
            let scheme = ["https://", "http://", "https://www.", "www."][rng.random_range(0..4)];
            let mut address = format!("{scheme}{}.{ending}", word(rng));
            for _ in 0..rng.random_range(0..3) {
                address += &format!("/{}", word(rng));
            }
            match rng.random_range(0..4) {
                0 => address += &format!("?{}={}", word(rng), rng.random_range(0..10_000)),
                1 => address += ".html",
                _ => {}
            }
            address
        }
        _ => {
            let joint = [".", "_", "-", ""][rng.random_range(0..4)];
            format!("{}{joint}{}@{}.{ending}", word(rng), word(rng), word(rng))
        }
    }
}

/// Anything that a placeholder may stand for: an address, a handle or tag, a telephone or long number, a word in another
/// script, an emoji.
pub fn any_literal(rng: &mut ChaCha8Rng) -> String {
    match rng.random_range(0..10) {
        0..2 => loop {
            let literal = literal(rng);
            if literal.contains('.') {
                return literal;
            }
        },
        2 => format!("{}{}", ["@", "#"][rng.random_range(0..2)], word(rng)),
        3 => format!("+{} {} {}", plain(2, rng), plain(3, rng), plain(6, rng)),
        4 => plain(rng.random_range(5..=12), rng),
        5 => {
            let first =
                ['\u{3b1}', '\u{430}', '\u{5d0}', '\u{4e00}', '\u{3042}'][rng.random_range(0..5)];
            let letters = (0..rng.random_range(1..=8)).map(|_| rng.random_range(0..20));
            let letters = letters.filter_map(|place| char::from_u32(first as u32 + place));
            letters.collect()
        }
        _ => (0..rng.random_range(1..=2)).map(|_| emoji(rng)).collect(),
    }
}

/// An emoji: one code point, or several that are drawn as one (a flag, a family, a skin tone, a form).
/// Few vocabularies have them: most are copied byte by byte.
pub fn emoji(rng: &mut ChaCha8Rng) -> String {
    let mut one = |first: char, last: char| rng.random_range(first..=last);
    let picture = one('\u{1f300}', '\u{1f64f}');
    match one('0', '9') {
        '0' => format!("{picture}{}", one('\u{1f3fb}', '\u{1f3ff}')),
        '1' => [(); 2]
            .map(|()| one('\u{1f1e6}', '\u{1f1ff}'))
            .iter()
            .collect(),
        '2' => [(); 3]
            .map(|()| one('\u{1f466}', '\u{1f469}').to_string())
            .join("\u{200d}"),
        '3' | '4' => format!("{}\u{fe0f}", one('\u{2600}', '\u{27b0}')),
        '5' => one('\u{2600}', '\u{27b0}').into(),
        '6' => one('\u{1f680}', '\u{1f6c5}').into(),
        _ => picture.into(),
    }
}

/// A name of a person or place, of one or two words that look like German, French or English ones: most of their syllables
/// are pieces of a vocabulary, so that a model is tempted to translate them.
pub fn name(rng: &mut ChaCha8Rng) -> String {
    let words = if rng.random_bool(0.2) { 2 } else { 1 };
    let words: Vec<_> = (0..words).map(|_| capitalised(&likely(rng))).collect();
    words.join(" ")
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// One to three syllables as words have them.
fn likely(rng: &mut ChaCha8Rng) -> String {
    const STARTS: [&str; 32] = [
        "b", "bl", "br", "c", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "kl", "l", "m", "n",
        "p", "pr", "qu", "r", "s", "sch", "sp", "st", "t", "th", "tr", "v", "w", "z", "",
    ];
    const CORES: [&str; 16] = [
        "a", "e", "i", "o", "u", "a", "e", "i", "o", "ei", "ie", "au", "ou", "ä", "ö", "é",
    ];
    const ENDS: [&str; 24] = [
        "", "", "", "", "n", "r", "l", "s", "n", "r", "l", "m", "t", "nd", "st", "ng", "tz", "ck",
        "rt", "ll", "ff", "lm", "x", "ne",
    ];
    let syllables = [1, 2, 2, 2, 3, 3][rng.random_range(0..6)];
    let mut word = String::new();
    for _ in 0..syllables {
        word += STARTS[rng.random_range(0..STARTS.len())];
        word += CORES[rng.random_range(0..CORES.len())];
        word += ENDS[rng.random_range(0..ENDS.len())];
    }
    if word.len() < 3 { word + "la" } else { word }
}

/// One to four syllables.
fn word(rng: &mut ChaCha8Rng) -> String {
    const STARTS: [&str; 24] = [
        "b", "br", "ch", "d", "f", "g", "h", "j", "k", "kr", "l", "m", "n", "p", "r", "s", "sch",
        "st", "t", "tr", "v", "w", "x", "z",
    ];
    const CORES: [&str; 10] = ["a", "e", "i", "o", "u", "ai", "ee", "ou", "ia", "y"];
    const ENDS: [&str; 8] = ["", "", "", "n", "r", "l", "s", "ck"];
    (0..rng.random_range(1..=4))
        .flat_map(|_| {
            [
                STARTS[rng.random_range(0..STARTS.len())],
                CORES[rng.random_range(0..CORES.len())],
                ENDS[rng.random_range(0..ENDS.len())],
            ]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn numbers_have_as_many_digits_as_said_and_many_equal_neighbours() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut twice = 0;
        for _ in 0..1000 {
            let number = plain(7, &mut rng);
            assert!(number.len() == 7 && !number.starts_with('0'), "{number}");
            assert!(number.bytes().all(|c| c.is_ascii_digit()), "{number}");
            twice += usize::from(number.as_bytes().windows(2).any(|w| w[0] == w[1]));
        }
        // Digits drawn apart from each other would do so in 47 of a hundred.
        assert!((800..950).contains(&twice), "{twice}");
    }

    #[test]
    fn emoji_are_single_or_joined() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let made: Vec<String> = (0..500).map(|_| emoji(&mut rng)).collect();
        assert!(made.iter().flat_map(|e| e.chars()).all(|c| c >= '\u{200d}'));
        assert!(made.iter().all(|e| !e.is_empty()));
        assert!(made.iter().any(|e| e.chars().count() == 1));
        assert!(made.iter().any(|e| e.contains('\u{200d}')));
        assert!(made.iter().any(|e| e.ends_with('\u{fe0f}')));
    }
}
