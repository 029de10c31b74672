//! Fuzzing of execution: bytes become a model folder (configuration, weights, tokenizer, sometimes damaged), which is
//! loaded, translates three lines, and is asked for every view.
//!
//! A case is a function of its bytes alone, and its bytes of a seed: [`bytes_of`]. A folder that is not damaged must
//! load; a damaged one may be refused. What loads answers every request or refuses it; a panic, a step that never ends
//! or two different answers to one question is a fault.

mod folder;
mod request;
mod session;
mod tokenizer;

use arbitrary::Unstructured;
use translucent::random::SplitMix64;

pub use folder::Folder;

/// What became of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The folder was refused with an error.
    Refused,
    /// The folder was loaded and asked; so many requests were answered and refused.
    Ran {
        /// Requests that were answered.
        answered: u32,
        /// Requests that were refused with an error.
        refused: u32,
    },
}

/// Most bytes of a case.
const MOST_BYTES: usize = 1024;

/// The bytes of the case with this seed.
pub fn bytes_of(seed: u64) -> Vec<u8> {
    let mut random = SplitMix64::new(seed);
    let length = 64 + random.below(MOST_BYTES - 64);
    (0..length).map(|_| random.next_u64() as u8).collect()
}

/// Makes the folder of these bytes, loads it and asks it everything.
///
/// # Panics
/// On a fault.
pub fn execute(bytes: &[u8]) -> Outcome {
    let mut choices = Unstructured::new(bytes);
    // Choices that run out of bytes take their first variant, so every input is a case.
    let Ok(folder) = Folder::choose(&mut choices) else {
        return Outcome::Refused;
    };
    session::ask(&folder, &mut choices)
}

/// Runs the cases `first..first + count`, for WebAssembly: there a fault is a trap. Gives the number of folders that ran.
#[cfg(target_arch = "wasm32")]
#[unsafe(no_mangle)]
pub extern "C" fn execute_seeds(first: u64, count: u32) -> u32 {
    (first..first + u64::from(count))
        .filter(|seed| matches!(execute(&bytes_of(*seed)), Outcome::Ran { .. }))
        .count() as u32
}
