//! The trainer's command line.

use clap::{Parser, Subcommand, ValueEnum};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::ExitCode;
use translucent::checkpoint::write_atomically;
use translucent_train::average::average;
use translucent_train::export::{Choice, export};
use translucent_train::folder::Folder;
use translucent_train::recipe::Recipe;
use translucent_train::run::{Options, run};
use translucent_train::speed::{Comparison, compare, write_batches};
use translucent_train::state::write_weights;
use translucent_train::stop;
use translucent_train::sweep::Sweep;
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
    /// Trains variants of a recipe at equal target tokens, one after another, and tables what each brought.
    #[command(alias = "table3")]
    Sweep(SweepArguments),
    /// Measures target tokens a second of the whole trainer beside PyTorch, on the same batches.
    Speed(SpeedArguments),
    /// Writes the batches of a recipe's first steps, with start weights and learning rates, for another trainer.
    Batches(BatchesArguments),
    /// Writes a run's weights as a model folder.
    Export(ExportArguments),
    /// Averages the last snapshots of a run into one file of weights (`export --weights FILE` takes it).
    Average(AverageArguments),
}

#[derive(clap::Args)]
struct RunArguments {
    /// The recipe (see train/recipes).
    #[arg(required_unless_present = "source", conflicts_with_all = ["source", "target"])]
    recipe: Option<PathBuf>,
    /// Changes a field of the recipe, like model.dropout=0.2; may be given several times.
    #[arg(long = "set", value_name = "FIELD=VALUE", requires = "recipe")]
    settings: Vec<String>,
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
    #[command(flatten)]
    place: Place,
}

/// Where to find, put and compute things, and for how long.
#[derive(clap::Args)]
struct Place {
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
struct SweepArguments {
    /// The variants (see train/recipes/en-de-levers.toml). Rows that are done are not done again.
    sweep: PathBuf,
    /// Only rows whose name contains this.
    #[arg(long)]
    only: Option<String>,
    /// Writes the results of all rows that are done as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    #[command(flatten)]
    place: Place,
}

#[derive(clap::Args)]
struct SpeedArguments {
    /// The recipe.
    recipe: PathBuf,
    /// Steps that are measured.
    #[arg(long, default_value_t = 60)]
    steps: u64,
    /// Steps before them.
    #[arg(long, default_value_t = 60)]
    warmup: u64,
    /// How often all take their turn.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// PyTorch's side of the comparison.
    #[arg(long, default_value = "train/bench/pytorch.py")]
    script: PathBuf,
    #[command(flatten)]
    place: Place,
}

#[derive(clap::Args)]
struct BatchesArguments {
    /// The recipe.
    recipe: PathBuf,
    /// Changes a field of the recipe.
    #[arg(long = "set", value_name = "FIELD=VALUE")]
    settings: Vec<String>,
    /// Number of steps.
    #[arg(long)]
    steps: u64,
    /// The folder to write.
    #[arg(long)]
    output: PathBuf,
    #[command(flatten)]
    place: Place,
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
        Command::Sweep(arguments) => {
            let sweep = Sweep::read(&arguments.sweep)?;
            stop::listen()?;
            let only = arguments.only.as_deref().unwrap_or_default();
            let results = sweep.run(&arguments.place.options()?, only)?;
            if let Some(path) = &arguments.json {
                write_atomically(path, &results.to_json()?)?;
            }
            print!("{}", results.to_markdown());
            Ok(())
        }
        Command::Speed(arguments) => {
            let recipe = Recipe::read(&arguments.recipe)?;
            let options = arguments.place.options()?;
            let comparison = Comparison {
                steps: arguments.steps,
                warmup: arguments.warmup,
                rounds: arguments.rounds.into(),
                folder: options.runs.join("speed"),
                script: arguments.script,
            };
            print!("{}", compare(&recipe, &options, &comparison)?);
            Ok(())
        }
        Command::Batches(arguments) => {
            let recipe = Recipe::read_with(&arguments.recipe, &arguments.settings)?;
            let options = arguments.place.options()?;
            write_batches(&recipe, &options, arguments.steps, &arguments.output)
        }
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
        (Some(path), ..) => Recipe::read_with(path, &arguments.settings)?,
        _ => {
            return Err(Error::Recipe(
                "name a recipe, or --source and --target".into(),
            ));
        }
    };
    stop::listen()?;
    let step = run(&recipe, &arguments.place.options()?)?;
    eprintln!("stopped after step {step}");
    Ok(())
}

impl Place {
    fn options(self) -> Result<Options> {
        let workers = || match self.device {
            DeviceName::Cpu => std::thread::available_parallelism().map_or(1, usize::from),
            DeviceName::Cuda => 1,
        };
        Ok(Options {
            threads: self.threads.unwrap_or_else(workers),
            data: self.data,
            runs: runs_folder(self.runs)?,
            device: match self.device {
                DeviceName::Cpu => tch::Device::Cpu,
                DeviceName::Cuda => tch::Device::Cuda(0),
            },
            max_minutes: self.max_minutes,
            cooldown_minutes: self.cooldown_minutes,
            shared: None,
        })
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
