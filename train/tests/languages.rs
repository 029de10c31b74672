//! One model for several target languages: codes in front of the sources, pieces of their own in the vocabulary.

mod common;

use common::{World, assert_message};
use translucent_train::export::{Choice, export};
use translucent_train::pieces::Pieces;
use translucent_train::recipe::{Recipe, TrainingFile};

/// The world's pairs as German, and once more with targets that shout, as another language.
fn two_languages() -> World {
    let mut world = World::new();
    let folder = world.folder.path();
    let loud = std::fs::read_to_string(folder.join("a.de")).unwrap();
    std::fs::write(folder.join("a.xx"), loud.to_uppercase()).unwrap();
    let german = &mut world.recipe.data.train[0];
    german.language = Some("de".into());
    let other = TrainingFile {
        target: Some("a.xx".into()),
        language: Some("xx".into()),
        ..german.clone()
    };
    world.recipe.data.train.push(other);
    for file in &mut world.recipe.data.validation {
        file.language = Some("de".into());
    }
    world.recipe.vocabulary.size += 20;
    world
}

#[test]
fn sources_begin_with_the_code_of_their_language() {
    let world = two_languages();
    let folder = world.run("runs", 2).unwrap();
    let pieces = Pieces::read(&folder.vocabulary()).unwrap();
    assert_eq!(pieces.size(), world.recipe.vocabulary.size);
    for code in [">>de<<", ">>xx<<"] {
        let ids = pieces.encode(&format!("{code} The dog sees a tree."));
        assert_eq!(pieces.piece(ids[0]), code);
        assert_eq!(ids[1..], pieces.encode("The dog sees a tree.")[..]);
    }
    // Targets have none, and the vocabulary was learned without them.
    let spm = String::from_utf8_lossy(pieces.spm());
    assert!(!spm.contains(">>"), "a code among the learned pieces");
}

#[test]
fn languages_are_given_to_all_files_or_to_none() {
    let check = |change: &dyn Fn(&mut Recipe)| {
        let mut world = two_languages();
        change(&mut world.recipe);
        world.recipe.check().err().unwrap()
    };
    assert_message(
        check(&|recipe| recipe.data.train[0].language = None),
        &["data.train", "to all or to none"],
    );
    assert_message(
        check(&|recipe| recipe.data.validation[0].language = Some("fr".into())),
        &["data.validation", "\"fr\""],
    );
    assert_message(
        check(&|recipe| recipe.data.validation[0].language = None),
        &["data.validation", "None"],
    );
}

#[test]
fn a_model_of_other_languages_lends_its_weights_and_not_its_history() {
    let mut world = World::new();
    let folder = world.run("runs", 2).unwrap();
    let output = world.folder.path().join("german");
    export(&folder, &Choice::Latest, &output).unwrap();
    world.recipe.init = Some(output);
    let steps = |world: &World, runs: &str| {
        let folder = world.run(runs, 3).unwrap();
        let output = world.folder.path().join(format!("{runs}-model"));
        export(&folder, &Choice::Latest, &output).unwrap();
        let text = std::fs::read(output.join("training.json")).unwrap();
        let training: serde_json::Value = serde_json::from_slice(&text).unwrap();
        training["steps"].as_u64().unwrap()
    };
    assert_eq!(steps(&world, "german-again"), 5);
    world.recipe.target_language = "fr".into();
    assert_eq!(steps(&world, "french"), 3);
}
