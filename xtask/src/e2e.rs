//! The page's own tests (`tests/e2e`), in headless Chromium and, where that is installed, in headless Firefox.

use crate::count::{Count, tested};
use crate::tools::{call, root, target_dir};
use crate::{browser, tools, wasm};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Specs that time the page: nothing else may run beside them.
const TIMED: [&str; 3] = ["hover", "paste", "superseding"];

/// Specs of what browsers do each in their own way. The others compare the page with the engine's numbers or look at
/// its markup, which both browsers get from the same files; Chromium alone runs them.
const IN_FIREFOX_TOO: [&str; 16] = [
    "attention",   // pixels of the maps, pointer events
    "early",       // the order in which modules and workers start
    "failure",     // service worker, cache, offline
    "gradients",   // training and attribution: builds of their own, in workers
    "hostile",     // text layout and input of every script
    "image",       // the private file system
    "keyboard",    // focus and keys
    "layout",      // CSS
    "models",      // Cache Storage, IndexedDB, file inputs, dropping
    "pool",        // workers
    "save",        // pictures of canvases and SVG
    "source",      // selection, undo, typing
    "states",      // colours as painted
    "superseding", // worker messages while the engine computes
    "translate",   // input events, streaming
    "update",      // service workers of two versions
];

/// Builds the engine and runs the specs whose name contains one of `names` (all where none is given), in each browser
/// that is installed.
pub fn run(names: &[String]) -> Result<Count> {
    let program = browser::for_pages(&browser::ensure()?);
    browser::ensure_packages()?;
    let specs: Vec<PathBuf> = tools::files_below(&folder())?
        .into_iter()
        .filter(|file| names.is_empty() || names.iter().any(|name| spec(file).contains(name)))
        .collect();
    ensure!(!specs.is_empty(), "no spec is named like {names:?}");
    wasm::build()?;
    let suite = Suite::prepare()?;
    let mut count = suite.run(&specs, "chromium", "CHROMIUM", &program)?;
    let in_both: Vec<PathBuf> = specs
        .into_iter()
        .filter(|file| IN_FIREFOX_TOO.contains(&spec(file)))
        .collect();
    if in_both.is_empty() {
        return Ok(count);
    }
    match browser::firefox() {
        Some(program) => count += suite.run(&in_both, "firefox", "FIREFOX", &program)?,
        None => eprintln!("Left out: the page in Firefox."),
    }
    Ok(count)
}

/// Where the specs lie.
fn folder() -> PathBuf {
    browser::folder().join("specs")
}

/// The name of a spec: `maps` of `maps.test.mjs`.
fn spec(file: &Path) -> &str {
    let name = file.file_name().and_then(|name| name.to_str());
    name.and_then(|name| name.strip_suffix(".test.mjs"))
        .unwrap_or_default()
}

/// What specs in every browser need beside it.
struct Suite {
    models: PathBuf,
    deep_models: PathBuf,
    native_command: PathBuf,
}

impl Suite {
    fn prepare() -> Result<Suite> {
        let native_command = native_command()?;
        Ok(Suite {
            models: models(&native_command)?,
            deep_models: random_models(&native_command, "deep", &["--layers", "6"])?,
            native_command,
        })
    }

    /// Runs specs in one browser, whose program they read from `variable`.
    fn run(
        &self,
        specs: &[PathBuf],
        browser: &str,
        variable: &str,
        program: &Path,
    ) -> Result<Count> {
        let outcomes = scratch()?.join("outcomes.txt");
        let run = |files: &[PathBuf], at_once: usize| {
            let mut command = Command::new("node");
            command
                .arg("--test")
                .args(["--test-reporter=spec", "--test-reporter-destination=stdout"])
                .arg(reporter("outcomes.mjs"))
                .arg(format!(
                    "--test-reporter-destination={}",
                    outcomes.display()
                ))
                .arg(format!("--test-concurrency={at_once}"))
                .args(files);
            command
                .env("BROWSER", browser)
                .env(variable, program)
                .env("XTASK", env::current_exe()?)
                .env("E2E_SCRATCH", scratch()?)
                .env("E2E_MODELS", &self.models)
                .env("TRANSLUCENT", &self.native_command)
                .env("E2E_DEEP_MODELS", &self.deep_models);
            let count = tested(command.current_dir(root()))?;
            let outcomes = fs::read_to_string(&outcomes)?;
            for time in outcomes.lines().filter(|line| !line.contains('\t')) {
                println!("{time}");
            }
            Ok(Tried {
                count,
                failed: failures(&outcomes),
            })
        };
        let (timed, others): (Vec<PathBuf>, Vec<PathBuf>) = specs
            .iter()
            .map(|file| folder().join(file))
            .partition(|file| TIMED.contains(&spec(file)));
        let mut count = Count::default();
        // A page mostly waits, so two of them keep two cores busy.
        for (files, at_once) in [(timed, 1), (others, 2)] {
            if !files.is_empty() {
                count += again_where_failed(&files, at_once, run)?;
            }
        }
        Ok(count)
    }
}

/// What running some files of specs brought.
struct Tried {
    count: Count,
    failed: BTreeSet<Failure>,
}

/// A test that failed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Failure {
    file: PathBuf,
    name: String,
}

/// The failures that the reporter `outcomes.mjs` wrote: a file and a name in each line, with a tab between.
fn failures(text: &str) -> BTreeSet<Failure> {
    text.lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(file, name)| Failure {
            file: file.into(),
            name: name.to_owned(),
        })
        .collect()
}

/// Most files of specs that are tried again: where more fail, the page is broken.
const SECOND_TRIES: usize = 3;

/// Runs files of specs, and those in which a test failed once more, alone. A test that passes then counts as unsteady:
/// trying again tells a broken page from a test that depends on something else.
fn again_where_failed(
    files: &[PathBuf],
    at_once: usize,
    run: impl Fn(&[PathBuf], usize) -> Result<Tried>,
) -> Result<Count> {
    let first = run(files, at_once)?;
    let broken: BTreeSet<PathBuf> = first.failed.iter().map(|one| one.file.clone()).collect();
    // A test that a helper declares is reported with the helper's file, which run by itself holds no test.
    let only_specs = broken.iter().all(|file| files.contains(file));
    if broken.is_empty() || broken.len() > SECOND_TRIES || !only_specs {
        return Ok(first.count);
    }
    let broken: Vec<PathBuf> = broken.into_iter().collect();
    eprintln!("Trying again, alone: {broken:?}");
    let second = run(&broken, 1)?;
    let unsteady: Vec<&Failure> = first.failed.difference(&second.failed).collect();
    for Failure { file, name } in &unsteady {
        println!("Unsteady: {}: {name}", spec(file));
    }
    let all = first.count.passed + first.count.failed;
    Ok(Count {
        passed: all.saturating_sub(second.count.failed + unsteady.len()),
        failed: second.count.failed,
        unsteady: unsteady.len(),
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
pub fn native_command() -> Result<PathBuf> {
    // As one of all packages that are tested: by itself it would be built with dependencies of its own.
    call(tools::members("build").args(["--quiet", "--bin", "translucent"]))?;
    let name = format!("translucent{}", env::consts::EXE_SUFFIX);
    Ok(target_dir()?.join("debug").join(name))
}

/// The models that ship; where none does, one with random weights, which shows everything but sense.
fn models(native_command: &Path) -> Result<PathBuf> {
    let shipped = root().join("models");
    if shipped.join("index.json").is_file() {
        return Ok(shipped);
    }
    random_models(native_command, "models", &[])
}

/// A model with random weights as the only one of a folder; `options` go to `translucent random`.
fn random_models(native_command: &Path, name: &str, options: &[&str]) -> Result<PathBuf> {
    let models = scratch()?.join(name);
    let model = models.join("en-de-free");
    let command = || {
        let mut command = Command::new(native_command);
        command.current_dir(root());
        command
    };
    call(
        command()
            .args(["random", "--output"])
            .arg(&model)
            .args(["--preset", "small", "--tokenizer", "tests/golden/tokenizer"])
            .args(options),
    )?;
    call(command().args(["index", "--model"]).arg(&model))?;
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

    /// Runs four files of two tests each; those that `failing(attempt)` names fail with one test.
    fn count(failing: impl Fn(usize) -> Vec<&'static str>) -> (Count, usize) {
        let attempts = Cell::new(0);
        let files: Vec<PathBuf> = ["a", "b", "c", "d"].map(PathBuf::from).into();
        let run = |files: &[PathBuf], _: usize| {
            attempts.set(attempts.get() + 1);
            let failed: BTreeSet<Failure> = failing(attempts.get())
                .into_iter()
                .map(|file| Failure {
                    file: file.into(),
                    name: "a test".into(),
                })
                .collect();
            let mut count = Count::passed(2 * files.len() - failed.len());
            count += Count::failed(failed.len());
            Ok(Tried { count, failed })
        };
        let count = again_where_failed(&files, 2, run).expect("the runner never fails itself");
        (count, attempts.get())
    }

    fn counted(passed: usize, failed: usize, unsteady: usize) -> Count {
        Count {
            passed,
            failed,
            unsteady,
        }
    }

    #[test]
    fn a_test_that_passes_when_tried_again_is_unsteady_and_not_passed() {
        assert_eq!(count(|_| vec![]), (counted(8, 0, 0), 1));
        let once = count(|attempt| if attempt == 1 { vec!["b"] } else { vec![] });
        assert_eq!(once, (counted(7, 0, 1), 2));
        assert_eq!(count(|_| vec!["b"]), (counted(7, 1, 0), 2));
    }

    #[test]
    fn where_many_fail_nothing_is_tried_again() {
        assert_eq!(count(|_| vec!["a", "b", "c", "d"]), (counted(4, 4, 0), 1));
    }

    #[test]
    fn a_file_that_is_no_spec_is_not_tried_again() {
        assert_eq!(count(|_| vec!["helper"]), (counted(7, 1, 0), 1));
    }

    #[test]
    fn every_named_spec_is_there() {
        let files = tools::files_below(&folder()).expect("the specs can be listed");
        let there: Vec<&str> = files.iter().map(|file| spec(file)).collect();
        for name in TIMED.iter().chain(&IN_FIREFOX_TOO) {
            assert!(there.contains(name), "{name}.test.mjs is gone");
        }
    }

    #[test]
    fn failures_are_read_with_their_names() {
        let read = failures("/a/b.test.mjs\tone\n/a/b.test.mjs\tanother, longer\n");
        assert_eq!(read.len(), 2);
        assert!(read.iter().all(|one| spec(&one.file) == "b"));
    }
}
