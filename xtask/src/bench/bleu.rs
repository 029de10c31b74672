//! BLEU lost by int8, through the command line, on the model that ships.

use super::peers::Peers;
use crate::tools::{output, root, target_dir};
use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value, json};
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

/// The test sets, as `NAME.tsv` in the folder `--data`.
const SETS: [&str; 2] = ["newstest2013", "multi30k_test_2016_flickr"];

/// Translates each set twice, with the paper's beam search.
///
/// # Errors
/// If a set is missing or the command fails.
pub fn measure(data: Option<&Path>, float: Option<&Path>) -> Result<Value> {
    let data = data.context("the group bleu needs --data DIR with NAME.tsv of each test set")?;
    let command = super::build_command()?;
    let shipped = root().join("models/en-de");
    let dequantized = Peers::folder()?.join("models/en-de-f32");
    let (float, from) = match float {
        Some(folder) => (folder, "weights and activations rounded"),
        None => {
            Peers::dequantize(&shipped, &dequantized)?;
            (
                dequantized.as_path(),
                "activations rounded (both sides have the int8 model's weights)",
            )
        }
    };
    let mut sets = Map::new();
    for set in SETS {
        let file = data.join(format!("{set}.tsv"));
        let bleu = |model: &Path| bleu(&command, &file, model);
        sets.insert(
            set.to_owned(),
            json!({ "f32": bleu(float)?, "int8": bleu(&shipped)? }),
        );
    }
    Ok(json!({ "sets": sets, "float": from }))
}

/// BLEU of a model's translations, by the command `program`, of a file of English TAB German.
fn bleu(program: &Path, file: &Path, model: &Path) -> Result<f64> {
    let text =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let scratch = target_dir()?.join("bench");
    fs::create_dir_all(&scratch)?;
    let (source, translated) = (scratch.join("source.txt"), scratch.join("translated.txt"));
    let english: Vec<&str> = text
        .lines()
        .map(|line| line.split('\t').next().unwrap_or_default())
        .collect();
    fs::write(&source, english.join("\n") + "\n")?;
    let status = Command::new(program)
        .args(["translate", "--beam", "4", "--model"])
        .arg(model)
        .stdin(File::open(&source)?)
        .stdout(File::create(&translated)?)
        .status()?;
    ensure!(
        status.success(),
        "translating {} ended with {status}",
        file.display()
    );
    let mut score = Command::new(program);
    score
        .args(["bleu", "--score-only", "--column", "2", "--reference"])
        .arg(file)
        .arg(&translated);
    let score = output(&mut score).context("translucent bleu failed")?;
    score.parse().with_context(|| format!("{score} is no BLEU"))
}
