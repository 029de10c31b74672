//! `bleu` and `chrf`: translations against references.

use std::path::PathBuf;
use translucent_cli::lines::Lines;
use translucent_cli::{Error, Result};

/// Compares translations with references, line by line.
#[derive(clap::Args)]
pub struct Compare {
    /// References, a sentence a line.
    #[arg(long)]
    reference: PathBuf,
    /// Take this tab-separated column of the references, counted from 1.
    #[arg(long)]
    column: Option<usize>,
    /// Translations; `-` is standard input.
    #[arg(default_value = "-")]
    hypothesis: PathBuf,
    /// Print the score alone.
    #[arg(long)]
    score_only: bool,
}

impl Compare {
    /// Prints BLEU.
    ///
    /// # Errors
    /// If a text cannot be read, or they have different lengths.
    pub fn bleu(&self) -> Result<()> {
        let (hypotheses, references) = self.read()?;
        let bleu = translucent_metrics::bleu(&hypotheses, &references);
        crate::print(&match self.score_only {
            true => format!("{:.2}\n", bleu.score),
            false => format!("{bleu}\n"),
        })
    }

    /// Prints chrF2.
    ///
    /// # Errors
    /// If a text cannot be read, or they have different lengths.
    pub fn chrf(&self) -> Result<()> {
        let (hypotheses, references) = self.read()?;
        let score = translucent_metrics::chrf(&hypotheses, &references);
        crate::print(&match self.score_only {
            true => format!("{score:.2}\n"),
            false => format!("chrF2 = {score:.2}\n"),
        })
    }

    fn read(&self) -> Result<(Vec<String>, Vec<String>)> {
        let mut references = Lines::read(Some(&self.reference))?;
        if let Some(column) = self.column {
            references = references.column(column)?;
        }
        let hypotheses = Lines::read(Some(&self.hypothesis))?;
        hypotheses.must_match(&references)?;
        if references.lines.is_empty() {
            return Err(Error::Argument(format!(
                "{} has no lines, there is nothing to measure",
                references.name
            )));
        }
        Ok((hypotheses.lines, references.lines))
    }
}
