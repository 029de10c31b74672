//! Reading sentence pairs: what is wrong is named with file and line.

use std::path::{Path, PathBuf};
use tempfile::TempDir;
use translucent_train::data::lines::{Pair, pairs_of_parallel, read_tsv};
use translucent_train::error::Result;

fn write(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn read_parallel(source: &Path, target: &Path) -> Result<Vec<Pair>> {
    pairs_of_parallel(source, target)?.collect()
}

fn assert_fault(found: Result<Vec<Pair>>, parts: &[&str]) {
    let message = found.unwrap_err().to_string();
    for part in parts {
        assert!(message.contains(part), "{message:?} lacks {part:?}");
    }
}

#[test]
fn pairs_come_from_plain_and_compressed_tables_and_from_parallel_files() {
    let folder = TempDir::new().unwrap();
    let text = "A cat.\tEine Katze.\r\nA dog.\tEin Hund.\n";
    let plain = read_tsv(&write(&folder, "a.tsv", text.as_bytes())).unwrap();
    assert_eq!(plain.len(), 2);
    assert_eq!(
        (plain[0].source.as_str(), plain[0].target.as_str()),
        ("A cat.", "Eine Katze.")
    );
    let packed = zstd::encode_all(text.as_bytes(), 1).unwrap();
    assert_eq!(
        read_tsv(&write(&folder, "a.tsv.zst", &packed)).unwrap(),
        plain
    );
    let english = write(&folder, "a.en", b"A cat.\nA dog.\n");
    // No line feed at the end.
    let german = write(&folder, "a.de", b"Eine Katze.\nEin Hund.");
    assert_eq!(read_parallel(&english, &german).unwrap(), plain);
}

#[test]
fn a_missing_file_is_named() {
    assert_fault(
        read_tsv(Path::new("/nowhere/a.tsv")),
        &["/nowhere/a.tsv", "No such file"],
    );
}

#[test]
fn files_of_different_length_name_the_first_line_too_many() {
    let folder = TempDir::new().unwrap();
    let english = write(&folder, "a.en", b"A cat.\nA dog.\nA cow.\n");
    let german = write(&folder, "a.de", b"Eine Katze.\nEin Hund.\n");
    assert_fault(
        read_parallel(&english, &german),
        &["a.en, line 3", "a.en has 3 lines", "a.de has 2"],
    );
}

#[test]
fn empty_lines_and_sides_are_named() {
    let folder = TempDir::new().unwrap();
    let english = write(&folder, "a.en", b"A cat.\nA dog.\n");
    let german = write(&folder, "a.de", b"Eine Katze.\n \n");
    assert_fault(
        read_parallel(&english, &german),
        &["a.de, line 2", "empty target"],
    );
    for (text, reason) in [
        ("A cat.\tEine Katze.\n\nA dog.\tEin Hund.\n", "no tab"),
        ("A cat.\tEine Katze.\nA dog.\t\n", "empty target"),
        ("A cat.\tEine Katze.\n\tEin Hund.\n", "empty source"),
        (
            "A cat.\tEine Katze.\nA\tdog.\tEin Hund.\n",
            "more than one tab",
        ),
    ] {
        let path = write(&folder, "b.tsv", text.as_bytes());
        assert_fault(read_tsv(&path), &["b.tsv, line 2", reason]);
    }
    assert_fault(
        read_tsv(&write(&folder, "c.tsv", b"")),
        &["c.tsv", "no sentence pair"],
    );
}

#[test]
fn invalid_utf8_is_named_with_its_byte() {
    let folder = TempDir::new().unwrap();
    let path = write(
        &folder,
        "a.tsv",
        b"A cat.\tEine Katze.\nA d\xffg.\tEin Hund.\n",
    );
    assert_fault(
        read_tsv(&path),
        &["a.tsv, line 2", "invalid UTF-8 at byte 4"],
    );
}

#[test]
fn broken_compression_is_named() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "a.tsv.zst", b"A cat.\tEine Katze.\n");
    assert_fault(read_tsv(&path), &["a.tsv.zst", "not a zstd file"]);
}

#[test]
fn a_file_without_line_ends_is_refused_before_it_fills_the_memory() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "a.tsv", &vec![b'a'; 3 << 20]);
    assert_fault(read_tsv(&path), &["a.tsv, line 1", "longer than 1048576"]);
}
