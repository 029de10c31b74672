//! The tests of the command in GNU parallel and in Spark, which are installed where they are missing.

use crate::count::{Count, tested};
use crate::tools::{call, install_debian_packages, on_path, root};
use crate::torch::cache_dir;
use crate::{browser, e2e};
use anyhow::Result;
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

/// A virtual environment with Spark, made first where it is missing.
fn environment(folder: &Path) -> Result<PathBuf> {
    let venv = cache_dir()?.join("translucent/spark-3.5.7");
    if venv.join("bin/spark-submit").is_file() {
        return Ok(venv);
    }
    call(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    for requirements in ["requirements-build.txt", "requirements.txt"] {
        call(
            Command::new(venv.join("bin/python"))
                .args([
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                ])
                .args(["--require-hashes", "--no-build-isolation", "-r"])
                .arg(folder.join(requirements)),
        )?;
    }
    Ok(venv)
}
