//! The floors of the crate: which room may use which. An import that runs up, or a circle between rooms, is a fault.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Each room with the rooms that it may use beside itself. `error`, `random` and the kernels are on the ground for all.
const ROOMS: [(&str, &[&str]); 11] = [
    ("error", &[]),
    ("random", &[]),
    ("text", &[]),
    ("trace", &[]),
    ("layers", &["trace"]),
    ("model", &["trace", "layers"]),
    ("search", &["trace", "layers", "model"]),
    (
        "checkpoint",
        &["trace", "layers", "model", "search", "text"],
    ),
    (
        "translator",
        &["trace", "layers", "model", "search", "text", "checkpoint"],
    ),
    ("lab", &["trace", "layers", "model"]),
    (
        "wasm",
        &[
            "trace",
            "layers",
            "model",
            "search",
            "text",
            "checkpoint",
            "translator",
            "lab",
        ],
    ),
];

/// Names at the root of the crate that are no rooms of their own.
const GROUND: [&str; 5] = ["error", "random", "kernels", "Error", "Result"];

/// All Rust files below a path.
fn sources(path: &Path, found: &mut Vec<String>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            sources(&entry.unwrap().path(), found);
        }
    } else if path.is_file() && path.extension().is_some_and(|extension| extension == "rs") {
        found.push(fs::read_to_string(path).unwrap());
    }
}

/// The rooms that a source names by `crate::…`, outside comments.
fn named(source: &str) -> BTreeSet<String> {
    let code = source
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let code: Vec<&str> = code.collect();
    let code = code.join("\n");
    let mut rooms = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let listed = match rest.strip_prefix('{') {
            None => vec![rest],
            Some(list) => list
                .split('}')
                .next()
                .unwrap_or_default()
                .split(',')
                .collect(),
        };
        for name in listed {
            let end = |c: char| !(c.is_alphanumeric() || c == '_');
            let name = name.trim().split(end).next().unwrap_or_default();
            rooms.insert(if name == "Config" { "model" } else { name }.to_owned());
        }
    }
    rooms
}

#[test]
fn no_room_uses_one_above_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut imports = 0;
    for (room, below) in ROOMS {
        let mut files = Vec::new();
        sources(&src.join(room), &mut files);
        sources(&src.join(format!("{room}.rs")), &mut files);
        assert!(!files.is_empty(), "the room {room} is not there");
        for name in files.iter().flat_map(|file| named(file)) {
            let allowed = name == room || below.contains(&&*name) || GROUND.contains(&&*name);
            assert!(allowed, "{room} uses {name}");
            imports += 1;
        }
    }
    assert!(imports > 50, "hardly any import was found: {imports}");
}

#[test]
fn every_module_of_the_crate_is_a_room_with_a_floor() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let root = fs::read_to_string(root).unwrap();
    let modules = root
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod "));
    for module in modules.map(|line| line.trim_end_matches(';')) {
        let known = ROOMS.iter().any(|(room, _)| *room == module) || module == "learn";
        assert!(known, "{module} has no floor");
    }
}

#[test]
fn imports_are_read_one_by_one_in_braces_and_in_paths_but_not_in_comments() {
    let source = "use crate::{Error, search::Batch};\nlet x = crate::wasm::f(); // crate::lab\nuse crate::Config;";
    let found: Vec<String> = named(source).into_iter().collect();
    assert_eq!(found, ["Error", "model", "search", "wasm"]);
}
