//! `config.json` and `generation_config.json`: what is accepted survives being written, and asks for tensors
//! that have names and shapes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use translucent::checkpoint::{config_json, generation_json, layout};

/// A configuration to read any `generation_config.json` with.
const CONFIG: &[u8] = include_bytes!("../../tests/golden/hf/config.json");

fuzz_target!(|bytes: &[u8]| {
    if let Ok(mut described) = config_json::read(bytes) {
        let again = config_json::write(&described.config, described.precision);
        assert_eq!(
            config_json::read(&again).unwrap().config,
            described.config
        );
        let _ = layout(&described.config);
        let _ = generation_json::read(Some(bytes), &mut described);
    }
    if let Ok(mut described) = config_json::read(CONFIG) {
        let _ = generation_json::read(Some(bytes), &mut described);
    }
});
