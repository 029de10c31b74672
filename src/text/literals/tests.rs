use super::*;
use crate::text::timing::assert_in_proportion;

/// The literals of a text, as text.
fn found(text: &str) -> Vec<&str> {
    find(text, None)
        .into_iter()
        .map(|range| &text[range])
        .collect()
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
        "In 1999 and 2000, at 3:30, 250 g.",
        "He was No. 1 of 10,000, i.e. first, e.g. here.",
        "12345.67 and 100000% and 20000km",
        "We came home.It was late. #1 or @ home",
        "Über café naïve Łódź ﬁne µm Ａ",
        "AT&T, U.S.A., B2B and/or A4",
        "",
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}

#[test]
fn names_that_machines_read_are_literals() {
    for (text, expected) in [
        ("Open report_v2.pdf, please.", "report_v2.pdf"),
        ("(see src/main.rs)", "src/main.rs"),
        (r"It is in C:\Users\Anna.", r"C:\Users\Anna"),
        ("Call get_name() first", "get_name()"),
        ("Edit /etc/hosts and go", "/etc/hosts"),
        ("Use --dry-run.", "--dry-run"),
        ("The .env file", ".env"),
        ("Set $HOME to it", "$HOME"),
        ("Version 2.0.1-rc1 is out", "2.0.1-rc1"),
        ("It is 192.168.0.1.", "192.168.0.1"),
        ("Room B2.14, please", "B2.14"),
        ("Flight LH1234 is late.", "LH1234"),
        ("Order AB-12345-X!", "AB-12345-X"),
        ("My car is M-AB 1234.", "M-AB 1234"),
    ] {
        assert_eq!(found(text), [expected], "{text}");
    }
    for text in [
        "Liebe Leser_innen, and/or --",
        "I am.Doctor Who, e.g. U.S.",
        "Add 250GB, MP3, CO2, COVID-19, A4, B1, G20",
        "1.5 and $5, .5, hello .how are you",
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}

#[test]
fn pairs_of_numbers_are_literals_and_times_are_not() {
    for (text, expected) in [
        ("Read pages 12-15 now", "12-15"),
        ("They won 3:2.", "3:2"),
        ("The score was 88:61", "88:61"),
        ("It is 50–60% more", "50–60"),
    ] {
        assert_eq!(found(text), [expected], "{text}");
    }
    for text in [
        "At 12:30 or 9:05",
        "a 5-year plan, 3-mal",
        "1-2-3",
        "0:30:5",
        "70000-80000",
    ] {
        assert_eq!(
            found(text).len(),
            usize::from(text.starts_with('7')),
            "{text}"
        );
    }
}

#[test]
fn signs_and_faces_by_themselves_are_literals() {
    for (text, expected) in [
        ("See you :-).", ":-)"),
        ("Love you <3", "<3"),
        ("Settings > Account", ">"),
        ("Go -> there", "->"),
        ("It has 10 m² here", "m²"),
        ("Add ½ cup", "½"),
        ("In § 5", "§"),
    ] {
        assert_eq!(found(text), [expected], "{text}");
    }
    for text in [
        "(see: above) - yes",
        "A & B = C",
        "\"What?!\" …",
        "at 8) or 50%",
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}

#[test]
fn marks_that_are_not_in_pairs_are_literals_and_code_and_places() {
    for (text, expected) in [
        ("Prices* of ~5 km *about", &["*", "~", "*"][..]),
        (
            "One<br/>two <img src=\"a b\">",
            &["<br/>", "<img src=\"a b\">"],
        ),
        ("So 2*3*4 or 2+2=4.", &["2*3*4", "2+2=4"]),
        ("Hi {name}, {{ n }} new: %s", &["{name}", "{{ n }}", "%s"]),
        (
            "Use `git commit -m` now&nbsp;!",
            &["`git commit -m`", "&nbsp;"],
        ),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
    for text in [
        "a*b and *",
        "a < b",
        "a<b and c>d",
        "50%d %so {a b}",
        "AT&T; R&D;",
        "it's ` here",
    ] {
        assert!(found(text).iter().all(|mark| mark.len() == 1), "{text}");
    }
}

#[test]
fn formulas_keys_and_times_of_subtitles_are_literals() {
    assert_eq!(
        found("Let $a^2 + b$ and \\(x\\) be, $n$ too, see \\ref{fig:1}."),
        ["$a^2 + b$", "\\(x\\)", "$n$", "\\ref{fig:1}"]
    );
    assert_eq!(
        found("{\"title\": \"Good\", \"the-body\": \"morning\""),
        ["{\"title\":", "\"the-body\":"]
    );
    assert_eq!(
        found("00:00:01,000 --> 00:00:04.500"),
        ["00:00:01,000 --> 00:00:04.500"]
    );
    assert_eq!(found("It took 1:30:00."), ["1:30:00"]);
    for text in [
        "From $5 to $10",
        "It costs $5 or $ 6",
        "He said \"yes\": go",
        "1:30",
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}

#[test]
fn formulas_and_code_hold_no_amounts() {
    for text in ["$mc^2$", "`1,299.00`"] {
        assert_eq!(carried(text, "en", "de").1, text);
    }
}

#[test]
fn a_text_without_letters_and_digits_is_one_literal() {
    for text in ["--", "?!", "— …", "***"] {
        assert_eq!(found(text), [text]);
    }
    assert_eq!(found(" == "), ["=="]);
    assert_eq!(found(" "), [""; 0]);
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
    let literal = |id, text: &str| Literal::new(id, text, 0..text.len(), None);
    let literals = [literal(7, "12345"), literal(8, "😀"), literal(9, "😀")];
    assert_eq!(
        locate("😀 123456 und 12345 😀", 0, &literals),
        [(8, 0..4), (7, 16..21), (9, 22..26)]
    );
}

#[test]
fn an_amount_is_found_whichever_blanks_it_is_written_with() {
    let amount = Literal {
        id: 7,
        text: "$1,299".into(),
        written: "1\u{202f}299\u{a0}$".into(),
        after_space: true,
        touched: None,
    };
    for text in ["Il a 1 299 $.", "Il a 1\u{a0}299\u{202f}$."] {
        let end = text.len() - 1;
        assert_eq!(
            locate(text, 0, std::slice::from_ref(&amount)),
            [(7, 5..end)]
        );
    }
    assert_eq!(locate("1299 $ et 11 299 $", 0, &[amount]), []);
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
        "**a ",
        "<b",
        "`a",
        "_a",
        "{a",
        "{{",
        "%1",
        "&a",
        "A-B 1",
        "a:-( ",
        "1-2-",
        "😀\u{200d}x",
        "1 234 ",
        "€€ 5 ",
        "8:30 Uhr ",
        "at 8:30 p.m.",
        "à 8 h 30 ",
        "am 1.2.\n",
        "1/2/2024 to ",
        "8-9 Uhr ",
        "1. ",
    ] {
        for language in ["en", "de", "fr"] {
            assert_in_proportion(5_000, &|n| part.repeat(n), |text| {
                std::hint::black_box(find(text, Notation::of(language)));
            });
        }
    }
}

/// The literals of a text, and the text with them as another language writes them.
fn carried<'t>(text: &'t str, from: &str, to: &str) -> (Vec<&'t str>, String) {
    let both = [from, to].map(|language| Notation::of(language).unwrap());
    let mut out = String::new();
    let mut end = 0;
    let found = find(text, Some(both[0]));
    for range in &found {
        out += &text[end..range.start];
        out += &written(&text[range.clone()], Some(both));
        end = range.end;
    }
    let texts = found.into_iter().map(|range| &text[range]).collect();
    (texts, out + &text[end..])
}

#[test]
fn amounts_are_written_as_the_target_language_does() {
    for (from, to, text, amount, expected) in [
        (
            "en",
            "de",
            "It costs $1,299.00.",
            "$1,299.00",
            "It costs 1.299,00\u{a0}$.",
        ),
        (
            "en",
            "fr",
            "It costs $1,299.00.",
            "$1,299.00",
            "It costs 1\u{202f}299,00\u{a0}$.",
        ),
        ("en", "de", "(€120)", "€120", "(120\u{a0}€)"),
        ("en", "de", "1,500 jobs", "1,500", "1.500 jobs"),
        (
            "en",
            "fr",
            "of 1,234,567.8, too",
            "1,234,567.8",
            "of 1\u{202f}234\u{202f}567,8, too",
        ),
        ("en", "de", "£ 5 more", "£ 5", "5\u{a0}£ more"),
        ("en", "de", "EUR 20 or", "EUR 20", "EUR\u{a0}20 or"),
        (
            "de",
            "en",
            "Das kostet 249,90 €!",
            "249,90 €",
            "Das kostet €249.90!",
        ),
        ("de", "en", "ab 50€,", "50€", "ab €50,"),
        ("de", "fr", "1.500 Stellen", "1.500", "1\u{202f}500 Stellen"),
        ("de", "en", "20 CHF", "20 CHF", "20\u{a0}CHF"),
        ("de", "en", "1.500 Milchkühe", "1.500", "1,500 Milchkühe"),
        (
            "fr",
            "en",
            "à 7\u{202f}069,98\u{a0}€.",
            "7\u{202f}069,98\u{a0}€",
            "à €7,069.98.",
        ),
        (
            "fr",
            "de",
            "les 12 300 habitants",
            "12 300",
            "les 12.300 habitants",
        ),
        (
            "fr",
            "en",
            "Il coûte 20 € 5 fois",
            "20 €",
            "Il coûte €20 5 fois",
        ),
    ] {
        let (found, text) = carried(text, from, to);
        assert_eq!((found, text.as_str()), (vec![amount], expected));
    }
}

#[test]
fn what_is_no_amount_is_left_to_the_model() {
    for (language, text, others) in [
        (
            "en",
            "In 1999 and 2000, at 3:30, 250 g, version 3.2, 12.5 %.",
            vec![],
        ),
        ("en", "€1.2 million and $3 billion, 1,500 million", vec![]),
        (
            "en",
            "€10-20, US$5, the $50-a-day man, 1,2 and 3, 1,2345",
            vec![],
        ),
        ("de", "Am 12.03. um 14.30, 3,5 %, Nr. 4.1", vec!["12.03."]),
        ("de", "10–20 €, 3,2 Mio. €, 5 Mrd. $", vec![]),
        ("de", "USB 3, EURO 2024, 5 EUROPA", vec![]),
        (
            "fr",
            "le 06 12 34 56 78, en 2019 300 personnes",
            vec!["06 12 34 56 78"],
        ),
        ("fr", "3,5 millions, 20 % et 15 h 30", vec![]),
    ] {
        let found = find(text, Notation::of(language));
        let found: Vec<&str> = found.into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, others, "{text}");
    }
    assert_eq!(written("1,500", None), "1,500");
    assert_eq!(Notation::of("nl"), None);
}

#[test]
fn times_are_written_as_the_target_language_does() {
    for (from, to, text, time, expected) in [
        ("de", "en", "Um 15:30 Uhr!", "15:30 Uhr", "Um 3:30 pm!"),
        ("de", "en", "ab 8.05 Uhr", "8.05 Uhr", "ab 8:05"),
        ("de", "en", "bis 17 Uhr.", "17 Uhr", "bis 5 pm."),
        ("de", "en", "um 0:30 Uhr,", "0:30 Uhr", "um 12:30 am,"),
        ("de", "en", "um 12:00 Uhr", "12:00 Uhr", "um 12:00"),
        (
            "de",
            "en",
            "gegen 22:15 uhr",
            "gegen 22:15 uhr",
            "around 10:15 pm",
        ),
        ("en", "fr", "so at 3:30 pm.", "at 3:30 pm", "so à 15 h 30."),
        ("en", "fr", "At 5:00PM we", "5:00PM", "At 17 h we"),
        (
            "en",
            "fr",
            "by 8:15 p.m. and",
            "8:15 p.m.",
            "by 20 h 15 and",
        ),
        // The last full stop is the sentence's.
        ("en", "de", "at 8:15 a.m.", "at 8:15 a.m", "um 8:15 Uhr."),
        ("en", "de", "at 8 a.m. We", "at 8 a.m", "um 8 Uhr. We"),
        (
            "en",
            "fr",
            "it at about 6.30 pm",
            "at about 6.30 pm",
            "it vers 18 h 30",
        ),
        ("en", "de", "around 12 am", "around 12 am", "gegen 0 Uhr"),
        (
            "en",
            "de",
            "that 12:45 p.m.!",
            "12:45 p.m.",
            "that 12:45 Uhr!",
        ),
        ("fr", "en", "à 15 h 30,", "à 15 h 30", "at 3:30 pm,"),
        ("fr", "en", "vers 8h05.", "vers 8h05", "around 8:05."),
        (
            "fr",
            "en",
            "jusqu’à 17 heures",
            "jusqu’à 17 heures",
            "until 5 pm",
        ),
        (
            "fr",
            "de",
            "À 9 heures 30 :",
            "À 9 heures 30",
            "Um 9:30 Uhr :",
        ),
    ] {
        let (found, text) = carried(text, from, to);
        let text = text.replace('\u{a0}', " ");
        assert_eq!((found, text.as_str()), (vec![time], expected));
    }
}

#[test]
fn what_is_no_certain_time_is_left_to_the_model() {
    for (from, to, text) in [
        (
            "de",
            "en",
            "um 8 Uhr, um 8:30 Uhr abends, um 9.15 Uhr morgens",
        ),
        (
            "de",
            "en",
            "um 25:00 Uhr, um 8:60 Uhr, um 8:5 Uhr, das 3:2, 24 Uhr",
        ),
        (
            "de",
            "en",
            "1.15:30 Uhr, 15:30 Uhrwerke, 15:30 Uhr-Termin, 9-7 Uhr",
        ),
        (
            "en",
            "fr",
            "at 3:30, at 13:30 pm, 0 am, I am 5 and 5 amps, 3:5 pm",
        ),
        (
            "fr",
            "en",
            "un film de 2 h 30, à 2 h 30 de Paris, à 8 h 30 du soir",
        ),
        ("fr", "en", "à 8 h, à 30 h 10, à 15 hommes, là 15 h 30"),
    ] {
        assert_eq!(carried(text, from, to).1, text);
    }
}

#[test]
fn dates_are_written_as_the_target_language_does() {
    for (from, to, text, dates, expected) in [
        (
            "de",
            "en",
            "am 12.03.2024.",
            vec!["12.03.2024"],
            "am 12 March 2024.",
        ),
        (
            "de",
            "fr",
            "bis 1. 2. 2025!",
            vec!["1. 2. 2025"],
            "bis 1/2/2025!",
        ),
        ("de", "en", "am 7.10.", vec!["7.10"], "am 7 October."),
        (
            "de",
            "en",
            "Am 7.10. kommt er",
            vec!["7.10."],
            "Am 7 October kommt er",
        ),
        (
            "de",
            "en",
            "am 24.12. 5 Karten",
            vec!["24.12."],
            "am 24 December 5 Karten",
        ),
        (
            "de",
            "en",
            "vom 24.12. bis zum 6.1.2025",
            vec!["24.12.", "6.1.2025"],
            "vom 24 December bis zum 6 January 2025",
        ),
        (
            "de",
            "en",
            "Montag, den 3.5., am 4.5 und seit dem 14.07.23",
            vec!["3.5.", "4.5", "14.07.23"],
            "Montag, den 3 May, am 4 May und seit dem 14.07.23",
        ),
        (
            "de",
            "en",
            "am 20.12.2012 um 21 Uhr",
            vec!["20.12.2012", "21 Uhr"],
            "am 20 December 2012 um 9 pm",
        ),
        (
            "en",
            "de",
            "born on 31/01/1987 in",
            vec!["on 31/01/1987"],
            "born am 31.01.1987 in",
        ),
        (
            "en",
            "fr",
            "On 12/24/2025 we",
            vec!["12/24/2025"],
            "On 24/12/2025 we",
        ),
        (
            "en",
            "fr",
            "by 28.11.2026",
            vec!["by 28.11.2026"],
            "avant le 28/11/2026",
        ),
        (
            "en",
            "de",
            "from 24/12/2025 to 06.01.2026",
            vec!["from 24/12/2025 to 06.01.2026"],
            "vom 24.12.2025 bis zum 06.01.2026",
        ),
        // Which of these is the month is not certain.
        (
            "en",
            "de",
            "is on 12/03/2024",
            vec!["on 12/03/2024"],
            "is am 12/03/2024",
        ),
        (
            "en",
            "de",
            "since 2024-03-12",
            vec!["since 2024-03-12"],
            "seit dem 2024-03-12",
        ),
        (
            "fr",
            "en",
            "du 24/12 au 06/01/2026",
            vec!["du 24/12 au 06/01/2026"],
            "from 24 December until 6 January 2026",
        ),
        (
            "fr",
            "en",
            "Le 05.04.2022,",
            vec!["Le 05.04.2022"],
            "On 5 April 2022,",
        ),
        (
            "fr",
            "de",
            "jusqu’au 1/2/2025",
            vec!["jusqu’au 1/2/2025"],
            "bis zum 1.2.2025",
        ),
    ] {
        let (found, text) = carried(text, from, to);
        let text = text.replace('\u{a0}', " ");
        assert_eq!((found, text.as_str()), (dates, expected));
    }
}

#[test]
fn what_is_no_date_is_left_to_the_model() {
    for (from, to, text) in [
        (
            "de",
            "en",
            "Version 2.4.1, Kapitel 3.5. und 7.10, bis 3.5 Meter",
        ),
        (
            "de",
            "en",
            "am 32.1.2024, am 5.13., am 1.2.3, am 1.2.3000, 0.5.2024",
        ),
        ("de", "en", "1.2.2024a, v1.2.2024, 10.1.2024.5"),
        ("en", "de", "to 1/2 of 3/4, on 24/12"),
        ("fr", "en", "le 1/4 de finale, 24/12, au 3/4"),
    ] {
        assert_eq!(carried(text, from, to).1, text);
    }
}

#[test]
fn spans_of_time_are_written_as_the_target_language_does() {
    for (from, to, text, span, expected) in [
        ("de", "en", "Mo–Fr 9–18 Uhr", "9–18 Uhr", "Mo–Fr 9 am–6 pm"),
        (
            "de",
            "en",
            "von 9 bis 17 Uhr auf",
            "9 bis 17 Uhr",
            "von 9 am to 5 pm auf",
        ),
        (
            "de",
            "en",
            "8:00 Uhr - 12:30 Uhr",
            "8:00 Uhr - 12:30 Uhr",
            "8:00–12:30",
        ),
        (
            "de",
            "en",
            "zwischen 22 und 6 Uhr",
            "22 und 6 Uhr",
            "zwischen 10 pm and 6 am",
        ),
        ("de", "fr", "12.30-14 Uhr!", "12.30-14 Uhr", "12 h 30–14 h!"),
        ("en", "de", "Open 9am-5pm", "9am-5pm", "Open 9–17 Uhr"),
        (
            "en",
            "de",
            "is from 2 to 3 pm.",
            "from 2 to 3 pm",
            "is von 14 bis 15 Uhr.",
        ),
        (
            "en",
            "fr",
            "is from 2:00 to 3:30 p.m. now",
            "from 2:00 to 3:30 p.m.",
            "is de 14 h à 15 h 30 now",
        ),
        (
            "en",
            "de",
            "9 to 5 pm, 12-1 pm",
            "9 to 5 pm",
            "9 bis 17 Uhr, 12–13 Uhr",
        ),
        (
            "en",
            "de",
            "between 10 pm and 2 am",
            "10 pm and 2 am",
            "between 22 und 2 Uhr",
        ),
        (
            "en",
            "de",
            "From 11:30 to 12 am",
            "11:30 to 12 am",
            "From 23:30 bis 0 Uhr",
        ),
        (
            "fr",
            "en",
            "ouvert de 9h à 17h30",
            "de 9h à 17h30",
            "ouvert from 9 am to 5:30 pm",
        ),
        ("fr", "de", "9 h 15 – 14 h", "9 h 15 – 14 h", "9:15–14 Uhr"),
    ] {
        let (found, text) = carried(text, from, to);
        let text = text.replace('\u{a0}', " ");
        assert_eq!((found[0], text.as_str()), (span, expected));
    }
}

#[test]
fn what_is_no_certain_span_of_time_is_left_to_the_model() {
    for (from, to, text) in [
        (
            "de",
            "en",
            "zwischen 8 und 9 Uhr, 9–11 Uhr, 3–4 Stunden, 2–27 Uhr",
        ),
        (
            "en",
            "de",
            "from 9 to 5, 2 to 3 people, 0-14 am, from 2 to 3 pmx",
        ),
        ("fr", "en", "de 2 h à 3 h, 9 à 12 h, de 15 à 17 hommes"),
    ] {
        assert_eq!(carried(text, from, to).1, text);
    }
}
