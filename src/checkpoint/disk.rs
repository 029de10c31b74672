//! The file system as the workspace's writers use it, in one place: tests make each step fail in turn, those of other packages by
//! the feature `faults`.
#![doc(hidden)]

use std::fs::{self, File};
use std::io::{ErrorKind, Result, Write};
use std::path::Path;

/// What goes wrong in a test.
#[cfg(all(any(test, feature = "faults"), not(target_arch = "wasm32")))]
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// Nothing.
    None,
    /// This step, counted from 1, as on a full disk; later ones work.
    FailsAt(usize),
    /// This step and all later ones: the process is gone.
    KilledAt(usize),
}

#[cfg(all(any(test, feature = "faults"), not(target_arch = "wasm32")))]
thread_local! {
    static STATE: std::cell::Cell<(Fault, usize)> = const { std::cell::Cell::new((Fault::None, 0)) };
}

/// Sets what goes wrong from now on in this thread; returns whether the fault before it struck.
#[cfg(all(any(test, feature = "faults"), not(target_arch = "wasm32")))]
pub fn set(fault: Fault) -> bool {
    let (before, steps) = STATE.replace((fault, 0));
    match before {
        Fault::None => false,
        Fault::FailsAt(at) | Fault::KilledAt(at) => steps >= at,
    }
}

/// A step of a writer: an error where a test wants one.
fn step() -> Result<()> {
    #[cfg(all(any(test, feature = "faults"), not(target_arch = "wasm32")))]
    {
        let (fault, steps) = STATE.get();
        STATE.set((fault, steps + 1));
        let strikes = match fault {
            Fault::None => false,
            Fault::FailsAt(at) => steps + 1 == at,
            Fault::KilledAt(at) => steps + 1 >= at,
        };
        if strikes {
            return Err(ErrorKind::StorageFull.into());
        }
    }
    Ok(())
}

/// Makes a folder and those above it.
pub fn create_folder(path: &Path) -> Result<()> {
    step()?;
    fs::create_dir_all(path)
}

/// Removes a folder with all that is in it, if it is there.
pub fn remove_folder(path: &Path) -> Result<()> {
    step()?;
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Opens the file whose lock a writer takes; makes it where it is not there.
pub fn open_lock(path: &Path) -> Result<File> {
    step()?;
    File::options()
        .create(true)
        .write(true)
        .truncate(false)
        .open(path)
}

/// Removes a file.
pub fn remove_file(path: &Path) -> Result<()> {
    step()?;
    fs::remove_file(path)
}

/// Renames a file or a folder.
pub fn rename(from: &Path, to: &Path) -> Result<()> {
    step()?;
    fs::rename(from, to)
}

/// Writes a file and waits until it is on the disk.
pub fn write_synced(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = File::create(path)?;
    let (half, rest) = bytes.split_at(bytes.len() / 2);
    file.write_all(half)?;
    // A disk fills up in the middle of a file.
    step()?;
    file.write_all(rest)?;
    step()?;
    file.sync_all()
}

/// Appends to an open file.
pub fn append(file: &mut File, bytes: &[u8]) -> Result<()> {
    let (half, rest) = bytes.split_at(bytes.len() / 2);
    file.write_all(half)?;
    // As in [`write_synced`].
    step()?;
    file.write_all(rest)
}

/// Makes renames in a folder durable. Not every system can open or sync a folder; the files themselves are synced.
pub fn sync_folder(path: &Path) {
    let path = if path == Path::new("") {
        Path::new(".")
    } else {
        path
    };
    if step().is_ok()
        && let Ok(folder) = File::open(path)
    {
        let _ = folder.sync_all();
    }
}
