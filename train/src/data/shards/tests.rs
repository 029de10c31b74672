use super::*;
use std::fs;
use tempfile::TempDir;

/// Pairs of different lengths, all of them different, some sides empty.
fn pairs(from: u32, to: u32) -> Corpus {
    let mut corpus = Corpus::default();
    for i in from..to {
        corpus.source.push(&vec![i; i as usize % 7]);
        corpus.target.push(&[i, i + 1]);
    }
    corpus
}

fn written(folder: &Path, shards: &[Corpus]) -> Shards {
    let mut writer = Writer::open(folder, "key").unwrap();
    for corpus in shards {
        writer.push(corpus, corpus.len() as u64).unwrap();
    }
    writer.finish().unwrap();
    Shards::open(folder, "key").unwrap().unwrap()
}

fn all(shards: &Shards) -> Vec<(Vec<u16>, Vec<u16>)> {
    let mut found = Vec::new();
    for block in 0..shards.blocks() {
        let corpus = shards.read(block).unwrap();
        assert_eq!(corpus.len(), shards.pairs_of(block));
        for (source, target) in corpus.pairs() {
            found.push((source.to_vec(), target.to_vec()));
        }
    }
    found
}

#[test]
fn every_pair_is_read_once_and_in_another_order() {
    let folder = TempDir::new().unwrap();
    let many = BLOCK as u32 + 10;
    let shards = written(folder.path(), &[pairs(0, many), pairs(many, many + 5)]);
    assert_eq!((shards.pairs(), shards.blocks()), (u64::from(many) + 5, 3));
    let mut found = all(&shards);
    let expected = pairs(0, many + 5);
    let mut expected: Vec<(Vec<u16>, Vec<u16>)> = expected
        .pairs()
        .into_iter()
        .map(|(source, target)| (source.to_vec(), target.to_vec()))
        .collect();
    assert_ne!(found, expected);
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn an_interrupted_corpus_goes_on_after_its_last_shard() {
    let (folder, whole) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let mut writer = Writer::open(folder.path(), "key").unwrap();
    writer.push(&pairs(0, 20), 7).unwrap();
    drop(writer);
    assert!(Shards::open(folder.path(), "key").unwrap().is_none());
    let mut writer = Writer::open(folder.path(), "key").unwrap();
    assert_eq!((writer.lines(), writer.shards()), (7, 1));
    writer.push(&pairs(20, 30), 3).unwrap();
    writer.finish().unwrap();
    let found = Shards::open(folder.path(), "key").unwrap().unwrap();
    let expected = written(whole.path(), &[pairs(0, 20), pairs(20, 30)]);
    assert_eq!(all(&found), all(&expected));
}

#[test]
fn a_corpus_made_from_something_else_is_begun_anew() {
    let folder = TempDir::new().unwrap();
    written(folder.path(), &[pairs(0, 20)]);
    assert!(Shards::open(folder.path(), "other").unwrap().is_none());
    assert_eq!(Writer::open(folder.path(), "other").unwrap().lines(), 0);
}

#[test]
fn damage_is_found_and_named() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("00000.ids");
    written(folder.path(), &[pairs(0, 20)]);
    let good = fs::read(&path).unwrap();

    let mut bytes = good.clone();
    bytes[50] ^= 1;
    fs::write(&path, bytes).unwrap();
    let shards = Shards::open(folder.path(), "key").unwrap().unwrap();
    let message = shards.read(0).unwrap_err().to_string();
    assert!(
        message.contains("00000.ids is not what was written"),
        "{message}"
    );
    assert!(message.contains("delete this folder"), "{message}");

    fs::write(&path, &good[..good.len() - 2]).unwrap();
    let message = Shards::open(folder.path(), "key")
        .err()
        .unwrap()
        .to_string();
    let expected = format!("{} bytes instead of {}", good.len() - 2, good.len());
    assert!(message.contains(&expected), "{message}");
}
