//! The version stands in `Cargo.toml`; what repeats it is compared with it.

use crate::tools::root;
use anyhow::{Context, Result, ensure};
use std::fs;

/// Manifests whose dependencies on each other name the version.
const MANIFESTS: [&str; 3] = ["Cargo.toml", "cli/Cargo.toml", "src/learn/Cargo.toml"];

fn read(file: &str) -> Result<String> {
    fs::read_to_string(root().join(file)).with_context(|| file.to_owned())
}

/// Fails where a file names another version.
///
/// # Errors
/// Names the file.
pub fn check(version: &str) -> Result<()> {
    let own = env!("CARGO_PKG_VERSION");
    ensure!(
        own == version,
        "Cargo.toml has version {own}, not {version}"
    );
    for file in MANIFESTS {
        for (line, dependency) in own_dependencies(&read(file)?) {
            ensure!(
                dependency == version,
                "{file}, line {line}: version ={dependency}, not ={version}"
            );
        }
    }
    let citation = read("CITATION.cff")?;
    ensure!(
        citation
            .lines()
            .any(|line| line == format!("version: {version}")),
        "CITATION.cff has another version than {version}"
    );
    let changelog = read("CHANGELOG.md")?;
    let (newest, _) = newest(&changelog)?;
    ensure!(
        newest == version,
        "CHANGELOG.md begins with {newest}, not with {version}"
    );
    // `cargo xtask pack` writes the version there.
    ensure!(
        read("npm/package.json")?.contains("\"version\": \"0.0.0\""),
        "npm/package.json has a version of its own"
    );
    Ok(())
}

/// Whether the changelog has a date for a version.
///
/// # Errors
/// Where it has no section.
pub fn is_dated(version: &str) -> Result<bool> {
    let changelog = read("CHANGELOG.md")?;
    let (newest, rest) = newest(&changelog)?;
    let digits = rest.chars().filter(char::is_ascii_digit).count();
    Ok(newest == version && digits == 8)
}

/// The newest version of a changelog, and what stands behind it in its heading.
fn newest(changelog: &str) -> Result<(&str, &str)> {
    let heading = changelog.lines().find_map(|line| line.strip_prefix("## "));
    let heading = heading.context("CHANGELOG.md has no version")?;
    Ok(heading.split_once(' ').unwrap_or((heading, "")))
}

/// The versions at which a manifest wants our own crates, with their lines.
fn own_dependencies(manifest: &str) -> Vec<(usize, String)> {
    let versions = (1..).zip(manifest.lines()).filter_map(|(number, line)| {
        let version = line
            .starts_with("translucent")
            .then(|| line.split_once("version = \"="))??
            .1;
        Some((number, version.split('"').next()?.to_owned()))
    });
    versions.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_names_the_version_names_the_same() {
        check(env!("CARGO_PKG_VERSION")).unwrap();
        assert!(check("9.9.9").is_err());
        let dependencies: usize = MANIFESTS
            .iter()
            .map(|file| own_dependencies(&read(file).unwrap()).len())
            .sum();
        assert_eq!(dependencies, 5);
    }

    #[test]
    fn every_test_runs_with_the_oldest_compiler_that_is_promised() {
        let quoted = |file: &str, key: &str| {
            let text = read(file).unwrap();
            let line = text.lines().find(|line| line.starts_with(key)).unwrap();
            line.split('"').nth(1).unwrap().to_owned()
        };
        let promised = quoted("Cargo.toml", "rust-version");
        assert_eq!(
            quoted("rust-toolchain.toml", "channel"),
            format!("{promised}.0")
        );
    }

    #[test]
    fn the_newest_version_is_the_first_heading() {
        assert_eq!(
            newest("# Changelog\n\n## 0.3.0 (2026-12-01)\n\n## 0.2.0").unwrap(),
            ("0.3.0", "(2026-12-01)")
        );
        assert!(newest("# Changelog\n").is_err());
    }
}
