//! Files of `torch.save` (`tests/golden/torch_files.py`): every value is read as torch gives it, and nothing else is.
#![cfg(not(target_arch = "wasm32"))]

use serde::Deserialize;
use std::collections::BTreeMap;
use translucent::checkpoint::weights::{Catalogue, PYTORCH_WEIGHTS, read};

#[derive(Deserialize)]
struct Golden {
    shape: Vec<usize>,
    values: Vec<f32>,
}

fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("tests/golden/torch/{name}")).unwrap()
}

fn failure(bytes: &[u8]) -> String {
    read(PYTORCH_WEIGHTS, &bytes.to_vec())
        .unwrap_err()
        .to_string()
}

#[test]
fn both_formats_hold_what_torch_put_into_them() {
    let golden: BTreeMap<String, Golden> = serde_json::from_slice(&file("values.json")).unwrap();
    for name in ["zip.bin", "legacy.bin"] {
        let bytes = file(name);
        let tensors = read(PYTORCH_WEIGHTS, &bytes).unwrap();
        assert_eq!(tensors.len(), golden.len(), "{name}");
        for (tensor, expected) in &golden {
            let found = tensors.get(tensor).unwrap().clone();
            assert_eq!(found.shape(), expected.shape, "{name}: {tensor}");
            assert_eq!(found.into_f32(), expected.values, "{name}: {tensor}");
        }
        let catalogue = Catalogue::of_file(PYTORCH_WEIGHTS, &bytes).unwrap();
        let dtype = |name: &str| catalogue.get(name).unwrap().dtype().to_string();
        assert_eq!(
            [dtype("whole"), dtype("half"), dtype("brain")],
            ["F32", "F16", "BF16"]
        );
    }
}

#[test]
fn what_is_no_state_dict_is_refused_by_what_it_is() {
    for (name, reason) in [
        ("evil.bin", "asks for posix.system"),
        ("evil_legacy.bin", "asks for posix.system"),
        ("protocol4.bin", "protocol 4"),
        ("integers.bin", "type I64"),
        ("nested.bin", "state_dict()"),
        ("list.bin", "state_dict()"),
    ] {
        let message = failure(&file(name));
        assert!(message.contains(reason), "{name}: {message}");
    }
}

#[test]
fn an_opcode_that_files_of_tensors_do_not_use_is_named() {
    // STACK_GLOBAL and INST make names out of texts.
    for opcode in [0x93, b'i', b'o', 0x81, 0x92, b'P'] {
        let mut bytes = file("legacy.bin");
        // Behind magic number, protocol version and machine comes the state dict: its first opcode after PROTO.
        let at = bytes
            .windows(13)
            .position(|w| w == b"\x80\x02ccollection")
            .unwrap()
            + 2;
        bytes[at] = opcode;
        let message = failure(&bytes);
        assert!(
            message.contains(&format!("opcode 0x{opcode:02x}"))
                && message.contains(PYTORCH_WEIGHTS),
            "{message}"
        );
    }
}

#[test]
fn cut_files_are_refused() {
    for name in ["zip.bin", "legacy.bin"] {
        let whole = file(name);
        for kept in 0..whole.len() {
            let message = failure(&whole[..kept]);
            assert!(
                message.contains(PYTORCH_WEIGHTS),
                "{name}, {kept} bytes: {message}"
            );
        }
    }
}

#[test]
fn damaged_files_never_panic() {
    for name in ["zip.bin", "legacy.bin"] {
        let whole = file(name);
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                // A flipped value may be another value.
                let _ = read(PYTORCH_WEIGHTS, &bytes);
            }
        }
    }
}

#[test]
fn a_tensor_far_larger_than_its_file_is_refused() {
    let mut bytes = file("legacy.bin");
    // `expanded` has shape (2, 3) over a storage of two values: 0 for a stride costs nothing to write.
    let shape = b"K\x02K\x03\x86";
    let name = bytes.windows(8).position(|w| w == b"expanded").unwrap();
    let at = name + bytes[name..].windows(5).position(|w| w == shape).unwrap();
    bytes[at..at + 4].copy_from_slice(b"K\x02M\xff");
    bytes.insert(at + 4, 0xff);
    let message = failure(&bytes);
    assert!(message.contains("overlap"), "{message}");
}
