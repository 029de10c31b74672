//! Archives that depend on names and contents alone: not on times, owners, rights or the order of a folder.

use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};
use std::fs;
use std::path::{Path, PathBuf};

/// A `.tar.gz` of these files, given by their paths below `dir`.
pub fn tar_gz(dir: &Path, files: &[PathBuf]) -> Result<Vec<u8>> {
    let mut files: Vec<&PathBuf> = files.iter().collect();
    files.sort();
    // Its header holds no time, no name, and no operating system.
    let gzip = GzBuilder::new()
        .mtime(0)
        .operating_system(255)
        .write(Vec::new(), Compression::best());
    let mut archive = tar::Builder::new(gzip);
    for file in files {
        let content = fs::read(dir.join(file)).with_context(|| file.display().to_string())?;
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        archive.append_data(&mut header, file, content.as_slice())?;
    }
    Ok(archive.into_inner()?.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::time::{Duration, SystemTime};

    #[test]
    fn the_same_files_make_the_same_bytes_whatever_their_times_and_order() {
        let dirs = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let mut archives = Vec::new();
        for (i, dir) in dirs.iter().enumerate() {
            fs::create_dir(dir.path().join("b")).unwrap();
            for name in ["b/two.txt", "one.txt"] {
                let path = dir.path().join(name);
                fs::write(&path, name).unwrap();
                let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 * (i as u64 + 1));
                fs::File::options()
                    .write(true)
                    .open(path)
                    .unwrap()
                    .set_modified(time)
                    .unwrap();
            }
            let mut files = vec![PathBuf::from("one.txt"), PathBuf::from("b/two.txt")];
            files.rotate_left(i);
            archives.push(tar_gz(dir.path(), &files).unwrap());
        }
        assert_eq!(archives[0], archives[1]);
        fs::write(dirs[1].path().join("one.txt"), "two").unwrap();
        let other = tar_gz(dirs[1].path(), &["one.txt", "b/two.txt"].map(PathBuf::from)).unwrap();
        assert_ne!(other, archives[0]);
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        let dir = tempfile::tempdir().unwrap();
        let long = format!("{}/{}.txt", "folder".repeat(12), "name".repeat(20));
        fs::create_dir_all(dir.path().join("folder".repeat(12))).unwrap();
        fs::write(dir.path().join(&long), "content").unwrap();
        let bytes = tar_gz(dir.path(), &[PathBuf::from(&long)]).unwrap();
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
        let mut entry = archive.entries().unwrap().next().unwrap().unwrap();
        assert_eq!(entry.path().unwrap().to_string_lossy(), long);
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        assert_eq!(text, "content");
    }
}
