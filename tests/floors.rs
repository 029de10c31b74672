//! The floors of the crate: which room may use which. An import that runs up, or a circle between rooms, is a fault.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::{BTreeMap, BTreeSet};
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
    let tests = "use crate::Config;\n#[cfg(test)]\nstatic X: super::a::X = 0;\n#[cfg(all(test, unix))]\nmod tests { use super::b::Y; }";
    assert_eq!(paths(tests), ["super::a::X", "crate::Config"]);
}

/// The paths that a source imports or names, such as `super::norm::LayerNorm`, without comments and its own tests.
fn paths(source: &str) -> Vec<String> {
    let mut attributes = source.match_indices("#[cfg(").map(|(at, _)| at);
    let is_tests = |at: &usize| {
        let mut lines = source[*at..].lines();
        lines.next().is_some_and(|cfg| cfg.contains("test"))
            && lines.next().is_some_and(|item| item.starts_with("mod "))
    };
    let code = &source[..attributes.find(is_tests).unwrap_or(source.len())];
    let lines = code
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut found = Vec::new();
    for (start, _) in code
        .match_indices("super::")
        .chain(code.match_indices("crate::"))
    {
        let before = code[..start].chars().next_back();
        if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            expand(&code[start..], String::new(), &mut found);
        }
    }
    found
}

/// Adds the path that the code begins with; one with braces is several. Gives what follows.
fn expand<'a>(code: &'a str, mut path: String, found: &mut Vec<String>) -> &'a str {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let end = code.find(|c| !is_part(c)).unwrap_or(code.len());
    path.push_str(&code[..end]);
    if !(path.ends_with("::") && code[end..].starts_with('{')) {
        found.push(path);
        return &code[end..];
    }
    let mut rest = &code[end + 1..];
    loop {
        rest = expand(rest.trim_start(), path.clone(), found).trim_start();
        let next = rest.strip_prefix(',').map(str::trim_start);
        match next.unwrap_or(rest).strip_prefix('}') {
            None if next.is_some() => rest = next.unwrap_or_default(),
            after => return after.unwrap_or_default(),
        }
    }
}

/// The modules of a folder, each with the names of the others that it uses; names that `mod.rs` passes on count for the
/// module that they come from.
fn uses(folder: &Path, path: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut modules: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap().path();
        let name = entry.file_stem().unwrap().to_string_lossy().into_owned();
        sources(&entry, modules.entry(name).or_default());
    }
    let door = modules.remove("mod").unwrap_or_default().concat();
    let mut passed_on = BTreeMap::new();
    for line in door.split(';').filter_map(|item| item.split("use ").nth(1)) {
        let mut listed = Vec::new();
        expand(line, String::new(), &mut listed);
        for item in listed {
            if let (Some((module, _)), Some((_, name))) =
                (item.split_once("::"), item.rsplit_once("::"))
            {
                passed_on.insert(name.to_owned(), module.to_owned());
            }
        }
    }
    let names: BTreeSet<String> = modules.keys().cloned().collect();
    let of = |(module, files): (String, Vec<String>)| {
        let is_file = files.len() == 1;
        let mut used = BTreeSet::new();
        for name in files.iter().flat_map(|file| paths(file)) {
            let inside = name.strip_prefix(&format!("crate::{path}"));
            let inside = inside.or(if is_file {
                name.strip_prefix("super::")
            } else {
                None
            });
            let Some(first) = inside.and_then(|inside| inside.split("::").next()) else {
                continue;
            };
            let target = passed_on.get(first).map_or(first, |module| module);
            if target != module && names.contains(target) {
                used.insert(target.to_owned());
            }
        }
        (module, used)
    };
    modules.into_iter().map(of).collect()
}

/// The modules that lie on circles: what is left when all are taken away that use none of the rest, or that none of the
/// rest uses.
fn circle(mut uses: BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    loop {
        let used: BTreeSet<String> = uses.values().flatten().cloned().collect();
        let mut names = uses.iter();
        let free = names.find(|(name, uses)| uses.is_empty() || !used.contains(*name));
        let Some(free) = free.map(|(name, _)| name.clone()) else {
            return uses.into_keys().collect();
        };
        uses.remove(&free);
        for used in uses.values_mut() {
            used.remove(&free);
        }
    }
}

#[test]
fn no_files_of_a_room_use_each_other_in_a_circle() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let rooms = ROOMS
        .iter()
        .map(|(room, _)| *room)
        .chain(["kernels", "learn"]);
    let mut folders: Vec<_> = rooms
        .map(|room| (src.join(room), format!("{room}::")))
        .filter(|(folder, _)| folder.is_dir())
        .collect();
    let mut imports = 0;
    while let Some((folder, path)) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap().path();
            if entry.join("mod.rs").exists()
                || entry.with_extension("rs").exists() && entry.is_dir()
            {
                let name = entry.file_name().unwrap().to_string_lossy().into_owned();
                folders.push((entry, format!("{path}{name}::")));
            }
        }
        let uses = uses(&folder, &path);
        imports += uses.values().map(BTreeSet::len).sum::<usize>();
        assert_eq!(circle(uses), [""; 0], "in {}", folder.display());
    }
    assert!(imports > 100, "hardly any import was found: {imports}");
}

#[test]
fn a_circle_is_found_and_a_tree_is_none() {
    let graph = |edges: &[(&str, &[&str])]| {
        let set = |names: &[&str]| names.iter().map(|&name| name.into()).collect();
        edges
            .iter()
            .map(|&(name, used)| (name.into(), set(used)))
            .collect()
    };
    assert_eq!(
        circle(graph(&[("a", &["b"]), ("b", &["c"]), ("c", &[])])),
        [""; 0]
    );
    assert_eq!(
        circle(graph(&[("a", &["b"]), ("b", &["a"]), ("c", &["a"])])),
        ["a", "b"]
    );
    let mut found = paths("use super::{a::{B, C}, d};\nlet x = crate::e::F::new(); // super::g");
    found.sort();
    assert_eq!(
        found,
        ["crate::e::F::new", "super::a::B", "super::a::C", "super::d"]
    );
}
