//! Writing files so that a crash leaves the old or the new content, never a mixture.

use super::config_json::CONFIG;
use crate::{Error, Result};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes a model folder: into a staging folder beside it first, which becomes the folder, or whose files replace those
/// of the folder that is there. In that case `config.json` is taken away first and put back last, so that a folder
/// whose writing was interrupted is refused instead of opened as a mixture.
#[derive(Debug)]
pub struct FolderWriter {
    output: PathBuf,
    staging: PathBuf,
}

impl FolderWriter {
    /// Begins to write a folder; what an interrupted writer left beside it is removed.
    ///
    /// # Errors
    /// [`crate::Error::Io`] if the staging folder cannot be made, or `output` is a file.
    pub fn create(output: &Path) -> Result<Self> {
        let output = match output.canonicalize() {
            Ok(path) if !path.is_dir() => {
                return Err(Error::io(output, ErrorKind::NotADirectory.into()));
            }
            Ok(path) => path,
            Err(_) => output.to_owned(),
        };
        let Some(name) = output.file_name() else {
            return Err(Error::io(&output, ErrorKind::InvalidInput.into()));
        };
        let staging = output.with_file_name(format!(".{}.new", name.to_string_lossy()));
        match fs::remove_dir_all(&staging) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(Error::io(&staging, error));
            }
            _ => {}
        }
        fs::create_dir_all(&staging).map_err(|error| Error::io(&staging, error))?;
        Ok(Self { output, staging })
    }

    /// Writes a file of the folder.
    ///
    /// # Errors
    /// [`crate::Error::Io`] naming the file.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.staging.join(name);
        write_synced(&path, bytes).map_err(|error| Error::io(&path, error))
    }

    /// Moves the written files into the folder.
    ///
    /// # Errors
    /// [`crate::Error::Io`] naming the file that cannot be moved.
    pub fn commit(self) -> Result<()> {
        sync_folder(&self.staging);
        if self.output.is_dir() {
            self.replace_files()?;
        } else {
            fs::rename(&self.staging, &self.output)
                .map_err(|error| Error::io(&self.output, error))?;
        }
        sync_folder(self.output.parent().unwrap_or(&self.output));
        Ok(())
    }

    fn replace_files(&self) -> Result<()> {
        let config = self.output.join(CONFIG);
        match fs::remove_file(&config) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(Error::io(&config, error));
            }
            _ => sync_folder(&self.output),
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.staging).map_err(|error| Error::io(&self.staging, error))? {
            names.push(
                entry
                    .map_err(|error| Error::io(&self.staging, error))?
                    .file_name(),
            );
        }
        names.sort_by_key(|name| name == CONFIG);
        for name in names {
            let to = self.output.join(&name);
            if name == CONFIG {
                // All others are on the disk before.
                sync_folder(&self.output);
            }
            fs::rename(self.staging.join(&name), &to).map_err(|error| Error::io(&to, error))?;
        }
        sync_folder(&self.output);
        Ok(())
    }
}

impl Drop for FolderWriter {
    /// Removes the staging folder, which is gone already where it became the folder.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.staging);
    }
}

/// Writes a file so that, whatever happens, either its old or its new content is there: under
/// another name in the same folder, synced, then renamed.
///
/// # Errors
/// [`crate::Error::Io`] naming the file.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = write_synced(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    match written {
        Ok(()) => {
            sync_folder(path.parent().unwrap_or(path));
            Ok(())
        }
        Err(error) => {
            // The first failure is reported; this one leaves a file that nothing reads.
            let _ = fs::remove_file(&temporary);
            Err(Error::io(path, error))
        }
    }
}

fn write_synced(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes renames in a folder durable. Not every system can open or sync a folder; the files themselves are synced.
fn sync_folder(path: &Path) {
    let path = if path == Path::new("") {
        Path::new(".")
    } else {
        path
    };
    if let Ok(folder) = File::open(path) {
        let _ = folder.sync_all();
    }
}
