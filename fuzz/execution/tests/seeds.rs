//! Some cases of execution fuzzing, the same in every run.
#![cfg(not(target_arch = "wasm32"))]

use translucent_fuzz_execution::{Outcome, bytes_of, execute};

#[test]
fn whole_folders_answer_or_refuse_every_request_and_damaged_ones_never_panic() {
    let (mut ran, mut refused, mut answered) = (0, 0, 0);
    for seed in 0..500 {
        match execute(&bytes_of(seed)) {
            Outcome::Refused => refused += 1,
            Outcome::Ran {
                answered: count, ..
            } => {
                ran += 1;
                answered += count;
            }
        }
    }
    // The cases are worth something only if many folders run and answer.
    assert!(
        ran > 200 && refused > 50,
        "{ran} ran, {refused} were refused"
    );
    assert!(answered > 1000, "{answered} requests were answered");
}
