//! Texts of one sentence a line, and columns of tables.

use crate::{Error, Result};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// A text's lines and where they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The file, or `standard input`.
    pub name: String,
    /// Its lines without their ends (`\n` or `\r\n`).
    pub lines: Vec<String>,
}

/// Longer lines are refused: a text has none, and a file without line breaks would fill the memory.
const MAX_LINE: usize = 1 << 20;
/// Bytes of a longer line that are skipped until the next begins; after them the text counts as one without lines.
const MAX_SKIPPED: u64 = 1 << 26;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A text that is read line by line.
pub struct LineReader {
    name: String,
    input: Box<dyn BufRead>,
    /// Lines read.
    line: usize,
}

impl LineReader {
    /// Opens a file; `None` or `-` is standard input.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: Option<&Path>) -> Result<Self> {
        match path.filter(|path| *path != Path::new("-")) {
            Some(path) => {
                let file = File::open(path).map_err(|error| Error::io(path, error))?;
                let input = Box::new(BufReader::new(file));
                Ok(Self::new(path.display().to_string(), input))
            }
            None => {
                let input = Box::new(BufReader::new(std::io::stdin()));
                Ok(Self::new("standard input".into(), input))
            }
        }
    }

    fn new(name: String, input: Box<dyn BufRead>) -> Self {
        Self {
            name,
            input,
            line: 0,
        }
    }

    /// The next line without its end (`\n` or `\r\n`); a last line without an end counts too.
    ///
    /// # Errors
    /// If the text cannot be read or is UTF-16, or the line (which is named) is no UTF-8 or longer than a mebibyte.
    pub fn next_line(&mut self) -> Result<Option<String>> {
        self.read_line()?.transpose()
    }

    /// The next line; the inner error is that of a line after which the others can still be read.
    fn read_line(&mut self) -> Result<Option<Result<String>>> {
        let mut bytes = Vec::new();
        let input = self.input.by_ref();
        let mut whole = input.take(MAX_LINE as u64 + 2);
        let read = whole.read_until(b'\n', &mut bytes);
        if self.named(read)? == 0 {
            return Ok(None);
        }
        self.line += 1;
        if self.line == 1 {
            if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
                return Err(Error::Argument(format!(
                    "{} is UTF-16; convert it to UTF-8",
                    self.name
                )));
            }
            // Some editors write a byte order mark; it is no part of the first word.
            if bytes.starts_with(BYTE_ORDER_MARK) {
                bytes.drain(..BYTE_ORDER_MARK.len());
            }
        }
        let ended = bytes.pop_if(|byte| *byte == b'\n').is_some();
        if ended {
            bytes.pop_if(|byte| *byte == b'\r');
        }
        if bytes.len() > MAX_LINE {
            let reason = format!("is longer than {MAX_LINE} bytes; put each sentence on a line");
            let error = self.bad(reason);
            return match ended || self.skip_line()? {
                true => Ok(Some(Err(error))),
                false => Err(error),
            };
        }
        Ok(Some(String::from_utf8(bytes).map_err(|error| {
            self.bad(format!(
                "byte {} is no UTF-8; convert the text to UTF-8",
                error.utf8_error().valid_up_to() + 1
            ))
        })))
    }

    /// Skips the rest of a line; whether it ends within [`MAX_SKIPPED`] bytes.
    fn skip_line(&mut self) -> Result<bool> {
        let mut rest = self.input.by_ref().take(MAX_SKIPPED);
        let skipped = rest.skip_until(b'\n');
        Ok(self.named(skipped)? < MAX_SKIPPED as usize)
    }

    fn named<T>(&self, result: std::io::Result<T>) -> Result<T> {
        result.map_err(|source| Error::Io {
            name: self.name.clone(),
            source,
        })
    }

    /// The error of the line that was read last.
    fn bad(&self, reason: String) -> Error {
        Error::Line {
            name: self.name.clone(),
            line: self.line,
            reason,
        }
    }

    /// The next lines: as many as there are, at most `lines`, and none after `bytes` bytes are reached. A line that is no
    /// UTF-8 or too long is empty, and `report` gets its error.
    ///
    /// # Errors
    /// If the text cannot be read, or a line does not end.
    pub fn take(
        &mut self,
        lines: usize,
        bytes: usize,
        report: &mut dyn FnMut(Error),
    ) -> Result<Vec<String>> {
        let (mut taken, mut size) = (Vec::new(), 0);
        while taken.len() < lines && size < bytes {
            let Some(line) = self.read_line()? else {
                break;
            };
            let line = line.unwrap_or_else(|error| {
                report(error);
                String::new()
            });
            size += line.len();
            taken.push(line);
        }
        Ok(taken)
    }

    /// Skips lines, good or bad.
    ///
    /// # Errors
    /// If the text cannot be read, or has fewer lines.
    pub fn skip(&mut self, lines: usize) -> Result<()> {
        for skipped in 0..lines {
            if self.read_line()?.is_none() {
                return Err(Error::Argument(format!(
                    "{} has {skipped} lines, fewer than the {lines} that are translated already",
                    self.name
                )));
            }
        }
        Ok(())
    }
}

impl Lines {
    /// Reads a file; `None` or `-` is standard input.
    ///
    /// # Errors
    /// As [`LineReader::next_line`], and if there are more than [`Self::MAX_BYTES`] bytes.
    pub fn read(path: Option<&Path>) -> Result<Self> {
        Self::collect(LineReader::open(path)?)
    }

    /// Longest text that is read as a whole.
    pub const MAX_BYTES: usize = 1 << 30;

    fn collect(mut reader: LineReader) -> Result<Self> {
        let mut bad = None;
        let lines = reader.take(usize::MAX, Self::MAX_BYTES, &mut |error| {
            bad.get_or_insert(error);
        })?;
        if let Some(error) = bad {
            return Err(error);
        }
        if reader.next_line()?.is_some() {
            return Err(Error::Argument(format!(
                "{} has more than {} bytes; give it in parts",
                reader.name,
                Self::MAX_BYTES
            )));
        }
        Ok(Self {
            name: reader.name,
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

    fn parse(name: &str, bytes: &'static [u8]) -> Result<Lines> {
        Lines::collect(LineReader::new(name.into(), Box::new(bytes)))
    }

    #[test]
    fn a_text_without_line_breaks_is_refused_before_it_fills_the_memory() {
        let endless = Box::new(BufReader::new(std::io::repeat(b'a')));
        let error = LineReader::new("zero".into(), endless).next_line();
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("zero, line 1") && error.contains("longer"),
            "{error}"
        );
    }

    #[test]
    fn bad_lines_are_empty_and_reported_and_those_after_them_are_read() {
        let long = vec![b'a'; MAX_LINE + 7];
        let bytes = [b"one\nba\xffd\n".as_slice(), &long, b"\r\nfour\n", &long].concat();
        let bytes: &'static [u8] = bytes.leak();
        let mut errors = Vec::new();
        let mut reader = LineReader::new("t".into(), Box::new(bytes));
        let lines = reader.take(9, usize::MAX, &mut |error| errors.push(error.to_string()));
        assert_eq!(lines.unwrap(), ["one", "", "", "four", ""]);
        for (error, part) in errors
            .iter()
            .zip(["line 2: byte 3", "line 3: is longer", "line 5"])
        {
            assert!(error.contains(part), "{error}");
        }
        assert_eq!(errors.len(), 3);
        let mut reader = LineReader::new("t".into(), Box::new(bytes));
        reader.skip(3).unwrap();
        assert_eq!(reader.next_line().unwrap().as_deref(), Some("four"));
        assert!(
            reader
                .skip(2)
                .unwrap_err()
                .to_string()
                .contains("has 1 lines")
        );
    }

    #[test]
    fn every_line_comes_out_even_if_empty() {
        let lines = parse("t", b"a\n\nb\r\n\n").unwrap().lines;
        assert_eq!(lines, ["a", "", "b", ""]);
        assert!(parse("t", b"").unwrap().lines.is_empty());
        assert_eq!(parse("t", b"a\nb").unwrap().lines, ["a", "b"]);
    }

    #[test]
    fn a_bad_byte_names_its_line() {
        let error = parse("in.txt", b"good\nba\xffd\n").unwrap_err().to_string();
        assert!(error.contains("in.txt, line 2: byte 3"), "{error}");
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line_and_utf_16_is_named() {
        let lines = parse("t", b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n").unwrap().lines;
        assert_eq!(lines, ["a", "\u{feff}b"]);
        for utf_16 in [b"\xff\xfeA\0\n\0", b"\xfe\xff\0A\0\n"] {
            let error = parse("w.txt", utf_16).unwrap_err().to_string();
            assert!(error.contains("w.txt is UTF-16"), "{error}");
        }
    }

    #[test]
    fn a_missing_column_names_its_line() {
        let lines = parse("t.tsv", b"a\tb\nc\n").unwrap();
        assert_eq!(lines.clone().column(1).unwrap().lines, ["a", "c"]);
        let error = lines.column(2).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
    }
}
