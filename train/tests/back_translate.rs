//! Back-translation: pairs from plain text, going on where it was stopped.

mod common;

use common::{World, assert_message};
use std::fs;
use translucent_train::Error;
use translucent_train::back_translate::BackTranslation;
use translucent_train::data::lines::Pair;
use translucent_train::data::lines::read_tsv;
use translucent_train::dual_score::{DualScorer, keep_best};
use translucent_train::export::{Choice, export};

/// Trains a model of one direction until it knows most of the small corpus.
fn model(world: &mut World, name: &str) -> std::path::PathBuf {
    for (field, value) in [
        ("d_model", 64),
        ("n_heads", 4),
        ("d_k", 16),
        ("d_v", 16),
        ("d_ff", 128),
    ] {
        world.recipe.model.insert(field.into(), value.into());
    }
    world.recipe.model.insert("dropout".into(), 0.0.into());
    world.recipe.data.validation.clear();
    world.recipe.probes.clear();
    let training = &mut world.recipe.training;
    training.batch_tokens = 640;
    training.accumulation = 1;
    training.schedule.warmup_steps = 80;
    training.schedule.lr_scale = 0.5;
    let folder = world.run(&format!("runs-{name}"), 400).unwrap();
    let output = world.folder.path().join(name);
    export(&folder, &Choice::Latest, &output).unwrap();
    output
}

fn turn_round(world: &mut World) {
    let file = &mut world.recipe.data.train[0];
    std::mem::swap(&mut file.source, &mut file.target);
}

#[test]
fn back_translation_pairs_every_line_once_and_goes_on_where_it_was_stopped() {
    let mut world = World::new();
    turn_round(&mut world);
    model(&mut world, "model");
    let path = |name: &str| world.folder.path().join(name);

    let german = fs::read_to_string(path("a.de")).unwrap();
    let lines: Vec<&str> = german.lines().collect();
    let task = |input: &str, tag: Option<&str>| BackTranslation {
        model: path("model"),
        inputs: vec![path(input)],
        beam: 1,
        tag: tag.map(str::to_owned),
    };
    fs::write(path("whole.de"), lines[..70].join("\n")).unwrap();
    let whole = task("whole.de", None).run(&path("whole.tsv"), 2).unwrap();
    let pairs = fs::read_to_string(path("whole.tsv")).unwrap();
    assert_eq!(whole.lines, 70);
    assert_eq!(whole.pairs + whole.left_out.values().sum::<usize>(), 70);
    assert_eq!(pairs.lines().count(), whole.pairs);
    assert!(whole.pairs > 35, "{whole:?}");
    for pair in pairs.lines() {
        let (english, german) = pair.split_once('\t').unwrap();
        assert!(!english.is_empty() && lines.contains(&german), "{pair}");
    }

    // Killed between a write and its save: what follows the save is written again.
    fs::write(path("parts.de"), lines[..40].join("\n")).unwrap();
    task("parts.de", None).run(&path("parts.tsv"), 1).unwrap();
    let mut killed = fs::read_to_string(path("parts.tsv")).unwrap();
    killed += "The dog se";
    fs::write(path("parts.tsv"), killed).unwrap();
    fs::write(path("parts.de"), lines[..70].join("\n")).unwrap();
    let parts = task("parts.de", None).run(&path("parts.tsv"), 1).unwrap();
    assert_eq!((parts.lines, parts.pairs), (70, whole.pairs));
    assert_eq!(fs::read_to_string(path("parts.tsv")).unwrap(), pairs);

    let error = task("parts.de", Some("<bt>")).run(&path("parts.tsv"), 1);
    assert_message(error.err().unwrap(), &["parts.tsv", "another output"]);
    let error = task("whole.de", None).run(&path("a.en"), 1);
    assert_message(error.err().unwrap(), &["a.en", "another output"]);
    task("whole.de", Some("<bt>"))
        .run(&path("tagged.tsv"), 1)
        .unwrap();
    let tagged = fs::read_to_string(path("tagged.tsv")).unwrap();
    assert_eq!(
        tagged,
        pairs
            .lines()
            .map(|l| format!("<bt> {l}\n"))
            .collect::<String>()
    );
}

#[test]
fn wrong_pairs_score_higher_than_right_ones_and_are_left_out() {
    let mut world = World::new();
    let forward = model(&mut world, "forward");
    turn_round(&mut world);
    let backward = model(&mut world, "backward");
    let path = |name: &str| world.folder.path().join(name);
    let read = |name: &str| fs::read_to_string(path(name)).unwrap();
    let (english, german) = (read("a.en"), read("a.de"));
    // Every third pair has the translation of another sentence.
    let german: Vec<&str> = german.lines().collect();
    let target = |i: usize| {
        german[if i.is_multiple_of(3) {
            (i + 97) % german.len()
        } else {
            i
        }]
    };
    let table: String = english
        .lines()
        .enumerate()
        .take(90)
        .map(|(i, line)| format!("{line}\t{}\n", target(i)))
        .collect();
    fs::write(path("noisy.tsv"), table).unwrap();
    let scorer = DualScorer::open(&forward, &backward).unwrap();
    let score =
        |output: &str, threads| scorer.score_file(&path("noisy.tsv"), &path(output), threads);
    assert_eq!(score("whole", 2).unwrap(), 90);
    let scores: Vec<f32> = read("whole").lines().map(|l| l.parse().unwrap()).collect();
    let mean = |wrong: bool| {
        let of = scores
            .iter()
            .enumerate()
            .filter(|(i, _)| i.is_multiple_of(3) == wrong);
        of.clone().map(|(_, s)| s).sum::<f32>() / of.count() as f32
    };
    assert!(
        mean(true) > 1.5 * mean(false),
        "{} {}",
        mean(true),
        mean(false)
    );
    // Cut in the middle of a line.
    fs::write(path("parts"), &read("whole")[..100]).unwrap();
    assert_eq!(score("parts", 1).unwrap(), 90);
    assert_eq!(read("parts"), read("whole"));

    let pairs = read_tsv(&path("noisy.tsv")).unwrap();
    let best = |pairs: &[Pair], share| -> Result<Vec<Pair>, Error> {
        keep_best(pairs.iter().cloned().map(Ok), &path("whole"), share)?.collect()
    };
    let kept = best(&pairs, 2.0 / 3.0).unwrap();
    assert_eq!(kept.len(), 60);
    let right = pairs
        .iter()
        .enumerate()
        .filter(|(i, _)| !i.is_multiple_of(3));
    let kept_right = right.filter(|(_, pair)| kept.contains(pair)).count();
    assert!(kept_right > 50, "{kept_right}");
    let error = best(&pairs[1..], 0.5);
    assert_message(error.err().unwrap(), &["90 scores for 89 pairs"]);
}
