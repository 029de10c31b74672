//! Python packages in virtual environments.

use crate::tools::call;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Makes a virtual environment, or completes one.
pub fn make(venv: &Path) -> Result<()> {
    call(Command::new("python3").args(["-m", "venv"]).arg(venv))
}

/// Installs a file of requirements, each with its hash, into an environment; `options` are pip's.
pub fn install(venv: &Path, requirements: &Path, options: &[&str]) -> Result<()> {
    call(
        Command::new(venv.join("bin/python"))
            .args(["-m", "pip", "install", "--quiet"])
            .args(["--disable-pip-version-check", "--require-hashes"])
            .args(options)
            .arg("-r")
            .arg(requirements),
    )
}
