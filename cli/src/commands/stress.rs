//! `stress`: how dependable a model is on lines that people type and test sets lack.

use std::collections::BTreeSet;
use std::path::PathBuf;
use translucent::checkpoint;
use translucent::translator::{LineOptions, Translation, Translator};
use translucent_cli::stress::{Line, Texts, check, make};
use translucent_cli::{Error, Result, files};

/// Translates about 3 800 generated lines, English, German or French as the model reads, and reports empty and repetitive translations, lost numbers,
/// addresses, names, literals and amounts, and lines that are translated worse without full stop or question mark, in lower case or with capitals.
#[derive(clap::Args)]
pub struct Stress {
    /// Model folder.
    #[arg(long)]
    model: PathBuf,
    /// Beam width [default: the model folder's].
    #[arg(long)]
    beam: Option<usize>,
    /// Seed of the lines.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print this many failures of each kind.
    #[arg(long, default_value_t = 3)]
    examples: usize,
    /// Threads [default: all cores].
    #[arg(long)]
    threads: Option<usize>,
}

impl Stress {
    /// Runs the command.
    ///
    /// # Errors
    /// If the model cannot be read or reads a language of which there are no lines, or an option is outside its domain.
    pub fn run(&self) -> Result<()> {
        let threads = super::threads(self.threads)?;
        let [source, _] = files::languages(&self.model)?;
        let texts = Texts::of(&source).ok_or_else(|| {
            let known: Vec<&str> = Texts::ALL.iter().map(|(code, _)| *code).collect();
            Error::Argument(format!(
                "there are no lines in the model's source language {source:?}, only in {}",
                known.join(", ")
            ))
        })?;
        let model = checkpoint::open(&self.model)?;
        let mut search = model.search.clone();
        search.beam = self.beam.unwrap_or(search.beam);
        search.validate()?;
        let translator = Translator::new(model.transformer, model.tokenizer);
        let lines = make(texts, self.seed);
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        let bar = super::progress(texts.len(), "lines");
        let translate = |texts: &[&str], n_best| -> Result<Vec<Vec<String>>> {
            let options = LineOptions::new(search.clone().with_n_best(n_best), threads);
            let found =
                translator.translate_lines(texts, &options, &|n| bar.set_position(n as u64))?;
            let texts_of = |n_best: Vec<Translation>| n_best.into_iter().map(|found| found.text);
            Ok(found
                .into_iter()
                .map(|n_best| texts_of(n_best).collect())
                .collect())
        };
        let mut translations = translate(&texts, 1)?;
        // What variants are compared with: all that the search finds of it.
        let compared: BTreeSet<usize> = lines.iter().filter_map(Line::resembles).collect();
        let originals: Vec<&str> = compared.iter().map(|at| texts[*at]).collect();
        let others = translate(&originals, search.beam)?;
        for (at, others) in compared.into_iter().zip(others) {
            translations[at].extend(others);
        }
        bar.finish_and_clear();
        let mut out = String::from("| lines | number | without fault |\n|---|--:|--:|\n");
        let reports = check(&lines, &translations);
        for report in &reports {
            let good = report.lines - report.failures.len();
            let share = 100.0 * good as f64 / report.lines as f64;
            out += &format!("| {} | {} | {share:.1} % |\n", report.kind, report.lines);
        }
        for report in reports {
            for failure in report.failures.iter().take(self.examples) {
                out += &format!(
                    "{}: {}\n  {}\n  {}\n",
                    report.kind, failure.fault, failure.source, failure.translation
                );
            }
        }
        crate::print(&out)
    }
}
