//! Sweeps: rows at equal tokens, done once each, tabled; and what they are made of.

mod common;

use common::{World, assert_message};
use translucent_train::data::lines::Pair;
use translucent_train::error::Result;
use translucent_train::export::{Choice, export};
use translucent_train::folder::Folder;
use translucent_train::recipe::Recipe;
use translucent_train::speed::write_batches;
use translucent_train::state;
use translucent_train::sweep::{Results, Sweep, statistics};

/// A sweep over the world's recipe.
fn sweep(world: &World, rows: &str) -> Sweep {
    read(world, rows).unwrap()
}

fn read(world: &World, rows: &str) -> Result<Sweep> {
    let path = world.folder.path();
    let recipe = toml::to_string(&world.recipe).unwrap();
    std::fs::write(path.join("recipe.toml"), recipe).unwrap();
    let text = format!(
        "name = \"s\"\nrecipe = \"recipe.toml\"\ntokens = 600\ncooldown_tokens = 300\nseeds = [1, 2]\n{rows}"
    );
    std::fs::write(path.join("sweep.toml"), text).unwrap();
    Sweep::read(&path.join("sweep.toml"))
}

const ROWS: &str = r#"
set = ["training.max_steps=1000", "training.validate_every=100", "training.bleu_every=100"]

[[row]]
name = "baseline"

[[row]]
name = "wide"
set = ["model.d_ff=48"]
"#;

#[test]
fn every_row_is_trained_once_with_every_seed_at_equal_tokens() {
    let world = World::new();
    tch::set_num_threads(1);
    let sweep = sweep(&world, ROWS);
    let options = world.options("runs");
    let some = sweep.run(&options, "base").unwrap();
    assert_eq!(some.outcomes.len(), 2);
    let all = sweep.run(&options, "").unwrap();
    assert_eq!(all.outcomes[..2], some.outcomes[..]);
    let rows: Vec<_> = all
        .outcomes
        .iter()
        .map(|o| (o.row.as_str(), o.seed))
        .collect();
    assert_eq!(
        rows,
        [("baseline", 1), ("baseline", 2), ("wide", 1), ("wide", 2)]
    );
    for outcome in &all.outcomes {
        assert!((600..900).contains(&outcome.target_tokens), "{outcome:?}");
        assert!(outcome.validation["dev"].bleu.is_some());
        assert!(outcome.validation["dev"].loss_per_character > 0.0);
    }
    assert_ne!(all.outcomes[0].validation, all.outcomes[1].validation);
    assert!(all.outcomes[2].parameters > all.outcomes[0].parameters);
    let table = all.to_markdown();
    assert_eq!(table.lines().count(), 4);
    assert!(table.contains("| wide |"), "{table}");
    // Same data, same vocabulary: both rows share them.
    let runs = std::fs::read_dir(world.folder.path().join("runs")).unwrap();
    let shared = runs
        .filter(|entry| {
            entry
                .as_ref()
                .unwrap()
                .file_name()
                .to_string_lossy()
                .contains("s-data-")
        })
        .count();
    assert_eq!(shared, 1);
    // And each is a model of its own.
    let wide = Folder::existing(&options.runs, "s-wide-1").unwrap();
    let output = world.folder.path().join("wide");
    export(&wide, &Choice::Latest, &output).unwrap();
    let files = translucent::checkpoint::ModelFiles::from_dir(&output).unwrap();
    assert_eq!(files.describe().unwrap().0.config.d_ff, 48);
}

#[test]
fn the_statistics_of_the_shipped_table_follow_from_its_runs() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/table3/table3.json");
    let results: Results = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let computed = statistics(&results.outcomes);
    assert_eq!(computed.len(), results.rows.len());
    let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-9 * a.abs().max(1.0), "{a} {b}");
    for (computed, written) in computed.iter().zip(&results.rows) {
        assert_eq!((&computed.row, &computed.set), (&written.row, &written.set));
        let (computed, written) = (
            &computed.validation["multi30k_val"],
            &written.validation["multi30k_val"],
        );
        let spreads = [computed.perplexity, computed.bleu, computed.change].into_iter();
        for (a, b) in spreads.zip([written.perplexity, written.bleu, written.change]) {
            let (a, b) = (a.unwrap(), b.unwrap());
            assert_eq!((a.count, b.count), (2, 2));
            close(a.mean, b.mean);
            close(a.low, b.low);
            close(a.high, b.high);
        }
        close(computed.chance.unwrap(), written.chance.unwrap());
    }
    // By hand: two rows with two seeds, whose changes are 0.1 and 0.3.
    let mut outcomes = results.outcomes[..4].to_vec();
    for (outcome, loss) in outcomes.iter_mut().zip([1.0, 2.0, 1.1, 2.3]) {
        outcome.validation.get_mut("multi30k_val").unwrap().loss = loss;
    }
    let rows = statistics(&outcomes);
    let set = &rows[1].validation["multi30k_val"];
    let change = set.change.unwrap();
    close(change.mean, 0.2);
    close(change.low, 0.1);
    close(change.high, 0.3);
    // Standard deviation √0.02, two standard errors of a mean of two.
    close(set.chance.unwrap(), 2.0 * 0.02f64.sqrt() / 2f64.sqrt());
}

#[test]
fn settings_change_one_field_and_name_what_is_wrong() {
    let world = World::new();
    let path = world.folder.path().join("recipe.toml");
    std::fs::write(&path, toml::to_string(&world.recipe).unwrap()).unwrap();
    let with = |settings: &[&str]| {
        let settings: Vec<String> = settings.iter().map(|&s| s.to_owned()).collect();
        Recipe::read_with(&path, &settings)
    };
    let mut expected = world.recipe.clone();
    expected.training.schedule.lr_scale = 0.5;
    expected.data.weight_exponent = 0.0;
    expected.training.clip = None;
    let settings = [
        "training.schedule.lr_scale=0.5",
        "data.weight_exponent=0.0",
        "training.clip=",
    ];
    assert_eq!(with(&settings).unwrap(), expected);
    assert_eq!(with(&["name=other"]).unwrap().name, "other");
    assert_message(
        with(&["model"]).err().unwrap(),
        &["--set model", "FIELD=VALUE"],
    );
    assert_message(
        with(&["name.x=1"]).err().unwrap(),
        &["--set name.x=1", "name is no table"],
    );
    assert_message(with(&["training.steps=1"]).err().unwrap(), &["steps"]);
}

#[test]
fn another_vocabulary_starts_from_the_pieces_that_spell_its_own() {
    let mut world = World::new();
    let folder = world.run("runs", 30).unwrap();
    let output = world.folder.path().join("model");
    export(&folder, &Choice::Latest, &output).unwrap();
    world.recipe.init = Some(output);
    world.recipe.vocabulary.inherit = false;
    world.recipe.vocabulary.size = common::PIECES - 8;
    world.recipe.training.schedule.lr_scale = 0.0;
    let started = world.run("started", 1).unwrap();
    let pieces =
        |folder: &Folder| translucent_train::pieces::Pieces::read(&folder.vocabulary()).unwrap();
    let (old, new) = (pieces(&folder), pieces(&started));
    let rows = |folder: &Folder| {
        let (_, tensors) = state::read(&folder.state()).unwrap();
        tensors["model.shared.weight"].shallow_clone()
    };
    let (old_rows, new_rows) = (rows(&folder), rows(&started));
    let mut carried = 0;
    for id in 0..new.size() as u32 {
        let same = (0..old.size() as u32).find(|&other| old.piece(other) == new.piece(id));
        if let Some(same) = same {
            let (a, b) = (old_rows.get(i64::from(same)), new_rows.get(i64::from(id)));
            assert!(a.equal(&b), "{}", new.piece(id));
            carried += 1;
        }
    }
    assert!(carried > 300, "{carried}");
}

#[test]
fn batches_for_another_trainer_are_those_of_the_run() {
    let world = World::new();
    let output = world.folder.path().join("batches");
    write_batches(&world.recipe, &world.options("runs"), 5, &output).unwrap();
    let plan: serde_json::Value =
        serde_json::from_slice(&std::fs::read(output.join("plan.json")).unwrap()).unwrap();
    assert_eq!(plan["learning_rates"].as_array().unwrap().len(), 5);
    assert_eq!(plan["ends"].as_array().unwrap().len(), 10);
    let (header, weights) = state::read(&output.join("weights.safetensors")).unwrap();
    assert_eq!(header.counters.step, 0);
    // The same start as a run's own.
    let mut recipe = world.recipe.clone();
    recipe.training.schedule.lr_scale = 0.0;
    recipe.training.max_steps = 1;
    translucent_train::run::run(&recipe, &world.options("runs")).unwrap();
    let (_, own) = state::read(&world.folder.path().join("runs/test/state.safetensors")).unwrap();
    for (name, tensor) in weights {
        assert!(tensor.equal(&own[&name]), "{name}");
    }
}

#[test]
fn placeholders_come_before_the_padding_and_stand_for_what_both_sides_have() {
    let mut world = World::new();
    world.recipe.vocabulary.placeholders = 3;
    let folder = world.run("runs", 1).unwrap();
    let pieces = translucent_train::pieces::Pieces::read(&folder.vocabulary()).unwrap();
    let size = pieces.size() as u32;
    assert_eq!(size as usize, world.recipe.vocabulary.size);
    let placeholders = pieces.tokenizer().target_vocabulary().placeholders();
    assert_eq!(placeholders, [size - 4, size - 3, size - 2]);
    assert_eq!(pieces.tokenizer().pad_id(), size - 1);
    let pair = Pair {
        source: "The dog 😀 sees a@b.org and 12345.".into(),
        target: "Der Hund sieht a@b.org und 😀.".into(),
    };
    let [source, target] = pieces.encode_pair(&pair, 0.0, 1).map(|ids| {
        let of = ids.into_iter().filter(|id| placeholders.contains(id));
        of.collect::<Vec<_>>()
    });
    assert_eq!(source, placeholders[..2]);
    assert_eq!(target, [placeholders[1], placeholders[0]]);

    // A vocabulary that is inherited gets what it lacks, and its padding stays last.
    let output = world.folder.path().join("exported");
    export(&folder, &Choice::Latest, &output).unwrap();
    world.recipe.init = Some(output);
    world.recipe.vocabulary.placeholders = 5;
    world.recipe.vocabulary.size += 2;
    let folder = world.run("more", 1).unwrap();
    let more = translucent_train::pieces::Pieces::read(&folder.vocabulary()).unwrap();
    assert_eq!(more.tokenizer().pad_id(), size + 1);
    assert_eq!(more.tokenizer().target_vocabulary().placeholders().len(), 5);
    world.recipe.vocabulary.placeholders = 4;
    assert_message(world.run("more", 2).err().unwrap(), &["placeholders"]);
}

#[test]
fn bpe_dropout_splits_training_text_otherwise_and_says_the_same() {
    let mut world = World::new();
    world.recipe.vocabulary.dropout = 0.3;
    let folder = world.run("runs", 2).unwrap();
    let pieces = translucent_train::pieces::Pieces::read(&folder.vocabulary()).unwrap();
    let text = "The dog sees the house.";
    let pair = Pair {
        source: text.into(),
        target: text.into(),
    };
    let encode = |dropout, seed| pieces.encode_pair(&pair, dropout, seed);
    let some: Vec<Vec<u32>> = (0..20).flat_map(|seed| encode(0.3, seed)).collect();
    assert!(some.iter().any(|ids| *ids != pieces.encode(text)));
    assert_ne!(some[0], some[1], "each side is split by itself");
    for ids in &some {
        assert_eq!(pieces.tokenizer().decode(ids), text);
    }
    assert_eq!(some[..2], encode(0.3, 0));
    assert_eq!(encode(0.0, 5), [pieces.encode(text), pieces.encode(text)]);
    world.recipe.vocabulary.dropout = 1.0;
    assert_message(
        world.run("other", 1).err().unwrap(),
        &["vocabulary.dropout"],
    );
}

#[test]
fn a_row_may_descend_in_stages_as_long_as_the_others_altogether() {
    let world = World::new();
    tch::set_num_threads(1);
    let rows = |last: u64| {
        format!(
            "set = [\"training.validate_every=100\", \"training.bleu_every=100\"]\n\
             row = [{{ name = \"twice\", stages = [{{ tokens = 300, cooldown_tokens = 100 }}, {{ tokens = {last} }}] }}]"
        )
    };
    let sweep = sweep(&world, &rows(300));
    let recipe = sweep.recipe(&sweep.rows[0], 1).unwrap();
    assert_eq!(recipe.training.stages, sweep.rows[0].stages);
    assert_eq!(recipe.training.max_tokens, None);
    let done = sweep.run(&world.options("runs"), "").unwrap();
    assert_eq!(done.outcomes.len(), 2);
    assert!((600..900).contains(&done.outcomes[0].target_tokens));
    let wrong = read(&world, &rows(200)).unwrap_err();
    assert_message(
        wrong,
        &[
            "row \"twice\"",
            "have 500 tokens together",
            "must have the row's 600",
        ],
    );
}
