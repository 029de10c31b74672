//! The command `translucent`: translate and measure with a model folder.
#![warn(missing_docs)]

mod commands;

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use translucent_cli::output::{IS_CLOSED, LineWriter};
use translucent_cli::{Error, Result};

/// The Transformer of "Attention Is All You Need": translate, measure and look into model folders.
#[derive(Parser)]
#[command(name = "translucent", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Translates standard input, one line in, one line out.
    Translate(commands::translate::Translate),
    /// Prints ln P of given translations, a line each.
    Score(commands::score::Score),
    /// Prints BLEU as sacrebleu computes it (13a, exponential smoothing).
    Bleu(commands::compare::Compare),
    /// Prints chrF2 as sacrebleu computes it.
    Chrf(commands::compare::Compare),
    /// Measures BLEU and chrF2 of a model on test sets and writes metrics.json into its folder.
    Evaluate(commands::evaluate::Evaluate),
    /// Shows what a model folder holds and what it lacks.
    Inspect(commands::inspect::Inspect),
    /// Counts the lines of a text by the language that they are in.
    Language(commands::language::Language),
    /// Measures what each predicted piece depends on, beside what attention reads.
    Depends(commands::depends::Depends),
    /// Trains a small model on a task and prints how it learns.
    Learn(commands::learn::Learn),
    /// Writes a model folder with 8-bit matrices.
    Quantize(commands::quantize::Quantize),
    /// Writes a model folder as model.safetensors in f32, f16 or bf16.
    Convert(commands::convert::Convert),
    /// Measures what each head does and writes heads.json into the model folder.
    Heads(commands::heads::Heads),
    /// Reports how reliable a model is on generated lines.
    Stress(commands::stress::Stress),
    /// Writes a model folder with random weights, for tests.
    Random(commands::random::Random),
    /// Records one sentence with all its observations, which the page shows until the model is loaded.
    Record(commands::record::Record),
    /// Prints what a model's training cost.
    Cost(commands::cost::Cost),
    /// Writes index.json, the list of models that a page offers.
    Index(commands::index::Index),
}

/// 128 + SIGPIPE.
const BROKEN_PIPE: u8 = 141;
/// 128 + SIGINT.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Translate(command) => command.run(),
        Command::Score(command) => command.run(),
        Command::Bleu(command) => command.bleu(),
        Command::Chrf(command) => command.chrf(),
        Command::Evaluate(command) => command.run(),
        Command::Inspect(command) => command.run(),
        Command::Language(command) => command.run(),
        Command::Depends(command) => command.run(),
        Command::Learn(command) => command.run(),
        Command::Quantize(command) => command.run(),
        Command::Convert(command) => command.run(),
        Command::Heads(command) => command.run(),
        Command::Stress(command) => command.run(),
        Command::Random(command) => command.run(),
        Command::Record(command) => command.run(),
        Command::Cost(command) => command.run(),
        Command::Index(command) => command.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has closed the pipe (`translucent … | head`): silent, but no success, as for programs that the
        // signal ends.
        Err(Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::from(BROKEN_PIPE)
        }
        Err(error) => {
            eprintln!("translucent: {error}");
            match error {
                Error::Interrupted => ExitCode::from(INTERRUPTED),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

// Rust opens /dev/null in the place of a closed standard output, so it is looked at before that.
ctor::declarative::ctor! {
    #[ctor(unsafe)]
    fn look_at_output() {
        let is_there = |path: &str| std::fs::symlink_metadata(path).is_ok();
        if is_there("/dev/fd/") && !is_there("/dev/fd/1") {
            IS_CLOSED.store(true, Ordering::Relaxed);
        }
    }
}

/// Writes a command's whole output.
fn print(text: &str) -> Result<()> {
    LineWriter::standard().write(text)
}
