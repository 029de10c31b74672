//! What the compiler and clippy do not ask of doc comments: functions over matrices say their shapes.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::{Path, PathBuf};

/// Types that are matrices.
const MATRICES: [&str; 5] = ["Array1<", "Array2<", "Array3<", "Array4<", "ArrayView"];
/// The learning crate's matrices are slices.
const SLICES: [&str; 3] = ["&[f32]", "&mut [f32]", "Vec<f32>"];

/// All files of the core.
fn sources(path: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The public functions of a source that take or give one of these types, each with whether its doc comment has `# Shapes`.
fn over_matrices(source: &str, matrices: &[&str]) -> Vec<(String, bool)> {
    let mut doc = String::new();
    let mut found = Vec::new();
    let mut rest = source;
    while let Some((line, after)) = rest.split_once('\n') {
        let code = line.trim_start();
        if code.starts_with("///") {
            doc += code;
        } else if code.starts_with("pub fn ") || code.starts_with("pub const fn ") {
            let signature: String = rest.chars().take_while(|c| !"{;".contains(*c)).collect();
            if matrices.iter().any(|matrix| signature.contains(matrix)) {
                found.push((signature, doc.contains("# Shapes")));
            }
        }
        if !code.starts_with("///") && !code.starts_with("#[") {
            doc.clear();
        }
        rest = after;
    }
    found
}

#[test]
fn public_functions_over_matrices_say_their_shapes() {
    let mut files = Vec::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut files,
    );
    let lies_in = |file: &Path, folder: &str| {
        let inside = file.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
        inside.components().any(|part| part.as_os_str() == folder)
    };
    // The face to JavaScript gives tensors with their shapes.
    files.retain(|file| !lies_in(file, "wasm"));
    let mut count = 0;
    for file in files {
        let matrices = if lies_in(&file, "learn") {
            &SLICES[..]
        } else {
            &MATRICES[..]
        };
        for (signature, says) in over_matrices(&fs::read_to_string(&file).unwrap(), matrices) {
            assert!(says, "{}: {signature}", file.display());
            count += 1;
        }
    }
    assert!(count > 20, "hardly any such function was found: {count}");
}

#[test]
fn a_missing_section_is_found() {
    let source = "/// Adds.\npub fn add(x: Array2<f32>) {}\n/// # Shapes\n#[inline]\npub fn sub(\n    x: ArrayView2<'_, f32>,\n) {}\nfn own(x: Array2<f32>) {}\n";
    let says: Vec<bool> = over_matrices(source, &MATRICES)
        .into_iter()
        .map(|(_, says)| says)
        .collect();
    assert_eq!(says, [false, true]);
}
