//! One writer of a model folder at a time: two would make one folder of both.

use super::disk;
use std::fs::{File, TryLockError};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// The right to write a folder: a file beside it that is locked while its writer lives.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the right whose file this is.
    ///
    /// # Errors
    /// If another writer has it, or the file cannot be made.
    pub fn take(path: PathBuf) -> Result<Self> {
        let busy = || {
            Error::new(
                ErrorKind::ResourceBusy,
                "another program is writing this folder",
            )
        };
        let file = disk::open_lock(&path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(busy()),
            // Not every file system has locks; there a second writer goes unnoticed.
            Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Unsupported => {
                return Err(error);
            }
            _ => {}
        }
        // Its last owner may have removed it between the two steps above, and a third writer made another.
        if !is_at(&file, &path) {
            return Err(busy());
        }
        Ok(Self { path, _file: file })
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |found: std::fs::Metadata| (found.dev(), found.ino());
    file.metadata().map(id).ok() == std::fs::metadata(path).map(id).ok()
}

/// Elsewhere an open file is not removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = disk::remove_file(&self.path);
    }
}
