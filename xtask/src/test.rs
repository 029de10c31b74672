//! `cargo xtask test`: every check of the project, one step after another, and a summary.

use crate::count::{Count, ONE, tested};
use crate::tools::{call, cargo, output};
use crate::torch::Torch;
use crate::wasm::{self, Flavour};
use crate::{browser, e2e};
use anyhow::{Result, bail, ensure};
use clap::ValueEnum;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Which steps to run.
#[derive(clap::Args)]
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
}

/// The kernels are a package of their own beside the core.
const KERNELS: [&str; 2] = ["-p", "translucent-kernels"];

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Step {
    /// rustfmt
    Format,
    /// clippy, warnings denied, native and wasm
    Lint,
    /// rustdoc, warnings denied
    Doc,
    /// the core's, the command's and these commands' own tests
    Native,
    /// the wasm tests in Node
    Node,
    /// the wasm tests in a page of headless Chromium
    Page,
    /// the wasm tests in a worker of headless Chromium, built with relaxed SIMD
    Worker,
    /// the page's JavaScript against its types
    Types,
    /// the page itself in headless Chromium, and in headless Firefox where that can be had
    E2e,
    /// the trainer: clippy and tests, against libtorch
    Trainer,
}

impl Step {
    fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }

    fn needs_browser(self) -> bool {
        matches!(self, Step::Page | Step::Worker | Step::E2e)
    }

    fn run(self) -> Result<Count> {
        match self {
            Step::Format => format(),
            Step::Lint => lint(),
            Step::Doc => doc(),
            Step::Native => native(),
            Step::Node => in_wasm(
                Flavour::Simd128,
                &[("WASM_BINDGEN_TEST_ONLY_NODE", "1".as_ref())],
            ),
            Step::Page => in_browser(Flavour::Simd128, "WASM_BINDGEN_USE_BROWSER"),
            Step::Worker => in_browser(Flavour::Relaxed, "WASM_BINDGEN_USE_DEDICATED_WORKER"),
            Step::Types => types(),
            Step::E2e => e2e::run(),
            Step::Trainer => trainer(),
        }
    }
}

/// What became of a step.
struct Outcome {
    step: Step,
    count: Count,
    took: Duration,
}

/// Runs the steps; one that fails does not keep the others from running.
pub fn run(args: &Args) -> Result<()> {
    let steps: Vec<Step> = Step::value_variants()
        .iter()
        .copied()
        .filter(|step| {
            args.only.is_empty() && *step != Step::Trainer
                || args.only.contains(step)
                || args.trainer && *step == Step::Trainer
        })
        .filter(|step| !(args.no_browser && step.needs_browser()))
        .collect();
    ensure!(!steps.is_empty(), "no step is left to run");
    let mut outcomes = Vec::new();
    for step in steps {
        eprintln!("\n== {}", step.name());
        let start = Instant::now();
        let count = step.run().unwrap_or_else(|error| {
            eprintln!("{} failed: {error:#}", step.name());
            Count {
                passed: 0,
                failed: 1,
            }
        });
        outcomes.push(Outcome {
            step,
            count,
            took: start.elapsed(),
        });
    }
    summary(args, &outcomes)
}

fn summary(args: &Args, outcomes: &[Outcome]) -> Result<()> {
    println!(
        "\n{:<8} {:>7} {:>7} {:>9}",
        "step", "passed", "failed", "seconds"
    );
    let mut all = Count::default();
    for Outcome { step, count, took } in outcomes {
        println!(
            "{:<8} {:>7} {:>7} {:>9.1}",
            step.name(),
            count.passed,
            count.failed,
            took.as_secs_f64()
        );
        all += *count;
    }
    if args.only.is_empty() && !args.trainer {
        println!(
            "Left out: the trainer's tests, which need libtorch. `cargo xtask test --trainer` sets it up and runs them too."
        );
    }
    if args.no_browser {
        println!("Left out: everything that needs a browser.");
    }
    println!("tests: {} passed, {} failed", all.passed, all.failed);
    if all.failed > 0 {
        let failed = outcomes.iter().filter(|outcome| outcome.count.failed > 0);
        bail!(
            "failed: {}",
            failed
                .map(|outcome| outcome.step.name())
                .collect::<Vec<_>>()
                .join(", ")
        );
    }
    Ok(())
}

fn format() -> Result<Count> {
    if output(cargo().args(["fmt", "--version"])).is_none() {
        call(Command::new("rustup").args(["component", "add", "rustfmt"]))?;
    }
    call(cargo().args(["fmt", "--all", "--check"]))?;
    Ok(ONE)
}

fn lint() -> Result<Count> {
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
    for flavour in [Flavour::Simd128, Flavour::Relaxed] {
        call(flavour.cargo("clippy")?.args(KERNELS).args(deny))?;
    }
    Ok(Count {
        passed: 3,
        failed: 0,
    })
}

fn doc() -> Result<Count> {
    wasm::ensure_target()?;
    // The second is the same with the JavaScript face, which exists for wasm only.
    let core = ["doc", "--locked", "-p", "translucent"];
    documented(cargo().args(core).args(KERNELS), "")?;
    documented(
        Flavour::Simd128.cargo("doc")?.args(KERNELS),
        "-C target-feature=+simd128",
    )?;
    Ok(Count {
        passed: 2,
        failed: 0,
    })
}

/// The variable takes the place of the flags in `.cargo/config.toml`, so what the target needs comes along.
fn documented(command: &mut Command, target_flags: &str) -> Result<()> {
    call(
        command
            .args(["--quiet", "--no-deps"])
            .env("RUSTDOCFLAGS", format!("-D warnings {target_flags}")),
    )
}

fn native() -> Result<Count> {
    let packages = ["-p", "translucent", "-p", "translucent-cli"];
    let mut count = tested(
        cargo()
            .args(["test", "--locked"])
            .args(packages)
            .args(KERNELS),
    )?;
    count += tested(cargo().args(["test", "--locked", "--profile", "xtask", "-p", "xtask"]))?;
    Ok(count)
}

/// The core's wasm tests under the test runner of wasm-bindgen.
fn in_wasm(flavour: Flavour, variables: &[(&str, &Path)]) -> Result<Count> {
    wasm::ensure_target()?;
    browser::ensure_node()?;
    let mut command = flavour.cargo("test")?;
    command.args(KERNELS);
    // In release: shares every dependency with the shipped build, and tests its kernels as optimised there.
    command.args(["--release", "--lib", "--test", "web"]);
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
    tested(&mut command)
}

fn in_browser(flavour: Flavour, mode: &str) -> Result<Count> {
    let browser = browser::ensure()?;
    in_wasm(
        flavour,
        &[(mode, "1".as_ref()), ("CHROMEDRIVER", &browser.driver)],
    )
}

fn types() -> Result<Count> {
    browser::ensure_packages()?;
    // The page's types are those of the engine as it is now.
    wasm::build()?;
    for project in ["tsconfig.page.json", "tsconfig.worker.json"] {
        call(
            Command::new("node")
                .args(["node_modules/typescript/bin/tsc", "-p", project])
                .current_dir(browser::folder()),
        )?;
    }
    Ok(Count {
        passed: 2,
        failed: 0,
    })
}

fn trainer() -> Result<Count> {
    let torch = Torch::ensure()?;
    let deny = ["--quiet", "--all-targets", "--", "-D", "warnings"];
    call(torch.cargo("clippy")?.args(deny))?;
    documented(&mut torch.cargo("doc")?, "")?;
    let mut count = Count {
        passed: 2,
        failed: 0,
    };
    count += tested(&mut torch.cargo("test")?)?;
    Ok(count)
}
