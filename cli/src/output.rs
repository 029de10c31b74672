//! Where a filter writes: standard output, or a file that an interrupted run left behind.

use crate::{Error, Result};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether standard output was closed when the program began. The program itself sets it, before `main`: Rust's runtime opens
/// /dev/null in its place.
pub static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Standard output; to write to a closed one is an error.
struct Standard;

impl Write for Standard {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if IS_CLOSED.load(Ordering::Relaxed) {
            return Err(std::io::Error::other("is closed"));
        }
        std::io::stdout().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stdout().flush()
    }
}

/// Output of whole lines.
pub struct LineWriter {
    name: String,
    out: Box<dyn Write>,
}

impl LineWriter {
    /// Standard output.
    pub fn standard() -> Self {
        Self {
            name: "standard output".into(),
            out: Box::new(Standard),
        }
    }

    /// A new file.
    ///
    /// # Errors
    /// If it cannot be written, or is there already: what it holds may be the work of hours.
    pub fn create(path: &Path) -> Result<Self> {
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        Self::of(path, file)
    }

    /// A file to which lines are added after its last whole one; a new file if there is none. `check` gets the number of
    /// whole lines; if it fails, the file is not changed.
    ///
    /// # Errors
    /// If it cannot be read or written, and what `check` says.
    pub fn resume(path: &Path, check: impl FnOnce(usize) -> Result<()>) -> Result<(Self, usize)> {
        let named = |source| Error::io(path, source);
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(named)?;
        let (lines, bytes) = whole_lines(&file).map_err(named)?;
        check(lines)?;
        // A line that was cut off is translated again.
        file.set_len(bytes).map_err(named)?;
        file.seek(SeekFrom::End(0)).map_err(named)?;
        Ok((Self::of(path, Ok(file))?, lines))
    }

    fn of(path: &Path, file: std::io::Result<File>) -> Result<Self> {
        let file = file.map_err(|source| Error::io(path, source))?;
        Ok(Self {
            name: path.display().to_string(),
            out: Box::new(file),
        })
    }

    /// Writes lines that end with `\n`; they are there when it returns.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self, lines: &str) -> Result<()> {
        let written = self.out.write_all(lines.as_bytes());
        let written = written.and_then(|()| self.out.flush());
        written.map_err(|source| Error::Io {
            name: self.name.clone(),
            source,
        })
    }
}

/// Number of the whole lines of a file, and of their bytes.
fn whole_lines(file: &File) -> std::io::Result<(usize, u64)> {
    let mut reader = BufReader::new(file);
    let (mut lines, mut bytes, mut read) = (0, 0, 0u64);
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok((lines, bytes));
        }
        let ends = buffer
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n');
        for (at, _) in ends {
            lines += 1;
            bytes = read + at as u64 + 1;
        }
        let length = buffer.len();
        read += length as u64;
        reader.consume(length);
    }
}
