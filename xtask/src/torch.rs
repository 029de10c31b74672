//! libtorch for the trainer: PyTorch's wheel in a virtual environment of the user's cache, shared by every clone.

use crate::tools::{
    cache_dir, call, cargo, install_debian_packages, on_path, output, root, target_dir,
};
use crate::{mpi, python};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The version of PyTorch that the trainer's `tch` binds; `train/requirements.txt` has its hashes.
pub const TORCH: &str = "2.11.0";

/// An environment in which the trainer builds and runs.
pub struct Torch {
    venv: PathBuf,
    /// Folder of libtorch's shared libraries.
    lib: PathBuf,
}

/// `cargo xtask train …`: sets libtorch up, builds in release, then replaces this process by the trainer; with `--ranks N`
/// by `mpirun`, which starts N trainers.
pub fn train(args: &[OsString]) -> Result<()> {
    let (ranks, args) = ranks(args)?;
    let torch = Torch::ensure()?;
    let mut build = torch.cargo("build")?;
    build.args(["--quiet", "--release"]);
    let trainer = target_dir()?.join("release/translucent-train");
    let mut command = match ranks {
        None => Command::new(trainer),
        Some(ranks) => {
            mpi::ensure()?;
            build.args(mpi::FEATURE);
            let mut command = mpi::run(ranks);
            command.arg(trainer);
            command
        }
    };
    call(&mut build)?;
    torch.apply(&mut command)?;
    become_program(command.args(args))
}

/// Takes `--ranks N` out of the trainer's arguments.
fn ranks(args: &[OsString]) -> Result<(Option<usize>, Vec<OsString>)> {
    let Some(at) = args.iter().position(|arg| arg == "--ranks") else {
        return Ok((None, args.to_vec()));
    };
    let number = args.get(at + 1).and_then(|n| n.to_str()?.parse().ok());
    let number: usize = number
        .filter(|n| *n > 0)
        .context("--ranks needs the number of processes, like --ranks 2")?;
    Ok((Some(number), [&args[..at], &args[at + 2..]].concat()))
}

/// Replaces this program, so that signals reach the trainer alone and its exit status is ours.
#[cfg(unix)]
fn become_program(command: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    Err(command.exec()).with_context(|| format!("cannot start {command:?}"))
}

#[cfg(not(unix))]
fn become_program(command: &mut Command) -> Result<()> {
    call(command)
}

impl Torch {
    /// The environment, made first where it is missing.
    ///
    /// # Errors
    /// Says what to install where Python or a C++ compiler is missing.
    pub fn ensure() -> Result<Torch> {
        if on_path(&["c++", "g++", "clang++"]).is_none() {
            install_debian_packages(
                &["g++"],
                "there is no C++ compiler",
                "Install one (Debian: apt-get install g++)",
            )?;
        }
        let venv = cache_dir()?.join(format!("translucent/torch-{TORCH}"));
        if let Some(torch) = Torch::find(&venv) {
            return Ok(torch);
        }
        install(&venv)?;
        Torch::find(&venv).with_context(|| {
            format!(
                "{} holds no complete torch {TORCH}: delete it and try again",
                venv.display()
            )
        })
    }

    /// The environment at `venv` if it is complete: pip writes a package's RECORD last.
    fn find(venv: &Path) -> Option<Torch> {
        let python = fs::read_dir(venv.join("lib"))
            .ok()?
            .flatten()
            .map(|entry| entry.path());
        let packages = python
            .map(|dir| dir.join("site-packages"))
            .find(|dir| dir.is_dir())?;
        let complete = |start: &str| {
            let entries = fs::read_dir(&packages).into_iter().flatten().flatten();
            entries.into_iter().any(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                name.starts_with(start)
                    && name.ends_with(".dist-info")
                    && entry.path().join("RECORD").is_file()
            })
        };
        let whole = complete(&format!("torch-{TORCH}")) && complete("numpy-");
        whole.then(|| Torch {
            venv: venv.to_path_buf(),
            lib: packages.join("torch/lib"),
        })
    }

    /// The virtual environment.
    pub fn venv(&self) -> &Path {
        &self.venv
    }

    /// Its folder of Python packages.
    pub fn packages(&self) -> Result<&Path> {
        let packages = self.lib.ancestors().nth(2);
        packages.context("libtorch lies outside an environment")
    }

    /// `cargo <subcommand>` on the trainer's package.
    pub fn cargo(&self, subcommand: &str) -> Result<Command> {
        let mut command = cargo();
        command.args([subcommand, "--locked", "-p", "translucent-train"]);
        self.apply(&mut command)?;
        Ok(command)
    }

    /// Gives a command the variables by which libtorch is found when building and when running.
    fn apply(&self, command: &mut Command) -> Result<()> {
        let loader = if cfg!(target_os = "macos") {
            "DYLD_LIBRARY_PATH"
        } else {
            "LD_LIBRARY_PATH"
        };
        command
            .env("LIBTORCH_USE_PYTORCH", "1")
            .env("VIRTUAL_ENV", &self.venv)
            .env(
                "PATH",
                prepended(&self.venv.join("bin"), env::var_os("PATH"))?,
            )
            .env(loader, prepended(&self.lib, env::var_os(loader))?);
        Ok(())
    }
}

/// `dir` before the folders of `list`.
fn prepended(dir: &Path, list: Option<OsString>) -> Result<OsString> {
    let list = list.unwrap_or_default();
    let rest = env::split_paths(&list).filter(|path| !path.as_os_str().is_empty());
    env::join_paths(std::iter::once(dir.to_path_buf()).chain(rest))
        .with_context(|| format!("{} cannot stand in a list of folders", dir.display()))
}

/// Makes the virtual environment and installs torch into it; completes a partial one.
fn install(venv: &Path) -> Result<()> {
    if cfg!(windows) {
        bail!("the trainer is set up on Linux and macOS only; on Windows use WSL");
    }
    let advice = format!(
        "The trainer uses PyTorch {TORCH}'s libtorch: install Python 3.10 or newer with its venv module (Debian: apt-get install python3 python3-venv)"
    );
    let usable =
        || output(Command::new("python3").args(["-c", "import venv, ensurepip"])).is_some();
    if !usable() {
        install_debian_packages(
            &["python3", "python3-venv"],
            "Python 3 with its venv module is not there",
            &advice,
        )?;
    }
    eprintln!(
        "Setting up libtorch {TORCH} in {} (once; minutes, about 3 GB)",
        venv.display()
    );
    python::make(venv).with_context(|| advice.clone())?;
    python::install(venv, &root().join("train/requirements.txt"), &[]).with_context(|| {
        format!(
            "pip could not install torch {TORCH} into {}",
            venv.display()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_environment_whose_install_was_cut_short_does_not_count() {
        let venv = tempfile::tempdir().unwrap();
        let packages = venv.path().join("lib/python3.12/site-packages");
        for package in ["torch-2.11.0+cpu.dist-info", "numpy-2.3.0.dist-info"] {
            fs::create_dir_all(packages.join(package)).unwrap();
        }
        fs::write(packages.join("numpy-2.3.0.dist-info/RECORD"), "").unwrap();
        assert!(Torch::find(venv.path()).is_none());
        fs::write(packages.join("torch-2.11.0+cpu.dist-info/RECORD"), "").unwrap();
        assert_eq!(
            Torch::find(venv.path()).map(|torch| torch.lib),
            Some(packages.join("torch/lib"))
        );
    }

    #[test]
    fn ranks_are_taken_out_of_the_trainers_arguments() {
        let args = |text: &str| -> Vec<OsString> { text.split(' ').map(OsString::from).collect() };
        let (number, rest) = ranks(&args("run a.toml --ranks 4 --data d")).unwrap();
        assert_eq!((number, rest), (Some(4), args("run a.toml --data d")));
        assert_eq!(ranks(&args("run a.toml")).unwrap().0, None);
        for wrong in ["run --ranks", "run --ranks 0", "run --ranks two"] {
            assert!(ranks(&args(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn our_folder_comes_before_the_users_own() {
        assert_eq!(
            prepended(Path::new("/v/bin"), Some("/usr/bin:/bin".into())).unwrap(),
            "/v/bin:/usr/bin:/bin"
        );
        assert_eq!(prepended(Path::new("/v/bin"), None).unwrap(), "/v/bin");
    }
}
