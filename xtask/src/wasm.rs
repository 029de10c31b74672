//! Builds WebAssembly into `pkg/`: the core in its two flavours, plain `simd128` and `relaxed-simd` beside it, and the
//! learning package.

mod paths;

use crate::tools::{call, cargo, output, root, target_dir};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";
/// The packages that are built for the browser.
pub const CORE: &str = "translucent";
pub const KERNELS: &str = "translucent-kernels";
pub const LEARNING: &str = "translucent-learn";
/// A variable that would add flags of the builder's.
const OWN_FLAGS: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

/// One build of the core for the browser.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// WebAssembly 2.0's fixed SIMD: every current browser.
    Simd128,
    /// Relaxed SIMD as well (fused multiply-add, 8-bit dot products): Chromium and Firefox.
    Relaxed,
}

impl Flavour {
    /// Folder of the built package.
    fn out_dir(self) -> PathBuf {
        match self {
            Flavour::Simd128 => root().join("pkg"),
            Flavour::Relaxed => root().join("pkg/relaxed"),
        }
    }

    /// One folder below `target` each: cargo gives a cdylib no hash in its name, so in a shared folder each flavour
    /// would replace the other's build.
    fn target_dir(self, target: &Path) -> PathBuf {
        match self {
            Flavour::Simd128 => target.to_path_buf(),
            Flavour::Relaxed => target.join("relaxed"),
        }
    }

    /// `cargo <subcommand>` for this flavour of a package.
    pub fn cargo(self, package: &str, subcommand: &str) -> Result<Command> {
        self.cargo_into(package, subcommand, &self.target_dir(&target_dir()?))
    }

    /// The same with a target folder.
    fn cargo_into(self, package: &str, subcommand: &str, target_dir: &Path) -> Result<Command> {
        let mut flags = paths::flags(TARGET)?;
        if self == Flavour::Relaxed {
            flags.extend(["-C", "target-feature=+relaxed-simd"].map(str::to_owned));
        }
        let mut command = cargo();
        // RUSTFLAGS, even empty, would silently replace the configured simd128.
        command
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove(OWN_FLAGS);
        // These add to the flags of `.cargo/config.toml`. JSON's strings are TOML's as well.
        let flags = serde_json::to_string(&flags)?;
        command
            .arg("--config")
            .arg(format!("target.{TARGET}.rustflags={flags}"));
        command
            .arg(subcommand)
            .args(["--locked", "-p", package, "--target", TARGET]);
        command.arg("--target-dir").arg(target_dir);
        Ok(command)
    }
}

/// Adds the compiler's wasm target where it is missing.
pub fn ensure_target() -> Result<()> {
    let libdir = output(
        Command::new("rustc")
            .args(["--print", "target-libdir", "--target", TARGET])
            .current_dir(root()),
    );
    if libdir.is_some_and(|dir| Path::new(&dir).is_dir()) {
        return Ok(());
    }
    call(
        Command::new("rustup")
            .args(["target", "add", TARGET])
            .current_dir(root()),
    )
    .with_context(|| {
        format!("the compiler has no target {TARGET}; with rustup it is added by itself")
    })
}

/// Builds both flavours into `pkg/` and `pkg/relaxed/`, and those of the learning package into `learn/` below
/// them.
pub fn build() -> Result<()> {
    build_in(&target_dir()?)
}

/// The same with another target folder.
pub fn build_in(target: &Path) -> Result<()> {
    ensure_target()?;
    both_at_once(|flavour| build_core(flavour, target))?;
    let [glue, other] = ["pkg/translucent.js", "pkg/relaxed/translucent.js"]
        .map(|path| fs::read(root().join(path)));
    // The worker imports the first for both.
    ensure!(
        glue? == other?,
        "the two flavours need different JavaScript"
    );
    // The package that trains, which the page loads with its tab.
    both_at_once(|flavour| build_learning(flavour, target))
}

/// Does something for each flavour, side by side: link-time optimisation, most of a build, keeps one core busy.
///
/// # Errors
/// The first that one of them meets.
pub fn both_at_once(work: impl Fn(Flavour) -> Result<()> + Sync) -> Result<()> {
    thread::scope(|scope| {
        let relaxed = scope.spawn(|| work(Flavour::Relaxed));
        let simd128 = work(Flavour::Simd128);
        let relaxed = relaxed
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        simd128.and(relaxed)
    })
}

fn build_core(flavour: Flavour, target: &Path) -> Result<()> {
    let target = flavour.target_dir(target);
    // cdylib alone: with rlib beside it cargo drops link-time optimisation.
    call(flavour.cargo_into(CORE, "rustc", &target)?.args([
        "--lib",
        "--crate-type",
        "cdylib",
        "--release",
    ]))?;
    let module = target.join(TARGET).join("release/translucent.wasm");
    bind(&module, &flavour.out_dir())
        .with_context(|| format!("wasm-bindgen on {}", module.display()))
}

fn build_learning(flavour: Flavour, target: &Path) -> Result<()> {
    // Apart from the core's build: here the core has no JavaScript face.
    let target = flavour.target_dir(target).join("learn");
    let mut command = flavour.cargo_into(LEARNING, "rustc", &target)?;
    call(command.args(["--lib", "--crate-type", "cdylib", "--release"]))?;
    let module = target.join(TARGET);
    let out_dir = flavour.out_dir().join("learn");
    bind(&module.join("release/translucent_learn.wasm"), &out_dir)
}

/// Builds the relaxed flavour with the kernels' micro-benchmarks (feature `bench`) into `out_dir`.
pub fn build_benchmark(out_dir: &Path) -> Result<()> {
    ensure_target()?;
    // Apart from the shipped build, so that neither replaces the other.
    let target = target_dir()?.join("relaxed/bench");
    let mut command = Flavour::Relaxed.cargo_into(CORE, "rustc", &target)?;
    command.args(["--lib", "--crate-type", "cdylib", "--release"]);
    call(command.args(["--features", "bench"]))?;
    bind(
        &target.join(TARGET).join("release/translucent.wasm"),
        out_dir,
    )
}

/// Writes the JavaScript module, its types and the final wasm of one build.
fn bind(module: &Path, out_dir: &Path) -> Result<()> {
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(true)
        // The library leaves the address of the wasm out by default, and `init()` then needs one.
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(out_dir)?;
    let name = module.file_stem().unwrap_or_default().to_string_lossy();
    let wasm = out_dir.join(format!("{name}_bg.wasm"));
    let shown = wasm.strip_prefix(root()).unwrap_or(&wasm).display();
    let bytes = fs::read(&wasm)?;
    paths::ensure_none(&bytes).with_context(|| shown.to_string())?;
    eprintln!("{shown}: {} bytes", bytes.len());
    Ok(())
}
