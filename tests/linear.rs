//! Texts of every shape are split, encoded and located in time that grows with their length.
#![cfg(not(target_arch = "wasm32"))]

#[path = "common/tokenizer.rs"]
mod common;

use common::tokenizer;
use cpu_time::ThreadTime;
use std::hint::black_box;
use translucent::Config;
use translucent::model::Transformer;
use translucent::search::SearchOptions;
use translucent::text::{literals, sentences, utf16_ranges};
use translucent::translator::{DocumentOptions, Offsets, Translator};

/// Lengths, in repetitions of a pattern.
const SHORT: usize = 1_000;
const LONG: usize = 8 * SHORT;
/// Eight times the text; a quadratic pass takes sixty-four times as long.
const MOST: f64 = 30.0;
/// Shorter times say nothing, in seconds.
const LEAST: f64 = 2e-3;

/// Each is repeated: what sentences, literals, normalisation and pieces look ahead for, and do not find.
const PATTERNS: [&str; 20] = [
    "The man sees a dog. ",
    "a",
    "a ",
    ". ",
    "...) ",
    "(",
    "\n",
    ">>",
    ">>de<<",
    "12345a ",
    "1-",
    "DE89 ",
    "dont ",
    "wont,",
    "u’r “",
    "IM AT ",
    "www.a.",
    "a@b).",
    "\u{645}\u{301}",
    "\u{fdfa}\u{1f468}\u{200d}",
];

/// What is done with a text.
type Pass<'a> = &'a dyn Fn(&str);

/// Seconds of processor time of a pass, the least of three.
fn seconds(pass: &dyn Fn(&str), text: &str) -> f64 {
    let time = |_| {
        let start = ThreadTime::now();
        pass(text);
        start.elapsed().as_secs_f64()
    };
    (0..3).map(time).fold(f64::INFINITY, f64::min)
}

#[test]
fn every_pass_over_a_text_takes_time_in_proportion() {
    let tokenizer = tokenizer(4).with_languages(Some("en"), None);
    let config = Config {
        pad_id: tokenizer.pad_id(),
        decoder_start_id: tokenizer.pad_id(),
        banned_ids: vec![tokenizer.pad_id()],
        placeholder_ids: tokenizer.target_vocabulary().placeholders().to_vec(),
        ..Config::tiny(tokenizer.vocab_size())
    };
    let model = Transformer::random(config, 1).unwrap();
    let translator = Translator::new(model, tokenizer.clone());
    let mut options = DocumentOptions::new(SearchOptions::default());
    options.offsets = Offsets::Utf16;
    let passes: [(&str, Pass<'_>); 5] = [
        ("sentences", &|text| {
            black_box(sentences::split(text));
        }),
        ("literals", &|text| {
            black_box(literals::find(text, literals::Notation::of("fr")));
        }),
        ("pieces", &|text| {
            black_box(tokenizer.encode_source(text));
        }),
        ("offsets", &|text| {
            let characters = text
                .char_indices()
                .map(|(at, c)| Some(at..at + c.len_utf8()));
            black_box(utf16_ranges(text, &characters.collect::<Vec<_>>()));
        }),
        // All of them together, with sentences cut that are too long, up to the event that names the sentences.
        ("document", &|text| {
            let mut job = translator.job(text, &options).unwrap();
            black_box(job.step(&translator).unwrap());
        }),
    ];
    for pattern in PATTERNS {
        let (short, long) = (pattern.repeat(SHORT), pattern.repeat(LONG));
        for (name, pass) in passes {
            let (one, eight) = (seconds(pass, &short).max(LEAST), seconds(pass, &long));
            assert!(
                eight < MOST * one,
                "{name} of {pattern:?}: {one} s, {eight} s"
            );
        }
    }
}
