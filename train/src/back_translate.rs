//! Pairs from plain text (Sennrich et al., 2016): a model of the reverse direction translates it, so that the side to be
//! learned is text as people wrote it.

mod filter;

pub use filter::{Fault, fault};

use crate::data::lines::read_lines;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::stop;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;
use translucent::checkpoint::write_atomically;
use translucent::translator::{LineOptions, Translator};

/// Lines translated between two saves.
const SHARE: usize = 2048;

/// What to translate, with what, and where the pairs go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackTranslation {
    /// The model folder of the reverse direction, best in 8 bits.
    pub model: PathBuf,
    /// Text files of the language to be learned, a sentence a line (`.zst` is read too).
    pub inputs: Vec<PathBuf>,
    /// Hypotheses that the search keeps; 1: greedy.
    pub beam: usize,
    /// Text before every translation, by which a model can tell it from sources that people wrote.
    pub tag: Option<String>,
}

/// How far a back-translation has come; stands beside its output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// What was asked for.
    pub task: BackTranslation,
    /// Lines of the inputs that are done.
    pub lines: usize,
    /// Pairs written.
    pub pairs: usize,
    /// Bytes of the output that they take.
    bytes: u64,
    /// Lines without a pair, by reason.
    pub left_out: BTreeMap<Fault, usize>,
}

impl BackTranslation {
    /// Appends `translation TAB line` to `output` for every line whose pair passes the filter, until all are done or a
    /// stop is requested; resumes where an earlier call ended.
    ///
    /// # Errors
    /// A model or text that cannot be read; an output that is of another task or cannot be written.
    pub fn run(&self, output: &Path, threads: usize) -> Result<Report> {
        let mut lines = Vec::new();
        for input in &self.inputs {
            lines.extend(read_lines(input)?);
        }
        let translator = Translator::open(&self.model)?;
        let mut options = LineOptions::default();
        options.search.beam = self.beam;
        options.threads = threads;
        let mut report = self.report(output)?;
        let fault = |e| Error::file(output, e);
        let mut file = open_at(output, report.bytes).map_err(fault)?;
        let mut progress =
            Progress::new("back-translating", lines.len() as u64, report.lines as u64);
        let (begun, before) = (Instant::now(), report.lines);
        while report.lines < lines.len() && !stop::asked() {
            let share = &lines[report.lines..lines.len().min(report.lines + SHARE)];
            let translations = translator.translate_lines(share, &options, &|_| ())?;
            let mut text = String::new();
            for (line, n_best) in share.iter().zip(&translations) {
                let translation = n_best.first().map_or("", |best| best.text.trim());
                match filter::fault(translation, line) {
                    None => {
                        let tag = self.tag.iter().flat_map(|tag| [tag, " "]);
                        text.extend(tag.chain([translation, "\t", line, "\n"]));
                        report.pairs += 1;
                    }
                    Some(fault) => *report.left_out.entry(fault).or_default() += 1,
                }
            }
            file.write_all(text.as_bytes()).map_err(fault)?;
            file.sync_data().map_err(fault)?;
            report.lines += share.len();
            report.bytes += text.len() as u64;
            let json = serde_json::to_vec(&report).map_err(|e| Error::file(output, e))?;
            write_atomically(&report_path(output), &json)?;
            let rate = (report.lines - before) as f64 / begun.elapsed().as_secs_f64();
            progress.update(report.lines as u64, || {
                format!("{} pairs, {rate:.0} sentences/s", report.pairs)
            });
        }
        progress.finish();
        Ok(report)
    }

    /// The report of an earlier call of the same task, or an empty one.
    fn report(&self, output: &Path) -> Result<Report> {
        let path = report_path(output);
        let Ok(bytes) = std::fs::read(&path) else {
            if output.exists() {
                let reason =
                    "is there already, and was not begun by back-translate: name another output";
                return Err(Error::file(output, reason));
            }
            return Ok(Report {
                task: self.clone(),
                lines: 0,
                pairs: 0,
                bytes: 0,
                left_out: BTreeMap::new(),
            });
        };
        let report: Report = serde_json::from_slice(&bytes).map_err(|e| Error::file(&path, e))?;
        if report.task != *self {
            let reason =
                "was begun with another model, other inputs or other options: name another output";
            return Err(Error::file(output, reason));
        }
        Ok(report)
    }
}

fn report_path(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".report.json");
    name.into()
}

/// The file without what was written after the last save.
fn open_at(path: &Path, bytes: u64) -> std::io::Result<File> {
    let mut file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(false)
        .open(path)?;
    file.set_len(bytes)?;
    file.seek(SeekFrom::Start(bytes))?;
    Ok(file)
}
