//! The tests of the command in GNU parallel and in Spark, which are installed where they are missing.

use crate::count::{Count, tested};
use crate::tools::{cache_dir, install_debian_packages, on_path, root};
use crate::{browser, e2e, python};
use anyhow::Result;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs them.
///
/// # Errors
/// Says what to install.
pub fn run() -> Result<Count> {
    browser::ensure_node()?;
    for (program, package) in [
        ("parallel", "parallel"),
        ("java", "default-jre-headless"),
        ("python3", "python3-venv"),
    ] {
        if on_path(&[program]).is_none() {
            install_debian_packages(
                &[package],
                &format!("{program} is not there"),
                &format!("Install it (Debian: apt-get install {package})"),
            )?;
        }
    }
    let folder = root().join("tests/pipelines");
    let environment = environment(&folder)?;
    tested(
        Command::new("node")
            .args(["--test", "--test-reporter=spec"])
            .arg(folder.join("pipelines.test.mjs"))
            .env("TRANSLUCENT", e2e::native_command()?)
            .env("PYTHON_ENVIRONMENT", environment)
            .current_dir(root()),
    )
}

/// A virtual environment with Spark, made first where it is missing or incomplete.
fn environment(folder: &Path) -> Result<PathBuf> {
    let venv = cache_dir()?.join("translucent/spark");
    let requirements = folder.join("requirements.txt");
    let installed = venv.join("requirements.txt");
    if fs::read(&installed).ok() == Some(fs::read(&requirements)?) {
        return Ok(venv);
    }
    python::make(&venv)?;
    for file in [folder.join("requirements-build.txt"), requirements.clone()] {
        python::install(&venv, &file, &["--no-build-isolation"])?;
    }
    // Written last: an installation that was cut short is begun anew.
    fs::copy(requirements, installed)?;
    Ok(venv)
}
