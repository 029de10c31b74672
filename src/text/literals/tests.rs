use super::*;
use crate::text::timing::assert_in_proportion;

/// The literals of a text, as text.
fn found(text: &str) -> Vec<&str> {
    find(text).into_iter().map(|range| &text[range]).collect()
}

#[test]
fn addresses_end_before_the_punctuation_of_their_sentence() {
    for (text, expected) in [
        (
            "See https://example.org/a?b=1&c=2.",
            "https://example.org/a?b=1&c=2",
        ),
        ("(see www.example.com)", "www.example.com"),
        (
            "Is it on en.wikipedia.org/wiki/Rust_(language)?",
            "en.wikipedia.org/wiki/Rust_(language)",
        ),
        (
            "Write to anna.lee+news@mail.example.co.uk, please!",
            "anna.lee+news@mail.example.co.uk",
        ),
        ("Example.com's prices", "Example.com"),
        ("\"ftp://host/x\"", "ftp://host/x"),
        ("Thanks @some_one!", "@some_one"),
        ("I love #RustLang.", "#RustLang"),
    ] {
        assert_eq!(found(text), [expected], "{text}");
    }
}

#[test]
fn numbers_that_are_names_are_literals() {
    for (text, expected) in [
        ("Call +49 (0) 30 1234-5678.", "+49 (0) 30 1234-5678"),
        ("Call 030/1234567 now", "030/1234567"),
        ("(555) 123-4567 is mine", "(555) 123-4567"),
        (
            "Pay DE89 3704 0044 0532 0130 00 TODAY",
            "DE89 3704 0044 0532 0130 00",
        ),
        ("Pay GB29NWBK60161331926819.", "GB29NWBK60161331926819"),
        ("Room 8815518 is free.", "8815518"),
        ("On 2024-02-29, it", "2024-02-29"),
    ] {
        assert_eq!(found(text), [expected], "{text}");
    }
}

#[test]
fn what_languages_write_their_own_way_is_no_literal() {
    for text in [
        "It costs $1,299.00 or 12.5 % more.",
        "In 1999 and 2000, at 3:30 pm, 250 g.",
        "He was No. 1 of 10,000, i.e. first, e.g. here.",
        "12345.67 and 100000% and 20000km",
        "We came home.It was late. #1 or @ home",
        "Über café naïve Łódź ﬁne ½ µm Ａ",
        "AT&T, U.S.A., B2B and/or A4",
        "",
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}

#[test]
fn pictograms_are_whole_with_their_joiners() {
    for emoji in ["😀", "👨‍👩‍👧", "👍🏽", "🇩🇪", "❤️", "1️⃣", "→", "✓", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"]
    {
        let text = format!("Hello {emoji}!");
        assert_eq!(found(&text), [emoji], "{emoji}");
    }
}

#[test]
fn words_of_other_scripts_are_one_literal_up_to_the_next_latin_word() {
    assert_eq!(found("He said 你好，世界。 and left"), ["你好，世界。"]);
    assert_eq!(found("Москва и Киев are cities"), ["Москва и Киев"]);
    assert_eq!(found("α, β and γ = 2"), ["α, β", "γ"]);
    assert_eq!(found("नमस्ते दुनिया"), ["नमस्ते दुनिया"]);
}

#[test]
fn neighbours_with_only_white_space_between_them_are_one() {
    assert_eq!(
        found("Look 😀 🎉 https://a.org: yes"),
        ["😀 🎉 https://a.org"]
    );
}

#[test]
fn a_translation_takes_each_literal_once_and_not_inside_of_a_word() {
    let literal = |id, text: &str| Literal {
        id,
        text: text.into(),
        after_space: true,
    };
    let literals = [literal(7, "12345"), literal(8, "😀"), literal(9, "😀")];
    assert_eq!(
        locate("😀 123456 und 12345 😀", &literals),
        [(8, 0..4), (7, 16..21), (9, 22..26)]
    );
}

#[test]
fn long_texts_take_time_in_proportion() {
    for part in [
        "0 0 0 0 0 0a ",
        "AB12 3456 ",
        "π 1 2 3 ",
        "a@b.c@",
        "(((((",
        "+1-",
        "😀\u{200d}x",
    ] {
        assert_in_proportion(5_000, &|n| part.repeat(n), |text| {
            std::hint::black_box(find(text));
        });
    }
}
