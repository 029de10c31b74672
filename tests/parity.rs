//! The model against golden values of an independent implementation (`tests/golden/model.py`, `look.py`); `tests/web.rs`
//! asserts the same of the wasm build.
#![cfg(not(target_arch = "wasm32"))]

#[path = "common/golden.rs"]
mod golden;
#[path = "common/look.rs"]
mod look;

#[test]
fn positions_memory_logits_and_all_weights_equal_pytorch() {
    golden::positions_memory_logits_and_all_weights_equal_pytorch();
}

#[test]
fn beam_search_finds_the_same_translations_and_scores_as_an_exhaustive_one_in_python() {
    golden::beam_search_finds_the_same_translations_and_scores_as_an_exhaustive_one_in_python();
}

#[test]
fn interventions_equal_pytorch() {
    look::interventions_equal_pytorch();
}

#[test]
fn value_weighted_norms_equal_pytorch() {
    look::value_weighted_norms_equal_pytorch();
}

#[test]
fn arithmetic_equals_pytorch() {
    look::arithmetic_equals_pytorch();
}
