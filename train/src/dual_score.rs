//! Dual conditional cross-entropy (Junczys-Dowmunt, 2018): how badly two models of opposite directions judge a pair, and
//! how much they disagree.

use crate::data::lines::{Pair, read_lines, read_tsv};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::stop;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::time::Instant;
use translucent::translator::{ScoreOptions, Target, Translator};

/// Pairs scored between two writes.
const SHARE: usize = 512;

/// Models of both directions.
pub struct DualScorer {
    forward: Translator,
    backward: Translator,
}

impl DualScorer {
    /// Opens the model of the pairs' direction and that of the reverse one.
    ///
    /// # Errors
    /// A model folder that cannot be read.
    pub fn open(forward: &Path, backward: &Path) -> Result<Self> {
        Ok(Self {
            forward: Translator::open(forward)?,
            backward: Translator::open(backward)?,
        })
    }

    /// |H₁ − H₂| + ½·(H₁ + H₂), where H is a model's cross-entropy of its target in nats per piece: 0 would be a pair of
    /// which both models are certain. Infinite for a pair that is too long for a model.
    pub fn score(&self, pair: &Pair) -> f32 {
        let entropy = |model: &Translator, source: &str, target: &str| {
            let options = ScoreOptions::default();
            let Ok(scored) = model.score(source, Target::Text(target), &options) else {
                return f32::INFINITY;
            };
            let sum: f32 = scored.scores.iter().map(|score| -score.logprob).sum();
            sum / scored.scores.len().max(1) as f32
        };
        let there = entropy(&self.forward, &pair.source, &pair.target);
        let back = entropy(&self.backward, &pair.target, &pair.source);
        match there.is_finite() && back.is_finite() {
            true => (there - back).abs() + 0.5 * (there + back),
            false => f32::INFINITY,
        }
    }

    /// Writes one score a line for the pairs of a file, on `threads` threads; resumes after the lines that `output` has.
    /// Returns the number of lines.
    ///
    /// # Errors
    /// Pairs that cannot be read; an output that cannot be written, or has more lines than there are pairs.
    pub fn score_file(&self, pairs: &Path, output: &Path, threads: usize) -> Result<usize> {
        let pairs = read_tsv(pairs)?;
        let fault = |e| Error::file(output, e);
        let text = match output.exists() {
            true => std::fs::read_to_string(output).map_err(fault)?,
            false => String::new(),
        };
        // The last line may have been cut short.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut done = text[..whole].lines().count();
        if done > pairs.len() {
            let reason = format!(
                "has {done} lines for {} pairs: name another output",
                pairs.len()
            );
            return Err(Error::file(output, reason));
        }
        let mut options = OpenOptions::new();
        let mut file = options
            .create(true)
            .append(true)
            .open(output)
            .map_err(fault)?;
        file.set_len(whole as u64).map_err(fault)?;
        let mut progress = Progress::new("scoring", pairs.len() as u64, done as u64);
        let (begun, before) = (Instant::now(), done);
        while done < pairs.len() && !stop::asked() {
            let share = &pairs[done..pairs.len().min(done + SHARE)];
            let parts = share.chunks(share.len().div_ceil(threads.max(1)).max(1));
            let scores: Vec<f32> = std::thread::scope(|scope| {
                let threads: Vec<_> = parts
                    .map(|part| {
                        let score = |pair| self.score(pair);
                        scope.spawn(move || part.iter().map(score).collect::<Vec<f32>>())
                    })
                    .collect();
                let joined = threads.into_iter().map(|thread| thread.join());
                joined.collect::<std::thread::Result<Vec<_>>>()
            })
            .map_err(|_| Error::Recipe("a thread that scores has stopped".into()))?
            .concat();
            let lines: String = scores.iter().map(|score| format!("{score:.4}\n")).collect();
            file.write_all(lines.as_bytes()).map_err(fault)?;
            done += share.len();
            let rate = (done - before) as f64 / begun.elapsed().as_secs_f64();
            progress.update(done as u64, || format!("{rate:.0} pairs/s"));
        }
        progress.finish();
        Ok(done)
    }
}

/// The pairs with the lowest scores, in their order: this share of them. The scores alone are in memory.
///
/// # Errors
/// If `path` has not one number for each pair: at once where one is no number, else after the last pair.
pub fn keep_best<I: Iterator<Item = Result<Pair>>>(
    pairs: I,
    path: &Path,
    share: f64,
) -> Result<impl Iterator<Item = Result<Pair>> + use<I>> {
    let scores: Vec<f32> = read_lines(path)?
        .iter()
        .map(|line| {
            line.parse()
                .map_err(|e| Error::file(path, format!("{line:?}: {e}")))
        })
        .collect::<Result<_>>()?;
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
    order.truncate(((scores.len() as f64 * share).round() as usize).max(1));
    let mut kept = vec![false; scores.len()];
    for i in order {
        kept[i] = true;
    }
    let path = path.to_path_buf();
    let mut pairs = pairs.enumerate();
    let mut count = 0;
    Ok(std::iter::from_fn(move || {
        for (i, pair) in pairs.by_ref() {
            count = i + 1;
            if pair.is_err() || kept.get(i) == Some(&true) {
                return Some(pair);
            }
        }
        // Once, at the end.
        let found = std::mem::replace(&mut count, kept.len());
        (found != kept.len()).then(|| {
            let reason = format!("has {} scores for {found} pairs", kept.len());
            Err(Error::file(&path, reason))
        })
    }))
}
