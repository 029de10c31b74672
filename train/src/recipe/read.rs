//! A recipe from its file, and settings of the command line.

use super::Recipe;
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

impl Recipe {
    /// Reads and checks a recipe.
    ///
    /// # Errors
    /// A file that is missing or no TOML, an unknown field, a value outside its domain.
    pub fn read(path: &Path) -> Result<Self> {
        Self::read_with(path, &[])
    }

    /// Reads a recipe and those that it extends, puts each `field.path=value` (value as in TOML) of `settings` into it,
    /// and checks the result.
    ///
    /// # Errors
    /// As [`Recipe::read`]; a setting that is none.
    pub fn read_with(path: &Path, settings: &[String]) -> Result<Self> {
        let mut table = extended(path, &mut Vec::new())?;
        for setting in settings {
            set(&mut table, setting)?;
        }
        let recipe: Self = table.try_into().map_err(|e| Error::file(path, e))?;
        recipe.check()?;
        Ok(recipe)
    }
}

/// The table of a recipe, merged over that of the recipe it `extends`; `chain` holds the files that led here.
fn extended(path: &Path, chain: &mut Vec<PathBuf>) -> Result<toml::Table> {
    let text = std::fs::read_to_string(path).map_err(|e| Error::file(path, e))?;
    let file = path.canonicalize().map_err(|e| Error::file(path, e))?;
    if chain.contains(&file) {
        return Err(Error::file(path, "extends itself through other recipes"));
    }
    chain.push(file);
    let mut table: toml::Table = toml::from_str(&text).map_err(|e| Error::file(path, e))?;
    match table.remove("extends") {
        None => Ok(table),
        Some(toml::Value::String(base)) => {
            let base = path.parent().unwrap_or(Path::new("")).join(base);
            let mut merged = extended(&base, chain)?;
            merge(&mut merged, table, "");
            Ok(merged)
        }
        Some(other) => Err(Error::file(
            path,
            format!("extends is {other}, it must be the name of a recipe's file"),
        )),
    }
}

/// Puts the fields of `over` into `base`: tables field by field, `data.train` file by file, anything else as a whole. An
/// empty string takes a field away.
fn merge(base: &mut toml::Table, over: toml::Table, path: &str) {
    use toml::Value::{Array, String, Table};
    for (name, value) in over {
        let path = format!("{path}{name}");
        match (base.get_mut(&name), value) {
            (Some(Table(inner)), Table(over)) => merge(inner, over, &format!("{path}.")),
            (Some(Array(files)), Array(over)) if path == "data.train" => {
                merge_files(files, over);
            }
            (_, String(empty)) if empty.is_empty() => _ = base.remove(&name),
            (_, value) => _ = base.insert(name, value),
        }
    }
}

/// Puts the fields of each training file into the one of the same path, or adds it.
fn merge_files(files: &mut Vec<toml::Value>, over: Vec<toml::Value>) {
    for new in over {
        let same = |old: &&mut toml::Value| {
            ["file", "source", "target"]
                .iter()
                .all(|&key| old.get(key) == new.get(key))
        };
        match (files.iter_mut().find(same), new) {
            (Some(toml::Value::Table(old)), toml::Value::Table(new)) => old.extend(new),
            (_, new) => files.push(new),
        }
    }
}

/// Puts `field.path=value` into a table; a value that is no TOML is a string, and none takes the field away.
fn set(table: &mut toml::Table, setting: &str) -> Result<()> {
    let fault = |reason: &str| Error::Recipe(format!("--set {setting}: {reason}"));
    let (path, value) = setting
        .split_once('=')
        .ok_or_else(|| fault("a setting is FIELD=VALUE, like model.dropout=0.2"))?;
    let value = match toml::from_str::<toml::Table>(&format!("value = {value}")) {
        Ok(mut parsed) => parsed.remove("value"),
        Err(_) => Some(value.trim().into()).filter(|_| !value.trim().is_empty()),
    };
    let mut names: Vec<&str> = path.trim().split('.').collect();
    let last = names.pop().unwrap_or_default();
    let mut place = table;
    for name in names {
        place = place
            .entry(name)
            .or_insert_with(|| toml::Table::new().into())
            .as_table_mut()
            .ok_or_else(|| fault(&format!("{name} is no table")))?;
    }
    match value {
        Some(value) => place.insert(last.to_owned(), value),
        None => place.remove(last),
    };
    Ok(())
}
