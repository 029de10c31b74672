//! Recipes that extend others, and runs in stages.

mod common;

use common::{World, assert_message};
use std::path::Path;
use translucent_train::folder::Folder;
use translucent_train::metrics::{self, Measured};
use translucent_train::recipe::{Recipe, Stage};
use translucent_train::state;

const BASE: &str = r#"
name = "base"
source_language = "en"
target_language = "de"
init = "models/en-de"
vocabulary = { size = 400, inherit = false }
model = { preset = "tiny", dropout = 0.1 }
data = { max_length = 32, train = [{ file = "a.tsv", weight = 2.0 }, { file = "b.tsv.zst" }] }
training = { clip = 1.0, schedule = { warmup_steps = 20, lr_scale = 2.0 } }
"#;

fn write(folder: &Path, name: &str, text: &str) -> std::path::PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn the_recipe_of_the_documentation_is_read() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/book/own-model.md");
    let page = std::fs::read_to_string(page).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let blocks = page.split("\n```toml\n").skip(1);
    let recipes: Vec<Recipe> = blocks
        .map(|block| block.split("\n```\n").next().unwrap())
        .map(|text| Recipe::read(&write(folder.path(), "own.toml", text)).unwrap())
        .collect();
    assert_eq!(recipes.len(), 1);
    assert_eq!(recipes[0].data.train.len(), 2);
}

#[test]
fn a_recipe_changes_the_fields_and_files_of_the_one_it_extends() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "base.toml", BASE);
    let path = write(
        folder.path(),
        "own.toml",
        r#"
        extends = "base.toml"
        name = "own"
        init = ""
        model = { dropout = 0.3 }
        data = { train = [{ file = "b.tsv.zst", weight = 0.5 }, { file = "c.tsv" }] }
        training = { schedule = { warmup_steps = 7 } }
        "#,
    );
    let mut expected = Recipe::read(&folder.path().join("base.toml")).unwrap();
    expected.name = "own".into();
    expected.init = None;
    expected.model.insert("dropout".into(), 0.3.into());
    expected.data.train[1].weight = 0.5;
    expected.data.train.push(expected.data.train[1].clone());
    expected.data.train[2].file = Some("c.tsv".into());
    expected.data.train[2].weight = 1.0;
    expected.training.schedule.warmup_steps = 7;
    assert_eq!(Recipe::read(&path).unwrap(), expected);
    let unknown = write(
        folder.path(),
        "unknown.toml",
        "extends = \"base.toml\"\nnme = \"x\"",
    );
    assert_message(
        Recipe::read(&unknown).err().unwrap(),
        &["unknown.toml", "nme"],
    );
}

#[test]
fn recipes_that_extend_each_other_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.toml", "extends = \"b.toml\"");
    let path = write(folder.path(), "b.toml", "extends = \"./a.toml\"");
    assert_message(
        Recipe::read(&path).err().unwrap(),
        &["b.toml", "extends itself"],
    );
    let path = write(folder.path(), "c.toml", "extends = 3");
    assert_message(
        Recipe::read(&path).err().unwrap(),
        &["c.toml", "extends is 3"],
    );
}

fn stage(tokens: u64) -> Stage {
    Stage {
        tokens,
        cooldown_tokens: None,
        lr_scale: None,
        max_length: None,
        weights: Default::default(),
        augment: toml::Table::new(),
    }
}

#[test]
fn weights_and_variants_of_a_stage_hold_until_another_changes_them() {
    let mut recipe: Recipe = toml::from_str(BASE).unwrap();
    let mut second = stage(200);
    second.cooldown_tokens = Some(50);
    second.lr_scale = Some(0.5);
    second.max_length = Some(40);
    second.weights.insert("b".into(), 0.0);
    second.augment.insert("numbers".into(), 2.0.into());
    recipe.training.stages = vec![stage(100), second, stage(300)];
    recipe.check().unwrap();
    let at = |tokens| recipe.stage_at(tokens);
    assert_eq!(
        [at(0), at(99), at(100), at(299), at(300), at(9000)],
        [0, 0, 1, 1, 2, 2]
    );
    let [first, second, third] = [0, 1, 2].map(|i| recipe.of_stage(i).unwrap());
    let ends =
        [&first, &second, &third].map(|r| (r.training.max_tokens, r.training.cooldown_tokens));
    assert_eq!(
        ends,
        [(Some(100), None), (Some(300), Some(50)), (Some(600), None)]
    );
    assert_eq!((first.data.train.len(), second.data.train.len()), (2, 1));
    assert_eq!(
        (
            first.training.schedule.lr_scale,
            second.training.schedule.lr_scale
        ),
        (2.0, 0.5)
    );
    assert_eq!(
        (third.data.train.len(), third.data.augment.numbers),
        (1, 2.0)
    );

    recipe.training.stages[0].weights.insert("d".into(), 1.0);
    assert_message(recipe.check().err().unwrap(), &["stages[0]", "weights.d"]);
    recipe.training.stages[0] = stage(0);
    assert_message(recipe.check().err().unwrap(), &["stages[0]", "tokens is 0"]);
    recipe.training.stages[0] = stage(1);
    recipe.training.max_tokens = Some(5);
    assert_message(recipe.check().err().unwrap(), &["max_tokens"]);
}

#[test]
fn a_run_in_stages_that_is_stopped_goes_on_bit_for_bit() {
    let mut world = World::new();
    let mut second = stage(600);
    second.cooldown_tokens = Some(600);
    second.weights.insert("a".into(), 0.5);
    world.recipe.training.stages = vec![stage(700), second];
    let end = |folder: &Folder| state::read(&folder.state()).unwrap();
    let run = |runs: &str, steps: &[u64]| {
        for &most in steps {
            let mut recipe = world.recipe.clone();
            recipe.training.max_steps = most;
            translucent_train::run::run(&recipe, &world.options(runs)).unwrap();
        }
        Folder::existing(&world.folder.path().join(runs), "test").unwrap()
    };
    let (whole, parts) = (run("whole", &[100]), run("parts", &[2, 5, 100]));
    let ((a, left), (b, right)) = (end(&whole), end(&parts));
    assert!(
        a.counters.target_tokens >= 1300 && a.counters.stage == 1,
        "{a:?}"
    );
    assert_eq!(
        (a.counters.step, a.counters.position),
        (b.counters.step, b.counters.position)
    );
    for (name, tensor) in &left {
        assert!(tensor.equal(&right[name]), "{name}");
    }
    // The rate stands until the second stage, and is zero at its end.
    let rates: Vec<f64> = metrics::read(&whole.metrics())
        .unwrap()
        .iter()
        .filter_map(|line| match line.measured {
            Measured::Training { learning_rate, .. } => Some(learning_rate),
            Measured::Validation { .. } => None,
        })
        .collect();
    assert!(
        rates.last().unwrap() < &(0.4 * rates.iter().copied().fold(0.0, f64::max)),
        "{rates:?}"
    );
}
