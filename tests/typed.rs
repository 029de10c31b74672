//! What people type, as the tokenizer reads it when it knows the language of the source.

#[path = "common/tokenizer.rs"]
mod common;

use common::tokenizer;
use translucent::text::spm::Dropout;

#[test]
fn typed_forms_are_the_pieces_of_what_is_meant() {
    let english = tokenizer(0).with_languages(Some("en"), None);
    for (typed, meant) in [
        (
            "I dont know what youre doing.",
            "I don't know what you're doing.",
        ),
        (
            "He said “I’m here”, pls come",
            "He said \"I'm here\", please come",
        ),
        ("DO NOT TOUCH THIS, I SAID!", "Do not touch this, I said!"),
        ("WE LIVE IN BERLIN.", "We live in Berlin."),
        ("We LIVE in BERLIN.", "We live in Berlin."),
        ("How We Live In Berlin", "How we live in Berlin"),
        ("Open Mon-Fri", "Open Monday to Friday"),
    ] {
        assert_eq!(
            english.encode_source(typed).ids,
            english.encode_source(meant).ids,
            "{typed}"
        );
        assert_ne!(
            tokenizer(0).encode_source(typed).ids,
            english.encode_source(typed).ids,
            "{typed}"
        );
    }
    // These forms are English alone.
    for typed in ["I dont know", "“I’m here”, pls come", "its cant"] {
        let german = tokenizer(0).with_languages(Some("de"), None);
        let plain = tokenizer(0).encode_source(typed);
        assert_eq!(german.encode_source(typed).ids, plain.ids, "{typed}");
    }
}

#[test]
fn words_get_the_capitals_that_the_vocabulary_has_them_with() {
    let plain = tokenizer(0);
    for (language, typed, meant) in [
        ("en", "we live in berlin.", "we live in Berlin."),
        ("de", "das haus ist in berlin.", "das Haus ist in Berlin."),
        ("de", "DAS HAUS IST SCHÖN.", "Das Haus ist schön."),
        ("de", "DIE STRASSE IST LANG.", "Die Straße ist lang."),
        ("de", "ACHTUNG!", "Achtung!"),
        ("fr", "WE LIVE IN BERLIN.", "We live in Berlin."),
    ] {
        let tokenizer = tokenizer(0).with_languages(Some(language), None);
        let encoding = tokenizer.encode_source(typed);
        assert_eq!(encoding.ids, plain.encode_source(meant).ids, "{typed}");
        assert_ne!(encoding.ids, plain.encode_source(typed).ids, "{typed}");
        let known = tokenizer.encode_source(meant);
        assert_eq!(known.ids, plain.encode_source(meant).ids, "{meant}");
    }
}

#[test]
fn every_piece_stands_where_its_word_was_typed() {
    let text = "Dont forget: im “in” BERLIN and u arent 😀.";
    let encoding = tokenizer(0)
        .with_languages(Some("en"), None)
        .encode_source(text);
    let mut end = 0;
    for range in encoding.ranges.iter().flatten() {
        assert!(
            text.get(range.clone()).is_some(),
            "{range:?} cuts a character"
        );
        assert!(
            range.start <= end && range.end >= end,
            "{range:?} after {end}"
        );
        end = range.end;
    }
    assert_eq!(end, text.len());
    let typed = |piece: &str| {
        let vocabulary = tokenizer(0);
        let at = encoding
            .ids
            .iter()
            .position(|id| vocabulary.piece(*id) == piece);
        text[encoding.ranges[at.unwrap()].clone().unwrap()]
            .trim_start()
            .to_owned()
    };
    assert_eq!(typed("▁you"), "u");
    assert_eq!(typed("▁forget"), "forget");
}

#[test]
fn a_translation_begins_with_a_capital_where_its_source_does() {
    let tokenizer = tokenizer(0).with_languages(Some("en"), None);
    let ids = tokenizer.encode_target("die Straße ist schön.").ids;
    for (source, written) in [
        ("The street is long.", "Die Straße ist schön."),
        ("the street is long.", "die Straße ist schön."),
        ("Street", "die Straße ist schön."),
    ] {
        let carried = tokenizer.encode_source(source).carried;
        let decoded = tokenizer.decode_with_ranges(&ids, &carried);
        assert_eq!(decoded.text, written, "{source}");
    }
}

#[test]
fn a_text_of_capitals_is_translated_in_capitals() {
    let tokenizer = tokenizer(0).with_languages(Some("en"), None);
    let source = tokenizer.encode_source("THE STREET IS LONG.");
    let target = tokenizer.encode_target_of("DIE STRASSE IST SCHÖN.", &source.carried);
    let decoded = tokenizer.decode_with_ranges(&target.ids, &source.carried);
    assert_eq!(decoded.text, "DIE STRASSE IST SCHÖN.");
    let plain = tokenizer.encode_target("Die Straße ist schön.");
    assert_eq!(
        tokenizer
            .decode_with_ranges(&plain.ids, &source.carried)
            .text,
        "DIE STRASSE IST SCHÖN."
    );
    assert_eq!(tokenizer.decode(&plain.ids), "Die Straße ist schön.");
}

#[test]
fn a_pair_of_capitals_is_learnt_in_lower_case() {
    let tokenizer = tokenizer(0).with_languages(Some("en"), Some("de"));
    let pair = |source: &str, target: &str| {
        let [mut first, mut second] = [|| 0.5, || 0.5];
        let none = |uniform| Dropout {
            probability: 0.0,
            uniform,
        };
        let dropout = [&mut none(&mut first), &mut none(&mut second)];
        tokenizer
            .encode_pair(source, target, dropout)
            .map(|side| side.ids)
    };
    let capitals = pair("THE STREET IS LONG.", "DIE STRASSE IST SCHÖN.");
    assert_eq!(
        capitals,
        pair("The street is long.", "Die Straße ist schön.")
    );
    let [source, target] = pair("THE STREET IS LONG.", "Die Straße IST schön.");
    assert_eq!(source, capitals[0]);
    assert_ne!(target, capitals[1]);
}
