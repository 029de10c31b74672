//! The peers of the engine: packages from npm, and models made in a Python environment. All lie in the user's cache
//! folder and are made once.

use crate::python;
use crate::tools::{cache_dir, call, cargo, root};
use crate::torch::Torch;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Shapes with random weights, see `benches/peers/shapes.py`.
const SHAPES: [&str; 2] = ["S", "M"];

/// The folder of the peers.
pub struct Peers {
    /// `<cache>/translucent/bench`: `node_modules`, `venv`, `models` (ours), `peers` (theirs), `loops.wasm`.
    pub cache: PathBuf,
}

impl Peers {
    /// Its path.
    pub fn folder() -> Result<PathBuf> {
        Ok(cache_dir()?.join("translucent/bench"))
    }

    /// The models in our format.
    pub fn models(&self) -> PathBuf {
        self.cache.join("models")
    }

    /// Makes what is missing.
    ///
    /// # Errors
    /// Names the step of npm, pip or a script that failed.
    pub fn ensure() -> Result<Peers> {
        let peers = Peers {
            cache: Self::folder()?,
        };
        fs::create_dir_all(peers.models())
            .with_context(|| format!("cannot make {}", peers.cache.display()))?;
        peers.packages()?;
        peers.loops()?;
        let models = peers.models();
        let missing = |path: &str| !peers.cache.join(path).exists();
        if SHAPES
            .iter()
            .any(|shape| missing(&format!("models/{shape}-f32/vocab.json")))
        {
            peers.python("engine_models.py", &[&models])?;
        }
        // Made last, so all the others are there.
        if missing("peers/standard/M/decoder_with_past_model_quantized.onnx") {
            fs::create_dir_all(peers.cache.join("peers"))?;
            peers.python("marian_models.py", &[&peers.cache.join("peers/marian")])?;
            peers.python("minimal_graphs.py", &[&peers.cache.join("peers/minimal")])?;
            for shape in SHAPES {
                let to = peers.cache.join("peers/standard").join(shape);
                let from = models.join(format!("{shape}-f32"));
                peers.python("standard_graphs.py", &[&from, &to])?;
            }
        }
        peers.folders()?;
        Ok(peers)
    }

    /// Writes the folder of an int8 model with the same weights in f32.
    ///
    /// # Errors
    /// If the Python environment cannot be made or the script fails.
    pub fn dequantize(from: &Path, to: &Path) -> Result<()> {
        let peers = Peers {
            cache: Self::folder()?,
        };
        peers.python("dequantize.py", &[from, to])
    }

    /// npm's packages, at the versions of the lock file.
    fn packages(&self) -> Result<()> {
        let wanted = root().join("benches/peers");
        let lock = fs::read(wanted.join("package-lock.json"))?;
        let has = fs::read(self.cache.join("package-lock.json")).ok();
        if has.as_deref() == Some(&lock) && self.cache.join("node_modules").is_dir() {
            return Ok(());
        }
        crate::browser::ensure_node()?;
        for file in ["package.json", "package-lock.json"] {
            fs::copy(wanted.join(file), self.cache.join(file))?;
        }
        let arguments = [
            "ci",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
        ];
        call(Command::new("npm").args(arguments).current_dir(&self.cache))
    }

    /// The loops that measure the machine's limits.
    fn loops(&self) -> Result<()> {
        let script = root().join("benches/browser/loops.mjs");
        let arguments = [script, self.cache.clone(), self.cache.join("loops.wasm")];
        call(Command::new("node").args(arguments))
    }

    /// Runs a script of `benches/peers/`.
    fn python(&self, script: &str, arguments: &[&Path]) -> Result<()> {
        call(&mut self.script(script, arguments)?)
            .with_context(|| format!("benches/peers/{script}"))
    }

    /// Runs a script of `benches/peers/` with a text on its standard input; returns what it prints.
    ///
    /// # Errors
    /// If the Python environment cannot be made or the script fails.
    pub fn python_output(&self, script: &str, arguments: &[&Path], input: &str) -> Result<String> {
        let mut child = self
            .script(script, arguments)?
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start Python")?;
        if let Some(mut to) = child.stdin.take() {
            to.write_all(input.as_bytes())?;
        }
        let out = child.wait_with_output()?;
        ensure!(
            out.status.success(),
            "benches/peers/{script} ended with {}",
            out.status
        );
        Ok(String::from_utf8(out.stdout)?)
    }

    /// A script of `benches/peers/` in an environment that extends the trainer's.
    fn script(&self, script: &str, arguments: &[&Path]) -> Result<Command> {
        let venv = self.cache.join("venv");
        let python = venv.join("bin/python");
        let requirements = root().join("benches/peers/requirements.txt");
        let installed = self.cache.join("requirements.txt");
        if fs::read(&installed).ok() != Some(fs::read(&requirements)?) {
            let torch = Torch::ensure()?;
            python::make(&venv)?;
            let packages = torch.packages()?;
            // A .pth file adds the packages of the trainer's environment.
            let ours = venv
                .join("lib")
                .join(packages.strip_prefix(torch.venv().join("lib"))?);
            fs::write(ours.join("torch.pth"), packages.display().to_string())?;
            python::install(&venv, &requirements, &[])?;
            fs::copy(&requirements, &installed)?;
        }
        let mut command = Command::new(&python);
        command
            .arg(root().join("benches/peers").join(script))
            .args(arguments)
            .env("PYTHONDONTWRITEBYTECODE", "1");
        Ok(command)
    }

    /// Makes our models in int8, copies the model that ships, and writes the index that the page reads.
    fn folders(&self) -> Result<()> {
        let models = self.models();
        let int8: Vec<String> = SHAPES.iter().map(|shape| format!("{shape}-int8")).collect();
        let shipped = models.join("en-de");
        let mut changed = copy_changed(&root().join("models/en-de"), &shipped)?;
        let translucent = |arguments: &[&Path]| {
            let mut command = cargo();
            let run = ["run", "--quiet", "--locked", "-p", "translucent-cli", "--"];
            call(command.args(run).args(arguments))
        };
        for (shape, to) in SHAPES.iter().zip(&int8) {
            if !models.join(to).join("config.json").exists() {
                let from = models.join(format!("{shape}-f32"));
                let to = models.join(to);
                translucent(&[
                    "quantize".as_ref(),
                    "--model".as_ref(),
                    &from,
                    "--output".as_ref(),
                    &to,
                ])?;
                changed = true;
            }
        }
        if !changed && models.join("index.json").exists() {
            return Ok(());
        }
        let folders = ["S-f32", "S-int8", "M-f32", "M-int8", "en-de"].map(|name| models.join(name));
        let mut arguments = vec![Path::new("index")];
        for folder in &folders {
            arguments.extend([Path::new("--model"), folder]);
        }
        translucent(&arguments)
    }
}

/// Copies the files that differ; true if there were any.
fn copy_changed(from: &Path, to: &Path) -> Result<bool> {
    fs::create_dir_all(to)?;
    let mut changed = false;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        let content = fs::read(entry.path())?;
        if fs::read(&target).ok().as_ref() != Some(&content) {
            fs::write(&target, content)?;
            changed = true;
        }
    }
    Ok(changed)
}
