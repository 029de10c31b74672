//! The trainer's command line.

mod arguments;

use arguments::{
    Arguments, BackTranslateArguments, Command, DeviceName, Place, PrepareArguments, RunArguments,
};
use clap::Parser;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::ExitCode;
use translucent::checkpoint::write_atomically;
use translucent_train::average::average;
use translucent_train::back_translate::BackTranslation;
use translucent_train::dual_score::DualScorer;
use translucent_train::export::{Choice, export};
use translucent_train::folder::Folder;
use translucent_train::ranks::Ranks;
use translucent_train::recipe::Recipe;
use translucent_train::run::{Options, run};
use translucent_train::setup::prepare;
use translucent_train::speed::{Comparison, compare, write_batches};
use translucent_train::state::write_weights;
use translucent_train::stop;
use translucent_train::sweep::Sweep;
use translucent_train::{Error, Result};

fn main() -> ExitCode {
    let command = Arguments::parse().command;
    set_environment(command.device());
    match execute(command) {
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
        Command::Prepare(arguments) => prepare_data(arguments),
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
                "ema" => Choice::MovingAverage,
                "average" => Choice::Average(arguments.last),
                file => Choice::File(file.into()),
            };
            let step = export(&folder, &choice, &arguments.output)?;
            eprintln!("{}: weights of step {step}", arguments.output.display());
            Ok(())
        }
        Command::BackTranslate(arguments) => back_translate(arguments),
        Command::ScorePairs(arguments) => {
            let scorer = DualScorer::open(&arguments.model, &arguments.reverse)?;
            stop::listen()?;
            let threads = arguments.threads.unwrap_or_else(cores);
            scorer.score_file(&arguments.pairs, &arguments.output, threads)?;
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
    let ranks = Ranks::start()?;
    let place = arguments.place;
    let result = place
        .options_of(&ranks)
        .and_then(|options| run(&recipe, &options));
    match result {
        Ok(step) if ranks.is_root() => eprintln!("stopped after step {step}"),
        Err(error) if ranks.size() > 1 => {
            eprintln!("error: rank {} of {}: {error}", ranks.rank(), ranks.size());
            // The others wait for this one, and would for ever.
            ranks.abort();
        }
        other => return other.map(drop),
    }
    Ok(())
}

fn prepare_data(arguments: PrepareArguments) -> Result<()> {
    let recipe = Recipe::read_with(&arguments.recipe, &arguments.settings)?;
    recipe.check()?;
    let runs = runs_folder(arguments.runs)?;
    let folder = Folder::open(&runs, &recipe.name)?;
    let _lock = folder.lock()?;
    for number in 0..=recipe.last_stage() {
        let stage = recipe.of_stage(number)?;
        let prepared = prepare(&stage, &arguments.data, &folder)?;
        let pairs: u64 = prepared.train.iter().map(|c| c.corpus.pairs()).sum();
        println!(
            "stage {number}: {pairs} pairs of {} files, {} pieces",
            prepared.train.len(),
            prepared.pieces.size()
        );
    }
    Ok(())
}

fn back_translate(arguments: BackTranslateArguments) -> Result<()> {
    let task = BackTranslation {
        model: arguments.model,
        inputs: arguments.inputs,
        beam: arguments.beam.into(),
        tag: arguments.tag,
    };
    stop::listen()?;
    let threads = arguments.threads.unwrap_or_else(cores);
    let report = task.run(&arguments.output, threads)?;
    println!("{} lines, {} pairs", report.lines, report.pairs);
    for (fault, lines) in &report.left_out {
        println!("left out: {lines} {fault:?}");
    }
    Ok(())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Place {
    /// Of one of several ranks: the machine's cores are shared, and each rank has a GPU of its own.
    fn options_of(self, ranks: &Ranks) -> Result<Options> {
        let device = self.device.device(ranks.local_rank())?;
        let threads = self.threads;
        let options = self.options()?;
        Ok(Options {
            threads: threads.unwrap_or((options.threads / ranks.local_size()).max(1)),
            device,
            ranks: ranks.clone(),
            ..options
        })
    }

    fn options(self) -> Result<Options> {
        let workers = || match self.device {
            DeviceName::Cpu => cores(),
            DeviceName::Cuda => 1,
        };
        Ok(Options {
            threads: self.threads.unwrap_or_else(workers),
            data: self.data,
            runs: runs_folder(self.runs)?,
            device: self.device.device(0)?,
            max_minutes: self.max_minutes,
            cooldown_minutes: self.cooldown_minutes,
            ranks: Ranks::alone(),
            shared: None,
        })
    }
}

impl DeviceName {
    /// This kind's device of a number.
    fn device(self, number: usize) -> Result<tch::Device> {
        if matches!(self, Self::Cpu) {
            return Ok(tch::Device::Cpu);
        }
        let count = tch::Cuda::device_count().max(0) as usize;
        match number < count {
            true => Ok(tch::Device::Cuda(number)),
            false => Err(Error::Device(format!(
                "libtorch finds {count} of NVIDIA's GPUs, and number {number} (counted from 0) was asked for: see what `nvidia-smi` says, or leave --device away"
            ))),
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

impl Command {
    /// Where it computes.
    fn device(&self) -> DeviceName {
        match self {
            Self::Run(arguments) => arguments.place.device,
            Self::Sweep(arguments) => arguments.place.device,
            Self::Speed(arguments) => arguments.place.device,
            Self::Batches(arguments) => arguments.place.device,
            Self::Prepare(_)
            | Self::Export(_)
            | Self::BackTranslate(_)
            | Self::ScorePairs(_)
            | Self::Average(_) => DeviceName::Cpu,
        }
    }
}

/// Starts the program anew with allocator settings under which freed tensors are used again at once: by default glibc gives
/// each back to the system, and page faults take a fifth of a step. For a GPU also with that part of libtorch, which nothing
/// links to: it is 2 GB, and a processor does without.
fn set_environment(device: DeviceName) {
    const SETTINGS: [(&str, &str); 6] = [
        ("MALLOC_MMAP_THRESHOLD_", "4000000000"),
        ("MALLOC_TRIM_THRESHOLD_", "8000000000"),
        ("MALLOC_ARENA_MAX", "1"),
        ("OMP_NUM_THREADS", "1"),
        ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "100000"),
        ("MALLOC_TOP_PAD_", "500000000"),
    ];
    let preload = match device {
        DeviceName::Cuda if cfg!(target_os = "linux") => Some(("LD_PRELOAD", "libtorch_cuda.so")),
        _ => None,
    };
    let settings: Vec<_> = SETTINGS.into_iter().chain(preload).collect();
    if settings
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
        .envs(settings)
        .exec();
    eprintln!("training will be slower: cannot set the allocator's thresholds: {failed}");
}
