//! Early stop: after the first Ctrl-C, or SIGTERM, a run saves its state and ends.

use crate::error::{Error, Result};
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Whether a run should end after the step at hand, with everything saved.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Installs the handler: the first interruption requests a stop, the second one exits at once.
///
/// # Errors
/// If the system refuses, or it was called before.
pub fn listen() -> Result<()> {
    ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            // As shells report a program that an interruption ended.
            std::process::exit(130);
        }
        eprintln!(
            "\nstopping after this step, with everything saved; once more stops at once, and the last minutes are lost"
        );
    })
    .map_err(|error| Error::Signals(error.to_string()))
}
