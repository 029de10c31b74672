//! `cargo xtask`: the project's own commands. `serve` and `test` are the two of the README.

mod bench;
mod browser;
mod count;
mod deny;
mod dist;
mod docs;
mod e2e;
mod hosting;
mod http;
mod join;
mod manifest;
mod modules;
mod mpi;
mod opensearch;
mod pack;
mod pipelines;
mod python;
mod release;
mod serve;
mod site;
#[cfg(test)]
mod supply;
mod test;
mod tools;
mod torch;
mod wasm;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Translucent's own commands; each does all its own set-up.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the page and serve it; prints the address to open.
    Serve(serve::Args),
    /// Write the page as a static folder that any host can serve from any sub-path.
    Dist(dist::Args),
    /// Write the npm packages of the engine and of the models.
    Pack(pack::Args),
    /// Write the documentation as a static site, and check its links; `--check` runs its code blocks.
    Docs(docs::Args),
    /// Make the archives of a release: npm packages, page and documentation, with checksums.
    Release(release::Args),
    /// Run all tests that need no libtorch (`--trainer` runs those that do as well).
    Test(test::Args),
    /// Check versions, licences, sources and advisories of every crate against `deny.toml` (needs cargo-deny).
    Deny(deny::Args),
    /// Measure speed, size and loading, beside the peers and the machine's limits; writes benches/RESULTS.md.
    Bench(bench::Args),
    /// Run the trainer; everything after `train` goes to it (`cargo xtask train --help`).
    #[command(disable_help_flag = true)]
    Train {
        /// Arguments of the trainer.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Serve(args) => serve::run(&args),
        Command::Dist(args) => dist::run(&args),
        Command::Pack(args) => pack::run(&args),
        Command::Docs(args) => docs::run(&args),
        Command::Release(args) => release::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Deny(args) => deny::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Train { args } => torch::train(&args),
    }
}
