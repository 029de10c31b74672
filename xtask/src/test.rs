//! `cargo xtask test`: every check of the project, one step after another, and a summary.

use crate::count::{Count, tested};
use crate::tools::{call, cargo, files_below, members, output, root, target_dir};
use crate::torch::Torch;
use crate::wasm::{self, CORE, Flavour, KERNELS, LEARNING};
use crate::{browser, e2e, mpi, pipelines};
use anyhow::{Result, bail, ensure};
use clap::ValueEnum;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

/// Which steps to run.
#[derive(Default, clap::Args)]
pub struct Args {
    /// Run the trainer's tests too (sets libtorch up first: minutes and about 3 GB, once).
    #[arg(long)]
    trainer: bool,
    /// Leave out what needs a browser.
    #[arg(long)]
    no_browser: bool,
    /// Run these steps alone.
    #[arg(long, value_delimiter = ',', value_name = "STEPS")]
    only: Vec<Step>,
    /// Of the browser tests, run the specs whose file name contains one of these; of the documents, the commands that do.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    spec: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Step {
    /// rustfmt
    Format,
    /// clippy, warnings denied, native and wasm
    Lint,
    /// rustdoc, warnings denied
    Doc,
    /// the page's JavaScript against its types
    Types,
    /// the page's modules that need no browser, in Node
    Unit,
    /// the core's, the command's and these commands' own tests
    Native,
    /// the wasm tests in Node
    Node,
    /// the wasm tests in a page of headless Chromium
    Page,
    /// the wasm tests in a worker of headless Chromium, built with relaxed SIMD
    Worker,
    /// the page itself in headless Chromium, and in headless Firefox where it is installed
    E2e,
    /// the npm package in an app of each bundler (installs them: 180 MB, once), and the workflows
    Bundlers,
    /// the commands of README and the other documents, in a fresh clone (builds everything once more: an hour)
    Readme,
    /// the command in GNU parallel and in Spark (installs them: 300 MB, once)
    Pipelines,
    /// the trainer: clippy and tests, against libtorch
    Trainer,
}

/// What a step that ran to its end reports.
enum Report {
    /// It looked at the sources and found no fault; no test ran.
    Checked,
    /// It ran tests.
    Tested(Count),
}

impl Step {
    fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }

    fn needs_browser(self) -> bool {
        matches!(self, Step::Page | Step::Worker | Step::E2e | Step::Bundlers)
    }

    /// Whether it runs only where it is asked for.
    fn is_extra(self) -> bool {
        matches!(
            self,
            Step::Bundlers | Step::Readme | Step::Pipelines | Step::Trainer
        )
    }

    /// Whether it reads the sources instead of running tests.
    fn is_check(self) -> bool {
        matches!(self, Step::Format | Step::Lint | Step::Doc | Step::Types)
    }

    fn run(self, args: &Args) -> Result<Report> {
        let checked = |()| Report::Checked;
        match self {
            Step::Format => format().map(checked),
            Step::Lint => lint().map(checked),
            Step::Doc => doc().map(checked),
            Step::Types => types().map(checked),
            Step::Unit => unit().map(Report::Tested),
            Step::Native => native().map(Report::Tested),
            Step::Node => {
                let only_node = ("WASM_BINDGEN_TEST_ONLY_NODE", "1".as_ref());
                in_wasm(Flavour::Simd128, &[only_node]).map(Report::Tested)
            }
            Step::Page => {
                in_browser(Flavour::Simd128, "WASM_BINDGEN_USE_BROWSER").map(Report::Tested)
            }
            Step::Worker => in_browser(Flavour::Relaxed, "WASM_BINDGEN_USE_DEDICATED_WORKER")
                .map(Report::Tested),
            Step::E2e => e2e::run(&args.spec).map(Report::Tested),
            Step::Bundlers => bundlers().map(Report::Tested),
            Step::Readme => readme(&args.spec).map(Report::Tested),
            Step::Pipelines => pipelines::run().map(Report::Tested),
            Step::Trainer => trainer().map(Report::Tested),
        }
    }
}

/// A finished step.
struct Outcome {
    step: Step,
    /// None where the step itself failed: a check with a finding, or tests that could not be run to their end.
    report: Option<Report>,
    took: Duration,
}

impl Outcome {
    /// The tests that it ran. Tests that could not be run count as one that failed.
    fn count(&self) -> Count {
        match self.report {
            Some(Report::Tested(count)) => count,
            None if !self.step.is_check() => Count::failed(1),
            _ => Count::default(),
        }
    }

    /// Why the whole run fails because of this step.
    fn fault(&self) -> Option<&'static str> {
        let count = self.count();
        if self.report.is_none() || count.failed > 0 {
            Some("failed")
        } else if count.unsteady > 0 {
            Some("unsteady")
        } else {
            None
        }
    }
}

/// Runs the steps; one that fails does not keep the others from running.
///
/// # Errors
/// Where a check found something, a test failed, or a test passed only when tried again.
pub fn run(args: &Args) -> Result<()> {
    let steps: Vec<Step> = Step::value_variants()
        .iter()
        .copied()
        .filter(|step| {
            args.only.is_empty() && !step.is_extra()
                || args.only.contains(step)
                || args.trainer && *step == Step::Trainer
        })
        .filter(|step| !(args.no_browser && step.needs_browser()))
        .collect();
    ensure!(!steps.is_empty(), "no step is left to run");
    let mut outcomes = Vec::new();
    let both_flavours = steps.contains(&Step::Node) && steps.contains(&Step::Worker);
    for step in steps {
        eprintln!("\n== {}", step.name());
        let start = Instant::now();
        if both_flavours && step == Step::Node {
            // Quicker than one after the other. What fails here fails again in the step whose tests they are, which reports it.
            let _ = wasm::both_at_once(|flavour| {
                let mut commands = wasm_tests(flavour)?;
                commands
                    .iter_mut()
                    .try_for_each(|command| call(command.arg("--no-run")))
            });
        }
        let report = step
            .run(args)
            .inspect_err(|error| eprintln!("{} failed: {error:#}", step.name()))
            .ok();
        outcomes.push(Outcome {
            step,
            report,
            took: start.elapsed(),
        });
    }
    summary(args, &outcomes)
}

/// Prints the closing table. Its last line counts tests alone, in a form that is read by programs.
fn summary(args: &Args, outcomes: &[Outcome]) -> Result<()> {
    let (checks, tests): (Vec<&Outcome>, Vec<&Outcome>) =
        outcomes.iter().partition(|outcome| outcome.step.is_check());
    if !checks.is_empty() {
        println!("\n{:<8} {:>26} {:>9}", "check", "", "seconds");
        for outcome in &checks {
            let result = outcome.fault().unwrap_or("ok");
            let took = outcome.took.as_secs_f64();
            println!("{:<8} {result:>26} {took:>9.1}", outcome.step.name());
        }
    }
    let mut all = Count::default();
    if !tests.is_empty() {
        println!(
            "\n{:<8} {:>8} {:>8} {:>8} {:>9}",
            "tests", "passed", "failed", "unsteady", "seconds"
        );
        for outcome in &tests {
            let count = outcome.count();
            println!(
                "{:<8} {:>8} {:>8} {:>8} {:>9.1}",
                outcome.step.name(),
                count.passed,
                count.failed,
                count.unsteady,
                outcome.took.as_secs_f64()
            );
            all += count;
        }
    }
    let seconds: f64 = outcomes
        .iter()
        .map(|outcome| outcome.took.as_secs_f64())
        .sum();
    println!("\nseconds in all: {seconds:.0}");
    if args.only.is_empty() && !args.trainer {
        println!(
            "Left out: the trainer's tests, which need libtorch. `cargo xtask test --trainer` sets it up and runs them too."
        );
    }
    if args.no_browser {
        println!("Left out: everything that needs a browser.");
    }
    if all.unsteady > 0 {
        println!(
            "Unsteady: {} passed only when tried again. That is a fault of the test or the page: the run fails.",
            all.unsteady
        );
    }
    println!("tests: {} passed, {} failed", all.passed, all.failed);
    let faults: Vec<String> = outcomes
        .iter()
        .filter_map(|outcome| Some(format!("{} {}", outcome.step.name(), outcome.fault()?)))
        .collect();
    if !faults.is_empty() {
        bail!("{}", faults.join(", "));
    }
    Ok(())
}

fn format() -> Result<()> {
    if output(cargo().args(["fmt", "--version"])).is_none() {
        call(Command::new("rustup").args(["component", "add", "rustfmt"]))?;
    }
    call(cargo().args(["fmt", "--all", "--check"]))
}

fn lint() -> Result<()> {
    if output(cargo().args(["clippy", "--version"])).is_none() {
        call(Command::new("rustup").args(["component", "add", "clippy"]))?;
    }
    wasm::ensure_target()?;
    let deny = ["--quiet", "--all-targets", "--", "-D", "warnings"];
    call(
        cargo()
            .args([
                "clippy",
                "--locked",
                "--workspace",
                "--exclude",
                "translucent-train",
            ])
            .args(deny),
    )?;
    // Of the tests, those that wasm runs; the examples are native programs.
    let simd128 = Flavour::Simd128;
    let warnings = ["--", "-D", "warnings"];
    let tests = ["--quiet", "--lib", "--test", "web"];
    call(simd128.cargo(CORE, "clippy")?.args(tests).args(warnings))?;
    let tests = ["--quiet", "--lib", "--tests"];
    call(simd128.cargo(KERNELS, "clippy")?.args(tests).args(warnings))?;
    // By itself: with the core beside it, it would get the core's JavaScript face.
    let lib = ["--quiet", "--lib", "--", "-D", "warnings"];
    call(simd128.cargo(LEARNING, "clippy")?.args(lib))?;
    // The kernels alone have code of the other flavour's.
    call(Flavour::Relaxed.cargo(KERNELS, "clippy")?.args(lib))
}

fn doc() -> Result<()> {
    wasm::ensure_target()?;
    // The second is the same with the JavaScript face, which exists for wasm only.
    let packages = ["translucent", "translucent-metrics", "translucent-learn"];
    let packages = packages.iter().flat_map(|name| ["-p", name]);
    documented(
        cargo()
            .args(["doc", "--locked"])
            .args(packages)
            .args(["-p", KERNELS]),
        "",
    )?;
    documented(
        Flavour::Simd128.cargo(CORE, "doc")?.args(["-p", KERNELS]),
        "-C target-feature=+simd128",
    )?;
    // The public interface, read from the pages of the first, as it is written down.
    browser::ensure_node()?;
    call(
        Command::new("node")
            .args(["tests/api.mjs", "--check"])
            .env("TARGET", target_dir()?)
            .current_dir(root()),
    )
}

/// The variable takes the place of the flags in `.cargo/config.toml`, so what the target needs comes along.
fn documented(command: &mut Command, target_flags: &str) -> Result<()> {
    call(
        command
            .args(["--quiet", "--no-deps"])
            .env("RUSTDOCFLAGS", format!("-D warnings {target_flags}")),
    )
}

/// Every project of types in `tests/e2e`.
fn types() -> Result<()> {
    browser::ensure_packages()?;
    // The page's types are those of the engine as it is now.
    wasm::build()?;
    let mut projects: Vec<_> = fs::read_dir(browser::folder())?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("tsconfig.") && name.ends_with(".json"))
        .collect();
    projects.sort();
    ensure!(!projects.is_empty(), "no tsconfig.*.json is left");
    for project in projects {
        call(
            Command::new("node")
                .args(["node_modules/typescript/bin/tsc", "-p", &project])
                .current_dir(browser::folder()),
        )?;
    }
    Ok(())
}

fn unit() -> Result<Count> {
    browser::ensure_node()?;
    let folder = root().join("tests/unit");
    let files = files_below(&folder)?;
    let specs = files
        .iter()
        .filter(|file| file.to_string_lossy().ends_with(".test.mjs"));
    tested(
        Command::new("node")
            .args(["--test", "--test-reporter=spec"])
            .args(specs.map(|file| folder.join(file)))
            .current_dir(root()),
    )
}

fn native() -> Result<Count> {
    let mut count = tested(&mut members("test"))?;
    count += tested(cargo().args(["test", "--locked", "--profile", "xtask", "-p", "xtask"]))?;
    Ok(count)
}

/// The calls of cargo for the wasm tests: the core's `tests/web.rs`, and those inside of the kernels. The core has none inside
/// that wasm runs, and its library with its native tests would take longest to build.
fn wasm_tests(flavour: Flavour) -> Result<[Command; 2]> {
    wasm::ensure_target()?;
    let mut core = flavour.cargo(CORE, "test")?;
    core.args(["--test", "web"]);
    let mut kernels = flavour.cargo(KERNELS, "test")?;
    kernels.arg("--lib");
    Ok([core, kernels].map(|mut command| {
        command.args(["--profile", "wasm-test"]);
        command
    }))
}

/// The wasm tests under the test runner of wasm-bindgen.
fn in_wasm(flavour: Flavour, variables: &[(&str, &Path)]) -> Result<Count> {
    browser::ensure_node()?;
    let mut count = Count::default();
    for mut command in wasm_tests(flavour)? {
        for other in [
            "WASM_BINDGEN_USE_BROWSER",
            "WASM_BINDGEN_USE_DEDICATED_WORKER",
            "WASM_BINDGEN_TEST_ONLY_NODE",
            "WASM_BINDGEN_TEST_ONLY_WEB",
        ] {
            command.env_remove(other);
        }
        // The defaults (20 s and 5 s) are too short on a busy machine.
        command
            .env("WASM_BINDGEN_TEST_TIMEOUT", "180")
            .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60");
        command.envs(variables.iter().copied());
        count += tested(&mut command)?;
    }
    Ok(count)
}

fn in_browser(flavour: Flavour, mode: &str) -> Result<Count> {
    let browser = browser::ensure()?;
    in_wasm(
        flavour,
        &[(mode, "1".as_ref()), ("CHROMEDRIVER", &browser.driver)],
    )
}

fn bundlers() -> Result<Count> {
    let browser = browser::ensure()?;
    browser::ensure_packages()?;
    let folder = root().join("tests/bundlers");
    browser::ensure_packages_of(&folder)?;
    wasm::build()?;
    tested(
        Command::new("node")
            .args(["--test", "--test-reporter=spec"])
            .args(["bundlers", "workflows"].map(|name| folder.join(format!("{name}.test.mjs"))))
            .env("CHROMIUM", &browser.program)
            .env("XTASK", env::current_exe()?)
            .env("E2E_SCRATCH", target_dir()?)
            .current_dir(root()),
    )
}

fn readme(commands: &[String]) -> Result<Count> {
    browser::ensure_node()?;
    tested(
        Command::new("node")
            .args(["--test", "--test-reporter=spec"])
            .arg(root().join("tests/readme/readme.test.mjs"))
            .env("COMMANDS", commands.join(","))
            .env("E2E_SCRATCH", target_dir()?)
            .current_dir(root()),
    )
}

fn trainer() -> Result<Count> {
    let torch = Torch::ensure()?;
    let features: &[&str] = match mpi::ensure() {
        Ok(()) => &mpi::FEATURE,
        Err(error) => {
            println!("Left out: several processes that train one model. {error:#}");
            &[]
        }
    };
    let deny = ["--quiet", "--all-targets", "--", "-D", "warnings"];
    call(torch.cargo("clippy")?.args(features).args(deny))?;
    documented(torch.cargo("doc")?.args(features), "")?;
    tested(torch.cargo("test")?.args(features))
}
