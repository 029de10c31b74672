//! Small files that are read whole: whatever the path leads to, so many bytes are read and no more.

use crate::{Error, Result};
use std::fs::File;
use std::io::{Error as IoError, ErrorKind, Read};
use std::path::Path;

/// Most bytes of such a file.
pub const MOST: u64 = 1 << 26;

/// Reads a file that a model folder brings.
///
/// # Errors
/// If it cannot be read, is larger than [`MOST`], or is a pipe or a device, which may have no end.
pub fn of_folder(path: &Path) -> Result<Vec<u8>> {
    let found = std::fs::metadata(path).map_err(|error| Error::io(path, error))?;
    if !found.is_file() {
        let error = IoError::new(ErrorKind::InvalidInput, "is no regular file");
        return Err(Error::io(path, error));
    }
    read(path)
}

/// Reads a text that the user names: a file or a pipe.
///
/// # Errors
/// If it cannot be read, is no UTF-8, or larger than [`MOST`].
pub fn text(path: &Path) -> Result<String> {
    let text = String::from_utf8(read(path)?).map_err(|error| {
        Error::io(
            path,
            IoError::new(ErrorKind::InvalidData, error.utf8_error()),
        )
    })?;
    // Some editors write a byte order mark; it is no part of the first word.
    Ok(match text.strip_prefix('\u{feff}') {
        Some(text) => text.into(),
        None => text,
    })
}

/// The language that a model folder reads, and the one that it writes: ISO codes, of `tokenizer_config.json`.
///
/// # Errors
/// If the file cannot be read, is no JSON, or names no languages.
pub fn languages(folder: &Path) -> Result<[String; 2]> {
    let path = folder.join("tokenizer_config.json");
    let tokenizer: serde_json::Value = serde_json::from_slice(&of_folder(&path)?)
        .map_err(|error| Error::Argument(format!("{} is no JSON: {error}", path.display())))?;
    let language = |key: &str| match tokenizer[key].as_str() {
        Some(language) => Ok(language.to_owned()),
        None => Err(Error::Argument(format!(
            "{} has no {key}, it must be a language code such as \"en\"",
            path.display()
        ))),
    };
    Ok([language("source_lang")?, language("target_lang")?])
}

/// What a model folder says about its weights, beside how they are read.
const ABOUT_WEIGHTS: [&str; 5] = [
    "README.md",
    "heads.json",
    "metrics.json",
    "probes.bin",
    "training.json",
];

/// Checks that no description of other weights would stay beside those that are to be written into a folder.
///
/// # Errors
/// If the folder has such a file, and `is_replaced` does not name it.
pub fn describes_no_other_model(folder: &Path, is_replaced: impl Fn(&str) -> bool) -> Result<()> {
    let stay = |name: &&str| !is_replaced(name) && folder.join(name).is_file();
    let staying: Vec<&str> = ABOUT_WEIGHTS.into_iter().filter(stay).collect();
    if staying.is_empty() {
        return Ok(());
    }
    Err(Error::Argument(format!(
        "{} has {}, of the model that is there: write to another folder, or delete what is no longer true",
        folder.display(),
        staying.join(", ")
    )))
}

/// Whether two paths lead to one file or folder; not where one of them leads nowhere.
pub fn same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes))
        .map_err(|error| Error::io(path, error))?;
    if bytes.len() as u64 > MOST {
        let error = IoError::new(
            ErrorKind::FileTooLarge,
            format!("is larger than {MOST} bytes"),
        );
        return Err(Error::io(path, error));
    }
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_an_end_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("training.json");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        let error = of_folder(&link).unwrap_err().to_string();
        assert!(error.contains("no regular file"), "{error}");
        let error = text(&link).unwrap_err().to_string();
        assert!(error.contains("larger"), "{error}");
        let large = dir.path().join("metrics.json");
        File::create(&large).unwrap().set_len(MOST + 1).unwrap();
        assert!(of_folder(&large).is_err());
        File::create(&large).unwrap().set_len(3).unwrap();
        assert_eq!(of_folder(&large).unwrap(), [0; 3]);
    }
}
