//! The trainer's command line.

use clap::{Parser, Subcommand, ValueEnum};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::ExitCode;
use translucent_train::recipe::Recipe;
use translucent_train::run::{Options, run};
use translucent_train::{Error, Result};

/// Trains a translation model from sentence pairs and writes it as a model folder.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Trains, or continues a run that was stopped.
    Run(RunArguments),
}

#[derive(clap::Args)]
struct RunArguments {
    /// The recipe (see train/recipes).
    #[arg(long)]
    recipe: PathBuf,
    /// Folder with the recipe's data files.
    #[arg(long, default_value = ".")]
    data: PathBuf,
    /// Folder of all runs.
    #[arg(long)]
    runs: Option<PathBuf>,
    /// Where to compute.
    #[arg(long, value_enum, default_value_t = DeviceName::Cpu)]
    device: DeviceName,
    /// Threads of the CPU (default: as many as it has).
    #[arg(long)]
    threads: Option<usize>,
    /// Stop after this many minutes, with everything saved.
    #[arg(long)]
    max_minutes: Option<f64>,
}

#[derive(Clone, Copy, ValueEnum)]
enum DeviceName {
    Cpu,
    Cuda,
}

fn main() -> ExitCode {
    keep_freed_memory();
    match execute(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn execute(command: Command) -> Result<()> {
    match command {
        Command::Run(arguments) => {
            let cores = || std::thread::available_parallelism().map_or(1, usize::from);
            tch::set_num_threads(1);
            let options = Options {
                data: arguments.data,
                runs: runs_folder(arguments.runs)?,
                device: match arguments.device {
                    DeviceName::Cpu => tch::Device::Cpu,
                    DeviceName::Cuda => tch::Device::Cuda(0),
                },
                threads: arguments.threads.unwrap_or_else(cores),
                max_minutes: arguments.max_minutes,
            };
            let step = run(&Recipe::read(&arguments.recipe)?, &options)?;
            eprintln!("stopped after step {step}");
            Ok(())
        }
    }
}

fn runs_folder(given: Option<PathBuf>) -> Result<PathBuf> {
    match (given, std::env::var_os("HOME")) {
        (Some(folder), _) => Ok(folder),
        (None, Some(home)) => Ok(PathBuf::from(home).join(".local/state/translucent")),
        (None, None) => Err(Error::Recipe(
            "HOME is not set: name a --runs folder".into(),
        )),
    }
}

/// Starts the program anew with allocator settings under which freed tensors are used again at once:
/// by default glibc gives each back to the system, and page faults take a fifth of a step.
fn keep_freed_memory() {
    const SETTINGS: [(&str, &str); 6] = [
        ("MALLOC_MMAP_THRESHOLD_", "4000000000"),
        ("MALLOC_TRIM_THRESHOLD_", "8000000000"),
        ("MALLOC_ARENA_MAX", "1"),
        ("OMP_NUM_THREADS", "1"),
        ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "100000"),
        ("MALLOC_TOP_PAD_", "500000000"),
    ];
    if SETTINGS
        .iter()
        .all(|(name, _)| std::env::var_os(name).is_some())
    {
        return;
    }
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    let failed = std::process::Command::new(program)
        .args(std::env::args_os().skip(1))
        .envs(SETTINGS)
        .exec();
    eprintln!("training will be slower: cannot set the allocator's thresholds: {failed}");
}
