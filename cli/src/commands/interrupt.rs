//! Ctrl-C while a folder is written: the writing ends, and what was begun is removed.

use std::sync::atomic::{AtomicBool, Ordering};
use translucent_cli::{Error, Result};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on an interruption does not end the program: [`check`] reports it, so that what is being written can be removed.
///
/// # Errors
/// If the system refuses, or it was called before.
pub fn defer() -> Result<()> {
    ctrlc::set_handler(|| ASKED.store(true, Ordering::Relaxed))
        .map_err(|error| Error::Argument(format!("signals cannot be received: {error}")))
}

/// Asks whether there was an interruption.
///
/// # Errors
/// [`Error::Interrupted`] if so.
pub fn check() -> Result<()> {
    if ASKED.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    Ok(())
}
