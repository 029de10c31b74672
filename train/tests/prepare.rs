//! Token ids that are made once, and from which runs start without reading any text.

mod common;

use common::{World, assert_message};
use std::fs::{self, File};
use std::path::PathBuf;
use translucent_train::Error;
use translucent_train::folder::Folder;
use translucent_train::setup::prepare;

fn make(world: &World) -> Result<u64, Error> {
    let options = world.options("runs");
    let folder = Folder::open(&options.runs, "test").unwrap();
    let prepared = prepare(&world.recipe, &options.data, &folder)?;
    Ok(prepared.train.iter().map(|c| c.corpus.pairs()).sum())
}

/// The shards of all corpora of the run.
fn shards(world: &World) -> Vec<PathBuf> {
    let corpora = fs::read_dir(world.folder.path().join("runs/test/corpus")).unwrap();
    corpora
        .map(|folder| folder.unwrap().path().join("00000.ids"))
        .collect()
}

/// Replaces a file's bytes by invalid ones; its length and its time of change stay.
fn spoil(world: &World, name: &str) {
    let path = world.folder.path().join(name);
    let changed = fs::metadata(&path).unwrap().modified().unwrap();
    let length = fs::read(&path).unwrap().len();
    fs::write(&path, vec![0xff; length]).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    file.set_modified(changed).unwrap();
}

#[test]
fn a_run_reads_no_text_that_was_prepared() {
    let world = World::new();
    assert_eq!(make(&world).unwrap(), 192);
    spoil(&world, "a.en");
    world.run("runs", 4).unwrap();
    assert_eq!(shards(&world).len(), 1);
}

#[test]
fn text_that_has_changed_is_prepared_anew() {
    let world = World::new();
    make(&world).unwrap();
    for name in ["a.en", "a.de"] {
        let path = world.folder.path().join(name);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.repeat(2)).unwrap();
    }
    assert_eq!(make(&world).unwrap(), 384);
    assert_eq!(shards(&world).len(), 2);
}

#[test]
fn what_was_prepared_before_an_interruption_is_kept() {
    let world = World::new();
    make(&world).unwrap();
    let shard = &shards(&world)[0];
    let written = fs::metadata(shard).unwrap().modified().unwrap();
    let index = shard.with_file_name("index.json");
    let text = fs::read_to_string(&index).unwrap();
    let interrupted = text.replace("\"complete\":true", "\"complete\":false");
    assert_ne!(text, interrupted);
    fs::write(&index, interrupted).unwrap();
    assert_eq!(make(&world).unwrap(), 192);
    assert_eq!(fs::metadata(shard).unwrap().modified().unwrap(), written);
    assert_eq!(fs::read_to_string(&index).unwrap(), text);
}

#[test]
fn a_fault_of_a_text_is_named_with_its_line() {
    let world = World::new();
    let path = world.folder.path().join("a.de");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.replacen("Der Hund sieht das Haus heute.\n", "\n", 1),
    )
    .unwrap();
    assert_message(make(&world).unwrap_err(), &["a.de, line 2", "empty target"]);
}

#[test]
fn swapped_files_are_read_as_the_other_direction() {
    let mut world = World::new();
    let path = world.folder.path().to_path_buf();
    let text = fs::read_to_string(path.join("dev.tsv")).unwrap();
    let turned: String = text
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .map(|(source, target)| format!("{target}\t{source}\n"))
        .collect();
    fs::write(path.join("turned.tsv"), turned).unwrap();
    let file = &mut world.recipe.data.train[0];
    (file.source, file.target) = (None, None);
    let mut prepared = |name: &str, swap: bool, of_file: Option<bool>, validation: &str| {
        let data = &mut world.recipe.data;
        data.swap = swap;
        data.train[0].file = Some(name.into());
        data.train[0].swap = of_file;
        data.validation[0].file = validation.into();
        let runs = path.join(format!("{name} {swap}"));
        let folder = Folder::open(&runs, "test").unwrap();
        let prepared = prepare(&world.recipe, &path, &folder).unwrap();
        let corpora = [
            prepared.train[0].corpus.read(0).unwrap(),
            prepared.validation[0].corpus.clone(),
        ];
        corpora.map(|corpus| (corpus.source, corpus.target))
    };
    let expected = prepared("dev.tsv", false, None, "dev.tsv");
    assert_eq!(prepared("turned.tsv", true, None, "turned.tsv"), expected);
    assert_eq!(
        prepared("turned.tsv", false, Some(true), "dev.tsv"),
        expected
    );
    assert_eq!(
        prepared("dev.tsv", true, Some(false), "turned.tsv"),
        expected
    );
}
