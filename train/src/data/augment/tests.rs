use super::*;

fn pair(source: &str, target: &str) -> Pair {
    Pair {
        source: source.into(),
        target: target.into(),
    }
}

fn only(augment: Augment, source: &str, target: &str) -> Vec<Pair> {
    variants(&[pair(source, target)], ["en", "de"], &augment, 7)
}

#[test]
fn each_kind_changes_what_it_says() {
    let of = |field: fn(&mut Augment) -> &mut f64| {
        let mut augment = Augment::default();
        *field(&mut augment) = 1.0;
        let made = only(augment, "\"It's Tom's.\"", "\"Es ist Toms.\"");
        made.into_iter().next()
    };
    assert_eq!(
        of(|a| &mut a.lower_case),
        Some(pair("\"it's tom's.\"", "\"Es ist Toms.\""))
    );
    assert_eq!(
        of(|a| &mut a.upper_case),
        Some(pair("\"IT'S TOM'S.\"", "\"ES IST TOMS.\""))
    );
    assert_eq!(
        of(|a| &mut a.typographic),
        Some(pair("“It’s Tom’s.”", "\"Es ist Toms.\""))
    );
    assert_eq!(of(|a| &mut a.no_full_stop), None);
}

#[test]
fn a_final_full_stop_goes_but_no_ellipsis() {
    let augment = Augment {
        no_full_stop: 1.0,
        ..Augment::default()
    };
    assert_eq!(only(augment, "Go.", "Geh."), [pair("Go", "Geh")]);
    assert!(only(augment, "Go...", "Geh.").is_empty());
}

#[test]
fn words_of_any_script_are_looked_at_whole() {
    let augment = Augment {
        literals: 1.0,
        numbers: 1.0,
        ..Augment::default()
    };
    for text in ["Die ČSSD und Émile, ÉMILE.", "I 東京 Ünö ﬁ 1ﬁ.", "É", ""] {
        let pairs = vec![pair(text, text); 50];
        variants(&pairs, ["en", "de"], &augment, 3);
    }
}

#[test]
fn numbers_change_alike_on_both_sides_and_never_inside_of_others() {
    let augment = Augment {
        numbers: 1.0,
        ..Augment::default()
    };
    let made = only(augment, "In 1984 we had 12.", "1984 hatten wir 120.");
    let year: String = made[0]
        .source
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    let year = year.strip_suffix("12").unwrap();
    assert_eq!(
        made,
        [pair(
            &format!("In {year} we had 12."),
            &format!("{year} hatten wir 120.")
        )]
    );
    assert!(only(augment, "He is 12.", "Er ist 120.").is_empty());
}

#[test]
fn numbers_are_punctuated_as_their_language_does() {
    let augment = Augment {
        numbers: 1.0,
        ..Augment::default()
    };
    let numbers = |languages| -> Vec<(String, String)> {
        let pairs = vec![pair("He has 12 cats.", "Er hat 12 Katzen."); 400];
        variants(&pairs, languages, &augment, 7)
            .iter()
            .map(|p| {
                let of = |text: &str, before: &str, after: &str| {
                    let text = text.strip_prefix(before).unwrap();
                    text.strip_suffix(after).unwrap().to_owned()
                };
                (
                    of(&p.source, "He has ", " cats."),
                    of(&p.target, "Er hat ", " Katzen."),
                )
            })
            .collect()
    };
    for (languages, [point, comma], [to_point, to_comma]) in [
        (["en", "de"], [".", ","], [",", "."]),
        (["en", "fr"], [".", ","], [",", " "]),
        (["en", "nl"], [".", ","], [".", ","]),
        (["de", "en"], [",", "."], [".", ","]),
    ] {
        let mut seen = [false; 3];
        for (source, target) in numbers(languages) {
            // Thousands have three digits behind their mark.
            let mark = source.find(['.', ',']);
            let is_decimal = mark.is_some_and(|at| source.len() - at < 4);
            let (from, to, kind) = match (mark, is_decimal) {
                (None, _) => ("", "", 0),
                (_, true) => (point, to_point, 1),
                (_, false) => (comma, to_comma, 2),
            };
            assert!(source.contains(from), "{languages:?}: {source}");
            assert_eq!(
                target,
                source.replacen(from, to, 1),
                "{languages:?}: {source}"
            );
            seen[kind] = true;
        }
        assert_eq!(seen, [true; 3]);
    }
    // At the end of a sentence too.
    let pairs = vec![pair("He has 12.", "Er hat 12."); 100];
    let made = variants(&pairs, ["en", "de"], &augment, 7);
    assert!(made.iter().any(|p| p.source.contains([','])));
    // Dates, times, ordinals and parts of longer numbers stay what they are.
    let pairs = vec![pair("At 7:30 on 3 May.", "Um 7:30 am 3. Mai."); 100];
    for pair in variants(&pairs, ["en", "de"], &augment, 7) {
        assert!(!pair.source.contains([',']), "{}", pair.source);
    }
}

#[test]
fn literals_stand_alike_on_both_sides() {
    let augment = Augment {
        literals: 1.0,
        ..Augment::default()
    };
    let pairs = vec![pair("I saw Tom.", "Ich sah Tom."); 200];
    let made = variants(&pairs, ["en", "de"], &augment, 7);
    assert!(made.iter().any(|p| p.source.contains('@')));
    assert!(made.iter().any(|p| p.source.contains("://")));
    for pair in &made {
        let alone = |text: &str, frame: &str| {
            text.strip_prefix(frame)
                .and_then(|t| t.strip_suffix('.'))
                .unwrap_or(text)
                .to_owned()
        };
        assert_eq!(
            alone(&pair.source, "I saw "),
            alone(&pair.target, "Ich sah ")
        );
    }
}

#[test]
fn placed_literals_stand_on_both_sides_in_the_same_order() {
    let augment = Augment {
        placed: 1.0,
        ..Augment::default()
    };
    let pairs = vec![pair("If it rains, we stay.", "Wenn es regnet, bleiben wir."); 300];
    let made = variants(&pairs, ["en", "de"], &augment, 7);
    assert!(made.len() > 290, "{}", made.len());
    for pair in &made {
        let found = |text: &str| -> Vec<String> {
            let ranges = translucent::text::literals::find(text, None);
            ranges
                .into_iter()
                .map(|range| text[range].to_owned())
                .collect()
        };
        let (source, target) = (found(&pair.source), found(&pair.target));
        assert!(!source.is_empty() && source == target, "{pair:?}");
    }
    for frame in ["If it rains, we stay. ", "If it rains, "] {
        assert!(
            made.iter().any(|pair| pair.source.starts_with(frame)),
            "{frame}"
        );
    }
    assert!(
        made.iter()
            .any(|pair| pair.source.ends_with(" If it rains, we stay."))
    );
}

#[test]
fn apostrophes_are_left_out_where_no_other_word_comes_of_it() {
    let augment = Augment {
        no_apostrophe: 1.0,
        ..Augment::default()
    };
    let sources = |text: &str| -> Vec<String> {
        let made = variants(&[pair(text, "Ziel")], ["en", "de"], &augment, 7);
        made.into_iter().map(|pair| pair.source).collect()
    };
    assert_eq!(
        sources("I can't come, and don\u{2019}t ask."),
        ["I cant come, and dont ask."]
    );
    assert_eq!(
        sources("I'm here; that's Tom's."),
        ["Im here; thats Tom's."]
    );
    for text in ["We're late.", "She'll go.", "The dogs' house.", "I see."] {
        assert!(sources(text).is_empty(), "{text}");
    }
}

#[test]
fn chat_is_lower_case_and_shortens_whole_words() {
    let augment = Augment {
        chat: 1.0,
        ..Augment::default()
    };
    let sources = |text: &str| -> Vec<String> {
        let made = variants(&[pair(text, "Ziel")], ["en", "de"], &augment, 7);
        made.into_iter().map(|pair| pair.source).collect()
    };
    assert_eq!(
        sources("Are you going to the young lady?"),
        ["r u going to the young lady?"]
    );
    assert!(sources("The area is young.").is_empty());
}

#[test]
fn a_pair_gets_as_many_variants_as_said() {
    let pairs = vec![pair("He has 12 cats.", "Er hat 12 Katzen."); 400];
    let made = |numbers| {
        let augment = Augment {
            numbers,
            ..Augment::default()
        };
        augment.check().unwrap();
        variants(&pairs, ["en", "de"], &augment, 7).len()
    };
    assert_eq!(made(2.0), 800);
    let half_more = made(1.5);
    assert!((550..650).contains(&half_more), "{half_more}");
    let too_many = Augment {
        numbers: 10.5,
        ..Augment::default()
    };
    let message = too_many.check().unwrap_err().to_string();
    assert!(
        message.contains("data.augment.numbers is 10.5"),
        "{message}"
    );
}

#[test]
fn a_pair_without_a_name_in_common_may_be_followed_by_a_literal() {
    let augment = Augment {
        literals: 1.0,
        ..Augment::default()
    };
    let pairs = vec![pair("It rains.", "Es regnet."); 200];
    let made = variants(&pairs, ["en", "de"], &augment, 7);
    let followed = |p: &&Pair| {
        let after = p.source.strip_prefix("It rains. ");
        after.is_some_and(|literal| p.target == format!("Es regnet. {literal}"))
    };
    let alone = made.iter().filter(|p| p.source == p.target).count();
    assert_eq!(made.iter().filter(followed).count() + alone, made.len());
    assert!(
        alone > 0 && (40..100).contains(&made.len()),
        "{}",
        made.len()
    );
    let with_emoji = made
        .iter()
        .filter(|p| p.source.ends_with(|c| c >= '\u{2600}'));
    assert!((5..40).contains(&with_emoji.count()));
}

#[test]
fn chains_keep_their_links_in_step() {
    let augment = Augment {
        chained: 1.0,
        ..Augment::default()
    };
    let pairs: Vec<Pair> = (0..200)
        .map(|i| pair(&format!("Line {i}."), &format!("Zeile {i}.")))
        .collect();
    let made = variants(&pairs, ["en", "de"], &augment, 7);
    // Those near the end have too few pairs after them.
    assert!((191..200).contains(&made.len()));
    for (first, chain) in made.iter().enumerate().take(190) {
        assert_eq!(chain.source.replace("Line", "Zeile"), chain.target);
        let links = chain.source.matches("Line").count();
        assert!((2..=10).contains(&links));
        assert!(chain.source.starts_with(&format!("Line {first}")));
        assert!(
            chain
                .source
                .ends_with(&format!("Line {}.", first + links - 1))
        );
    }
    assert!(made.iter().any(|chain| chain.source.contains(", Line")));
    assert!(made.iter().any(|chain| chain.source.contains(". Line")));
}

#[test]
fn one_kind_does_not_disturb_another() {
    let pairs: Vec<Pair> = (0..50)
        .map(|i| pair(&format!("Line {i}."), "Zeile."))
        .collect();
    let some = Augment {
        no_full_stop: 0.3,
        ..Augment::default()
    };
    let both = Augment {
        lower_case: 0.5,
        ..some
    };
    let alone = variants(&pairs, ["en", "de"], &some, 1);
    assert!(variants(&pairs, ["en", "de"], &both, 1).ends_with(&alone));
    assert!(!alone.is_empty() && alone.len() < 50);
}

#[test]
fn umlauts_and_accents_are_spelled_with_plain_letters() {
    let augment = Augment {
        plain_letters: 1.0,
        ..Augment::default()
    };
    let of = |source: &str| only(augment, source, "x");
    assert_eq!(
        of("Äpfel für die Straße."),
        [pair("Aepfel fuer die Strasse.", "x")]
    );
    assert_eq!(of("L’école où ça va."), [pair("L’ecole ou ca va.", "x")]);
    assert!(of("Plain.").is_empty());
}

#[test]
fn french_negation_loses_its_first_half_alone() {
    let augment = Augment {
        no_ne: 1.0,
        ..Augment::default()
    };
    let of = |source: &str| variants(&[pair(source, "x")], ["fr", "en"], &augment, 7);
    for (whole, spoken) in [
        ("Je ne sais pas.", "Je sais pas."),
        ("Je n’ai rien vu.", "J'ai rien vu."),
        ("Ce n'est pas vrai.", "C'est pas vrai."),
        ("Il n'y a personne.", "Il y a personne."),
        ("Tu ne me l'as jamais dit.", "Tu me l'as jamais dit."),
    ] {
        assert_eq!(of(whole), [pair(spoken, "x")]);
    }
    for same in ["Je ne veux que ça.", "Il ne viendra plus.", "Pas du tout."] {
        assert!(of(same).is_empty(), "{same}");
    }
    assert!(only(augment, "Je ne sais pas.", "x").is_empty());
}

#[test]
fn names_change_on_both_sides_and_common_words_stay() {
    let augment = Augment {
        names: 1.0,
        ..Augment::default()
    };
    let of = |source: &str, target: &str| {
        let made = variants(&[pair(source, target)], ["de", "en"], &augment, 3);
        made.into_iter().next()
    };
    let made = of("Tom liest ein Buch.", "Tom reads a book.").unwrap();
    let name = made.source.strip_suffix(" liest ein Buch.").unwrap();
    assert_eq!(made.target, format!("{name} reads a book."));
    assert!(
        name.starts_with(char::is_uppercase) && name != "Tom",
        "{name}"
    );
    for (source, target) in [
        ("Will er kommen?", "Will he come?"),
        ("Tom kennt Tom.", "Tom knows Tom."),
        ("Der Hund schläft.", "The dog sleeps."),
    ] {
        assert_eq!(of(source, target), None, "{source}");
    }
}
