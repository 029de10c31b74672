//! A JSON object read key by key, with errors that name file and key.

use crate::{Error, Result};
use serde_json::{Map, Value};

/// The keys of a JSON object, read with errors that name file and key.
pub struct Keys {
    file: &'static str,
    pub map: Map<String, Value>,
}

impl Keys {
    pub fn parse(file: &'static str, bytes: &[u8]) -> Result<Self> {
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(map)) => Ok(Self { file, map }),
            Ok(_) => Err(Error::ConfigInvalid(format!(
                "{file} is JSON, but no object {{…}}"
            ))),
            Err(error) => Err(Error::ConfigInvalid(format!("{file} is no JSON: {error}"))),
        }
    }

    pub fn fail<T>(&self, key: &str, reason: impl AsRef<str>) -> Result<T> {
        Err(Error::ConfigInvalid(format!(
            "{}: {key} {}",
            self.file,
            reason.as_ref()
        )))
    }

    /// The value of a key; `null` counts as absent.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    pub fn wrong<T>(&self, key: &str, value: &Value, wanted: &str) -> Result<T> {
        self.fail(key, format!("is {value}, it must be {wanted}"))
    }

    pub fn count(&self, key: &str) -> Result<Option<usize>> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match value
            .as_u64()
            .and_then(|number| usize::try_from(number).ok())
        {
            Some(number) => Ok(Some(number)),
            None => self.wrong(key, value, "a whole number, 0 or more"),
        }
    }

    pub fn needed(&self, key: &str) -> Result<usize> {
        match self.count(key)? {
            Some(number) => Ok(number),
            None => self.fail(key, "is missing, it must be a whole number"),
        }
    }

    pub fn id(&self, key: &str) -> Result<Option<u32>> {
        match self.count(key)? {
            None => Ok(None),
            Some(number) => match u32::try_from(number) {
                Ok(id) => Ok(Some(id)),
                Err(_) => self.fail(key, format!("is {number}, no vocabulary is that large")),
            },
        }
    }

    /// A number, 0 if absent.
    pub fn number(&self, key: &str) -> Result<f32> {
        Ok(self.float(key)?.unwrap_or(0.0))
    }

    pub fn float(&self, key: &str) -> Result<Option<f32>> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match value.as_f64() {
            Some(number) => Ok(Some(number as f32)),
            None => self.wrong(key, value, "a number"),
        }
    }

    pub fn flag(&self, key: &str, absent: bool) -> Result<bool> {
        match self.get(key) {
            None => Ok(absent),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => self.wrong(key, other, "true or false"),
        }
    }

    pub fn text(&self, key: &str) -> Result<Option<&str>> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => self.wrong(key, other, "a string"),
        }
    }

    pub fn variant<T: serde::de::DeserializeOwned>(&self, key: &str) -> Result<Option<T>> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match serde_json::from_value(value.clone()) {
            Ok(variant) => Ok(Some(variant)),
            Err(error) => self.fail(key, format!("is {value}: {error}")),
        }
    }

    /// `bad_words_ids`: a list of lists of one id each.
    pub fn banned(&self) -> Result<Option<Vec<u32>>> {
        let Some(value) = self.get("bad_words_ids") else {
            return Ok(None);
        };
        let lists: Vec<Vec<u32>> = match serde_json::from_value(value.clone()) {
            Ok(lists) => lists,
            Err(_) => return self.wrong("bad_words_ids", value, "a list of lists of ids"),
        };
        if let Some(list) = lists.iter().find(|list| list.len() != 1) {
            let reason = format!(
                "holds a sequence of {} pieces, only single pieces can be banned",
                list.len()
            );
            return self.fail("bad_words_ids", reason);
        }
        Ok(Some(lists.concat()))
    }
}
