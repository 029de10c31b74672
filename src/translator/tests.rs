//! What a translator must hold, with a model that copies its source and a tokenizer of single characters.

use super::*;
use crate::model::{Row, Slot};
use crate::search::PieceScore;
use crate::text::{Carried, Decoded, Encoding};
use crate::trace::{Intervention, Trace, TraceRequest};
use crate::{Config, Result};
use ndarray::{Array2, ArrayView2};
use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

const EOS: u32 = 0;
/// Ids of the fake tokenizer: 1 is "▁", 2.. are the characters of this list, the last is the start symbol.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzß🙂.,!?ABC0123456789";

fn vocab() -> usize {
    LETTERS.chars().count() + 3
}

/// One piece for each character, "▁" for white space. `>>a<<` and `>>b<<` are language codes.
struct Letters {
    printed: Vec<String>,
    /// How often a source was encoded.
    encoded: AtomicUsize,
}

impl Letters {
    fn new() -> Self {
        let letters = LETTERS.chars().map(String::from);
        let printed = ["</s>".into(), "▁".into()]
            .into_iter()
            .chain(letters)
            .chain(["<pad>".into()]);
        Self {
            printed: printed.collect(),
            encoded: AtomicUsize::new(0),
        }
    }
}

impl Letters {
    fn ids(&self, text: &str) -> Vec<u32> {
        let mut ids = self.encode_source(text).ids;
        ids.pop();
        ids
    }
}

impl Subwords for Letters {
    fn encode_source(&self, text: &str) -> Encoding {
        self.encoded.fetch_add(1, Ordering::Relaxed);
        let id = |c: char| match LETTERS.chars().position(|letter| letter == c) {
            Some(place) => place as u32 + 2,
            None => 1,
        };
        let pieces = text
            .char_indices()
            .map(|(at, c)| (id(c), Some(at..at + c.len_utf8())));
        let (ids, ranges) = pieces.chain([(EOS, None)]).unzip();
        Encoding {
            ids,
            ranges,
            carried: Carried::default(),
        }
    }

    fn language_code(&self, text: &str) -> Option<u32> {
        let code = [(">>a<<", 2), (">>b<<", 3)].into_iter();
        code.filter(|(code, _)| text.starts_with(code))
            .map(|(_, id)| id)
            .next()
    }

    fn encode_target(&self, text: &str, _: &Carried) -> Encoding {
        self.encode_source(text)
    }

    fn decode(&self, ids: &[u32], _: &Carried, _: &[Option<Range<usize>>]) -> Decoded {
        let mut decoded = Decoded::default();
        for id in ids {
            let start = decoded.text.len();
            match *id {
                EOS => {}
                1 => decoded.text.push(' '),
                id => decoded.text.push_str(&self.printed[id as usize]),
            }
            let end = decoded.text.len();
            decoded.ranges.push((*id != EOS).then_some(start..end));
        }
        decoded
    }

    fn piece(&self, _: Side, id: u32) -> &str {
        &self.printed[id as usize]
    }

    fn words(&self, _: Side, ids: &[u32]) -> Vec<Option<u32>> {
        let mut word = 0;
        let words = ids.iter().map(|id| {
            word += u32::from(*id == 1);
            (*id != EOS).then_some(word)
        });
        words.collect()
    }
}

/// Copies the source, the next letter of the alphabet being its second choice.
struct Copier {
    config: Config,
    passes: AtomicUsize,
}

struct CopierState {
    sources: Vec<Vec<u32>>,
    /// Sentence and number of pieces read before, of each slot.
    slots: Vec<(usize, usize)>,
    alignments: Vec<Vec<f32>>,
    observed: Vec<TraceRequest>,
    logits: Array2<f32>,
}

impl Seq2Seq for Copier {
    type State = CopierState;

    fn config(&self) -> &Config {
        &self.config
    }

    fn encode_with(
        &self,
        sentences: &[&[u32]],
        requests: &[TraceRequest],
        _: &Intervention,
    ) -> Result<CopierState> {
        assert!(
            sentences
                .iter()
                .all(|s| s.len() <= self.config.max_positions && s.last() == Some(&EOS))
        );
        Ok(CopierState {
            sources: sentences.iter().map(|s| s.to_vec()).collect(),
            slots: Vec::new(),
            alignments: Vec::new(),
            observed: requests.to_vec(),
            logits: Array2::zeros((0, 0)),
        })
    }

    fn step<'s>(&self, state: &'s mut CopierState, rows: &[Row]) -> Result<ArrayView2<'s, f32>> {
        self.passes.fetch_add(1, Ordering::Relaxed);
        state.logits = Array2::zeros((rows.len(), self.config.vocab_size));
        for (i, row) in rows.iter().enumerate() {
            let position = row
                .parent
                .map_or(0, |Slot(parent)| state.slots[parent as usize].1 + 1);
            let source = &state.sources[row.sentence];
            let right = source.get(position).copied().unwrap_or(EOS) as usize;
            state.logits[[i, right]] = 9.0;
            state.logits[[i, (right + 1) % vocab()]] = 7.0;
            state.slots.push((row.sentence, position));
            // Each piece is read where it is copied from.
            let mut alignment = vec![0.0; source.len()];
            alignment[position.min(source.len() - 1)] = 1.0;
            state.alignments.push(alignment);
        }
        Ok(state.logits.view())
    }

    fn trace(&self, state: &CopierState, sentence: usize, path: &[Slot]) -> Trace {
        let asked = state
            .observed
            .get(sentence)
            .is_some_and(|request| request.hidden);
        Trace {
            memory: asked.then(|| Array2::zeros((state.sources[sentence].len(), 1))),
            decoder_output: asked.then(|| Array2::zeros((path.len(), 1))),
            ..Trace::default()
        }
    }

    fn alignment<'s>(&self, state: &'s CopierState, Slot(slot): Slot) -> Option<&'s [f32]> {
        let (sentence, _) = state.slots[slot as usize];
        let is_asked = state.observed.get(sentence)?.alignment;
        is_asked.then_some(&state.alignments[slot as usize])
    }

    fn release(&self, _: &mut CopierState, _: usize) {}
}

fn translator() -> Translator<Copier, Letters> {
    let config = Config {
        max_positions: 60,
        ..Config::tiny(vocab())
    };
    Translator::new(
        Copier {
            config,
            passes: AtomicUsize::new(0),
        },
        Letters::new(),
    )
}

fn passes(translator: &Translator<Copier, Letters>) -> usize {
    translator.model.passes.swap(0, Ordering::Relaxed)
}

fn run(
    translator: &Translator<Copier, Letters>,
    text: &str,
    options: &DocumentOptions,
) -> (Vec<JobEvent>, Vec<Observation>) {
    let mut job = translator.job(text, options).unwrap();
    let (mut events, mut observations) = (Vec::new(), Vec::new());
    while !job.is_done() {
        events.extend(job.step(translator).unwrap());
        observations.extend(job.observation(translator));
    }
    assert_eq!(job.step(translator).unwrap(), Vec::new());
    assert_eq!(job.observation(translator), None);
    (events, observations)
}

fn observing(sentence: usize) -> DocumentOptions {
    let request = TraceRequest {
        hidden: true,
        ..TraceRequest::default()
    };
    DocumentOptions {
        observe: Some(Observe {
            sentence,
            request,
            alternatives: 3,
            tree: false,
        }),
        ..DocumentOptions::default()
    }
}

/// The finished sentences that events tell of, in their order.
fn finished(events: &[JobEvent]) -> Vec<(usize, String)> {
    let sentence = |event: &JobEvent| match event {
        JobEvent::Sentence { sentence, text, .. } => Some((*sentence, text.clone())),
        _ => None,
    };
    events.iter().filter_map(sentence).collect()
}

#[test]
fn a_document_keeps_its_line_breaks_and_white_space() {
    let translator = translator();
    for text in [
        "",
        " \n",
        "a b.",
        "\n A b.  Abc!\n\n  c d\r\n",
        "Ab. B c? A\tb.\n",
    ] {
        assert_eq!(
            translator
                .translate(text, &SearchOptions::default())
                .unwrap(),
            text
        );
    }
}

#[test]
fn sentences_come_in_order_and_the_first_before_the_others_begin() {
    let translator = translator();
    let text = "A bcc. ".repeat(3) + &"B c dee.\n".repeat(20) + "C 1.\nC 2.\nC 3.";
    let options = DocumentOptions {
        max_rows: 8,
        ..DocumentOptions::default()
    };
    let (events, _) = run(&translator, &text, &options);
    assert!(matches!(&events[0], JobEvent::Sentences { sentences } if sentences.len() == 26));
    let order: Vec<usize> = finished(&events)
        .into_iter()
        .map(|(sentence, _)| sentence)
        .collect();
    assert_eq!(order, (0..26).collect::<Vec<_>>());
    let Some(JobEvent::Translated(Translated {
        text: translation,
        tokens,
    })) = events.last()
    else {
        panic!("the last event is {:?}", events.last());
    };
    assert_eq!(*translation, text);
    assert!(
        *tokens < text.chars().count(),
        "equal sentences are decoded once"
    );
}

#[test]
fn offsets_count_what_was_asked_for() {
    let translator = translator();
    let text = "🙂ß a.\n🙂 b.";
    for (unit, length) in [
        (Offsets::Utf8, &str::len as &dyn Fn(&str) -> usize),
        (Offsets::Utf16, &|s| s.encode_utf16().count()),
    ] {
        let (events, _) = run(
            &translator,
            text,
            &DocumentOptions {
                offsets: unit,
                ..observing(9)
            },
        );
        let JobEvent::Sentences { sentences } = &events[0] else {
            panic!()
        };
        let second = &sentences[1];
        let start = length("🙂ß a.\n");
        assert_eq!(second.range, [start, length(text)]);
        assert_eq!(second.source[0].range, Some([start, start + length("🙂")]));
        assert_eq!(
            (second.source[2].word, second.source[2].text.as_str()),
            (Some(1), "b")
        );
        assert_eq!(second.source.last().unwrap().range, None);
        assert_eq!(sentences[0].after, "\n");
        let target = |event: &JobEvent| match event {
            JobEvent::Sentence {
                sentence: 1,
                target,
                ..
            } => Some(target.clone()),
            _ => None,
        };
        let target = events.iter().find_map(target).unwrap();
        assert_eq!(target[1].range, Some([length("🙂"), length("🙂 ")]));
        assert!(target.iter().all(|piece| piece.logprob.unwrap() < 0.0));
    }
}

#[test]
fn partial_text_grows_and_what_is_stable_stays() {
    let translator = translator();
    let (events, _) = run(&translator, "Abc de.", &DocumentOptions::default());
    let mut stable = String::new();
    let mut partials = 0;
    for event in &events {
        if let JobEvent::Partial {
            text,
            stable_length,
            ..
        } = event
        {
            assert!(text.starts_with(&stable) && *stable_length >= stable.len());
            stable = text[..*stable_length].to_owned();
            assert!("Abc de.".starts_with(&stable));
            partials += 1;
        }
    }
    assert!(partials > 5);
    assert_eq!(stable, "Abc de.");
}

#[test]
fn steps_together_give_the_last_partial_state_of_each_sentence() {
    let translator = translator();
    let options = DocumentOptions::default();
    let (single, _) = run(&translator, "Abc de. Fa ge.", &options);
    let is_partial = |event: &JobEvent| matches!(event, JobEvent::Partial { .. });
    let of = |i: usize| move |event: &JobEvent| matches!(event, JobEvent::Partial { sentence, .. } if *sentence == i);

    let fresh = self::translator();
    let mut job = fresh.job("Abc de. Fa ge.", &options).unwrap();
    let all = job.step_while(&fresh, || true).unwrap();
    assert!(job.is_done());
    for i in [0, 1] {
        let partials: Vec<_> = all.iter().filter(|event| of(i)(event)).collect();
        assert_eq!(
            partials,
            [single.iter().rfind(|event| of(i)(event)).unwrap()]
        );
    }
    let others = |events: &[JobEvent]| -> Vec<JobEvent> {
        events
            .iter()
            .filter(|event| !is_partial(event))
            .cloned()
            .collect()
    };
    assert_eq!(others(&all), others(&single));

    let mut once = fresh.job("Abc.", &options).unwrap();
    assert_eq!(once.step_while(&fresh, || false).unwrap().len(), 1);
    assert!(!once.is_done());
}

#[test]
fn only_changed_sentences_are_decoded_again() {
    let translator = translator();
    let options = DocumentOptions::default();
    run(&translator, "Abb. Bac. Cad.", &options);
    assert!(passes(&translator) > 0);
    let (events, _) = run(&translator, "Abb. Bac. Cad.", &options);
    assert_eq!(passes(&translator), 0);
    assert_eq!(finished(&events).len(), 3);
    let (events, _) = run(&translator, "Abb. Bad. Cad.", &options);
    assert!(passes(&translator) > 0);
    // What is known comes at once.
    assert_eq!(
        finished(&events)
            .iter()
            .map(|(i, _)| *i)
            .collect::<Vec<_>>(),
        [0, 2, 1]
    );
    let search = SearchOptions {
        beam: 2,
        ..SearchOptions::default()
    };
    run(&translator, "Abb.", &DocumentOptions { search, ..options });
    assert!(
        passes(&translator) > 0,
        "other options give another translation"
    );
}

#[test]
fn equal_sentences_are_emitted_a_few_at_a_time() {
    let translator = translator();
    let count = 5 * super::job::MAX_CACHED_PER_STEP + 3;
    let text = "Abb.\n".repeat(count);
    for round in ["new", "known"] {
        let mut job = translator.job(&text, &observing(1)).unwrap();
        let mut told = Vec::new();
        while !job.is_done() {
            let step = finished(&job.step(&translator).unwrap());
            assert!(
                step.len() <= super::job::MAX_CACHED_PER_STEP,
                "{}",
                step.len()
            );
            told.extend(step.into_iter().map(|(i, _)| i));
        }
        told.sort_unstable();
        assert_eq!(told, (0..count).collect::<Vec<_>>());
        assert_eq!(job.text(), text);
        // The observed one is followed once more.
        assert!(passes(&translator) > 0, "{round}");
    }
    run(&translator, &text, &DocumentOptions::default());
    assert_eq!(passes(&translator), 0);
}

#[test]
fn one_sentence_is_observed_while_it_grows_and_from_the_cache() {
    let translator = translator();
    let text = "Abb. B cd. Cad.";
    let (_, grown) = run(&translator, text, &observing(1));
    assert!(grown.len() > 3 && grown.iter().all(|o| o.sentence == 1));
    assert_eq!(
        (
            grown[0].target.len(),
            grown[0].trace.memory.as_ref().unwrap().nrows()
        ),
        (0, 6)
    );
    let (last, growing) = grown.split_last().unwrap();
    assert!(last.is_final && growing.iter().all(|o| !o.is_final));
    assert_eq!(last.text, "B cd.");
    for observation in &grown {
        assert_eq!(
            observation.trace.decoder_output.as_ref().unwrap().nrows(),
            observation.target.len()
        );
        assert_eq!(observation.steps.len(), observation.target.len());
        for (step, piece) in observation.steps.iter().zip(&observation.target) {
            let total: f32 = step.pieces.iter().map(|a| a.probability).sum();
            assert!(step.pieces.len() == 3 && total <= 1.0);
            let chosen = step.pieces.iter().find(|a| a.id == piece.id).unwrap();
            assert!((chosen.probability.ln() - piece.logprob.unwrap()).abs() < 1e-6);
        }
    }
    let (events, again) = run(&translator, text, &observing(1));
    assert_eq!(finished(&events).len(), 3);
    assert_eq!(again, std::slice::from_ref(last));
    let (_, none) = run(&translator, text, &observing(7));
    assert!(none.is_empty());
}

#[test]
fn a_prefix_steers_the_observed_sentence_only() {
    let translator = translator();
    let prefix = translator.tokenizer.ids("xy");
    let search = SearchOptions {
        prefix,
        ..SearchOptions::default()
    };
    let (events, _) = run(
        &translator,
        "Abc. Abc.",
        &DocumentOptions {
            search: search.clone(),
            ..observing(1)
        },
    );
    let Some(JobEvent::Translated(translated)) = events.last() else {
        panic!()
    };
    assert_eq!(translated.text, "Abc. xyc.");
    assert_eq!(
        translator.translate("Abc. Abc.", &search).unwrap(),
        "xyc. Abc."
    );
}

#[test]
fn a_sentence_that_is_too_long_is_cut_and_nothing_of_it_lost() {
    let translator = translator();
    assert_eq!(translator.longest_sentence(), 40);
    let text = "abcde fgh, ".repeat(9) + "ij.";
    let (events, _) = run(&translator, &text, &DocumentOptions::default());
    let JobEvent::Sentences { sentences } = &events[0] else {
        panic!()
    };
    assert!(sentences.len() > 2);
    for (i, sentence) in sentences.iter().enumerate() {
        assert!(sentence.source.len() <= 40);
        assert_eq!(
            sentence.cut_at,
            (i + 1 < sentences.len()).then_some(sentence.range[1])
        );
    }
    let Some(JobEvent::Translated(translated)) = events.last() else {
        panic!()
    };
    assert_eq!(translated.text, text);
    let unbroken = "abc".repeat(50);
    assert_eq!(
        translator
            .translate(&unbroken, &SearchOptions::default())
            .unwrap(),
        unbroken
    );
}

#[test]
fn lines_stay_lines_whatever_they_hold_and_however_many_threads() {
    let translator = translator();
    let long = "abcde fgh ".repeat(9) + "ij";
    let lines = ["A b. B c.", "", "c", "  ", &long, "a b c d e f g"];
    for threads in [1, 2] {
        for max_rows in [1, 8, 100] {
            let options = LineOptions {
                threads,
                max_rows,
                ..LineOptions::default()
            };
            let told = AtomicUsize::new(0);
            let found = translator.translate_lines(&lines, &options, &|n| {
                told.fetch_max(n, Ordering::Relaxed);
            });
            let found: Vec<String> = found
                .unwrap()
                .into_iter()
                .map(|mut line| line.remove(0).text)
                .collect();
            assert_eq!(found, ["A b. B c.", "", "c", "", &long, "a b c d e f g"]);
            assert!(told.into_inner() >= 4);
        }
    }
}

#[test]
fn a_given_target_is_scored_piece_by_piece() {
    let translator = translator();
    let options = ScoreOptions {
        request: TraceRequest {
            hidden: true,
            ..TraceRequest::default()
        },
        alternatives: 2,
        ..ScoreOptions::default()
    };
    let scored = translator
        .score("ab c", Target::Text("ab d"), &options)
        .unwrap();
    let text = &scored.observation;
    assert_eq!(
        (text.text.as_str(), text.target.len(), text.is_final),
        ("ab d", 5, true)
    );
    let total = 9f32.exp() + 7f32.exp() + (vocab() - 2) as f32;
    let (right, wrong) = ((9f32.exp() / total).ln(), (7f32.exp() / total).ln());
    assert!((scored.logprob() - (4.0 * right + wrong)).abs() < 1e-4);
    assert!(text.steps.iter().all(|step| step.pieces.len() == 2));
    let observed = text.trace.decoder_output.as_ref();
    assert_eq!(observed.unwrap().nrows(), 5);
    // The copier's logits are 9 for the source's piece, 7 for one other and 0 for the rest.
    let ranks: Vec<usize> = scored.scores.iter().map(|score| score.rank).collect();
    assert_eq!(ranks, [1, 1, 1, 2, 1]);
    let words = scored.words();
    let named: Vec<(&str, [usize; 2])> = words
        .iter()
        .map(|word| (&*word.text, word.pieces))
        .collect();
    assert_eq!(named, [("ab", [0, 2]), ("d", [2, 4]), ("</s>", [4, 5])]);
    let sums = |score: fn(&PieceScore) -> f32| scored.scores[2..4].iter().map(score).sum::<f32>();
    let second = &words[1];
    assert_eq!(second.logprob, sums(|score| score.logprob));
    assert_eq!(second.loss, sums(|score| score.loss));
    let last = scored.scores[4];
    assert!((last.surprisal + right / 2f32.ln()).abs() < 1e-5);
    let others = (vocab() - 2) as f32;
    let mean = (9.0 + 7.0 - vocab() as f32 * total.ln()) / vocab() as f32;
    assert!((last.loss - (-0.9 * right - 0.1 * mean)).abs() < 1e-5);
    let bits = right.exp() * right + wrong.exp() * wrong - others * total.ln() / total;
    assert!((last.entropy + bits / 2f32.ln()).abs() < 1e-5);

    let begun: Vec<u32> = translator.tokenizer.ids("ab");
    let begun = translator
        .score("ab c", Target::Pieces(&begun), &ScoreOptions::default())
        .unwrap()
        .observation;
    assert_eq!(
        (begun.target.len(), begun.is_final, begun.steps.len()),
        (2, false, 0)
    );

    let long = "a".repeat(60);
    for (source, target) in [(long.as_str(), "a"), ("a", long.as_str())] {
        let error = translator
            .score(source, Target::Text(target), &ScoreOptions::default())
            .unwrap_err();
        assert_eq!(error.code(), "TextTooLong");
    }
}

#[test]
fn fetching_no_observation_changes_nothing() {
    let calls = Cell::new(0);
    let texts = [true, false].map(|fetch| {
        let translator = translator();
        let mut job = translator.job("Ab c. B.", &observing(0)).unwrap();
        while !job.is_done() {
            job.step(&translator).unwrap();
            if fetch && job.observation(&translator).is_some() {
                calls.set(calls.get() + 1);
            }
        }
        job.text()
    });
    assert_eq!(texts[0], texts[1]);
    assert!(calls.get() > 0);
}

#[test]
fn a_watched_tree_grows_even_if_the_translation_is_known() {
    let translator = translator();
    let mut options = observing(0);
    let trees = [false, true, true].map(|tree| {
        options.observe.as_mut().unwrap().tree = tree;
        let mut job = translator.job("ab c.", &options).unwrap();
        let mut tree = Vec::new();
        while !job.is_done() {
            for event in job.step(&translator).unwrap() {
                if let JobEvent::Nodes { nodes, .. } = event {
                    tree.extend(nodes);
                }
            }
        }
        tree
    });
    let [unwatched, first, again] = trees;
    assert!(unwatched.is_empty() && !first.is_empty());
    assert_eq!(first, again);
    for (place, BeamNode { node, step, .. }) in first.iter().enumerate() {
        assert_eq!(node.id.0 as usize, place);
        let parent = node.parent.map(|parent| &first[parent.0 as usize]);
        assert_eq!(*step, parent.map_or(0, |parent| parent.step + 1));
    }
}

#[test]
fn a_sentence_is_tokenised_once_and_not_at_all_if_it_is_cached() {
    let translator = translator();
    let encoded = || translator.tokenizer.encoded.swap(0, Ordering::Relaxed);
    let options = DocumentOptions::default();
    run(&translator, "Abc. B cc. Cab.", &options);
    assert_eq!(encoded(), 3);
    let (events, _) = run(&translator, "Abc. B cd. Cab.", &options);
    assert_eq!(encoded(), 1);
    let JobEvent::Sentences { sentences } = &events[0] else {
        panic!("{:?}", events[0])
    };
    assert_eq!(sentences[0].source.len(), 5, "cached pieces are emitted");
}

/// Steps a job that may follow what another one reported; its events, and what has been reported at its end.
fn follow(
    translator: &Translator<Copier, Letters>,
    text: &str,
    options: &DocumentOptions,
    reported: Option<&Reported>,
) -> (Vec<JobEvent>, Reported) {
    let mut job = translator.job(text, options).unwrap();
    assert!(job.reported().is_none());
    if let Some(reported) = reported {
        job.follow(reported);
    }
    let mut events = Vec::new();
    while !job.is_done() {
        events.extend(job.step(translator).unwrap());
    }
    let reported = job.reported().unwrap();
    (events, reported)
}

#[test]
fn a_job_that_follows_another_tells_what_has_changed() {
    let text = "Abc.  B 🙂 cca! Cab.\nB abc.";
    let edits = [
        (text, 4, 0, vec![0, 1, 2, 3]),
        ("Abc.  B 🙂 cab! Cab.\nB abc.", 1, 2, vec![0, 2, 3]),
        ("Abb.  B 🙂 cca! Cab.\nB abc.", 0, 3, vec![1, 2, 3]),
        (" Abc.  B 🙂 cca! Cab.\nB abc.", 0, 4, vec![0, 1, 2, 3]),
        ("Abc.  B 🙂 cca! Cab. Bcba.\nB abc.", 2, 1, vec![0, 1, 4]),
        ("Abc.  B 🙂 cca!", 1, 0, vec![0]),
        ("", 0, 0, vec![]),
    ];
    for offsets in [Offsets::Utf8, Offsets::Utf16] {
        for (edited, before, after, known) in &edits {
            let translator = translator();
            let options = DocumentOptions {
                offsets,
                ..DocumentOptions::default()
            };
            let (events, reported) = follow(&translator, text, &options, None);
            let JobEvent::Sentences { sentences: old } = &events[0] else {
                panic!("{:?}", events[0])
            };
            let (events, again) = follow(&translator, edited, &options, Some(&reported));
            let JobEvent::Changed(changed) = &events[0] else {
                panic!("{:?}", events[0])
            };
            // What a receiver has then is what one without a past gets.
            let (whole, _) = follow(&translator, edited, &options, None);
            let JobEvent::Sentences { sentences } = &whole[0] else {
                panic!("{:?}", whole[0])
            };
            let mut put = old[..changed.before].to_vec();
            put.extend(changed.sentences.iter().cloned());
            let add = |range: &mut [usize; 2]| {
                *range = range.map(|at| at.checked_add_signed(changed.shift).unwrap());
            };
            for mut info in old[old.len() - changed.after..].iter().cloned() {
                add(&mut info.range);
                info.source
                    .iter_mut()
                    .filter_map(|piece| piece.range.as_mut())
                    .for_each(add);
                put.push(info);
            }
            assert_eq!(&put, sentences, "{edited}");
            let kept = [changed.before, changed.after];
            assert_eq!(
                (kept, &changed.translated),
                ([*before, *after], known),
                "{edited}"
            );
            let followed: Vec<usize> = finished(&events).iter().map(|(i, _)| *i).collect();
            let all: Vec<usize> = (0..sentences.len())
                .filter(|i| !known.contains(i))
                .collect();
            assert_eq!(followed, all, "each other sentence has its event");
            let text_of = |events: &[JobEvent]| match events.last() {
                Some(JobEvent::Translated(translated)) => translated.text.clone(),
                other => panic!("{other:?}"),
            };
            assert_eq!(text_of(&events), text_of(&whole));
            // What was reported twice is reported again as one document.
            let (events, _) = follow(&translator, edited, &options, Some(&again));
            assert!(finished(&events).is_empty());
        }
    }
}

#[test]
fn other_options_tell_the_translations_again() {
    let translator = translator();
    let (_, reported) = follow(&translator, "Abc. Bca.", &DocumentOptions::default(), None);
    let other = DocumentOptions::new(SearchOptions {
        beam: 1,
        ..SearchOptions::default()
    });
    let (events, _) = follow(&translator, "Abc. Bca.", &other, Some(&reported));
    assert!(matches!(&events[0], JobEvent::Changed(changed) if changed.translated.is_empty()));
    assert_eq!(finished(&events).len(), 2);
}

#[test]
fn the_language_code_of_a_line_is_part_of_what_is_cached() {
    let translator = translator();
    let options = DocumentOptions::default();
    run(&translator, ">>a<< A. B c.", &options);
    let (events, _) = run(&translator, ">>b<< A. B c.", &options);
    let JobEvent::Sentences { sentences } = &events[0] else {
        panic!("{:?}", events[0])
    };
    assert_eq!(sentences.last().unwrap().source[0].id, 3);
}

#[test]
fn the_events_of_a_document_are_an_iterator() {
    let translator = translator();
    let text = "Abc. B c.";
    let options = DocumentOptions::default();
    let events: Result<Vec<_>> = translator.events(text, &options).unwrap().collect();
    let (stepped, _) = run(&translator, text, &options);
    assert_eq!(finished(&events.unwrap()), finished(&stepped));
    let bad = DocumentOptions::new(SearchOptions {
        prefix: vec![u32::MAX],
        ..SearchOptions::default()
    });
    let results: Vec<_> = translator.events("Cc.", &bad).unwrap().collect();
    assert!(results.last().unwrap().is_err(), "it ends after an error");
}

#[test]
fn a_term_stands_where_its_words_are_read_and_only_there() {
    let translator = translator();
    let term = |source: &str, target: &str| Term {
        source: source.into(),
        target: target.into(),
    };
    let terms = vec![term("cd", "xy"), term("gh", "zw")];
    let options = DocumentOptions {
        terms: terms.clone(),
        ..DocumentOptions::default()
    };
    let text = "ab cd ef gh.";
    let translated = [(0, "ab xy ef zw.".to_owned())];
    assert_eq!(finished(&run(&translator, text, &options).0), translated);
    // Observed, too, whatever is asked for; and as lines.
    let observed = DocumentOptions {
        terms: terms.clone(),
        ..observing(0)
    };
    let (events, observations) = run(&self::translator(), text, &observed);
    assert_eq!(finished(&events), translated);
    assert!(observations.len() > 2);
    let lines = LineOptions {
        terms,
        ..LineOptions::new(SearchOptions::default(), 1)
    };
    let found = translator.translate_lines(&[text, "ab"], &lines, &|_| ());
    let found: Vec<String> = found
        .unwrap()
        .iter()
        .map(|best| best[0].text.clone())
        .collect();
    assert_eq!(found, ["ab xy ef zw.", "ab"]);
}
