//! A small invented corpus with a recipe, for tests that train.
// Each test binary uses its part.
#![allow(dead_code)]

use std::path::Path;
use tempfile::TempDir;
use translucent_train::Error;
use translucent_train::folder::Folder;
use translucent_train::metrics::{self, Line, Measured};
use translucent_train::ranks::Ranks;
use translucent_train::recipe::Recipe;
use translucent_train::run::{Options, run};
use translucent_train::state;

/// Pieces of the recipe's vocabulary.
pub const PIECES: usize = 330;

/// Sentences of a small grammar, in English and German.
fn corpus() -> (String, String) {
    let subjects = [
        ("The dog", "Der Hund"),
        ("The cat", "Die Katze"),
        ("A child", "Ein Kind"),
        ("She", "Sie"),
    ];
    let verbs = [
        ("sees", "sieht"),
        ("finds", "findet"),
        ("draws", "malt"),
        ("likes", "mag"),
    ];
    let objects = [
        ("the house", "das Haus"),
        ("a tree", "einen Baum"),
        ("the water", "das Wasser"),
        ("bread", "Brot"),
    ];
    let ends = [(".", "."), (" today.", " heute."), (" again.", " wieder.")];
    let (mut english, mut german) = (String::new(), String::new());
    for s in subjects {
        for v in verbs {
            for o in objects {
                for e in ends {
                    english += &format!("{} {} {}{}\n", s.0, v.0, o.0, e.0);
                    german += &format!("{} {} {}{}\n", s.1, v.1, o.1, e.1);
                }
            }
        }
    }
    (english, german)
}

/// A folder with that corpus, and a recipe for it.
pub struct World {
    pub folder: TempDir,
    pub recipe: Recipe,
}

impl World {
    pub fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let (english, german) = corpus();
        std::fs::write(folder.path().join("a.en"), &english).unwrap();
        std::fs::write(folder.path().join("a.de"), &german).unwrap();
        let table: String = english
            .lines()
            .zip(german.lines())
            .step_by(5)
            .map(|(e, d)| format!("{e}\t{d}\n"))
            .collect();
        std::fs::write(folder.path().join("dev.tsv"), table).unwrap();
        let recipe = format!(
            r#"
            name = "test"
            source_language = "en"
            target_language = "de"
            seed = 3
            precision = "f32"
            vocabulary = {{ size = {PIECES} }}
            model = {{ preset = "tiny", dropout = 0.1 }}
            probes = [{{ source = "The dog sees a tree.", target = "Der Hund sieht einen Baum." }}]

            [data]
            max_length = 32
            train = [{{ source = "a.en", target = "a.de", weight = 1.5 }}]
            validation = [{{ name = "dev", file = "dev.tsv" }}]

            [training]
            batch_tokens = 160
            accumulation = 2
            max_steps = 12
            schedule = {{ warmup_steps = 20, lr_scale = 2.0 }}
            clip = 1.0
            log_every = 2
            validate_every = 4
            bleu_every = 8
            bleu_lines = 10
            snapshot_every = 3
            snapshots_kept = 3
            probe_steps = [0, 2, 8]
            "#
        );
        let recipe: Recipe = toml::from_str(&recipe).unwrap();
        Self { folder, recipe }
    }

    pub fn options(&self, runs: &str) -> Options {
        Options {
            data: self.folder.path().to_path_buf(),
            runs: self.folder.path().join(runs),
            device: tch::Device::Cpu,
            threads: 1,
            max_minutes: None,
            cooldown_minutes: None,
            ranks: Ranks::alone(),
            shared: None,
        }
    }

    pub fn run(&self, runs: &str, steps: u64) -> Result<Folder, Error> {
        tch::set_num_threads(1);
        let mut recipe = self.recipe.clone();
        recipe.training.max_steps = steps;
        assert_eq!(run(&recipe, &self.options(runs))?, steps);
        Folder::existing(&self.folder.path().join(runs), "test")
    }
}

/// Checks that an error's message has all of these parts.
pub fn assert_message(error: Error, parts: &[&str]) {
    let message = error.to_string();
    for part in parts {
        assert!(message.contains(part), "{message:?} lacks {part:?}");
    }
}

/// A run's measurements, without what depends on the clock.
pub fn timeless(folder: &Folder) -> Vec<String> {
    let lines = metrics::read(&folder.metrics()).unwrap();
    lines
        .into_iter()
        .map(|line| {
            let measured = match line.measured {
                Measured::Training {
                    loss,
                    perplexity,
                    learning_rate,
                    ..
                } => Measured::Training {
                    loss,
                    perplexity,
                    learning_rate,
                    tokens_per_second: 0.0,
                },
                validation => validation,
            };
            serde_json::to_string(&Line {
                seconds: 0.0,
                measured,
                ..line
            })
            .unwrap()
        })
        .collect()
}

/// Names and values of the tensors of a state or a snapshot.
pub fn tensors(path: &Path) -> Vec<(String, Vec<f32>)> {
    let (_, tensors) = state::read(path).unwrap();
    let values = |t| translucent_train::export::values(t).unwrap();
    tensors
        .iter()
        .map(|(name, t)| (name.clone(), values(t)))
        .collect()
}
