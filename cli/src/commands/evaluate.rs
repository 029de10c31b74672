//! `evaluate`: BLEU and chrF2 of a model on test sets, as data beside the model.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use translucent::checkpoint::{ModelFiles, write_atomically};
use translucent::translator::{LineOptions, Translator};
use translucent_cli::cost::Training;
use translucent_cli::lines::Lines;
use translucent_cli::metrics_json::{
    METRICS, Metrics, SearchUsed, Signatures, TestSet, TrainingFlops,
};
use translucent_cli::{Error, Result, files};
use translucent_metrics::{BLEU_SIGNATURE, CHRF_SIGNATURE, bleu, chrf};

/// Translates test sets and writes BLEU and chrF2 into the model folder, as metrics.json; what was measured before is
/// replaced.
#[derive(clap::Args)]
pub struct Evaluate {
    /// Model folder.
    #[arg(long)]
    model: PathBuf,
    /// A test set: its name, and its file of source and reference lines with a tab between them. Can be repeated.
    #[arg(long = "set", value_name = "NAME=FILE", required = true)]
    sets: Vec<Set>,
    /// Beam width; 1 is greedy [default: the model folder's].
    #[arg(long)]
    beam: Option<usize>,
    /// Also write the training FLOPs by the paper's rule (§6.1): training time × this many FLOP/s, which the machine
    /// sustains in single precision (train/bench/sustained.py measures it). Needs training.json.
    #[arg(long, value_name = "FLOPS")]
    sustained: Option<f64>,
    /// What the model is good at and what not, in one line, which the page shows beside translations [default: what the
    /// file has].
    #[arg(long)]
    about: Option<String>,
    /// Threads [default: all cores].
    #[arg(long)]
    threads: Option<usize>,
    /// File to write [default: metrics.json in the model folder].
    #[arg(long)]
    output: Option<PathBuf>,
}

/// A test set as `NAME=FILE`.
#[derive(Clone)]
struct Set {
    name: String,
    file: PathBuf,
}

impl FromStr for Set {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text.split_once('=') {
            Some((name, file)) if !name.is_empty() && !file.is_empty() => Ok(Self {
                name: name.to_owned(),
                file: file.into(),
            }),
            _ => Err("write it as NAME=FILE".into()),
        }
    }
}

impl Evaluate {
    /// Runs the command.
    ///
    /// # Errors
    /// If model or test sets cannot be read, or the file cannot be written.
    pub fn run(&self) -> Result<()> {
        let threads = super::threads(self.threads)?;
        let translator = Translator::open(&self.model)?;
        let mut search = translator.search().clone();
        search.beam = self.beam.unwrap_or(search.beam);
        search.n_best = 1;
        let used = SearchUsed {
            beam: search.beam,
            scoring: search.scoring,
        };
        let options = LineOptions::new(search, threads);
        let training_flops = self.training_flops()?;
        let mut test_sets = Vec::new();
        for set in &self.sets {
            let lines = Lines::read(Some(&set.file))?;
            let sources = lines.clone().column(1)?.lines;
            let references = lines.column(2)?.lines;
            if sources.is_empty() {
                return Err(Error::Argument(format!(
                    "{} has no lines, there is nothing to measure",
                    set.file.display()
                )));
            }
            let bar = super::progress(sources.len(), &set.name);
            let progress = |finished| bar.set_position(finished as u64);
            let translations = translator.translate_lines(&sources, &options, &progress)?;
            bar.finish_and_clear();
            let hypotheses: Vec<&str> = translations
                .iter()
                .map(|n_best| n_best.first().map_or("", |best| best.text.as_str()))
                .collect();
            let measured = TestSet {
                name: set.name.clone(),
                sentences: sources.len(),
                bleu: hundredths(bleu(&hypotheses, &references).score),
                chrf2: hundredths(chrf(&hypotheses, &references)),
            };
            crate::print(&format!(
                "{}: {} sentences, BLEU {:.2}, chrF2 {:.2}\n",
                measured.name, measured.sentences, measured.bleu, measured.chrf2
            ))?;
            test_sets.push(measured);
        }
        let output = self.output.clone();
        let output = output.unwrap_or_else(|| self.model.join(METRICS));
        let before = metrics(&output);
        let json = Metrics {
            format_version: 1,
            about: self
                .about
                .clone()
                .or_else(|| before.as_ref()?.about.clone()),
            search: used,
            signatures: Signatures {
                bleu: BLEU_SIGNATURE.into(),
                chrf2: CHRF_SIGNATURE.into(),
            },
            test_sets,
            training_flops,
        }
        .to_json()?;
        let measured = |name: &str| self.sets.iter().any(|set| set.name == name);
        for set in before.into_iter().flat_map(|before| before.test_sets) {
            if !measured(&set.name) {
                // Perhaps other weights gave it.
                eprintln!(
                    "{} has {} no longer: it was not measured with these",
                    output.display(),
                    set.name
                );
            }
        }
        Ok(write_atomically(&output, json.as_bytes())?)
    }

    /// Counted operations, and the paper's estimate; none without training.json.
    fn training_flops(&self) -> Result<Option<TrainingFlops>> {
        if !self.model.join("training.json").is_file() {
            return match self.sustained {
                None => Ok(None),
                Some(_) => Err(Error::Argument(
                    "--sustained needs training.json in the model folder".into(),
                )),
            };
        }
        let (described, _) = ModelFiles::from_dir(&self.model)?.describe()?;
        let training = Training::read(&self.model)?;
        let counted = training.flops(&described.config, super::cost::SENTENCE_LENGTH);
        Ok(Some(TrainingFlops {
            counted: two_digits(counted),
            estimated: self
                .sustained
                .map(|rate| two_digits(rate * training.seconds)),
        }))
    }
}

/// What the file at this path says of the model already.
fn metrics(path: &Path) -> Option<Metrics> {
    serde_json::from_slice(&files::of_folder(path).ok()?).ok()
}

fn hundredths(score: f64) -> f64 {
    (score * 100.0).round() / 100.0
}

/// Rounded to two significant digits, as the paper gives costs.
fn two_digits(value: f64) -> f64 {
    format!("{value:.1e}").parse().unwrap_or(value)
}
