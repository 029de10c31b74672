use super::*;
use crate::data::shards::{BLOCK, Writer};
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;

const LIMITS: Limits = Limits {
    batch_tokens: 256,
    max_length: 20,
};

/// Pairs whose target says which they are; written the first time.
fn shards(folder: &Path, from: u32, to: u32) -> Shards {
    if let Some(shards) = Shards::open(folder, "key").unwrap() {
        return shards;
    }
    let mut corpus = Corpus::default();
    for i in from..to {
        corpus.source.push(&vec![1; 1 + i as usize % 9]);
        corpus.target.push(&[i]);
    }
    let mut writer = Writer::open(folder, "key").unwrap();
    writer.push(&corpus, corpus.len() as u64).unwrap();
    writer.finish().unwrap();
    Shards::open(folder, "key").unwrap().unwrap()
}

struct World(TempDir);

impl World {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// Three blocks of weight 2, one of weight 0.25; two windows or more a pass.
    fn batches(&self, position: Position) -> Batches {
        let large = 2 * BLOCK as u32 + 100;
        let corpus = |name: &str, from, to| shards(&self.0.path().join(name), from, to);
        let corpora = vec![
            Weighted {
                corpus: corpus("large", 0, large),
                weight: 2.0,
            },
            Weighted {
                corpus: corpus("small", large, large + 400),
                weight: 0.25,
            },
        ];
        Batches::with_window(corpora, LIMITS, 7, position, BLOCK).unwrap()
    }
}

/// How often each target stands in the batches of the current pass.
fn uses(batches: &mut Batches) -> BTreeMap<u16, usize> {
    let mut uses = BTreeMap::new();
    let epoch = batches.position().epoch;
    loop {
        let batch = batches.next_batch().unwrap();
        if batches.position().epoch > epoch {
            return uses;
        }
        for (_, target) in batch.pairs() {
            *uses.entry(target[0]).or_default() += 1;
        }
    }
}

#[test]
fn a_pass_uses_every_pair_as_often_as_its_weight_says() {
    let world = World::new();
    let uses = uses(&mut world.batches(Position::default()));
    let large = 2 * BLOCK as u16 + 100;
    assert!((0..large).all(|i| uses.get(&i) == Some(&2)));
    let drawn = uses.range(large..).count();
    assert!((60..140).contains(&drawn), "{drawn}");
}

#[test]
fn a_stream_goes_on_from_any_position() {
    let world = World::new();
    let mut whole = world.batches(Position::default());
    let (mut windows, mut epochs) = (0, 0);
    for i in 0..1500 {
        let position = whole.position();
        let expected = whole.next_batch().unwrap();
        windows = windows.max(position.window);
        epochs = epochs.max(position.epoch);
        if i % 97 == 0 {
            let found = world.batches(position).next_batch().unwrap();
            assert_eq!(found, expected, "{position:?}");
        }
    }
    assert!(windows >= 2 && epochs >= 1, "{windows} {epochs}");
}

#[test]
fn each_pass_has_an_order_of_its_own() {
    let world = World::new();
    let of = |epoch| {
        world.batches(Position {
            epoch,
            ..Position::default()
        })
    };
    assert_ne!(of(0).next_batch().unwrap(), of(1).next_batch().unwrap());
}

#[test]
fn pairs_that_are_all_too_long_are_an_error() {
    let folder = TempDir::new().unwrap();
    let corpora = vec![Weighted {
        corpus: shards(folder.path(), 0, 50),
        weight: 1.0,
    }];
    let limits = Limits {
        max_length: 1,
        ..LIMITS
    };
    let fault = Batches::new(corpora, limits, 7, Position::default());
    let message = fault.err().unwrap().to_string();
    assert!(message.contains("data.max_length 1"), "{message}");
}
