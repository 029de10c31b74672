//! `cargo xtask bench`: measures the engine against its peers and against the machine, and writes `benches/RESULTS.md`.

mod bleu;
mod bound;
mod native;
mod peers;
mod ratios;
mod report;
mod results;

use crate::site::Site;
use crate::tools::{call, cargo, on_path, output, root};
use crate::{browser, http, wasm};
use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use peers::Peers;
use results::{Results, Stamp};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Arguments of the command.
#[derive(clap::Args)]
pub struct Args {
    /// Measure only these groups; the results keep the earlier figures of the others.
    #[arg(long, value_delimiter = ',', value_name = "GROUPS")]
    only: Vec<Group>,
    /// Measure roughly, in seconds, to check that everything runs; the results go to target/bench.
    #[arg(long)]
    quick: bool,
    /// Use the last build.
    #[arg(long)]
    no_build: bool,
    /// Measure nothing; write RESULTS.md from results.json.
    #[arg(long, conflicts_with = "only")]
    report: bool,
    /// Folder of test sets for the group `bleu`: `NAME.tsv` with lines of English TAB German.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// f32 weights of the model that ships, for the group `bleu`; without it the int8 weights are dequantized, and
    /// only the loss from computing in int8 is measured.
    #[arg(long, value_name = "DIR")]
    float_model: Option<PathBuf>,
}

/// Figures that are measured together, in a few minutes at most.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Group {
    /// size of the download
    Size,
    /// arithmetic on registers and streaming from memory, in the browser
    Limits,
    /// matrix products of the engine in the browser
    Kernels,
    /// model S, 20 → 22 pieces, against the peers
    SShort,
    /// model S, 60 → 66 pieces, against the peers
    SLong,
    /// model M, 20 → 22 pieces, against the peers
    MShort,
    /// model M, 60 → 66 pieces, against the peers
    MLong,
    /// the model that ships
    Shipped,
    /// loading, first sentence, memory
    Start,
    /// what capturing every attention map costs
    Observe,
    /// time against number of sentences and length
    Growth,
    /// outside the browser: whole lines against CTranslate2 and onnxruntime, and micro-benchmarks
    Native,
    /// BLEU lost by int8 (needs --data)
    Bleu,
}

impl Group {
    fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }

    fn in_browser(self) -> bool {
        !matches!(self, Group::Native | Group::Bleu)
    }
}

/// Measures, merges with the earlier results, and writes them.
///
/// # Errors
/// If a peer cannot be installed or a measurement fails; groups measured before that are kept.
pub fn run(args: &Args) -> Result<()> {
    let folder = if args.quick {
        crate::tools::target_dir()?.join("bench")
    } else {
        root().join("benches")
    };
    let mut results = Results::read(&folder)?;
    if !args.report {
        let groups: Vec<Group> = Group::value_variants()
            .iter()
            .copied()
            .filter(|group| {
                args.only.contains(group)
                    || args.only.is_empty() && (*group != Group::Bleu || args.data.is_some())
            })
            .collect();
        measure(args, &groups, &mut results)?;
    }
    report::write(&folder, &results)
}

fn measure(args: &Args, groups: &[Group], results: &mut Results) -> Result<()> {
    let (inside, outside): (Vec<Group>, Vec<Group>) =
        groups.iter().partition(|group| group.in_browser());
    if !inside.is_empty() {
        if !args.no_build {
            wasm::build()?;
        }
        if inside.contains(&Group::Kernels) {
            wasm::build_benchmark(&Peers::folder()?.join("kernels"))?;
        }
        let peers = Peers::ensure()?;
        let chromium = browser::ensure()?.program;
        let address: SocketAddr = ([127, 0, 0, 1], 0).into();
        let listener = http::listen(address)?;
        let url = format!("http://{}/", listener.local_addr()?);
        let site = Site::of_tree(&peers.models())
            .kept_for_an_hour()
            .with("/bench/", root().join("benches/browser"))
            .with("/cache/", peers.cache.clone());
        std::thread::spawn(move || http::serve(&listener, &site));
        for group in inside {
            eprintln!("== {}", group.name());
            let settings = json!({
                "url": url, "root": root(), "cache": peers.cache, "chromium": chromium, "quick": args.quick,
                "groups": [group.name()],
            });
            let line = in_browser(&settings)?;
            let version = line["browser"].as_str().unwrap_or_default();
            results.put(&group.name(), Stamp::now(version), line["result"].clone())?;
        }
    }
    for group in outside {
        eprintln!("== {}", group.name());
        let measured = match group {
            Group::Bleu => bleu::measure(args.data.as_deref(), args.float_model.as_deref())?,
            _ => json!({ "table": micro()?, "translate": native::measure(args.quick)? }),
        };
        results.put(&group.name(), Stamp::now(""), measured)?;
    }
    Ok(())
}

/// Runs `benches/browser/run.mjs`, pinned to one core where the system has `taskset`.
fn in_browser(settings: &Value) -> Result<Value> {
    let script = root().join("benches/browser/run.mjs");
    let mut command = pinned("node");
    command.arg(script).arg(settings.to_string());
    let out = command
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start node")?;
    ensure!(
        out.status.success(),
        "the measurement ended with {}",
        out.status
    );
    let text = String::from_utf8_lossy(&out.stdout);
    let line = text.lines().last().unwrap_or_default();
    serde_json::from_str(line).with_context(|| format!("not JSON: {line}"))
}

/// A program on the last core alone.
fn pinned(program: &str) -> Command {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if on_path(&["taskset"]).is_none() {
        eprintln!("there is no taskset here: nothing is pinned to a core");
        return Command::new(program);
    }
    let mut command = Command::new("taskset");
    command.args(["-c", &(cores - 1).to_string(), program]);
    command
}

/// Builds the command `translucent`; its path.
fn build_command() -> Result<PathBuf> {
    let build = ["build", "--quiet", "--locked", "--release"];
    call(cargo().args(build).args(["-p", "translucent-cli"]))?;
    Ok(crate::tools::target_dir()?.join("release/translucent"))
}

/// The benchmarks of `benches/kernels.rs`, as divan prints them.
fn micro() -> Result<String> {
    let build = [
        "bench",
        "--locked",
        "-p",
        "translucent",
        "--bench",
        "kernels",
    ];
    call(cargo().args(build).arg("--no-run"))?;
    let mut command = pinned("cargo");
    command
        .current_dir(root())
        .args(build)
        .args(["--", "--min-time", "1"]);
    output(&mut command).context("cargo bench failed")
}
