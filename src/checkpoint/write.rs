//! Writing files so that a crash leaves the old or the new content, never a mixture.

use super::config_json::CONFIG;
use super::disk;
use super::generation_json::GENERATION_CONFIG;
use super::lock::Lock;
use crate::{Error, Result};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Writes a model folder: into a staging folder beside it, which then takes the place of the folder that is there. That one
/// is set aside first, and put back if the new one cannot be put in its place. Its other files move into the new one, but for
/// those by which a model is read: a tokenizer of two vocabularies would make another model of the new one.
///
/// Killed at any moment, a writer leaves the old folder, the new one, or (between two renames) the old one under its
/// set-aside name; the next writer puts that one back before it begins. One writer at a time has a folder.
#[derive(Debug)]
pub struct FolderWriter {
    output: PathBuf,
    staging: PathBuf,
    set_aside: PathBuf,
    _lock: Lock,
}

impl FolderWriter {
    /// Begins to write a folder; what an interrupted writer left beside it is cleared up.
    ///
    /// # Errors
    /// [`crate::Error::Io`] if the staging folder cannot be made, `output` is a file, or another writer has it.
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
        let beside =
            |suffix| output.with_file_name(format!(".{}.{suffix}", name.to_string_lossy()));
        let fault = |error| Error::io(&output, error);
        let parent = output.parent().unwrap_or(&output);
        disk::create_folder(parent).map_err(fault)?;
        let lock = Lock::take(beside("lock")).map_err(fault)?;
        let writer = Self {
            staging: beside("new"),
            set_aside: beside("old"),
            output,
            _lock: lock,
        };
        writer
            .recover()
            .map_err(|error| Error::io(&writer.output, error))?;
        disk::remove_folder(&writer.staging).map_err(|error| Error::io(&writer.staging, error))?;
        disk::create_folder(&writer.staging).map_err(|error| Error::io(&writer.staging, error))?;
        Ok(writer)
    }

    /// Writes a file of the folder.
    ///
    /// # Errors
    /// [`crate::Error::Io`] naming the file.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.staging.join(name);
        disk::write_synced(&path, bytes).map_err(|error| Error::io(&path, error))
    }

    /// Moves the written folder to its place.
    ///
    /// # Errors
    /// [`crate::Error::Io`] if it cannot be put in place; the folder that was there is there still.
    pub fn commit(self) -> Result<()> {
        self.replace()
            .map_err(|error| Error::io(&self.output, error))
    }

    fn replace(&self) -> std::io::Result<()> {
        disk::sync_folder(&self.staging);
        if self.output.is_dir() {
            disk::rename(&self.output, &self.set_aside)?;
        }
        if let Err(error) = disk::rename(&self.staging, &self.output) {
            // The first failure is reported; if this fails too, the next writer puts the old folder back.
            let _ = self.recover();
            return Err(error);
        }
        disk::sync_folder(self.output.parent().unwrap_or(&self.output));
        self.recover()
    }

    /// Puts a folder that was set aside back, or moves its other files into the new one that has its place.
    fn recover(&self) -> std::io::Result<()> {
        if !self.set_aside.is_dir() {
            return Ok(());
        }
        if !self.output.is_dir() {
            return disk::rename(&self.set_aside, &self.output);
        }
        for name in names(&self.set_aside)? {
            if OF_ONE_MODEL.iter().any(|of_model| name == **of_model) {
                continue;
            }
            let to = self.output.join(&name);
            if to.symlink_metadata().is_err() {
                disk::rename(&self.set_aside.join(&name), &to)?;
            }
        }
        disk::sync_folder(&self.output);
        disk::remove_folder(&self.set_aside)
    }
}

/// Files that say how a model's weights are read. Weights themselves stay: the newly written ones are read first.
const OF_ONE_MODEL: [&str; 7] = [
    CONFIG,
    GENERATION_CONFIG,
    "tokenizer_config.json",
    "source.spm",
    "target.spm",
    "vocab.json",
    "target_vocab.json",
];

fn names(folder: &Path) -> std::io::Result<Vec<OsString>> {
    fs::read_dir(folder)?
        .map(|entry| Ok(entry?.file_name()))
        .collect()
}

impl Drop for FolderWriter {
    /// Removes the staging folder, which is gone already where it became the folder.
    fn drop(&mut self) {
        let _ = disk::remove_folder(&self.staging);
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
    let written =
        disk::write_synced(&temporary, bytes).and_then(|()| disk::rename(&temporary, path));
    match written {
        Ok(()) => {
            disk::sync_folder(path.parent().unwrap_or(path));
            Ok(())
        }
        Err(error) => {
            // The first failure is reported; this one leaves a file that nothing reads.
            let _ = disk::remove_file(&temporary);
            Err(Error::io(path, error))
        }
    }
}

// A browser has no folders to write to.
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use crate::Config;
    use crate::checkpoint::disk::Fault;
    use crate::checkpoint::{Tensors, TokenizerFiles, open, save};
    use crate::model::Seq2Seq;
    use crate::search::SearchOptions;

    const SPM: &[u8] = include_bytes!("../../tests/golden/tokenizer/source.spm");
    const VOCAB: &[u8] = include_bytes!("../../tests/golden/tokenizer/vocab.json");
    /// Faults that are tried at most; a writer does fewer steps.
    const MOST: usize = 100;

    /// Writes a model whose feed-forward networks have this width.
    fn write_model(folder: &Path, d_ff: usize) -> Result<()> {
        let pieces = serde_json::from_slice::<serde_json::Value>(VOCAB).unwrap();
        let config = Config {
            d_ff,
            ..Config::tiny(pieces.as_object().unwrap().len())
        };
        let files = TokenizerFiles {
            spm: SPM,
            vocab: VOCAB,
            source_language: "en",
            target_language: "de",
        };
        let tensors = Tensors::random(&config, d_ff as u64);
        save(folder, &config, &tensors, &SearchOptions::default(), files)
    }

    fn width(folder: &Path) -> Option<usize> {
        Some(open(folder).ok()?.transformer.config().d_ff)
    }

    /// Nothing but the folder lies beside it.
    fn is_tidy(folder: &Path) -> bool {
        names(folder.parent().unwrap()).unwrap() == [folder.file_name().unwrap()]
    }

    /// Writes a model over another one with a fault at every step in turn; returns the number of faults.
    fn at_every_step(fault: fn(usize) -> Fault, check: impl Fn(&Path, bool)) -> usize {
        for step in 1..MOST {
            let dir = tempfile::tempdir().unwrap();
            let folder = dir.path().join("model");
            write_model(&folder, 8).unwrap();
            std::fs::write(folder.join("notes.txt"), "mine").unwrap();
            disk::set(fault(step));
            let written = write_model(&folder, 24);
            let struck = disk::set(Fault::None);
            check(&folder, written.is_ok());
            // Trying again works, and nothing of the user's is lost.
            write_model(&folder, 24).unwrap();
            assert_eq!(width(&folder), Some(24), "step {step}");
            assert_eq!(std::fs::read(folder.join("notes.txt")).unwrap(), b"mine");
            assert!(is_tidy(&folder), "step {step}");
            if !struck {
                return step - 1;
            }
        }
        panic!("a writer does more than {MOST} steps");
    }

    #[test]
    fn a_step_that_fails_leaves_the_old_model_or_the_new_one_whole() {
        let faults = at_every_step(Fault::FailsAt, |folder, was_written| {
            let found = width(folder);
            match was_written {
                true => assert_eq!(found, Some(24)),
                false => assert!(found == Some(8) || found == Some(24), "{found:?}"),
            }
        });
        assert!(faults > 10, "{faults}");
    }

    #[test]
    fn a_kill_at_any_step_leaves_the_old_model_or_the_new_one_whole_or_set_aside() {
        let faults = at_every_step(Fault::KilledAt, |folder, _| {
            let aside = folder.with_file_name(".model.old");
            let found = width(folder).or_else(|| width(&aside));
            assert!(found == Some(8) || found == Some(24), "{found:?}");
        });
        assert!(faults > 10, "{faults}");
    }

    #[test]
    fn a_second_writer_is_refused_while_the_first_writes_and_not_after() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("model");
        write_model(&folder, 8).unwrap();
        let first = FolderWriter::create(&folder).unwrap();
        first.write("notes.txt", b"first").unwrap();
        let error = write_model(&folder, 24).unwrap_err().to_string();
        assert!(error.contains("another program"), "{error}");
        first.write("more.txt", b"first").unwrap();
        first.commit().unwrap();
        assert!(is_tidy(&folder));
        // The lock file of a killed writer does not refuse the next one.
        fs::write(dir.path().join(".model.lock"), "").unwrap();
        write_model(&folder, 24).unwrap();
        assert_eq!(width(&folder), Some(24));
        assert!(is_tidy(&folder));
    }

    #[test]
    fn nothing_of_the_old_model_is_read_with_the_new_one() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("model");
        write_model(&folder, 8).unwrap();
        // Separate vocabularies, which the next model does not have.
        std::fs::write(folder.join("target_vocab.json"), VOCAB).unwrap();
        std::fs::write(folder.join("notes.txt"), "mine").unwrap();
        write_model(&folder, 24).unwrap();
        let mut found = names(&folder).unwrap();
        found.sort();
        let expected = [
            "config.json",
            "generation_config.json",
            "model.safetensors",
            "notes.txt",
            "source.spm",
            "target.spm",
            "tokenizer_config.json",
            "vocab.json",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_file_has_its_old_or_its_new_content_after_any_fault() {
        for fault in [Fault::FailsAt, Fault::KilledAt] {
            for step in 1.. {
                let dir = tempfile::tempdir().unwrap();
                let path = dir.path().join("index.json");
                write_atomically(&path, b"old").unwrap();
                disk::set(fault(step));
                let written = write_atomically(&path, b"new, and longer");
                let struck = disk::set(Fault::None);
                let found = std::fs::read(&path).unwrap();
                let expected: &[u8] = match written {
                    Ok(()) => b"new, and longer",
                    Err(_) => b"old",
                };
                assert_eq!(found, expected);
                write_atomically(&path, b"again").unwrap();
                assert_eq!(std::fs::read(&path).unwrap(), b"again");
                if !struck {
                    assert!(step > 2);
                    break;
                }
            }
        }
    }
}
