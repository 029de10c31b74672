//! Subprocesses and paths.

use anyhow::{Context, Result, bail, ensure};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// The workspace's root folder.
pub fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}

/// Cargo's target folder: this program lies at `<target>/xtask/xtask`, wherever `CARGO_TARGET_DIR` put it.
pub fn target_dir() -> Result<PathBuf> {
    let exe = env::current_exe().context("cannot tell where this program lies")?;
    let dir = exe
        .ancestors()
        .nth(2)
        .context("this program lies outside a target folder")?;
    Ok(dir.to_path_buf())
}

/// The cargo that started us, in the workspace's root.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// `cargo <subcommand>` for all packages that are tested natively.
pub fn members(subcommand: &str) -> Command {
    let mut command = cargo();
    command.args([subcommand, "--locked", "--workspace"]);
    // The first needs libtorch, the second is built with a profile that builds faster, and the third is its test runner.
    for other in ["translucent-train", "xtask", "wbg-runner"] {
        command.args(["--exclude", other]);
    }
    command
}

/// Prints the command, runs it, and makes a failure an error.
pub fn call(command: &mut Command) -> Result<()> {
    eprintln!("+ {}", shown(command));
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", shown(command)))?;
    ensure!(status.success(), "{} ended with {status}", shown(command));
    Ok(())
}

/// The command's standard output, if it succeeds.
pub fn output(command: &mut Command) -> Option<String> {
    let out = command.stderr(Stdio::null()).output().ok()?;
    out.status
        .success()
        .then(|| String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

/// A command line as typed in a shell, without the environment.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program())
        .file_name()
        .unwrap_or(command.get_program());
    std::iter::once(program)
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The first of these programs on PATH.
pub fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let dirs: Vec<PathBuf> = env::split_paths(&path).collect();
    names
        .iter()
        .flat_map(|name| dirs.iter().map(move |dir| dir.join(name)))
        .find(|file| file.is_file())
}

/// Installs Debian packages as root; otherwise says what to install.
///
/// # Errors
/// `missing` and `advice`, where this is no Debian-like system or the user is not root.
pub fn install_debian_packages(packages: &[&str], missing: &str, advice: &str) -> Result<()> {
    let is_root = output(Command::new("id").arg("-u")).is_some_and(|uid| uid == "0");
    if !is_root || on_path(&["apt-get"]).is_none() {
        bail!("{missing}.\n{advice}");
    }
    eprintln!("{missing}: installing {}", packages.join(" "));
    let apt = |args: &[&str]| {
        let mut command = Command::new("apt-get");
        command
            .args(args)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(Stdio::null());
        command
    };
    call(&mut apt(&["update", "-qq"]))?;
    call(apt(&["install", "-y", "-qq", "--no-install-recommends"]).args(packages))
}

/// The user's cache folder.
pub fn cache_dir() -> Result<PathBuf> {
    let absolute = |variable: &str| {
        env::var_os(variable)
            .map(PathBuf::from)
            .filter(|dir| dir.is_absolute())
    };
    absolute("XDG_CACHE_HOME")
        .or_else(|| Some(absolute("HOME")?.join(".cache")))
        .context("neither XDG_CACHE_HOME nor HOME names a folder to keep things in")
}

/// Every file below `dir` except hidden ones, relative to it, sorted.
pub fn files_below(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(relative) = open.pop() {
        let folder = dir.join(&relative);
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let path = relative.join(entry.file_name());
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if entry.file_type()?.is_dir() {
                open.push(path)
            } else {
                files.push(path)
            }
        }
    }
    files.sort();
    Ok(files)
}
