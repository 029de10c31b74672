//! Progress of a run: a bar on a terminal, a plain line every half minute elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Seconds between plain lines.
const INTERVAL: Duration = Duration::from_secs(30);

/// A bar with a message.
pub struct Progress {
    bar: ProgressBar,
    plain: bool,
    silent: bool,
    name: String,
    last: Option<Instant>,
}

impl Progress {
    /// A bar of `length` units that stands at `position`.
    pub fn new(name: &str, length: u64, position: u64) -> Self {
        let plain = !std::io::stderr().is_terminal();
        let target = if plain {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(4)
        };
        let bar = ProgressBar::with_draw_target(Some(length), target).with_position(position);
        let template = "{prefix} {wide_bar} {pos}/{len} {msg} {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_prefix(name.to_owned());
        bar.reset_eta();
        Self {
            bar,
            plain,
            silent: false,
            name: name.to_owned(),
            last: None,
        }
    }

    /// Hides it unless `shown`: of several ranks only rank 0 reports.
    pub fn shown(mut self, shown: bool) -> Self {
        if !shown {
            self.bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        self.silent = !shown;
        self
    }

    /// Moves to `position`; `message` is made only when it is shown.
    pub fn update(&mut self, position: u64, message: impl FnOnce() -> String) {
        self.bar.set_position(position);
        if self.silent {
            return;
        }
        if !self.plain {
            self.bar.set_message(message());
        } else if self.is_due() {
            let (length, left) = (self.bar.length().unwrap_or(0), self.bar.eta().as_secs());
            eprintln!(
                "{} {position}/{length} {} {}:{:02}:{:02} left",
                self.name,
                message(),
                left / 3600,
                left / 60 % 60,
                left % 60
            );
        }
    }

    /// Whether a plain line is due, which is then taken as printed.
    fn is_due(&mut self) -> bool {
        let due = self.last.is_none_or(|t| t.elapsed() >= INTERVAL);
        if due {
            self.last = Some(Instant::now());
        }
        due
    }

    /// A line of its own that stays.
    pub fn note(&self, line: &str) {
        if self.silent {
            return;
        }
        if self.plain {
            eprintln!("{line}");
        } else {
            self.bar.println(line);
        }
    }

    /// Ends the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A counter of pairs whose total is unknown, with pairs a second.
pub struct Spinner {
    progress: Progress,
    begun: Option<(Instant, u64)>,
}

impl Spinner {
    /// A count that begins with its first update.
    pub fn new(name: &str) -> Self {
        let progress = Progress::new(name, 0, 0);
        if let Ok(style) = ProgressStyle::with_template("{prefix} {spinner} {msg}") {
            progress.bar.set_style(style);
        }
        Self {
            progress,
            begun: None,
        }
    }

    /// Moves to `pairs`.
    pub fn update(&mut self, pairs: u64) {
        let (begun, before) = *self.begun.get_or_insert((Instant::now(), pairs));
        let rate = (pairs - before) as f64 / begun.elapsed().as_secs_f64().max(1e-3);
        let message = match pairs > before {
            true => format!("{pairs} pairs, {rate:.0} a second"),
            false => format!("{pairs} pairs"),
        };
        let progress = &mut self.progress;
        if !progress.plain {
            progress.bar.set_message(message);
            progress.bar.tick();
        } else if progress.is_due() {
            eprintln!("{}: {message}", progress.name);
        }
    }

    /// Ends the count.
    pub fn finish(&self) {
        self.progress.finish();
    }
}
