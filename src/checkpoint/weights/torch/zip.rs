//! A zip archive as `torch.save` writes it since 1.6: every file stored as it is.

use super::super::Content;
use super::super::content::{Fault, part};
use std::collections::BTreeMap;
use std::ops::Range;

const END: [u8; 4] = *b"PK\x05\x06";
const END64_LOCATOR: [u8; 4] = *b"PK\x06\x07";
const END64: [u8; 4] = *b"PK\x06\x06";
const ENTRY: [u8; 4] = *b"PK\x01\x02";
pub const LOCAL: [u8; 4] = *b"PK\x03\x04";

/// Sizes of the fixed parts of the records.
const END_SIZE: usize = 22;
const LOCATOR_SIZE: usize = 20;
const ENTRY_SIZE: usize = 46;
const END64_SIZE: usize = 56;
const LOCAL_SIZE: usize = 30;
/// A comment after the end record has at most so many bytes.
const LONGEST_COMMENT: usize = 0xffff;

/// Where the files of an archive lie, by name.
pub struct Archive {
    files: BTreeMap<String, Range<usize>>,
}

impl Archive {
    /// Reads the directory of an archive, and where its files begin.
    pub fn open(file: &dyn Content) -> Result<Self, Fault> {
        let from = file
            .len()
            .saturating_sub(LONGEST_COMMENT + END_SIZE + LOCATOR_SIZE);
        let tail = part(file, from..file.len())?;
        let end = find_end(&tail).ok_or(
            "begins as a zip archive, but has no directory at its end: it is cut short, fetch it again",
        )?;
        let (count, start) = directory(file, &tail, end)?;
        if start > from + end {
            return Err(damaged_end().into());
        }
        let bytes = part(file, start..from + end)?;
        let mut files = BTreeMap::new();
        let mut at = 0;
        for number in 0..count {
            let entry = Entry::read(&bytes, at)
                .ok_or_else(|| format!("has a damaged zip directory: entry {number} of {count}"))?;
            files.insert(entry.name.to_owned(), entry.range(file)?);
            at = entry.next;
        }
        Ok(Self { files })
    }

    /// Where the content of a file lies.
    pub fn get(&self, name: &str) -> Option<Range<usize>> {
        self.files.get(name).cloned()
    }

    /// The folder in which `data.pkl` lies, with its slash.
    pub fn folder_of_pickle(&self) -> Option<&str> {
        let mut folders = self
            .files
            .keys()
            .filter_map(|name| name.strip_suffix("data.pkl"));
        folders.find(|folder| folder.is_empty() || folder.ends_with('/'))
    }
}

fn damaged_end() -> String {
    "has a damaged zip directory: its end record".to_owned()
}

/// Where the end record begins in the last bytes of an archive.
fn find_end(tail: &[u8]) -> Option<usize> {
    let last = tail.len().checked_sub(END_SIZE)?;
    let first = last.saturating_sub(LONGEST_COMMENT);
    (first..=last)
        .rev()
        .find(|at| tail[*at..].starts_with(&END))
}

/// How many entries the directory has, and where it begins in the file.
fn directory(file: &dyn Content, tail: &[u8], end: usize) -> Result<(u64, usize), Fault> {
    let (mut count, mut start) = (
        u64::from(u16_at(tail, end + 10).ok_or_else(damaged_end)?),
        u64::from(u32_at(tail, end + 16).ok_or_else(damaged_end)?),
    );
    let locator = end.checked_sub(LOCATOR_SIZE);
    if let Some(locator) = locator.filter(|at| tail[*at..].starts_with(&END64_LOCATOR)) {
        let record = u64_at(tail, locator + 8).and_then(|at| usize::try_from(at).ok());
        let record = record
            .and_then(|at| Some(at..at.checked_add(END64_SIZE)?))
            .filter(|range| range.end <= file.len())
            .ok_or_else(damaged_end)?;
        let record = part(file, record)?;
        if !record.starts_with(&END64) {
            return Err(damaged_end().into());
        }
        count = u64_at(&record, 32).ok_or_else(damaged_end)?;
        start = u64_at(&record, 48).ok_or_else(damaged_end)?;
    }
    // Each entry takes at least its fixed part: reject a larger count before reading entries.
    if count > (file.len() / ENTRY_SIZE) as u64 {
        return Err(damaged_end().into());
    }
    Ok((count, usize::try_from(start).map_err(|_| damaged_end())?))
}

/// One entry of the directory.
struct Entry<'a> {
    name: &'a str,
    encrypted: bool,
    method: u16,
    size: u64,
    local: u64,
    next: usize,
}

impl<'a> Entry<'a> {
    fn read(bytes: &'a [u8], at: usize) -> Option<Self> {
        if !bytes.get(at..)?.starts_with(&ENTRY) {
            return None;
        }
        let length = |offset| u16_at(bytes, at + offset).map(usize::from);
        let (name_length, extra, comment) = (length(28)?, length(30)?, length(32)?);
        let name = at + ENTRY_SIZE;
        let mut entry = Self {
            name: std::str::from_utf8(bytes.get(name..name + name_length)?).ok()?,
            encrypted: u16_at(bytes, at + 8)? & 1 == 1,
            method: u16_at(bytes, at + 10)?,
            size: u32_at(bytes, at + 24)?.into(),
            local: u32_at(bytes, at + 42)?.into(),
            next: name + name_length + extra + comment,
        };
        let packed = u32_at(bytes, at + 20)?;
        let fields = bytes.get(name + name_length..name + name_length + extra)?;
        entry.widen(fields, packed)?;
        Some(entry)
    }

    /// Numbers that do not fit into 32 bits stand in the extra field 1, those that do are left out there.
    fn widen(&mut self, mut fields: &[u8], packed: u32) -> Option<()> {
        const TOO_LARGE: u32 = u32::MAX;
        while fields.len() >= 4 {
            let (id, length) = (u16_at(fields, 0)?, usize::from(u16_at(fields, 2)?));
            let field = fields.get(4..4 + length)?;
            if id == 1 {
                let mut at = 0;
                let mut next = || {
                    at += 8;
                    u64_at(field, at - 8)
                };
                if self.size == u64::from(TOO_LARGE) {
                    self.size = next()?;
                }
                if packed == TOO_LARGE {
                    next()?;
                }
                if self.local == u64::from(TOO_LARGE) {
                    self.local = next()?;
                }
            }
            fields = &fields[4 + length..];
        }
        Some(())
    }

    /// Where its content lies: behind a header of its own, whose length only that says.
    fn range(&self, file: &dyn Content) -> Result<Range<usize>, Fault> {
        let name = self.name;
        if self.encrypted || self.method != 0 {
            return Err(Fault::Format(format!(
                "has {name} compressed or encrypted; torch.save stores files as they are, so save it again with it"
            )));
        }
        let misplaced = || {
            format!(
                "has a zip directory that places {name} where it is not: it is damaged, fetch it again"
            )
        };
        let local = usize::try_from(self.local).ok();
        let local = local.and_then(|at| Some(at..at.checked_add(LOCAL_SIZE)?));
        let local = local.filter(|range| range.end <= file.len());
        let local = local.ok_or_else(misplaced)?;
        let header = part(file, local.clone())?;
        let range = || {
            if !header.starts_with(&LOCAL) {
                return None;
            }
            let names = usize::from(u16_at(&header, 26)?) + usize::from(u16_at(&header, 28)?);
            let start = local.end.checked_add(names)?;
            let end = start.checked_add(usize::try_from(self.size).ok()?)?;
            (end <= file.len()).then_some(start..end)
        };
        Ok(range().ok_or_else(misplaced)?)
    }
}

fn array_at<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    array_at(bytes, at).map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    array_at(bytes, at).map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    array_at(bytes, at).map(u64::from_le_bytes)
}
