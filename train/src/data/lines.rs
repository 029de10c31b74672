//! Reading sentence pairs: `.tsv`, `.tsv.zst`, or two parallel text files; every fault names file and line.

use crate::error::{Error, Result};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// A source sentence and its translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The source sentence.
    pub source: String,
    /// The target sentence.
    pub target: String,
}

impl Pair {
    /// The pair of the other direction.
    pub fn swapped(self) -> Self {
        Self {
            source: self.target,
            target: self.source,
        }
    }
}

/// Longest line in bytes: more is no sentence, and a file without line ends would fill the memory.
const LONGEST: u64 = 1 << 20;

/// The `source TAB target` lines of a plain or zstd-compressed file, one after another.
///
/// # Errors
/// A missing file; then, pair by pair, broken compression, invalid UTF-8, a line without exactly one tab or longer than a
/// mebibyte, an empty side.
pub fn pairs_of_tsv(path: &Path) -> Result<impl Iterator<Item = Result<Pair>> + use<>> {
    let path = path.to_path_buf();
    Ok(Lines::open(&path)?.enumerate().map(move |(i, line)| {
        let line = line?;
        let fault = |reason: &str| line_error(&path, i, reason);
        let (source, target) = line
            .split_once('\t')
            .ok_or_else(|| fault("no tab, a line is `source TAB target`"))?;
        if target.contains('\t') {
            return Err(fault("more than one tab, a line is `source TAB target`"));
        }
        pair(source, target, fault)
    }))
}

/// The lines of two text files that translate each other, one pair after another.
///
/// # Errors
/// As [`pairs_of_tsv`], and if the files have different numbers of lines.
pub fn pairs_of_parallel(
    source: &Path,
    target: &Path,
) -> Result<impl Iterator<Item = Result<Pair>> + use<>> {
    let paths = [source.to_path_buf(), target.to_path_buf()];
    let [mut sources, mut targets] = [Lines::open(source)?, Lines::open(target)?];
    let mut i = 0;
    let mut over = false;
    Ok(std::iter::from_fn(move || {
        if over {
            return None;
        }
        let next = match (sources.next(), targets.next()) {
            (None, None) => return None,
            (Some(source), Some(target)) => source.and_then(|source| {
                let target = target?;
                let path = &paths[usize::from(!source.trim().is_empty())];
                pair(&source, &target, |reason| line_error(path, i, reason))
            }),
            (longer, _) => {
                over = true;
                let counts = [
                    i + usize::from(longer.is_some()) + sources.by_ref().count(),
                    i + usize::from(longer.is_none()) + targets.by_ref().count(),
                ];
                let reason = format!(
                    "has no counterpart: {} has {} lines, {} has {}; line i of one must translate line i of the other",
                    paths[0].display(),
                    counts[0],
                    paths[1].display(),
                    counts[1]
                );
                Err(line_error(
                    &paths[usize::from(longer.is_none())],
                    i,
                    &reason,
                ))
            }
        };
        i += 1;
        Some(next)
    }))
}

/// Reads `source TAB target` lines from a plain or zstd-compressed file.
///
/// # Errors
/// As [`pairs_of_tsv`], and a file without lines.
pub fn read_tsv(path: &Path) -> Result<Vec<Pair>> {
    let pairs = pairs_of_tsv(path)?.collect::<Result<Vec<_>>>()?;
    if pairs.is_empty() {
        return Err(no_pair(path));
    }
    Ok(pairs)
}

/// The error of a file without lines.
pub fn no_pair(path: &Path) -> Error {
    Error::file(path, "holds no sentence pair")
}

/// Reads the lines of a text file, plain or zstd-compressed; empty ones are left out.
///
/// # Errors
/// Missing file, broken compression, invalid UTF-8, a line longer than a mebibyte.
pub fn read_lines(path: &Path) -> Result<Vec<String>> {
    let lines = Lines::open(path)?.map(|line| Ok(line?.trim().to_owned()));
    lines
        .filter(|line| line.as_ref().is_ok_and(|line| !line.is_empty()) || line.is_err())
        .collect()
}

/// The lines of a text file, plain or zstd-compressed, without their ends; over after the first fault.
struct Lines {
    path: PathBuf,
    reader: Box<dyn BufRead>,
    read: usize,
    over: bool,
}

impl Lines {
    fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|e| Error::file(path, e))?;
        let packed = path.extension().is_some_and(|e| e == "zst");
        let reader: Box<dyn BufRead> = match packed {
            true => {
                let decoder = zstd::Decoder::new(file).map_err(|e| Error::file(path, e))?;
                Box::new(BufReader::new(decoder))
            }
            false => Box::new(BufReader::new(file)),
        };
        Ok(Self {
            path: path.to_path_buf(),
            reader,
            read: 0,
            over: false,
        })
    }

    fn line(&mut self) -> Result<Option<String>> {
        let mut bytes = Vec::new();
        let packed = self.path.extension().is_some_and(|e| e == "zst");
        self.reader
            .by_ref()
            .take(LONGEST)
            .read_until(b'\n', &mut bytes)
            .map_err(|e| match packed {
                true => Error::file(&self.path, format!("not a zstd file: {e}")),
                false => Error::file(&self.path, e),
            })?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let index = self.read;
        self.read += 1;
        if bytes.len() as u64 == LONGEST && !bytes.ends_with(b"\n") {
            let reason = format!("longer than {LONGEST} bytes, a line must hold one sentence");
            return Err(line_error(&self.path, index, &reason));
        }
        for end in [b'\n', b'\r'] {
            bytes.pop_if(|last| *last == end);
        }
        String::from_utf8(bytes).map(Some).map_err(|e| {
            let place = e.utf8_error().valid_up_to() + 1;
            line_error(&self.path, index, &format!("invalid UTF-8 at byte {place}"))
        })
    }
}

impl Iterator for Lines {
    type Item = Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let line = self.line().transpose();
        self.over = !matches!(line, Some(Ok(_)));
        line
    }
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

fn line_error(path: &Path, index: usize, reason: &str) -> Error {
    Error::Line {
        path: path.to_path_buf(),
        line: index + 1,
        reason: reason.to_owned(),
    }
}
