//! `score`: how likely a model finds given translations.

use std::path::PathBuf;
use translucent::checkpoint;
use translucent::translator::{ScoreOptions, Target, Translator};
use translucent_cli::lines::Lines;
use translucent_cli::{Error, Result};

/// Prints ln P(target | source), the end mark included, for each pair of lines.
#[derive(clap::Args)]
pub struct Score {
    /// Model folder.
    #[arg(long)]
    model: PathBuf,
    /// Source text, a sentence a line.
    source: PathBuf,
    /// Its translation, line by line.
    target: PathBuf,
    /// Threads [default: all cores].
    #[arg(long)]
    threads: Option<usize>,
}

impl Score {
    /// Runs the command.
    ///
    /// # Errors
    /// If model or texts cannot be read, or a line is too long.
    pub fn run(&self) -> Result<()> {
        let threads = super::threads(self.threads)?;
        let model = checkpoint::open(&self.model)?;
        let source = Lines::read(Some(&self.source))?;
        let target = Lines::read(Some(&self.target))?;
        source.must_match(&target)?;
        let translator = Translator::new(model.transformer, model.tokenizer);
        let bar = super::progress(source.lines.len(), "lines");
        let score = |at: usize| {
            bar.inc(1);
            let target = Target::Text(&target.lines[at]);
            let scored = translator.score(&source.lines[at], target, &ScoreOptions::default());
            scored
                .map(|scored| scored.logprob())
                .map_err(|error| Error::Line {
                    name: source.name.clone(),
                    line: at + 1,
                    reason: error.to_string(),
                })
        };
        let all: Vec<usize> = (0..source.lines.len()).collect();
        let share = all.len().div_ceil(threads).max(1);
        let scores = std::thread::scope(|scope| {
            let score = &score;
            let work = |part: &[usize]| {
                part.iter()
                    .map(|at| score(*at))
                    .collect::<Result<Vec<f32>>>()
            };
            let threads: Vec<_> = all
                .chunks(share)
                .map(|part| scope.spawn(move || work(part)))
                .collect();
            let join =
                |thread: std::thread::ScopedJoinHandle<'_, Result<Vec<f32>>>| match thread.join() {
                    Ok(scores) => scores,
                    Err(panic) => std::panic::resume_unwind(panic),
                };
            threads.into_iter().map(join).collect::<Result<Vec<_>>>()
        })?;
        bar.finish_and_clear();
        let lines: String = scores
            .concat()
            .iter()
            .map(|score| format!("{score}\n"))
            .collect();
        crate::print(&lines)
    }
}
