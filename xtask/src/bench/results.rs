//! The results of several runs by group and processor: `benches/results.json`.

use crate::tools::{output, root};
use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Date, commit, browser and processor of a measurement.
pub struct Stamp {
    date: String,
    commit: String,
    browser: String,
    processor: String,
}

impl Stamp {
    /// The present ones; `browser` by its own name, empty outside a browser.
    pub fn now(browser: &str) -> Stamp {
        let git =
            |arguments: &[&str]| output(Command::new("git").args(arguments).current_dir(root()));
        let commit = git(&["rev-parse", "--short", "HEAD"]).unwrap_or_else(|| "unknown".into());
        let clean = git(&[
            "status",
            "--porcelain",
            "--untracked-files=no",
            "src",
            "www",
            "Cargo.lock",
        ])
        .is_some_and(|changes| changes.is_empty());
        Stamp {
            date: output(Command::new("date").args(["-u", "+%Y-%m-%d %H:%M UTC"]))
                .unwrap_or_default(),
            commit: if clean {
                commit
            } else {
                format!("{commit} and changes")
            },
            browser: browser.to_owned(),
            processor: processor(),
        }
    }
}

/// The processor's name and its 8-bit dot products; the architecture alone where the system has no `/proc/cpuinfo`.
fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let flags = field("flags").unwrap_or_default();
    let vnni: Vec<&str> = ["avx_vnni", "avx512_vnni"]
        .into_iter()
        .filter(|flag| flags.split(' ').any(|has| has == *flag))
        .collect();
    let family = ["cpu family", "model", "stepping"].map(|name| field(name).unwrap_or_default());
    match field("model name") {
        None => std::env::consts::ARCH.to_owned(),
        Some(name) => format!(
            "{name} (family {}, model {}, stepping {}), {}",
            family[0],
            field_exact(&info, "model").unwrap_or_default(),
            family[2],
            if vnni.is_empty() {
                "no VNNI".to_owned()
            } else {
                vnni.join(", ")
            }
        ),
    }
}

/// A field of `/proc/cpuinfo` by its exact name (another one may begin with it).
fn field_exact(info: &str, name: &str) -> Option<String> {
    info.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == name)
        .map(|(_, value)| value.trim().to_owned())
}

/// The latest result of each group on each processor that measured it.
pub struct Results {
    file: PathBuf,
    /// Of each group a list with an entry for each processor.
    groups: Map<String, Value>,
}

/// The latest results of one processor.
pub struct Machine<'r> {
    /// The processor's name.
    pub processor: &'r str,
    entries: BTreeMap<&'r str, &'r Value>,
}

impl Machine<'_> {
    /// The result of a group.
    pub fn get(&self, group: &str) -> Option<&Value> {
        self.entries.get(group).map(|entry| &entry["result"])
    }

    /// Every group with one field of its stamp: `date`, `commit` or `browser`.
    pub fn stamps<'a>(&'a self, field: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.entries
            .iter()
            .map(move |(name, entry)| (*name, entry[field].as_str().unwrap_or_default()))
    }
}

impl Results {
    /// Reads the results of earlier runs; a missing file is an empty one.
    ///
    /// # Errors
    /// If the file is there and cannot be read.
    pub fn read(folder: &Path) -> Result<Results> {
        let file = folder.join("results.json");
        let groups = match fs::read(&file) {
            Err(_) => Map::new(),
            Ok(bytes) => serde_json::from_slice(&bytes)
                .with_context(|| format!("{} is no JSON object", file.display()))?,
        };
        Ok(Results { file, groups })
    }

    /// Replaces the result of a group on this processor and writes the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn put(&mut self, group: &str, stamp: Stamp, result: Value) -> Result<()> {
        let entry = json!({
            "date": stamp.date, "commit": stamp.commit, "browser": stamp.browser, "processor": stamp.processor,
            "result": rounded(result),
        });
        let others = self.groups.remove(group).unwrap_or_else(|| json!([]));
        let others = others.as_array().into_iter().flatten().cloned();
        let entries = others
            .filter(|other| other["processor"] != entry["processor"])
            .chain([entry.clone()]);
        let entries: Value = entries.collect();
        self.groups.insert(group.to_owned(), entries);
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        let text = serde_json::to_string_pretty(&self.groups)?;
        fs::write(&self.file, text + "\n")
            .with_context(|| format!("cannot write {}", self.file.display()))
    }

    /// Every processor with its results, the one with most of them first.
    pub fn machines(&self) -> Vec<Machine<'_>> {
        let mut machines: BTreeMap<&str, Machine<'_>> = BTreeMap::new();
        for (group, entries) in &self.groups {
            for entry in entries.as_array().into_iter().flatten() {
                let processor = entry["processor"].as_str().unwrap_or_default();
                let machine = machines.entry(processor).or_insert_with(|| Machine {
                    processor,
                    entries: BTreeMap::new(),
                });
                machine.entries.insert(group, entry);
            }
        }
        let mut machines: Vec<_> = machines.into_values().collect();
        machines.sort_by_key(|machine| std::cmp::Reverse(machine.entries.len()));
        machines
    }
}

/// Rounds to four digits, which is finer than any timing.
fn rounded(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap_or_default();
            let digits = 4 - number.abs().max(1e-9).log10().ceil() as i32;
            let scale = 10_f64.powi(digits);
            if digits > 0 {
                json!((number * scale).round() / scale)
            } else {
                json!(number.round())
            }
        }
        Value::Array(values) => values.into_iter().map(rounded).collect(),
        Value::Object(fields) => Value::Object(
            fields
                .into_iter()
                .map(|(key, value)| (key, rounded(value)))
                .collect(),
        ),
        other => other,
    }
}

/// The number at a path such as `peak/i8_relaxed_dot`.
pub fn number(value: &Value, path: &str) -> Option<f64> {
    path.split('/')
        .try_fold(value, |value, key| match key.parse::<usize>() {
            Ok(index) if value.is_array() => value.get(index),
            _ => value.get(key),
        })?
        .as_f64()
}

/// The middle one, or the mean of the two middle ones.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 1 => Some(values[half]),
        _ => Some((values[half - 1] + values[half]) / 2.0),
    }
}
