//! Ending a run early: the first Ctrl-C, or a request to terminate, lets it save where it stands.

use crate::error::{Error, Result};
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Whether a run should end after the step at hand, with everything saved.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// From now on an interruption asks for the end; the second one ends the program at once.
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
