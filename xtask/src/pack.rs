//! `cargo xtask pack`: the npm packages of the engine and of each model that ships.

use crate::tools::{call, files_below, root};
use crate::{browser, modules, wasm};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Arguments of the command.
#[derive(clap::Args)]
pub struct Args {
    /// The folder to write; an earlier package in it is replaced. The models' packages lie beside it.
    #[arg(default_value = "dist/npm")]
    dir: PathBuf,
    /// Use the last build.
    #[arg(long)]
    no_build: bool,
}

/// What the package has of `pkg/`: one module around both flavours.
const BUILT: [&str; 4] = [
    "translucent.js",
    "translucent.d.ts",
    "translucent_bg.wasm",
    "relaxed/translucent_bg.wasm",
];

/// Builds, then writes the packages.
pub fn run(Args { dir, no_build }: &Args) -> Result<()> {
    if !no_build {
        wasm::build()?;
    }
    for folder in write_all(dir)? {
        println!("{}: {} bytes", folder.display(), bytes(&folder)?);
    }
    Ok(())
}

/// Writes the package of the engine, and beside it those of the models that ship; gives their folders.
pub fn write_all(dir: &Path) -> Result<Vec<PathBuf>> {
    write(dir)?;
    let mut folders = vec![dir.to_path_buf()];
    let index = fs::read(root().join("models/index.json"))?;
    let index: Value = serde_json::from_slice(&index)?;
    for model in index["models"].as_array().into_iter().flatten() {
        let name = model["name"]
            .as_str()
            .context("a model of the index has no name")?;
        let to = dir.with_file_name(format!("npm-{name}"));
        write_model(name, &to)?;
        folders.push(to);
    }
    Ok(folders)
}

/// Writes the package of the engine, from the last build.
pub fn write(dir: &Path) -> Result<()> {
    empty(dir)?;
    for file in files_below(&root().join("www/engine"))? {
        copy(
            &root().join("www/engine").join(&file),
            &dir.join("engine").join(&file),
        )?;
    }
    for file in elements() {
        copy(&root().join("www").join(&file), &dir.join(&file))?;
    }
    for file in BUILT {
        copy(&root().join("pkg").join(file), &dir.join("pkg").join(file))?;
    }
    for file in [
        "node.js",
        "node-pool.js",
        "node-thread.js",
        "node-worker.js",
        "README.md",
    ] {
        copy(&root().join("npm").join(file), &dir.join(file))?;
    }
    copy(&root().join("LICENSE"), &dir.join("LICENSE"))?;
    declare_types(&dir.join("engine"))?;
    // As text: the order of the conditions in `exports` counts.
    let package = fs::read_to_string(root().join("npm/package.json"))?;
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let package = package.replacen("\"version\": \"0.0.0\"", &version, 1);
    Ok(fs::write(dir.join("package.json"), package)?)
}

/// The modules of the elements, and those of the page that they import.
fn elements() -> impl Iterator<Item = String> {
    let read = |path: &str| fs::read_to_string(root().join("www").join(path)).ok();
    let page = r#"<script type="module" src="elements/elements.js"></script>"#;
    let files = modules::first_modules(page, read);
    files
        .into_iter()
        .filter(|file| !file.starts_with("engine/"))
}

/// The library of types that declares `Symbol.dispose`, named where it is used, so that an app need not ask for it.
const DISPOSABLE: &str = "/// <reference lib=\"esnext.disposable\" />\n";

/// Writes the types of the modules, with the endings that Node's resolution asks for.
fn declare_types(engine: &Path) -> Result<()> {
    browser::ensure_packages()?;
    let types = root().join("target/engine-types");
    call(
        Command::new("node")
            .args(["node_modules/typescript/bin/tsc", "-p", "tsconfig.api.json"])
            .current_dir(browser::folder()),
    )?;
    for file in files_below(&types)? {
        copy(&types.join(&file), &engine.join(&file))?;
    }
    for file in files_below(engine)? {
        if file.to_string_lossy().ends_with(".d.ts") {
            let file = engine.join(file);
            let text = fs::read_to_string(&file)?;
            let text = ["protocol", "types"].iter().fold(text, |text, name| {
                let text = text.replace(&format!("'./{name}'"), &format!("'./{name}.js'"));
                text.replace(&format!("\"./{name}\""), &format!("\"./{name}.js\""))
            });
            let library = if text.contains("[Symbol.dispose]") {
                DISPOSABLE
            } else {
                ""
            };
            fs::write(file, format!("{library}{text}"))?;
        }
    }
    Ok(())
}

/// A model folder as a package; its card and licence say where it comes from.
fn write_model(name: &str, dir: &Path) -> Result<()> {
    empty(dir)?;
    let folder = root().join("models").join(name);
    for file in files_below(&folder)? {
        copy(&folder.join(&file), &dir.join(&file))?;
    }
    let package = json!({
        "name": format!("translucent-{name}"),
        "version": env!("CARGO_PKG_VERSION"),
        "description": format!("The model {name} of translucent: a folder as transformers' MarianMT has it"),
        "license": "SEE LICENSE IN LICENSE",
        "exports": { "./*": "./*" },
    });
    Ok(fs::write(
        dir.join("package.json"),
        format!("{package:#}\n"),
    )?)
}

/// Makes `dir` an empty folder; refuses where it holds anything but an earlier package.
fn empty(dir: &Path) -> Result<()> {
    if dir.is_dir() && fs::read_dir(dir)?.next().is_some() {
        if !dir.join("package.json").is_file() || !dir.join("LICENSE").is_file() {
            bail!(
                "{} is not empty and holds no earlier package: name another folder",
                dir.display()
            );
        }
        fs::remove_dir_all(dir)?;
    }
    fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))
}

/// Copies a file, with the folders that it needs.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}

/// Size of all files of a folder.
fn bytes(dir: &Path) -> Result<u64> {
    let mut sum = 0;
    for file in files_below(dir)? {
        sum += fs::metadata(dir.join(file))?.len();
    }
    Ok(sum)
}
