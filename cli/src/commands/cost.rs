//! `cost`: what a model's training cost, and what more of it promises.

use std::fmt::Write;
use std::path::PathBuf;
use translucent::checkpoint::ModelFiles;
use translucent_cli::cost::{PAPER_TOKENS, Training, bleu_per_doubling};
use translucent_cli::{Error, Result};

/// Pieces of a sentence that attention is counted for.
pub const SENTENCE_LENGTH: usize = 25;

/// Prints what training cost, as a table in Markdown: counted operations, and the paper's estimate (time × sustained
/// FLOP/s, §6.1) where the machine's rate is given.
#[derive(clap::Args)]
pub struct Cost {
    /// Model folder with training.json.
    #[arg(long)]
    model: PathBuf,
    /// Pieces of a sentence, for the part of attention that grows with it.
    #[arg(long, default_value_t = SENTENCE_LENGTH)]
    length: usize,
    /// What the machine sustains in single precision, in FLOP/s (train/bench/sustained.py measures it).
    #[arg(long)]
    sustained: Option<f64>,
    /// Leave out this many first target tokens when measuring what doubling the tokens brings: for a model that began
    /// from another's weights, the tokens until then.
    #[arg(long, default_value_t = 0)]
    since: u64,
}

impl Cost {
    /// Runs the command.
    ///
    /// # Errors
    /// If the folder is no model, or does not say how it was trained.
    pub fn run(&self) -> Result<()> {
        if let Some(rate) = self.sustained.filter(|rate| rate.is_nan() || *rate <= 0.0) {
            let reason = format!("--sustained is {rate}, it must be above 0");
            return Err(Error::Argument(reason));
        }
        let (described, _) = ModelFiles::from_dir(&self.model)?.describe()?;
        let training = Training::read(&self.model)?;
        let counted = training.flops(&described.config, self.length);
        let mut rows = vec![
            (
                "parameters",
                format!("{:.2} M", training.parameters as f64 / 1e6),
            ),
            ("optimiser steps", training.steps.to_string()),
            (
                "target tokens",
                format!("{:.1} M", training.target_tokens as f64 / 1e6),
            ),
            ("hours", format!("{:.1}", training.seconds / 3600.0)),
            ("training FLOPs, counted", scientific(counted)),
        ];
        if let Some(rate) = self.sustained {
            rows.push((
                "training FLOPs, the paper's way",
                scientific(training.seconds * rate),
            ));
        }
        let mut table = String::from("| what | value |\n|---|--:|\n");
        for (what, value) in &rows {
            let _ = writeln!(table, "| {what} | {value} |");
        }
        let own = training.target_tokens.saturating_sub(self.since);
        let doublings = (PAPER_TOKENS / own as f64).log2();
        let mut brought = String::new();
        for (name, curve) in &training.validation {
            let last = curve.iter().rev().find_map(|point| point.bleu);
            if let (Some(last), Some(slope)) = (last, bleu_per_doubling(curve, self.since)) {
                let _ = writeln!(
                    brought,
                    "| {name} | {last:.1} | {slope:+.1} | {doublings:.1} |"
                );
            }
        }
        // Too short a curve says nothing.
        if !brought.is_empty() {
            table += "\n| development set | BLEU at the end | each doubling of tokens brought | doublings to the paper's tokens |\n|---|--:|--:|--:|\n";
            table += &brought;
        }
        crate::print(&table)
    }
}

/// As the paper writes it: 3.3·10¹⁸.
fn scientific(value: f64) -> String {
    let text = format!("{value:.1e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let raised = exponent.chars().map(|digit| match digit {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '-' => '⁻',
        // ⁰ and ⁴ to ⁹ follow one another.
        digit => char::from_u32(0x2070 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    });
    format!("{digits}·10{}", raised.collect::<String>())
}
