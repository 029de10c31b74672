//! Execution: what [`translucent_fuzz_execution`] makes of bytes, guided by what they cover.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    translucent_fuzz_execution::execute(bytes);
});
