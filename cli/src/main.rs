//! The command `translucent`: translate and measure with a model folder.
#![warn(missing_docs)]

mod commands;

use clap::{Parser, Subcommand};
use std::process::ExitCode;
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
    Bleu(commands::evaluate::Evaluate),
    /// Prints chrF2 as sacrebleu computes it.
    Chrf(commands::evaluate::Evaluate),
    /// Shows what a model folder holds and what it lacks.
    Inspect(commands::inspect::Inspect),
    /// Writes a model folder with 8-bit matrices.
    Quantize(commands::quantize::Quantize),
    /// Writes a model folder in another floating-point type, or from pytorch_model.bin to model.safetensors.
    Convert(commands::convert::Convert),
    /// Measures what each head does and writes heads.json into the model folder.
    Heads(commands::heads::Heads),
    /// Reports how dependable a model is on made-up lines.
    Stress(commands::stress::Stress),
    /// Writes a model folder with random weights, for tests.
    Random(commands::random::Random),
    /// Records one sentence with all its observations for the page to show before the model has arrived.
    Record(commands::record::Record),
    /// Prints what a model's training cost.
    Cost(commands::cost::Cost),
    /// Writes index.json over the model folders of a folder.
    Index(commands::index::Index),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Translate(command) => command.run(),
        Command::Score(command) => command.run(),
        Command::Bleu(command) => command.bleu(),
        Command::Chrf(command) => command.chrf(),
        Command::Inspect(command) => command.run(),
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
        // The reader has seen enough: `translucent … | head`.
        Err(Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("translucent: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes a command's whole output.
fn print(text: &str) -> Result<()> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|source| Error::Io {
        name: "standard output".into(),
        source,
    })
}
