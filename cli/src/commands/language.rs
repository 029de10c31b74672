//! `language`: what language each line of a text is in.

use std::collections::BTreeMap;
use std::path::PathBuf;
use translucent::text::language::detect;
use translucent_cli::Result;
use translucent_cli::lines::Lines;

/// Prints how many lines are in which language: en, de, fr, es, or "not plain".
#[derive(clap::Args)]
pub struct Language {
    /// Text [default: standard input].
    text: Option<PathBuf>,
}

impl Language {
    /// Runs the command.
    ///
    /// # Errors
    /// If the text cannot be read.
    pub fn run(&self) -> Result<()> {
        let mut counts = BTreeMap::new();
        for line in &Lines::read(self.text.as_deref())?.lines {
            *counts
                .entry(detect(line).unwrap_or("not plain"))
                .or_insert(0_usize) += 1;
        }
        let lines: Vec<String> = counts
            .iter()
            .map(|(language, count)| format!("{language}\t{count}\n"))
            .collect();
        crate::print(&lines.concat())
    }
}
