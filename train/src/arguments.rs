//! The command line's arguments.

use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Trains a translation model from sentence pairs and writes it as a model folder.
#[derive(Parser)]
#[command(version, about)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Trains, or continues a run that was stopped.
    Run(RunArguments),
    /// Makes vocabulary and token ids of a recipe, so that runs start without reading its text; an interrupted call resumes.
    Prepare(PrepareArguments),
    /// Trains variants of a recipe at equal target tokens, one after another, and tables what each brought.
    #[command(alias = "table3")]
    Sweep(SweepArguments),
    /// Measures target tokens a second of the whole trainer beside PyTorch, on the same batches.
    Speed(SpeedArguments),
    /// Writes the batches of a recipe's first steps, with start weights and learning rates, for another trainer.
    Batches(BatchesArguments),
    /// Writes a run's weights as a model folder.
    Export(ExportArguments),
    /// Makes training pairs from plain text of the target language: a model of the reverse direction translates it.
    BackTranslate(BackTranslateArguments),
    /// Scores pairs with models of both directions, so that a recipe can leave out the worst of a noisy file.
    ScorePairs(ScorePairsArguments),
    /// Averages the last snapshots of a run into one file of weights (`export --weights FILE` takes it).
    Average(AverageArguments),
}

#[derive(clap::Args)]
pub struct RunArguments {
    /// The recipe (see train/recipes).
    #[arg(required_unless_present = "source", conflicts_with_all = ["source", "target"])]
    pub recipe: Option<PathBuf>,
    /// Changes a field of the recipe, like model.dropout=0.2; may be given several times.
    #[arg(long = "set", value_name = "FIELD=VALUE", requires = "recipe")]
    pub settings: Vec<String>,
    /// Without a recipe: source sentences, one a line, in a file that ends in its language, like a.en.
    #[arg(long, requires = "target")]
    pub source: Option<PathBuf>,
    /// Without a recipe: their translations, one a line, like a.de.
    #[arg(long, requires = "source")]
    pub target: Option<PathBuf>,
    /// Without a recipe: the run's name.
    #[arg(long, default_value = "run")]
    pub name: String,
    /// Without a recipe: number of subword pieces.
    #[arg(long, default_value_t = 8000)]
    pub vocab_size: usize,
    #[command(flatten)]
    pub place: Place,
}

#[derive(clap::Args)]
pub struct PrepareArguments {
    /// The recipe.
    pub recipe: PathBuf,
    /// Changes a field of the recipe.
    #[arg(long = "set", value_name = "FIELD=VALUE")]
    pub settings: Vec<String>,
    /// Folder with the recipe's data files.
    #[arg(long, default_value = ".")]
    pub data: PathBuf,
    /// Folder of all runs [default: ~/.local/state/translucent].
    #[arg(long)]
    pub runs: Option<PathBuf>,
}

/// Where to find, put and compute things, and for how long.
#[derive(clap::Args)]
pub struct Place {
    /// Folder with the recipe's data files.
    #[arg(long, default_value = ".")]
    pub data: PathBuf,
    /// Folder of all runs [default: ~/.local/state/translucent].
    #[arg(long)]
    pub runs: Option<PathBuf>,
    /// Where to compute.
    #[arg(long, value_enum, default_value_t = DeviceName::Cpu)]
    pub device: DeviceName,
    /// Batches differentiated side by side, one core each [default: as many as there are cores; 1 on a GPU].
    #[arg(long)]
    pub threads: Option<usize>,
    /// Stop after this many minutes, with everything saved. For a run that can be repeated, give its tokens in the
    /// recipe (training.stages).
    #[arg(long)]
    pub max_minutes: Option<f64>,
    /// Let the learning rate descend to zero over the last of these minutes.
    #[arg(long, requires = "max_minutes")]
    pub cooldown_minutes: Option<f64>,
}

#[derive(clap::Args)]
pub struct SweepArguments {
    /// The variants (see train/recipes/en-de-levers.toml). Rows that are done are not done again.
    pub sweep: PathBuf,
    /// Only rows whose name contains this.
    #[arg(long)]
    pub only: Option<String>,
    /// Writes the results of all rows that are done as JSON.
    #[arg(long)]
    pub json: Option<PathBuf>,
    #[command(flatten)]
    pub place: Place,
}

#[derive(clap::Args)]
pub struct SpeedArguments {
    /// The recipe.
    pub recipe: PathBuf,
    /// Steps that are measured.
    #[arg(long, default_value_t = 60)]
    pub steps: u64,
    /// Steps before them.
    #[arg(long, default_value_t = 60)]
    pub warmup: u64,
    /// How often all take their turn.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    pub rounds: u16,
    /// PyTorch's side of the comparison.
    #[arg(long, default_value = "train/bench/pytorch.py")]
    pub script: PathBuf,
    #[command(flatten)]
    pub place: Place,
}

#[derive(clap::Args)]
pub struct BatchesArguments {
    /// The recipe.
    pub recipe: PathBuf,
    /// Changes a field of the recipe.
    #[arg(long = "set", value_name = "FIELD=VALUE")]
    pub settings: Vec<String>,
    /// Number of steps.
    #[arg(long)]
    pub steps: u64,
    /// The folder to write.
    #[arg(long)]
    pub output: PathBuf,
    #[command(flatten)]
    pub place: Place,
}

#[derive(clap::Args)]
pub struct ExportArguments {
    /// The run's name.
    #[arg(long)]
    pub run: String,
    /// Folder of all runs [default: ~/.local/state/translucent].
    #[arg(long)]
    pub runs: Option<PathBuf>,
    /// latest, best, average, ema, or a file of weights.
    #[arg(long, default_value = "best")]
    pub weights: String,
    /// Snapshots that are averaged with `--weights average`.
    #[arg(long, default_value_t = 5)]
    pub last: usize,
    /// The model folder.
    #[arg(long)]
    pub output: PathBuf,
}

#[derive(clap::Args)]
pub struct BackTranslateArguments {
    /// Text files of the target language, a sentence a line, plain or .zst.
    #[arg(required = true)]
    pub inputs: Vec<PathBuf>,
    /// A model folder of the reverse direction, best with 8-bit matrices.
    #[arg(long)]
    pub model: PathBuf,
    /// The file of `translation TAB original` lines. Goes on where an earlier call was stopped.
    #[arg(long)]
    pub output: PathBuf,
    /// Hypotheses that the search keeps; 1 is greedy, and fastest.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub beam: u16,
    /// Text before every translation, like "<bt>", by which a model can tell it from sources that people wrote.
    #[arg(long)]
    pub tag: Option<String>,
    /// Threads [default: as many as there are cores].
    #[arg(long)]
    pub threads: Option<usize>,
}

#[derive(clap::Args)]
pub struct ScorePairsArguments {
    /// A file of `source TAB target` lines, plain or .zst.
    pub pairs: PathBuf,
    /// A model folder of the pairs' direction.
    #[arg(long)]
    pub model: PathBuf,
    /// A model folder of the reverse direction.
    #[arg(long)]
    pub reverse: PathBuf,
    /// The file of scores, one a line, low for good pairs: a recipe takes it as `scores`, with `keep = 0.8` beside it.
    /// Goes on where an earlier call was stopped.
    #[arg(long)]
    pub output: PathBuf,
    /// Threads [default: as many as there are cores].
    #[arg(long)]
    pub threads: Option<usize>,
}

#[derive(clap::Args)]
pub struct AverageArguments {
    /// The run's name.
    #[arg(long)]
    pub run: String,
    /// Folder of all runs [default: ~/.local/state/translucent].
    #[arg(long)]
    pub runs: Option<PathBuf>,
    /// Number of snapshots, the last ones.
    #[arg(long, default_value_t = 5)]
    pub last: usize,
    /// The file of weights.
    #[arg(long)]
    pub output: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum DeviceName {
    Cpu,
    Cuda,
}
