//! `model.safetensors`: whatever the bytes, an error or tensors that can be written and are read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use translucent::checkpoint::weights::{self, FloatType, WEIGHTS};

fuzz_target!(|bytes: Vec<u8>| {
    if let Ok(tensors) = weights::read(WEIGHTS, &bytes) {
        let written = weights::write(&tensors, FloatType::F32).unwrap();
        assert_eq!(weights::read(WEIGHTS, &written).unwrap(), tensors);
    }
});
