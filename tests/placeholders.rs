//! What is copied is copied, whatever the model does: literals through tokenizer, search and text with random weights.

#[path = "common/tokenizer.rs"]
mod common;

use common::tokenizer;
use translucent::Config;
use translucent::model::Transformer;
use translucent::search::SearchOptions;
use translucent::text::spm::Dropout;
use translucent::text::{Encoding, Term, Tokenizer, literals};
use translucent::trace::TraceRequest;
use translucent::translator::{
    DocumentOptions, JobEvent, LineOptions, Observe, ScoreOptions, Target, Translator,
};

const PLACEHOLDERS: usize = 4;

fn translator(seed: u64) -> Translator {
    translator_with(tokenizer(PLACEHOLDERS), seed)
}

fn translator_with(tokenizer: Tokenizer, seed: u64) -> Translator {
    let config = Config {
        pad_id: tokenizer.pad_id(),
        decoder_start_id: tokenizer.pad_id(),
        banned_ids: vec![tokenizer.pad_id()],
        placeholder_ids: tokenizer.target_vocabulary().placeholders().to_vec(),
        max_positions: 256,
        ..Config::tiny(tokenizer.vocab_size())
    };
    Translator::new(Transformer::random(config, seed).unwrap(), tokenizer)
}

/// A search whose translations are not much longer than their source.
fn search(beam: usize) -> SearchOptions {
    let mut options = SearchOptions::default();
    options.beam = beam;
    options.max_extra = 6;
    options
}

const TEXTS: [&str; 8] = [
    "See https://example.org/a?b=1 or write to anna@example.org, please!",
    "Great 😀 work, Tom 👍🏽! Call +49 30 1234567.",
    "He said 你好，世界。 and @left_early left.",
    "🎉",
    "Москва",
    "(see www.example.com)",
    "The code 8815518, then 8815518 again, and DE89 3704 0044 0532 0130 00.",
    "<copy1> and <copy2> are text like any other.",
];

#[test]
fn marks_before_a_sentence_stay_before_it_and_are_no_pieces() {
    let tokenizer = tokenizer(PLACEHOLDERS).with_languages(Some("en"), Some("de"));
    for (lead, sentence) in [
        ("- ", "the dog"),
        ("> 2) ", "a cat sleeps."),
        ("# ", "the old man"),
    ] {
        let text = format!("{lead}{sentence}");
        let plain = tokenizer.encode_source(sentence);
        let marked = tokenizer.encode_source(&text);
        assert_eq!(marked.ids, plain.ids, "{text}");
        let first = marked.ranges[0].clone().unwrap();
        assert_eq!(first.start, lead.len());
        // Its translation begins with them too, read and written.
        let target = tokenizer.encode_target_of(&text, &marked.carried);
        assert_eq!(target.ids, plain.ids);
        assert_eq!(target.ranges, marked.ranges);
        let decoded = tokenizer.decode_with_ranges(&target.ids, &marked.carried);
        assert_eq!(decoded.text, text);
        assert_eq!(decoded.ranges[0].clone().unwrap().start, lead.len());
        // Of a pair that has them on one side alone they are learnt as they stand.
        let pair = |source: &str, target: &str| {
            let (mut one, mut other) = (|| 1.0, || 1.0);
            let none = |uniform| Dropout {
                probability: 0.0,
                uniform,
            };
            let dropout = [&mut none(&mut one), &mut none(&mut other)];
            tokenizer
                .encode_pair(source, target, dropout)
                .map(|side| side.ids)
        };
        assert!(pair(&text, sentence)[0].len() > plain.ids.len());
        assert_eq!(pair(&text, &text), [plain.ids.clone(), plain.ids]);
    }
    // Other people's models read them.
    let without = common::tokenizer(0).with_languages(Some("en"), Some("de"));
    let [plain, marked] = ["the dog", "- the dog"].map(|text| without.encode_source(text));
    assert!(marked.ids.len() > plain.ids.len());
    assert_eq!(&*marked.carried.lead, "");
}

/// The pieces that each pair of a source's marks stands around in the source itself.
fn around(encoding: &Encoding) -> Vec<Option<std::ops::Range<usize>>> {
    let all = 0..encoding.ids.len() - 1;
    let marks = encoding.carried.marks.iter();
    marks
        .map(|marks| Some(marks.source.clone().unwrap_or(all.clone())))
        .collect()
}

#[test]
fn pairs_of_marks_are_not_read_and_are_written_around_their_words() {
    let tokenizer = tokenizer(PLACEHOLDERS).with_languages(Some("en"), Some("de"));
    for (text, bare) in [
        ("the **old** man", "the old man"),
        ("<b>the dog</b>, a cat", "the dog, a cat"),
        ("a (<i>cat</i>).", "a (cat)."),
        ("*the* dog", "the dog"),
        ("**the <i>old</i>** ~~man~~", "the old man"),
        ("<p><b>the old man</b></p>", "the old man"),
        ("see [the dog](https://a.org/b)", "see the dog"),
    ] {
        let encoding = tokenizer.encode_source(text);
        assert_eq!(encoding.ids, tokenizer.encode_source(bare).ids, "{text}");
        assert_eq!(encoding.carried.literals, []);
        let around = around(&encoding);
        let decoded = tokenizer.decode_with_marks(&encoding.ids, &encoding.carried, &around);
        assert_eq!(decoded.text, text);
        // Each piece is where it is in the source, and where nothing is known of the marks, they are left out.
        for (range, source) in decoded.ranges.iter().zip(&encoding.ranges) {
            let printed = |range: &Option<std::ops::Range<usize>>| {
                range.clone().map(|range| text[range].trim().to_owned())
            };
            // A word's space comes before the marks around it.
            let source = printed(source).unwrap_or_default();
            assert!(
                source.ends_with(&printed(range).unwrap_or_default()),
                "{text}"
            );
        }
        let decoded = tokenizer.decode_with_ranges(&encoding.ids, &encoding.carried);
        assert_eq!(decoded.text, bare);
        // A translation is read without its marks too.
        let target = tokenizer.encode_target_of(text, &encoding.carried);
        assert_eq!(target.ids, tokenizer.encode_target(bare).ids);
    }
    // Other people's models read them.
    let without = common::tokenizer(0).with_languages(Some("en"), Some("de"));
    let [plain, marked] = ["the old man", "the *old* man"].map(|text| without.encode_source(text));
    assert!(marked.ids.len() > plain.ids.len());
    assert_eq!(marked.carried.marks, []);
}

#[test]
fn a_marked_text_is_translated_as_the_bare_one_with_its_marks_around_words() {
    let bare = "the old man sees a dog";
    let marked = [
        ("the **old** man sees a dog", ["**", "**"]),
        ("the old man <b>sees a dog</b>", ["<b>", "</b>"]),
        ("[the old man sees a dog](a.org)", ["[", "](a.org)"]),
    ];
    let mut translated = 0;
    for seed in 0..8 {
        let languages = tokenizer(PLACEHOLDERS).with_languages(Some("en"), Some("de"));
        let translator = translator_with(languages, seed);
        let search = search(2);
        let plain = translator.translate(bare, &search).unwrap();
        if !plain.contains(char::is_alphanumeric) {
            continue;
        }
        for (text, [open, close]) in marked {
            let translation = translator.translate(text, &search).unwrap();
            let (before, rest) = translation.split_once(open).unwrap();
            let (inside, after) = rest.split_once(close).unwrap();
            assert_eq!(format!("{before}{inside}{after}"), plain, "{text}");
            assert!(inside.contains(char::is_alphanumeric));
            // Line by line, and scored as it stands.
            let options = LineOptions::new(search.clone(), 1);
            let lines = translator.translate_lines(&[text], &options, &|_| ());
            assert_eq!(lines.unwrap()[0][0].text, translation);
            let target = Target::Text(&translation);
            let scored = translator.score(text, target, &ScoreOptions::default());
            assert_eq!(scored.unwrap().observation.text, translation);
            translated += 1;
        }
    }
    assert!(translated > 10, "{translated}");
}

#[test]
fn marks_that_are_not_in_pairs_are_read_apart_and_written_where_they_touch() {
    let tokenizer = tokenizer(PLACEHOLDERS).with_languages(Some("en"), Some("de"));
    for (text, mark) in [
        ("the old* man", "*"),
        ("the dog<br/>a cat", "<br/>"),
        ("the ~10 dogs", "~"),
    ] {
        let encoding = tokenizer.encode_source(text);
        assert_eq!(&*encoding.carried.literals[0].text, mark);
        let decoded = tokenizer.decode_with_ranges(&encoding.ids, &encoding.carried);
        assert_eq!(decoded.text, text);
    }
    // Another literal behind a mark keeps its distance.
    for text in ["the **old** :-)", "**the dog** 😀", "**the dog** :-)"] {
        let encoding = tokenizer.encode_source(text);
        assert!(encoding.carried.marks[0].source.is_some(), "{text}");
        let around = around(&encoding);
        let decoded = tokenizer.decode_with_marks(&encoding.ids, &encoding.carried, &around);
        assert_eq!(decoded.text, text);
    }
}

#[test]
fn amounts_come_out_as_the_target_language_writes_them() {
    let tokenizer = || tokenizer(PLACEHOLDERS).with_languages(Some("en"), Some("de"));
    let text = "It costs $1,299.00, not €45, for 1,500 men.";
    let encoding = tokenizer().encode_source(text);
    let written: Vec<&str> = encoding
        .carried
        .literals
        .iter()
        .map(|literal| &*literal.written)
        .collect();
    assert_eq!(written, ["1.299,00\u{a0}$", "45\u{a0}€", "1.500"]);
    // A translation that is given is read the same way, whichever blanks it has.
    let target = tokenizer().encode_target_of(
        "Das kostet 45 €, nicht 1.299,00 $, 1.500.",
        &encoding.carried,
    );
    let ids =
        |literal: &literals::Literal| target.ids.iter().filter(|id| **id == literal.id).count();
    assert!(
        encoding
            .carried
            .literals
            .iter()
            .all(|literal| ids(literal) == 1)
    );
    for seed in 0..4 {
        let translator = translator_with(tokenizer(), seed);
        let options = LineOptions::new(search(2), 1);
        let found = translator.translate_lines(&[text], &options, &|_| {});
        let translation = &found.unwrap()[0][0].text;
        for part in &written {
            assert_eq!(translation.matches(part).count(), 1, "{translation}");
        }
        assert!(!translation.contains("1,299"), "{translation}");
    }
    // Of languages whose notation is not known nothing is read into an amount.
    let dutch = common::tokenizer(PLACEHOLDERS).with_languages(Some("en"), Some("nl"));
    assert!(dutch.encode_source(text).carried.literals.is_empty());
}

#[test]
fn pieces_cover_the_text_and_placeholders_stand_for_its_literals() {
    let tokenizer = tokenizer(PLACEHOLDERS);
    for text in TEXTS {
        let encoding = tokenizer.encode_source(text);
        let expected: Vec<&str> = literals::find(text, None)
            .into_iter()
            .map(|range| &text[range])
            .collect();
        let found: Vec<&str> = encoding
            .carried
            .literals
            .iter()
            .map(|literal| &*literal.text)
            .collect();
        assert_eq!(found, expected, "{text}");
        let mut end = 0;
        for (range, id) in encoding.ranges.iter().zip(&encoding.ids) {
            let Some(range) = range else { continue };
            if range.end > end {
                assert_eq!(range.start, end, "{text}");
                end = range.end;
            }
            if let Some(literal) = encoding
                .carried
                .literals
                .iter()
                .find(|literal| literal.id == *id)
            {
                assert_eq!(&text[range.clone()], &*literal.text);
            }
        }
        assert_eq!(end, text.len(), "{text}");
        let decoded = tokenizer.decode_with_ranges(&encoding.ids, &encoding.carried);
        assert_eq!(decoded.text, text);
    }
}

#[test]
fn a_target_has_the_placeholders_of_its_source() {
    let tokenizer = tokenizer(PLACEHOLDERS);
    let source = tokenizer.encode_source("Write to a@b.org or call 8815518 😀");
    let target =
        tokenizer.encode_target_of("Ruf 8815518 an oder schreib an a@b.org 😀", &source.carried);
    let placeholders = tokenizer.target_vocabulary().placeholders();
    let order: Vec<u32> = target
        .ids
        .into_iter()
        .filter(|id| placeholders.contains(id))
        .collect();
    // Of the source "8815518 😀" is one literal, which the target has not.
    assert_eq!(order, [placeholders[0]]);
}

#[test]
fn literals_are_kept_whatever_the_weights() {
    for seed in 0..3 {
        let translator = translator(seed);
        for beam in [1, 4] {
            let search = search(beam);
            for text in TEXTS {
                let translation = translator.translate(text, &search).unwrap();
                for range in literals::find(text, None) {
                    let literal = &text[range];
                    assert_eq!(
                        translation.matches(literal).count(),
                        text.matches(literal).count(),
                        "{text} -> {translation}"
                    );
                }
            }
            let options = LineOptions::new(search, 1);
            let lines = translator
                .translate_lines(&TEXTS, &options, &|_| ())
                .unwrap();
            assert!(lines[0][0].text.contains("https://example.org/a?b=1"));
        }
    }
}

#[test]
fn dates_in_figures_are_read_with_the_months_name() {
    let between =
        |source, target| common::tokenizer(PLACEHOLDERS).with_languages(Some(source), Some(target));
    for (source, figures, named) in [
        ("de", "am 12.03.2024.", "am 12. März 2024."),
        (
            "de",
            "vom 1. 2. 2025 bis 3.2.2025",
            "vom 1. Februar 2025 bis 3. Februar 2025",
        ),
        ("de", "Am 7.10. um 15:30 Uhr", "Am 7. Oktober um 15:30 Uhr"),
        ("de", "nur am 7.10.", "nur am 7. Oktober."),
        ("fr", "le 01/04/2022,", "le 1er avril 2022,"),
    ] {
        let tokenizer = between(source, "en");
        let [of_figures, of_name] = [figures, named].map(|text| tokenizer.encode_source(text));
        assert_eq!(of_figures.ids, of_name.ids, "{figures}");
        // Their pieces stand for the figures.
        let ends = of_figures.ranges.iter().flatten().map(|range| range.end);
        assert_eq!(ends.max(), Some(figures.len()), "{figures}");
        // The translation holds them, as it does those with the name.
        let forms = |text| {
            let required = tokenizer.required(text).into_iter();
            required.map(|one| one.forms).collect::<Vec<_>>()
        };
        assert!(!forms(figures).is_empty());
        assert_eq!(forms(figures), forms(named), "{figures}");
    }
    // More than two, parts of something else, and those whose order is not certain are copied.
    for (source, text, literals) in [
        ("de", "1.1.2020, 2.2.2021, 3.3.2022", 3),
        ("de", "https://example.org/1.1.2020", 1),
        ("de", "`am 1.1.2020`", 1),
        ("en", "on 03/04/2024", 1),
    ] {
        let tokenizer = between(source, if source == "en" { "de" } else { "en" });
        assert_eq!(
            tokenizer.encode_source(text).carried.literals.len(),
            literals,
            "{text}"
        );
        assert_eq!(tokenizer.required(text), [], "{text}");
    }
    // Other people's models read them as they stand.
    let other = common::tokenizer(0).with_languages(Some("de"), Some("en"));
    let [figures, named] =
        ["am 12.03.2024.", "am 12. März 2024."].map(|text| other.encode_source(text));
    assert_ne!(figures.ids, named.ids);
    assert_eq!(other.required("am 12. März 2024"), []);
}

#[test]
fn dates_are_held_whatever_the_weights() {
    let tokenizer = || common::tokenizer(PLACEHOLDERS).with_languages(Some("de"), Some("en"));
    let texts = [
        ("Am 3. Mai 😀 kommt er.", &["May 3"][..]),
        ("vom 7.10. bis zum 9. Mai", &["October 7", "May 9"]),
        ("den **4. Mai**, `am 5. Mai`", &["May 4", "am 5. Mai"]),
    ];
    for seed in 0..3 {
        let translator = translator_with(tokenizer(), seed);
        for beam in [1, 4] {
            let mut search = search(beam);
            search.max_extra = 40;
            for (text, held) in texts {
                let translation = translator.translate(text, &search).unwrap();
                for date in held {
                    assert!(translation.contains(date), "{text} -> {translation}");
                }
            }
            let lines: Vec<&str> = texts.iter().map(|(text, _)| *text).collect();
            let options = LineOptions::new(search, 1);
            let found = translator
                .translate_lines(&lines, &options, &|_| ())
                .unwrap();
            assert!(
                found[1][0].text.contains("October 7"),
                "{}",
                found[1][0].text
            );
        }
    }
    // What the reader wants for a date comes before it.
    let translator = translator_with(tokenizer(), 1);
    let mut options = LineOptions::new(search(1), 1);
    options.terms = vec![Term {
        source: "Mai".into(),
        target: "dog".into(),
    }];
    let lines = translator
        .translate_lines(&["am 3. Mai"], &options, &|_| ())
        .unwrap();
    assert!(lines[0][0].text.contains("dog"), "{}", lines[0][0].text);
}

#[test]
fn a_sentence_with_more_literals_than_placeholders_is_cut() {
    let translator = translator(1);
    let text = "a😀b😃c😄d😁e😆f 😅 g🤣h 😂 i🙂j";
    let search = search(1);
    let translation = translator.translate(text, &search).unwrap();
    for range in literals::find(text, None) {
        assert!(translation.contains(&text[range.clone()]), "{translation}");
    }
}

#[test]
fn pieces_are_printed_as_what_they_stand_for() {
    let translator = translator(2);
    let search = search(1);
    let events = translator
        .events("Look: 😀!", &DocumentOptions::new(search))
        .unwrap();
    let mut printed = 0;
    for event in events {
        match event.unwrap() {
            JobEvent::Sentences { sentences } => {
                printed += sentences[0]
                    .source
                    .iter()
                    .filter(|piece| piece.text == "😀")
                    .count();
            }
            JobEvent::Sentence { target, text, .. } => {
                let piece = target.iter().find(|piece| piece.text == "😀").unwrap();
                let [start, end] = piece.range.unwrap();
                assert_eq!(&text[start..end], "😀");
                printed += 1;
            }
            _ => {}
        }
    }
    assert_eq!(printed, 2);
}

#[test]
fn a_vocabulary_without_placeholders_reads_everything_itself() {
    let tokenizer = tokenizer(0);
    let encoding = tokenizer.encode_source("https://example.org 😀");
    assert!(encoding.carried.literals.is_empty() && encoding.ids.len() > 6);
    assert_eq!(tokenizer.decode(&encoding.ids), "https://example.org 😀");
}

#[test]
fn words_of_the_reader_come_out_whatever_is_observed() {
    let text = "A dog 😀 runs to the dog.";
    let terms = vec![Term {
        source: "dog".into(),
        target: "Köter".into(),
    }];
    for seed in 0..4 {
        let mut lines = LineOptions::new(search(3), 1);
        lines.terms = terms.clone();
        let alone = translator(seed).translate_lines(&[text], &lines, &|_| ());
        let alone = alone.unwrap()[0][0].text.clone();
        assert_eq!(alone.matches("Köter").count(), 2, "{alone}");
        assert!(alone.contains("😀"), "{alone}");
        for request in [
            TraceRequest::attention(),
            TraceRequest::attention().with_layers([0]),
            TraceRequest::default(),
        ] {
            let mut options = DocumentOptions::new(search(3));
            options.terms = terms.clone();
            let mut observe = Observe::new(0, request);
            observe.tree = true;
            options.observe = Some(observe);
            let translator = translator(seed);
            let mut job = translator.job(text, &options).unwrap();
            while !job.is_done() {
                job.step(&translator).unwrap();
                job.observation(&translator);
            }
            assert_eq!(job.text(), alone, "seed {seed}");
        }
    }
}
