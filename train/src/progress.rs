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
            name: name.to_owned(),
            last: None,
        }
    }

    /// Moves to `position`; `message` is made only when it is shown.
    pub fn update(&mut self, position: u64, message: impl FnOnce() -> String) {
        self.bar.set_position(position);
        if !self.plain {
            self.bar.set_message(message());
        } else if self.last.is_none_or(|t| t.elapsed() >= INTERVAL) {
            self.last = Some(Instant::now());
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

    /// A line of its own that stays.
    pub fn note(&self, line: &str) {
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
