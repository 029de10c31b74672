//! Texts of one sentence a line, and columns of tables.

use crate::{Error, Result};
use std::io::Read;
use std::path::Path;

/// A text's lines and where they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The file, or `standard input`.
    pub name: String,
    /// Its lines without their ends (`\n` or `\r\n`).
    pub lines: Vec<String>,
}

impl Lines {
    /// Reads a file; `None` or `-` is standard input.
    ///
    /// # Errors
    /// If it cannot be read, or a line (which is named) is no UTF-8.
    pub fn read(path: Option<&Path>) -> Result<Self> {
        match path.filter(|path| *path != Path::new("-")) {
            Some(path) => {
                let bytes = std::fs::read(path).map_err(|error| Error::io(path, error))?;
                Self::parse(&path.display().to_string(), &bytes)
            }
            None => {
                let name = "standard input";
                let mut bytes = Vec::new();
                let read = std::io::stdin().lock().read_to_end(&mut bytes);
                read.map_err(|source| Error::Io {
                    name: name.into(),
                    source,
                })?;
                Self::parse(name, &bytes)
            }
        }
    }

    /// Splits bytes into lines; a last line without an end counts too.
    ///
    /// # Errors
    /// If a line, which is named, is no UTF-8.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self> {
        let mut lines = Vec::new();
        if bytes.is_empty() {
            return Ok(Self {
                name: name.into(),
                lines,
            });
        }
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            match std::str::from_utf8(line) {
                Ok(line) => lines.push(line.to_owned()),
                Err(error) => {
                    return Err(Error::Line {
                        name: name.into(),
                        line: at + 1,
                        reason: format!(
                            "byte {} is no UTF-8; convert the text to UTF-8",
                            error.valid_up_to() + 1
                        ),
                    });
                }
            }
        }
        Ok(Self {
            name: name.into(),
            lines,
        })
    }

    /// Keeps one tab-separated column of every line, counted from 1.
    ///
    /// # Errors
    /// If a line, which is named, has not so many.
    pub fn column(self, column: usize) -> Result<Self> {
        let take = |(at, line): (usize, String)| match line.split('\t').nth(column.wrapping_sub(1))
        {
            Some(field) => Ok(field.to_owned()),
            None => Err(Error::Line {
                name: self.name.clone(),
                line: at + 1,
                reason: format!(
                    "has {} columns, column {column} is asked for",
                    line.split('\t').count()
                ),
            }),
        };
        let lines: Result<Vec<String>> = self.lines.into_iter().enumerate().map(take).collect();
        Ok(Self {
            lines: lines?,
            name: self.name,
        })
    }

    /// Checks that another text has as many lines.
    ///
    /// # Errors
    /// [`Error::Lengths`] if not.
    pub fn must_match(&self, other: &Self) -> Result<()> {
        if self.lines.len() == other.lines.len() {
            return Ok(());
        }
        Err(Error::Lengths {
            left: self.name.clone(),
            left_lines: self.lines.len(),
            right: other.name.clone(),
            right_lines: other.lines.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_comes_out_even_if_empty() {
        let lines = Lines::parse("t", b"a\n\nb\r\n\n").unwrap().lines;
        assert_eq!(lines, ["a", "", "b", ""]);
        assert!(Lines::parse("t", b"").unwrap().lines.is_empty());
        assert_eq!(Lines::parse("t", b"a\nb").unwrap().lines, ["a", "b"]);
    }

    #[test]
    fn a_bad_byte_names_its_line() {
        let error = Lines::parse("in.txt", b"good\nba\xffd\n")
            .unwrap_err()
            .to_string();
        assert!(error.contains("in.txt, line 2: byte 3"), "{error}");
    }

    #[test]
    fn a_missing_column_names_its_line() {
        let lines = Lines::parse("t.tsv", b"a\tb\nc\n").unwrap();
        assert_eq!(lines.clone().column(1).unwrap().lines, ["a", "c"]);
        let error = lines.column(2).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
    }
}
