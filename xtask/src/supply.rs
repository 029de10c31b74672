//! What the project is built from: licences, sources and versions of every crate in `Cargo.lock`, hashes of every Python package.
//! `cargo xtask deny` checks the crates of both workspaces, with a tool of its own.

use crate::tools::{cargo, root};
use serde_json::Value;
use std::collections::BTreeSet;

/// Licences that a crate may be used under.
const LICENCES: [&str; 7] = [
    "MIT",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Zlib",
    "CC0-1.0",
    "Unicode-3.0",
];
/// Where crates come from, beside this repository.
const SOURCE: &str = "registry+https://github.com/rust-lang/crates.io-index";
/// Crates of which a command may hold two versions: of procedural macros, nothing is left after the build.
const TWICE: [&str; 1] = ["syn"];

fn printed(arguments: &[&str]) -> String {
    let output = cargo().args(arguments).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Whether an SPDX expression can be met with [`LICENCES`].
fn is_allowed(expression: &str) -> bool {
    expression.split(" AND ").all(|part| {
        let part = part.trim_matches(['(', ')']).replace('/', " OR ");
        part.split(" OR ")
            .any(|licence| LICENCES.contains(&licence.trim()))
    })
}

#[test]
fn every_crate_has_a_licence_that_we_can_use_and_comes_from_the_registry() {
    let all = printed(&["metadata", "--locked", "--format-version", "1"]);
    let all: Value = serde_json::from_str(&all).unwrap();
    let packages = all["packages"].as_array().unwrap();
    assert!(packages.len() > 100, "{} crates", packages.len());
    for package in packages {
        let name = &package["name"];
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(is_allowed(licence), "{name}: {licence}");
        let source = package["source"].as_str();
        assert!(
            source.is_none_or(|source| source == SOURCE),
            "{name}: {source:?}"
        );
    }
    assert!(!is_allowed("GPL-3.0") && !is_allowed("MIT AND AGPL-3.0"));
}

#[test]
fn no_crate_is_there_in_two_versions_in_what_ships() {
    for (package, target) in [
        ("translucent", "wasm32-unknown-unknown"),
        ("translucent-cli", "x86_64-unknown-linux-gnu"),
    ] {
        let tree = printed(&[
            "tree", "--locked", "-p", package, "--target", target, "-e", "normal", "-d", "--depth",
            "0",
        ]);
        let twice: BTreeSet<&str> = tree
            .lines()
            .filter_map(|line| line.split(' ').next())
            .filter(|name| !name.is_empty() && !TWICE.contains(name))
            .collect();
        assert!(twice.is_empty(), "{package} has {twice:?} in two versions");
    }
}

#[test]
fn every_python_package_has_one_version_and_its_hashes() {
    for file in [
        "train/requirements.txt",
        "benches/peers/requirements.txt",
        "tests/golden/requirements.txt",
    ] {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        // A package's lines are joined by backslashes.
        let joined = text.replace("\\\n", " ");
        let packages: Vec<&str> = joined
            .lines()
            .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
            .collect();
        assert!(packages.len() > 5, "{file}");
        for package in packages {
            let name = package.split(' ').next().unwrap();
            assert!(
                name.contains("==") && package.contains("--hash=sha256:"),
                "{file}: {package}"
            );
        }
    }
    let torch = std::fs::read_to_string(root().join("train/requirements.txt")).unwrap();
    assert!(torch.contains(&format!("\ntorch=={} ", crate::torch::TORCH)));
}
