//! The subcommands, a file each.

mod changes;
pub mod compare;
pub mod convert;
pub mod cost;
pub mod depends;
pub mod evaluate;
pub mod heads;
pub mod index;
pub mod inspect;
mod interrupt;
pub mod language;
pub mod learn;
pub mod quantize;
pub mod random;
pub mod record;
pub mod score;
pub mod stress;
pub mod translate;

use indicatif::{ProgressBar, ProgressStyle};
use translucent_cli::{Error, Result};

/// A bar on standard error; nothing is drawn where that is no terminal.
fn progress(total: impl Into<Option<usize>>, what: &str) -> ProgressBar {
    let (bar, template) = match total.into() {
        Some(total) => (
            ProgressBar::new(total as u64),
            "{msg} {bar:30} {pos}/{len} {per_sec} {eta}",
        ),
        None => (ProgressBar::new_spinner(), "{msg} {pos} {per_sec}"),
    };
    // The templates are constant and valid; without them the bar is only plainer.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.with_message(what.to_owned())
}

/// More threads are refused: they only cost memory.
const MAX_THREADS: usize = 512;

/// The number of threads: the given one, else all cores.
fn threads(given: Option<usize>) -> Result<usize> {
    match given {
        Some(0) => Err(Error::Argument(
            "--threads is 0, it must be at least 1".into(),
        )),
        Some(count) if count > MAX_THREADS => Err(Error::Argument(format!(
            "--threads is {count}, it must be at most {MAX_THREADS}"
        ))),
        Some(count) => Ok(count),
        None => Ok(std::thread::available_parallelism().map_or(1, Into::into)),
    }
}
