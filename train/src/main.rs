//! The trainer's command line.

use clap::{Parser, Subcommand, ValueEnum};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::ExitCode;
use translucent_train::average::average;
use translucent_train::export::{Choice, export};
use translucent_train::recipe::Recipe;
use translucent_train::run::{Options, run};
use translucent_train::setup::Folder;
use translucent_train::state::write_weights;
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
    /// Writes a run's weights as a model folder.
    Export(ExportArguments),
    /// Averages the last snapshots of a run into one file of weights (`export --weights FILE` takes it).
    Average(AverageArguments),
}

#[derive(clap::Args)]
struct RunArguments {
    /// The recipe (see train/recipes).
    #[arg(long, required_unless_present = "source", conflicts_with_all = ["source", "target"])]
    recipe: Option<PathBuf>,
    /// Without a recipe: source sentences, one a line, in a file that ends in its language, like a.en.
    #[arg(long, requires = "target")]
    source: Option<PathBuf>,
    /// Without a recipe: their translations, one a line, like a.de.
    #[arg(long, requires = "source")]
    target: Option<PathBuf>,
    /// Without a recipe: the run's name.
    #[arg(long, default_value = "run")]
    name: String,
    /// Without a recipe: number of subword pieces.
    #[arg(long, default_value_t = 8000)]
    vocab_size: usize,
    /// Folder with the recipe's data files.
    #[arg(long, default_value = ".")]
    data: PathBuf,
    /// Folder of all runs [default: ~/.local/state/translucent].
    #[arg(long)]
    runs: Option<PathBuf>,
    /// Where to compute.
    #[arg(long, value_enum, default_value_t = DeviceName::Cpu)]
    device: DeviceName,
    /// Batches differentiated side by side, one core each [default: as many as there are cores; 1 on a GPU].
    #[arg(long)]
    threads: Option<usize>,
    /// Stop after this many minutes, with everything saved.
    #[arg(long)]
    max_minutes: Option<f64>,
    /// Let the learning rate descend to zero over the last of these minutes.
    #[arg(long, requires = "max_minutes")]
    cooldown_minutes: Option<f64>,
}

#[derive(clap::Args)]
struct ExportArguments {
    /// The run's name.
    #[arg(long)]
    run: String,
    /// Folder of all runs [default: ~/.local/state/translucent].
    #[arg(long)]
    runs: Option<PathBuf>,
    /// latest, best, average, or a file of weights.
    #[arg(long, default_value = "best")]
    weights: String,
    /// Snapshots that are averaged with `--weights average`.
    #[arg(long, default_value_t = 5)]
    last: usize,
    /// The model folder.
    #[arg(long)]
    output: PathBuf,
}

#[derive(clap::Args)]
struct AverageArguments {
    /// The run's name.
    #[arg(long)]
    run: String,
    /// Folder of all runs [default: ~/.local/state/translucent].
    #[arg(long)]
    runs: Option<PathBuf>,
    /// Number of snapshots, the last ones.
    #[arg(long, default_value_t = 5)]
    last: usize,
    /// The file of weights.
    #[arg(long)]
    output: PathBuf,
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
    tch::set_num_threads(1);
    match command {
        Command::Run(arguments) => train(arguments),
        Command::Export(arguments) => {
            let folder = Folder::existing(&runs_folder(arguments.runs)?, &arguments.run)?;
            let choice = match arguments.weights.as_str() {
                "latest" => Choice::Latest,
                "best" => Choice::Best,
                "average" => Choice::Average(arguments.last),
                file => Choice::File(file.into()),
            };
            let step = export(&folder, &choice, &arguments.output)?;
            eprintln!("{}: weights of step {step}", arguments.output.display());
            Ok(())
        }
        Command::Average(arguments) => {
            let folder = Folder::existing(&runs_folder(arguments.runs)?, &arguments.run)?;
            let (header, weights) = average(&folder, arguments.last)?;
            write_weights(&arguments.output, &header, &weights)
        }
    }
}

fn train(arguments: RunArguments) -> Result<()> {
    let recipe = match (&arguments.recipe, &arguments.source, &arguments.target) {
        (None, Some(source), Some(target)) => {
            Recipe::for_parallel_files(&arguments.name, source, target, arguments.vocab_size)
        }
        (Some(path), ..) => Recipe::read(path)?,
        _ => {
            return Err(Error::Recipe(
                "name --recipe, or --source and --target".into(),
            ));
        }
    };
    let workers = || match arguments.device {
        DeviceName::Cpu => std::thread::available_parallelism().map_or(1, usize::from),
        DeviceName::Cuda => 1,
    };
    let options = Options {
        data: arguments.data,
        runs: runs_folder(arguments.runs)?,
        device: match arguments.device {
            DeviceName::Cpu => tch::Device::Cpu,
            DeviceName::Cuda => tch::Device::Cuda(0),
        },
        threads: arguments.threads.unwrap_or_else(workers),
        max_minutes: arguments.max_minutes,
        cooldown_minutes: arguments.cooldown_minutes,
    };
    let step = run(&recipe, &options)?;
    eprintln!("stopped after step {step}");
    Ok(())
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
