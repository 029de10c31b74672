//! The subcommands, a file each.

mod changes;
pub mod convert;
pub mod cost;
pub mod evaluate;
pub mod heads;
pub mod index;
pub mod inspect;
pub mod quantize;
pub mod random;
pub mod record;
pub mod score;
pub mod stress;
pub mod translate;

use indicatif::{ProgressBar, ProgressStyle};
use translucent_cli::{Error, Result};

/// A bar on standard error; nothing is drawn where that is no terminal.
fn progress(total: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(total as u64);
    // The template is constant and valid; without it the bar is only plainer.
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} {per_sec} {eta}") {
        bar.set_style(style);
    }
    bar.with_message(what.to_owned())
}

/// The threads asked for, else all cores.
fn threads(asked: Option<usize>) -> Result<usize> {
    match asked {
        Some(0) => Err(Error::Argument(
            "--threads is 0, it must be at least 1".into(),
        )),
        Some(count) => Ok(count),
        None => Ok(std::thread::available_parallelism().map_or(1, Into::into)),
    }
}
