//! A zip archive as `torch.save` writes it since 1.6: every file stored as it is.

use std::collections::BTreeMap;

const END: [u8; 4] = *b"PK\x05\x06";
const END64_LOCATOR: [u8; 4] = *b"PK\x06\x07";
const END64: [u8; 4] = *b"PK\x06\x06";
const ENTRY: [u8; 4] = *b"PK\x01\x02";
pub const LOCAL: [u8; 4] = *b"PK\x03\x04";

/// Sizes of the fixed parts of the records.
const END_SIZE: usize = 22;
const LOCATOR_SIZE: usize = 20;
const ENTRY_SIZE: usize = 46;
const LOCAL_SIZE: usize = 30;
/// A comment after the end record has at most so many bytes.
const LONGEST_COMMENT: usize = 0xffff;

/// The files of an archive by name.
pub struct Archive<'a> {
    files: BTreeMap<&'a str, &'a [u8]>,
}

impl<'a> Archive<'a> {
    /// Reads the directory of an archive.
    pub fn open(bytes: &'a [u8]) -> Result<Self, String> {
        let end = find_end(bytes).ok_or(
            "begins as a zip archive, but has no directory at its end: it is cut short, fetch it again",
        )?;
        let (count, mut at) = directory(bytes, end)?;
        let mut files = BTreeMap::new();
        for number in 0..count {
            let entry = Entry::read(bytes, at)
                .ok_or_else(|| format!("has a damaged zip directory: entry {number} of {count}"))?;
            files.insert(entry.name, entry.content(bytes)?);
            at = entry.next;
        }
        Ok(Self { files })
    }

    /// The content of a file.
    pub fn get(&self, name: &str) -> Option<&'a [u8]> {
        self.files.get(name).copied()
    }

    /// The folder in which `data.pkl` lies, with its slash.
    pub fn folder_of_pickle(&self) -> Option<&'a str> {
        let mut folders = self
            .files
            .keys()
            .filter_map(|name| name.strip_suffix("data.pkl"));
        folders.find(|folder| folder.is_empty() || folder.ends_with('/'))
    }
}

fn find_end(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(END_SIZE)?;
    let first = last.saturating_sub(LONGEST_COMMENT);
    (first..=last)
        .rev()
        .find(|at| bytes[*at..].starts_with(&END))
}

/// How many entries the directory has, and where it begins.
fn directory(bytes: &[u8], end: usize) -> Result<(u64, usize), String> {
    let damaged = || "has a damaged zip directory: its end record".to_owned();
    let (mut count, mut start) = (
        u64::from(u16_at(bytes, end + 10).ok_or_else(damaged)?),
        u64::from(u32_at(bytes, end + 16).ok_or_else(damaged)?),
    );
    let locator = end.checked_sub(LOCATOR_SIZE);
    if let Some(locator) = locator.filter(|at| bytes[*at..].starts_with(&END64_LOCATOR)) {
        let record = u64_at(bytes, locator + 8).and_then(|at| usize::try_from(at).ok());
        let record = record
            .filter(|at| {
                bytes
                    .get(*at..)
                    .is_some_and(|rest| rest.starts_with(&END64))
            })
            .ok_or_else(damaged)?;
        count = u64_at(bytes, record + 32).ok_or_else(damaged)?;
        start = u64_at(bytes, record + 48).ok_or_else(damaged)?;
    }
    // Each entry takes at least its fixed part: reject a larger count before reading entries.
    if count > (bytes.len() / ENTRY_SIZE) as u64 {
        return Err(damaged());
    }
    Ok((count, usize::try_from(start).map_err(|_| damaged())?))
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

    fn content(&self, bytes: &'a [u8]) -> Result<&'a [u8], String> {
        let name = self.name;
        if self.encrypted || self.method != 0 {
            return Err(format!(
                "has {name} compressed or encrypted; torch.save stores files as they are, so save it again with it"
            ));
        }
        let content = || {
            let local = usize::try_from(self.local).ok()?;
            if !bytes.get(local..)?.starts_with(&LOCAL) {
                return None;
            }
            let names =
                usize::from(u16_at(bytes, local + 26)?) + usize::from(u16_at(bytes, local + 28)?);
            let start = local + LOCAL_SIZE + names;
            bytes.get(start..start.checked_add(usize::try_from(self.size).ok()?)?)
        };
        content().ok_or_else(|| {
            format!("has a zip directory that places {name} where it is not: it is damaged, fetch it again")
        })
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
