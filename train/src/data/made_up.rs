//! Numbers, names and addresses that mean nothing, for [`super::augment`].

use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// A number with a decimal point, or with its thousands apart: in English, and in the target's language.
pub fn punctuated(language: &str, rng: &mut ChaCha8Rng) -> [String; 2] {
    let (point, comma) = match language {
        "de" => (",", "."),
        "fr" => (",", " "),
        _ => (".", ","),
    };
    if rng.random_bool(0.5) {
        let (whole, tenths) = (rng.random_range(1..100), rng.random_range(1..100));
        return [".", point].map(|point| format!("{whole}{point}{tenths}"));
    }
    let (thousands, rest) = (rng.random_range(1..1000), rng.random_range(0..1000));
    [",", comma].map(|comma| format!("{thousands}{comma}{rest:03}"))
}

/// A name, web address or e-mail address that means nothing.
pub fn literal(rng: &mut ChaCha8Rng) -> String {
    const ENDINGS: [&str; 8] = ["com", "org", "de", "net", "io", "eu", "co.uk", "info"];
    let ending = ENDINGS[rng.random_range(0..ENDINGS.len())];
    match rng.random_range(0..10) {
        0..4 => {
            let name = word(rng);
            let mut letters = name.chars();
            letters
                .next()
                .into_iter()
                .flat_map(char::to_uppercase)
                .chain(letters)
                .collect()
        }
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
