//! `cargo xtask docs`: the documentation as a static site, its live elements, and checks of its links and code blocks.

mod blocks;
mod book;
mod code;
mod headings;
mod links;
mod mdbook;

use crate::count::tested;
use crate::tools::{call, cargo, files_below, root, target_dir};
use crate::{browser, pack, wasm};
use anyhow::{Context, Result, bail, ensure};
pub use book::Book;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Arguments of the command.
#[derive(clap::Args)]
pub struct Args {
    /// The folder to write; an earlier site in it is replaced.
    #[arg(default_value = "dist/docs")]
    dir: PathBuf,
    /// Use the last build of the engine.
    #[arg(long)]
    no_build: bool,
    /// Run every code block, and open every page in Chromium.
    #[arg(long)]
    check: bool,
}

/// The model of the live elements.
const MODEL: &str = "en-de";

/// Builds the site and checks its links; with `--check`, also runs its code blocks.
pub fn run(args: &Args) -> Result<()> {
    if !args.no_build {
        wasm::build()?;
    }
    let book = Book::read()?;
    let dir = env::current_dir()?.join(&args.dir);
    write(&book, &dir)?;
    let links = links::check(&dir)?;
    let files = files_below(&dir)?.len();
    println!(
        "{}: {files} files, {links} links lead somewhere",
        args.dir.display()
    );
    if args.check {
        check(&book, &dir)?;
    }
    Ok(())
}

/// Writes the site into `dir`.
pub fn write(book: &Book, dir: &Path) -> Result<()> {
    if dir.is_dir() && fs::read_dir(dir)?.next().is_some() && !dir.join("toc.html").is_file() {
        bail!(
            "{} is not empty and holds no earlier site: name another folder",
            dir.display()
        );
    }
    let source = target_dir()?.join("docs/book");
    book.write(&source)?;
    call(
        Command::new(mdbook::ensure()?)
            .arg("build")
            .arg("--dest-dir")
            .arg(dir)
            .arg(&source),
    )?;
    pack::write(&dir.join("translucent"))?;
    let model = root().join("models").join(MODEL);
    for file in files_below(&model)? {
        pack::copy(&model.join(&file), &dir.join(MODEL).join(&file))?;
    }
    Ok(())
}

/// Runs the code blocks, and opens the pages in Chromium.
fn check(book: &Book, dir: &Path) -> Result<()> {
    let browser = browser::ensure()?;
    browser::ensure_packages()?;
    // What the blocks of the command line run.
    call(cargo().args(["build", "--quiet", "--locked", "-p", "translucent-cli"]))?;
    let target = target_dir()?;
    let blocks = target.join("docs/blocks.json");
    fs::write(&blocks, blocks::to_json(book)?)?;
    let count = tested(
        Command::new("node")
            .args(["--test", "--test-concurrency=1", "--test-reporter=spec"])
            .arg(root().join("tests/docs/blocks.test.mjs"))
            .arg(root().join("tests/docs/site.test.mjs"))
            .env("BLOCKS", &blocks)
            .env("SITE", dir)
            .env("COMMANDS", target.join("debug"))
            .env("XTASK", env::current_exe()?)
            .env("E2E_SCRATCH", target.join("docs"))
            .env("CHROMIUM", &browser.program)
            .current_dir(root()),
    )
    .context("the documentation's code blocks")?;
    ensure!(count.failed == 0, "{} checks failed", count.failed);
    println!("tests: {} passed, {} failed", count.passed, count.failed);
    Ok(())
}
