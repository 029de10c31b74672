//! `translate`: lines in, translations out.

use super::changes::Changes;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;
use translucent::model::Seq2Seq;
use translucent::search::{EarlyStopping, Sampling, Scoring};
use translucent::text::Term;
use translucent::translator::{LineOptions, Translation, Translator};
use translucent_cli::lines::LineReader;
use translucent_cli::output::LineWriter;
use translucent_cli::{Error, Result, files};

/// Lines that are translated together: as many are in memory.
const MAX_LINES: usize = 4096;
/// Bytes of the lines that are translated together.
const MAX_BYTES: usize = 1 << 20;

/// Translates standard input, one line in, one line out, in order. An empty line stays empty; a line that is no UTF-8 or
/// longer than a mebibyte is reported and left empty.
#[derive(clap::Args)]
pub struct Translate {
    /// Model folder.
    #[arg(long)]
    model: PathBuf,
    /// Beam width; 1 is greedy [default: the model folder's].
    #[arg(long)]
    beam: Option<usize>,
    /// α of the length penalty of Wu et al. [default: the model folder's].
    #[arg(long)]
    alpha: Option<f32>,
    /// Score as `transformers` does, log P / length^penalty, instead [default: the model folder's].
    #[arg(long, conflicts_with = "alpha", allow_negative_numbers = true)]
    length_penalty: Option<f32>,
    /// Draw each piece at random instead of searching for the likeliest translation; with the same --seed a line is drawn
    /// alike.
    #[arg(long, conflicts_with_all = ["beam", "n_best", "terms"])]
    sample: bool,
    /// What logits are divided by before a piece is drawn.
    #[arg(long, default_value_t = 1.0, requires = "sample")]
    temperature: f32,
    /// Draw from the k likeliest pieces alone; 0: from all.
    #[arg(long, default_value_t = 0, requires = "sample")]
    top_k: usize,
    /// Draw from the likeliest pieces whose probabilities add up to this; 1: from all.
    #[arg(long, default_value_t = 1.0, requires = "sample")]
    top_p: f32,
    /// Print this many translations of each line: line number, score and text between tabs.
    #[arg(long)]
    n_best: Option<usize>,
    /// Longest output is the input's length in pieces plus this.
    #[arg(long, default_value_t = 50)]
    max_extra: usize,
    /// Threads [default: all cores].
    #[arg(long)]
    threads: Option<usize>,
    /// Most lines that a thread decodes at a time [default: 32, divided by the beam].
    #[arg(long)]
    batch: Option<NonZeroUsize>,
    /// Terms, a line each: words of the source, a tab, and what stands for them in the translation.
    #[arg(long)]
    terms: Option<PathBuf>,
    /// Write to this new file instead of standard output.
    #[arg(long)]
    output: Option<PathBuf>,
    /// Continue after the whole lines that `--output` already has, with the same input and options.
    #[arg(long, requires = "output", conflicts_with = "n_best")]
    resume: bool,
    #[command(flatten)]
    changes: Changes,
    /// Text to translate; `-` is standard input.
    #[arg(default_value = "-")]
    input: PathBuf,
}

/// The terms of a file.
fn terms(path: &Path) -> Result<Vec<Term>> {
    let text = files::text(path)?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let terms = lines.map(|(at, line)| {
        let (source, target) = line.split_once('\t').ok_or_else(|| Error::Line {
            name: path.display().to_string(),
            line: at + 1,
            reason: "has no tab; source and target stand to its left and right".into(),
        })?;
        if source.trim().is_empty() || target.trim().is_empty() {
            return Err(Error::Line {
                name: path.display().to_string(),
                line: at + 1,
                reason: "has nothing on one side of the tab; source and target stand to its left and right".into(),
            });
        }
        let (source, target) = (source.into(), target.into());
        Ok(Term { source, target })
    });
    terms.collect()
}

impl Translate {
    /// Runs the command.
    ///
    /// # Errors
    /// If the model or the text cannot be read, or an option is outside its domain.
    pub fn run(&self) -> Result<()> {
        let threads = super::threads(self.threads)?;
        let translator = Translator::open(&self.model)?;
        let mut search = translator.search().clone();
        search.beam = self.beam.unwrap_or(search.beam);
        search.n_best = self.n_best.unwrap_or(1);
        search.max_extra = self.max_extra;
        if let Some(alpha) = self.alpha {
            search.scoring = Scoring::Wu { alpha };
        }
        if let Some(length_penalty) = self.length_penalty {
            let early_stopping = match search.scoring {
                Scoring::Hf { early_stopping, .. } => early_stopping,
                Scoring::Wu { .. } => EarlyStopping::No,
            };
            search.scoring = Scoring::Hf {
                length_penalty,
                early_stopping,
            };
        }
        search.intervention = self.changes.intervention(translator.model().config())?;
        if self.sample {
            let mut sampling = Sampling::default();
            sampling.temperature = self.temperature;
            sampling.top_k = self.top_k;
            sampling.top_p = self.top_p;
            sampling.seed = self.changes.seed;
            search = search.with_sampling(sampling);
        }
        search.validate()?;
        let beam = search.beam;
        let mut options = LineOptions::new(search, threads);
        if let Some(lines) = self.batch {
            options.max_rows = lines.get().saturating_mul(beam);
        }
        if let Some(path) = &self.terms {
            options.terms = terms(path)?;
        }
        let mut input = LineReader::open(Some(&self.input))?;
        let (mut output, before) = self.output(&mut input)?;
        let bar = super::progress(None, "lines");
        let start = Instant::now();
        let (mut finished, mut bad) = (before, 0);
        let mut report = |error: Error| {
            bar.suspend(|| eprintln!("{error}; left empty"));
            bad += 1;
        };
        // Few lines first, so that the first output comes soon; then more, which are faster in all.
        for most in std::iter::successors(Some(16), |most| Some((2 * most).min(MAX_LINES))) {
            let lines = input.take(most, MAX_BYTES, &mut report)?;
            if lines.is_empty() {
                break;
            }
            let translations = translator.translate_lines(&lines, &options, &|_| ())?;
            output.write(&self.format(finished, &translations))?;
            finished += lines.len();
            bar.set_position(finished as u64);
        }
        bar.finish_and_clear();
        let (lines, seconds) = (finished - before, start.elapsed().as_secs_f64());
        let rate = lines as f64 / seconds.max(1e-3);
        let empty = match bad {
            0 => String::new(),
            _ => format!(", {bad} of them left empty"),
        };
        eprintln!("{lines} lines{empty} in {seconds:.1} s, {rate:.1} lines/s");
        Ok(())
    }

    /// Where the translations go, and how many lines are there already; these are skipped in the input.
    fn output(&self, input: &mut LineReader) -> Result<(LineWriter, usize)> {
        match &self.output {
            None => Ok((LineWriter::standard(), 0)),
            Some(path) if files::same(path, &self.input) => Err(Error::Argument(format!(
                "{} is the input and the output: write the translations to another file",
                path.display()
            ))),
            Some(path) if self.resume => LineWriter::resume(path, |lines| input.skip(lines)),
            Some(path) => Ok((LineWriter::create(path)?, 0)),
        }
    }

    fn format(&self, before: usize, lines: &[Vec<Translation>]) -> String {
        // A line break inside a translation would shift all lines after it.
        let flat = |text: &str| text.replace(['\n', '\r'], " ");
        let mut out = String::new();
        for (at, translations) in lines.iter().enumerate() {
            if self.n_best.is_some() {
                for translation in translations {
                    out += &format!(
                        "{}\t{}\t{}\n",
                        before + at + 1,
                        translation.score,
                        flat(&translation.text)
                    );
                }
            } else {
                out += &translations
                    .first()
                    .map_or(String::new(), |best| flat(&best.text));
                out.push('\n');
            }
        }
        out
    }
}
