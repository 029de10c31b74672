//! The tests of `web.rs` once more, for `wasm-pack test --headless --chrome`: it runs only what asks for a browser,
//! and says that all is well where nothing does.
#![cfg(target_arch = "wasm32")]

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

#[path = "web.rs"]
mod web;
