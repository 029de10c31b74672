//! `cargo xtask deny`: what the project is built from, as `deny.toml` allows it.

use crate::tools::{call, cargo, output, root};
use anyhow::{Result, ensure};

/// Arguments of the command.
#[derive(clap::Args)]
pub struct Args {
    /// Fetch nothing: advisories and yanked versions are left out, and crates must have been fetched before.
    #[arg(long)]
    offline: bool,
}

/// What is printed where the tool is missing.
const MISSING: &str = "cargo-deny is not installed: `cargo install cargo-deny --locked`";

/// The workspaces, and lints of the one file that the other workspace alone needs.
const WORKSPACES: [(&str, &[&str]); 2] = [
    (
        ".",
        &[
            "--deny",
            "unmatched-skip",
            "--deny",
            "license-not-encountered",
            "--allow",
            "license-exception-not-encountered",
        ],
    ),
    (
        "fuzz",
        &[
            "--allow",
            "unmatched-skip",
            "--allow",
            "license-not-encountered",
        ],
    ),
];

/// Checks versions, licences and sources of both workspaces, then advisories.
///
/// # Errors
/// If the tool is missing, or what it finds.
pub fn run(Args { offline }: &Args) -> Result<()> {
    ensure!(
        output(cargo().args(["deny", "--version"])).is_some(),
        MISSING
    );
    for (folder, lints) in WORKSPACES {
        let mut deny = cargo();
        deny.current_dir(root().join(folder))
            .args(["deny", "--workspace", "--locked", "--config"])
            .arg(root().join("deny.toml"))
            .args(offline.then_some("--offline"))
            .args(["check", "--hide-inclusion-graph"])
            .args(lints)
            .args(["bans", "licenses", "sources"]);
        call(&mut deny)?;
    }
    for (folder, _) in WORKSPACES.iter().filter(|_| !offline) {
        let mut deny = cargo();
        deny.current_dir(root().join(folder))
            .args(["deny", "--workspace", "--locked", "--config"])
            .arg(root().join("deny.toml"))
            .args(["check", "--hide-inclusion-graph", "advisories"]);
        call(&mut deny)?;
    }
    Ok(())
}
