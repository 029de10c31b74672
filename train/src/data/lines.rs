//! Reading sentence pairs: `.tsv`, `.tsv.zst`, or two parallel text files; every fault names file and line.

use crate::error::{Error, Result};
use std::path::Path;

/// A source sentence and its translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The source sentence.
    pub source: String,
    /// The target sentence.
    pub target: String,
}

/// Reads `source TAB target` lines from a plain or zstd-compressed file.
///
/// # Errors
/// Missing file, broken compression, invalid UTF-8, a line without exactly one tab, an empty side, no lines.
pub fn read_tsv(path: &Path) -> Result<Vec<Pair>> {
    let bytes = read_bytes(path)?;
    let pairs = lines(path, &bytes)?
        .into_iter()
        .enumerate()
        .map(|(i, text)| {
            let fault = |reason: &str| line_error(path, i, reason);
            let (source, target) = text
                .split_once('\t')
                .ok_or_else(|| fault("no tab, a line is `source TAB target`"))?;
            if target.contains('\t') {
                return Err(fault("more than one tab, a line is `source TAB target`"));
            }
            pair(source, target, fault)
        })
        .collect::<Result<Vec<_>>>()?;
    not_empty(path, pairs)
}

/// Reads two text files whose lines translate each other.
///
/// # Errors
/// As [`read_tsv`], and if the files have different numbers of lines.
pub fn read_parallel(source: &Path, target: &Path) -> Result<Vec<Pair>> {
    let (source_bytes, target_bytes) = (read_bytes(source)?, read_bytes(target)?);
    let (source_lines, target_lines) =
        (lines(source, &source_bytes)?, lines(target, &target_bytes)?);
    if source_lines.len() != target_lines.len() {
        let (longer, line) = if source_lines.len() > target_lines.len() {
            (source, target_lines.len())
        } else {
            (target, source_lines.len())
        };
        return Err(line_error(
            longer,
            line,
            &format!(
                "has no counterpart: {} has {} lines, {} has {}; line i of one must translate line i of the other",
                source.display(),
                source_lines.len(),
                target.display(),
                target_lines.len()
            ),
        ));
    }
    let pairs = source_lines
        .iter()
        .zip(&target_lines)
        .enumerate()
        .map(|(i, (s, t))| {
            let path = if s.trim().is_empty() { source } else { target };
            pair(s, t, |reason| line_error(path, i, reason))
        })
        .collect::<Result<Vec<_>>>()?;
    not_empty(source, pairs)
}

/// Reads the lines of a text file, plain or zstd-compressed; empty ones are left out.
///
/// # Errors
/// Missing file, broken compression, invalid UTF-8.
pub fn read_lines(path: &Path) -> Result<Vec<String>> {
    let bytes = read_bytes(path)?;
    let lines = lines(path, &bytes)?.into_iter().map(str::trim);
    Ok(lines.filter(|l| !l.is_empty()).map(str::to_owned).collect())
}

fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let bytes = std::fs::read(path).map_err(|e| Error::file(path, e))?;
    if path.extension().is_some_and(|e| e == "zst") {
        return zstd::decode_all(bytes.as_slice())
            .map_err(|e| Error::file(path, format!("not a zstd file: {e}")));
    }
    Ok(bytes)
}

fn lines<'a>(path: &Path, bytes: &'a [u8]) -> Result<Vec<&'a str>> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    bytes
        .split(|&b| b == b'\n')
        .enumerate()
        .map(|(i, line)| {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            std::str::from_utf8(line).map_err(|e| {
                line_error(
                    path,
                    i,
                    &format!("invalid UTF-8 at byte {}", e.valid_up_to() + 1),
                )
            })
        })
        .collect()
}

fn pair(source: &str, target: &str, fault: impl Fn(&str) -> Error) -> Result<Pair> {
    let (source, target) = (source.trim(), target.trim());
    match (source.is_empty(), target.is_empty()) {
        (true, true) => Err(fault("empty line, every line must hold a sentence")),
        (true, false) => Err(fault("empty source side, both sides must hold a sentence")),
        (false, true) => Err(fault("empty target side, both sides must hold a sentence")),
        (false, false) => Ok(Pair {
            source: source.to_owned(),
            target: target.to_owned(),
        }),
    }
}

fn not_empty(path: &Path, pairs: Vec<Pair>) -> Result<Vec<Pair>> {
    if pairs.is_empty() {
        return Err(Error::file(path, "holds no sentence pair"));
    }
    Ok(pairs)
}

fn line_error(path: &Path, index: usize, reason: &str) -> Error {
    Error::Line {
        path: path.to_path_buf(),
        line: index + 1,
        reason: reason.to_owned(),
    }
}
