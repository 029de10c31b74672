//! One trainer at a time in a run's folder: two would overwrite each other's state.

use super::Folder;
use crate::error::{Error, Result};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;

/// The right to write in a run's folder; ends with the process at the latest.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Folder {
    /// Takes the folder for this process.
    ///
    /// # Errors
    /// If another trainer has it; the message has the number of its process.
    pub fn lock(&self) -> Result<Lock> {
        let path = self.path().join("lock");
        let fault = |e| Error::file(&path, e);
        let mut options = OpenOptions::new();
        let mut file = options
            .create(true)
            .write(true)
            .truncate(false)
            .open(&path)
            .map_err(fault)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let owner = std::fs::read_to_string(&path).unwrap_or_default();
                let reason = format!(
                    "process {} is training this run: stop it, or take another name or --runs folder",
                    owner.trim()
                );
                return Err(Error::file(self.path(), reason));
            }
            Err(TryLockError::Error(e)) => return Err(fault(e)),
        }
        let id = std::process::id().to_string();
        file.set_len(0)
            .and_then(|()| file.write_all(id.as_bytes()))
            .map_err(fault)?;
        Ok(Lock { _file: file })
    }
}
