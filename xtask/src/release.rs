//! `cargo xtask release`: everything that a release consists of, as archives with checksums.

mod archive;
mod sizes;
mod versions;

use crate::site::Site;
use crate::tools::{call, files_below, output, root, target_dir};
use crate::{dist, docs, pack, test, wasm};
use anyhow::{Result, ensure};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Arguments of the command.
#[derive(clap::Args)]
pub struct Args {
    /// The version, as `Cargo.toml` has it.
    version: String,
    /// Make everything, and record nothing.
    #[arg(long)]
    dry_run: bool,
    /// The folder of the archives.
    #[arg(long, default_value = "dist/release")]
    output: PathBuf,
    /// Run all tests first.
    #[arg(long)]
    tests: bool,
    /// Use the last build of the engine.
    #[arg(long)]
    no_build: bool,
    /// Make everything a second time, the engine in an empty target folder, and compare byte for byte.
    #[arg(long)]
    twice: bool,
}

/// Makes the archives. Without `--dry-run` the tree has to be clean, the changelog dated, and the sizes are recorded.
pub fn run(args: &Args) -> Result<()> {
    let version = args.version.as_str();
    versions::check(version)?;
    if !args.dry_run {
        let changes = output(
            Command::new("git")
                .args(["status", "--porcelain"])
                .current_dir(root()),
        );
        ensure!(
            changes.is_some_and(|changes| changes.is_empty()),
            "commit first"
        );
        ensure!(
            versions::is_dated(version)?,
            "CHANGELOG.md: {version} is unreleased; give it its date"
        );
    }
    if args.tests {
        test::run(&test::Args::default())?;
    }
    if !args.no_build {
        wasm::build()?;
    }
    let sizes = sizes::measure()?;
    sizes::compare(version, &sizes)?;
    let hashes = make(version, &args.output)?;
    if args.twice {
        if !args.no_build {
            let target = target_dir()?.join("release-twice/target");
            if target.is_dir() {
                fs::remove_dir_all(&target)?;
            }
            wasm::build_in(&target)?;
        }
        let again = make(version, &target_dir()?.join("release-twice"))?;
        ensure!(
            hashes == again,
            "the second time gave other archives:\n{hashes:?}\n{again:?}"
        );
        println!("made twice: the same bytes");
    }
    for (name, hash) in &hashes {
        let bytes = fs::metadata(args.output.join(name))?.len();
        println!("{hash}  {name}  {bytes} bytes");
    }
    if !args.dry_run {
        sizes::record(version, &sizes)?;
    }
    Ok(())
}

/// Writes the archives and `SHA256SUMS` into `dir`; gives the hash of each archive.
fn make(version: &str, dir: &Path) -> Result<BTreeMap<String, String>> {
    let parts = target_dir()?.join("release-parts");
    if parts.is_dir() {
        fs::remove_dir_all(&parts)?;
    }
    let at = |part: &str| parts.join(part);
    pack::write_all(&at("npm"))?;
    dist::write(&Site::of_tree(&root().join("models")), &at("site"))?;
    docs::write(&docs::Book::read()?, &at("docs"))?;
    fs::create_dir_all(dir)?;
    let mut hashes = BTreeMap::new();
    for part in fs::read_dir(&parts)? {
        let part = part?.path();
        let name = part.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("translucent-{version}-{name}.tar.gz");
        let mut files = files_below(&part)?;
        // Hidden, and all the same a part of the page.
        files.extend(
            [PathBuf::from(".htaccess")]
                .into_iter()
                .filter(|file| part.join(file).is_file()),
        );
        let bytes = archive::tar_gz(&part, &files)?;
        fs::write(dir.join(&name), &bytes)?;
        hashes.insert(name, format!("{:x}", Sha256::digest(&bytes)));
    }
    // As `sha256sum --check` reads it.
    let sums: String = hashes
        .iter()
        .map(|(name, hash)| format!("{hash}  {name}\n"))
        .collect();
    fs::write(dir.join("SHA256SUMS"), sums)?;
    if crate::tools::on_path(&["sha256sum"]).is_some() {
        call(
            Command::new("sha256sum")
                .args(["--quiet", "--check", "SHA256SUMS"])
                .current_dir(dir),
        )?;
    }
    Ok(hashes)
}
