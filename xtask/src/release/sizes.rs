//! Sizes of the WebAssembly files, as they are sent, beside those of the last release.

use crate::tools::root;
use anyhow::{Context, Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;

/// Where the sizes of every release are recorded.
const RECORD: &str = "docs/sizes.json";
/// Of the last release's size: a file that grew by more is a fault.
const MOST: f64 = 1.1;

/// What a page may fetch.
const FILES: [&str; 4] = [
    "pkg/translucent_bg.wasm",
    "pkg/relaxed/translucent_bg.wasm",
    "pkg/learn/translucent_learn_bg.wasm",
    "pkg/relaxed/learn/translucent_learn_bg.wasm",
];

/// Bytes of every file, compressed by gzip.
pub type Sizes = BTreeMap<String, u64>;

/// The sizes of the last build.
pub fn measure() -> Result<Sizes> {
    let size = |file: &str| -> Result<(String, u64)> {
        let bytes = fs::read(root().join(file)).with_context(|| file.to_owned())?;
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&bytes)?;
        Ok((file.to_owned(), gzip.finish()?.len() as u64))
    };
    FILES.iter().map(|file| size(file)).collect()
}

/// Prints the sizes beside those of the newest other version.
///
/// # Errors
/// Where a file grew by more than a tenth.
pub fn compare(version: &str, sizes: &Sizes) -> Result<()> {
    let record = read()?;
    let last = record
        .iter()
        .rev()
        .find(|release| release["version"] != version);
    for (file, size) in sizes {
        let before = last.and_then(|release| release["gzip"][file].as_u64());
        let name = last.map_or("", |release| {
            release["version"].as_str().unwrap_or_default()
        });
        match before {
            Some(before) => println!("{file}: {size} bytes (gzip), {before} in {name}"),
            None => println!("{file}: {size} bytes (gzip)"),
        }
        ensure!(!grew(*size, before), "{file} grew by more than a tenth");
    }
    Ok(())
}

fn grew(size: u64, before: Option<u64>) -> bool {
    before.is_some_and(|before| size as f64 > before as f64 * MOST)
}

/// Writes the sizes of a version down.
pub fn record(version: &str, sizes: &Sizes) -> Result<()> {
    let mut record = read()?;
    record.retain(|release| release["version"] != version);
    record.push(json!({ "version": version, "gzip": sizes }));
    Ok(fs::write(
        root().join(RECORD),
        format!("{:#}\n", Value::Array(record)),
    )?)
}

/// Every release, the oldest first.
fn read() -> Result<Vec<Value>> {
    let text = fs::read_to_string(root().join(RECORD)).context(RECORD)?;
    Ok(serde_json::from_str(&text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_grow_by_a_tenth() {
        assert!(!grew(110, Some(100)) && grew(111, Some(100)) && !grew(1000, None));
        assert!(read().is_ok());
    }
}
