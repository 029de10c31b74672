//! The page's own tests (`tests/e2e`), in headless Chromium and, where that is installed, in headless Firefox.

use crate::count::{Count, tested};
use crate::tools::{call, cargo, root, target_dir};
use crate::{browser, tools, wasm};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Builds the engine and runs every spec, in each browser that is here.
pub fn run() -> Result<Count> {
    let browser = browser::ensure()?;
    browser::ensure_packages()?;
    wasm::build()?;
    let mut count = specs("chromium", "CHROMIUM", &browser.program)?;
    match browser::firefox() {
        Some(program) => count += specs("firefox", "FIREFOX", &program)?,
        None => eprintln!("Left out: the page in Firefox."),
    }
    Ok(count)
}

/// Specs that time the page: nothing else may run beside them.
const TIMED: [&str; 2] = ["hover.test.mjs", "translate.test.mjs"];
/// The spec that tells of the markup and the colours alone, the same in every browser.
const MARKUP: &str = "access.test.mjs";

/// The page's tests in one browser, whose program they read from `variable`.
fn specs(browser: &str, variable: &str, program: &Path) -> Result<Count> {
    let specs = browser::folder().join("specs");
    let mut files = tools::files_below(&specs)?;
    if browser != "chromium" {
        files.retain(|file| !file.ends_with(MARKUP));
    }
    let (timed, others): (Vec<_>, Vec<_>) = files
        .iter()
        .partition(|file| TIMED.iter().any(|name| file.ends_with(name)));
    let deep_models = random_models("deep", &["--layers", "6"])?;
    let failed = scratch()?.join("failed.txt");
    let run = |files: &[PathBuf], at_once: usize| {
        let mut command = Command::new("node");
        command
            .arg("--test")
            .args(["--test-reporter=spec", "--test-reporter-destination=stdout"])
            .arg(reporter("failed-files.mjs"))
            .arg(format!("--test-reporter-destination={}", failed.display()))
            .arg(format!("--test-concurrency={at_once}"))
            .args(files);
        command
            .env("BROWSER", browser)
            .env(variable, program)
            .env("XTASK", env::current_exe()?)
            .env("E2E_SCRATCH", scratch()?)
            .env("E2E_MODELS", models()?)
            .env("TRANSLUCENT", native_command()?)
            .env("E2E_DEEP_MODELS", &deep_models);
        let count = tested(command.current_dir(root()))?;
        let failed = fs::read_to_string(&failed)?;
        Ok(Tried {
            count,
            failed: failed.lines().map(PathBuf::from).collect(),
        })
    };
    let mut count = Count::default();
    // A page mostly waits, so two of them keep two cores busy.
    for (files, at_once) in [(timed, 1), (others, 2)] {
        let files: Vec<PathBuf> = files.into_iter().map(|file| specs.join(file)).collect();
        count += twice_where_unsteady(&files, at_once, run)?;
    }
    Ok(count)
}

/// What running some files of specs brought.
struct Tried {
    count: Count,
    /// The files in which a test failed.
    failed: Vec<PathBuf>,
}

/// Most files of specs that are tried again, alone, when a test in them failed: a shared machine stalls a page now and then,
/// and a page that is broken fails twice. More than these are broken.
const SECOND_TRIES: usize = 3;

/// Runs files of specs, and those of them that failed once more.
fn twice_where_unsteady(
    files: &[PathBuf],
    at_once: usize,
    run: impl Fn(&[PathBuf], usize) -> Result<Tried>,
) -> Result<Count> {
    let first = run(files, at_once)?;
    // A test that a helper declares is told with the helper's file, which run by itself holds no test and passes.
    let ours = first.failed.iter().all(|file| files.contains(file));
    if first.failed.is_empty() || first.failed.len() > SECOND_TRIES || !ours {
        return Ok(first.count);
    }
    eprintln!("Trying again, alone: {:?}", first.failed);
    let second = run(&first.failed, 1)?;
    for file in &first.failed {
        if !second.failed.contains(file) {
            eprintln!("Unsteady: {} passed when tried again.", file.display());
        }
    }
    let all = first.count.passed + first.count.failed;
    Ok(Count {
        passed: all.saturating_sub(second.count.failed),
        failed: second.count.failed,
    })
}

/// The argument with which Node's test runner takes a reporter of the browser tests' own.
fn reporter(name: &str) -> String {
    format!(
        "--test-reporter={}",
        browser::folder().join("lib").join(name).display()
    )
}

/// The native command, with which tests compare the page.
fn native_command() -> Result<PathBuf> {
    call(cargo().args(["build", "--quiet", "--locked", "-p", "translucent-cli"]))?;
    let name = format!("translucent{}", env::consts::EXE_SUFFIX);
    Ok(target_dir()?.join("debug").join(name))
}

/// The models that ship; where none does, one with random weights, which shows everything but sense.
fn models() -> Result<PathBuf> {
    let shipped = root().join("models");
    if shipped.join("index.json").is_file() {
        return Ok(shipped);
    }
    random_models("models", &[])
}

/// A model with random weights as the only one of a folder; `options` go to `translucent random`.
fn random_models(name: &str, options: &[&str]) -> Result<PathBuf> {
    let models = scratch()?.join(name);
    let command = |arguments: &[&str]| {
        let mut command = cargo();
        command.args(["run", "--quiet", "--locked", "-p", "translucent-cli", "--"]);
        command.args(arguments);
        command
    };
    let tokenizer = ["--preset", "small", "--tokenizer", "tests/golden/tokenizer"];
    call(
        command(&["random"])
            .arg(models.join("en-de"))
            .args(tokenizer)
            .args(options),
    )?;
    call(command(&["index"]).arg(&models).arg("en-de"))?;
    Ok(models)
}

/// A folder for what the browser tests write.
fn scratch() -> Result<PathBuf> {
    let dir = target_dir()?.join("e2e");
    fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
    Ok(dir)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Runs four files of two tests each, of which `failing(attempt)` fail with one test.
    fn count(failing: impl Fn(usize) -> Vec<&'static str>) -> (Count, usize) {
        let attempts = Cell::new(0);
        let files: Vec<PathBuf> = ["a", "b", "c", "d"].map(PathBuf::from).into();
        let run = |files: &[PathBuf], _: usize| {
            attempts.set(attempts.get() + 1);
            let failed: Vec<PathBuf> = failing(attempts.get())
                .into_iter()
                .map(PathBuf::from)
                .collect();
            Ok(Tried {
                count: Count {
                    passed: 2 * files.len() - failed.len(),
                    failed: failed.len(),
                },
                failed,
            })
        };
        let count = twice_where_unsteady(&files, 2, run).expect("the runner never errs");
        (count, attempts.get())
    }

    #[test]
    fn a_file_that_failed_is_tried_once_more() {
        let all = Count {
            passed: 8,
            failed: 0,
        };
        assert_eq!(count(|_| vec![]), (all, 1));
        assert_eq!(
            count(|attempt| if attempt == 1 { vec!["b"] } else { vec![] }),
            (all, 2)
        );
        assert_eq!(
            count(|_| vec!["b"]),
            (
                Count {
                    passed: 7,
                    failed: 1
                },
                2
            )
        );
    }

    #[test]
    fn where_many_fail_the_page_is_broken() {
        let half = Count {
            passed: 4,
            failed: 4,
        };
        assert_eq!(count(|_| vec!["a", "b", "c", "d"]), (half, 1));
    }

    #[test]
    fn a_file_that_is_no_spec_is_not_tried_again() {
        let one = Count {
            passed: 7,
            failed: 1,
        };
        assert_eq!(count(|_| vec!["helper"]), (one, 1));
    }
}
