//! mdBook, which makes the site: one version, in the user's cache, shared by every clone.

use crate::tools::{cache_dir, call};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// The version of mdBook.
const VERSION: &str = "0.5.4";

/// Its program, installed first where it is missing (minutes, once).
///
/// # Errors
/// Where cargo cannot build it.
pub fn ensure() -> Result<PathBuf> {
    let folder = cache_dir()?.join(format!("translucent/mdbook-{VERSION}"));
    let program = folder
        .join("bin")
        .join(format!("mdbook{}", env::consts::EXE_SUFFIX));
    if program.is_file() {
        return Ok(program);
    }
    eprintln!(
        "Setting up mdBook {VERSION} in {} (once; minutes)",
        folder.display()
    );
    fs::create_dir_all(&folder)?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // Without the server and the watcher of files. Away from our workspace, whose settings are not mdBook's.
    call(
        Command::new(cargo)
            .args(["install", "mdbook", "--locked", "--version", VERSION])
            .args(["--no-default-features", "--features", "search", "--root"])
            .arg(&folder)
            .current_dir(&folder),
    )
    .with_context(|| format!("mdBook {VERSION} could not be installed"))?;
    Ok(program)
}
