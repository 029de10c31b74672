//! A recipe from its file, and settings of the command line.

use super::Recipe;
use crate::error::{Error, Result};
use std::path::Path;

impl Recipe {
    /// Reads and checks a recipe.
    ///
    /// # Errors
    /// A file that is missing or no TOML, an unknown field, a value outside its domain.
    pub fn read(path: &Path) -> Result<Self> {
        Self::read_with(path, &[])
    }

    /// Reads a recipe, puts each `field.path=value` (value as in TOML) of `settings` into it, and checks the result.
    ///
    /// # Errors
    /// As [`Recipe::read`]; a setting that is none.
    pub fn read_with(path: &Path, settings: &[String]) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|e| Error::file(path, e))?;
        let mut table: toml::Table = toml::from_str(&text).map_err(|e| Error::file(path, e))?;
        for setting in settings {
            set(&mut table, setting)?;
        }
        let recipe: Self = table.try_into().map_err(|e| Error::file(path, e))?;
        recipe.check()?;
        Ok(recipe)
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
