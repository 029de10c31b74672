//! Paths of the builder, which no shipped WebAssembly holds: a build is the same in every folder and for every user.

use crate::tools::{cargo, output, root};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::env;
use std::path::Path;

/// Flags that keep the builder's folders out of the messages of panics: those of the dependencies become `crates`, and
/// that of the workspace `.`.
///
/// # Errors
/// Where cargo cannot list the packages.
pub fn flags(target: &str) -> Result<Vec<String>> {
    let mut metadata = cargo();
    metadata.args(["metadata", "--locked", "--format-version", "1"]);
    metadata.args(["--filter-platform", target]);
    let text = output(&mut metadata).context("cargo metadata does not list the packages")?;
    let metadata: Value = serde_json::from_str(&text)?;
    let packages = metadata["packages"].as_array();
    let folders: BTreeSet<&Path> = packages
        .context("cargo metadata lists no packages")?
        .iter()
        .filter(|package| !package["source"].is_null())
        .filter_map(|package| {
            Path::new(package["manifest_path"].as_str()?)
                .ancestors()
                .nth(2)
        })
        .collect();
    let map =
        |folder: &Path, name: &str| format!("--remap-path-prefix={}={name}", folder.display());
    let mut flags = vec![map(&root(), ".")];
    flags.extend(folders.into_iter().map(|folder| map(folder, "crates")));
    Ok(flags)
}

/// Fails where a module holds a path of the builder's.
///
/// # Errors
/// Names the path.
pub fn ensure_none(module: &[u8]) -> Result<()> {
    let own = ["HOME", "USERPROFILE", "CARGO_HOME", "RUSTUP_HOME"].map(|name| env::var(name).ok());
    let mut folders: Vec<String> = own
        .into_iter()
        .flatten()
        // A home of `/`, as some containers have it, is in every address.
        .filter_map(|folder| match folder.trim_end_matches('/') {
            "" => None,
            folder => Some(format!("{folder}/")),
        })
        .collect();
    folders.push(format!("{}/", root().display()));
    folders.extend(["registry/src/", "git/checkouts/", ".rustup/", ".cargo/"].map(str::to_owned));
    for folder in folders {
        let holds = module
            .windows(folder.len())
            .position(|bytes| bytes == folder.as_bytes());
        if let Some(at) = holds {
            let text = String::from_utf8_lossy(&module[at..module.len().min(at + 100)]);
            bail!("a path of the builder's is in the module: {text}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_with_a_path_of_the_builder_is_a_fault() {
        let module = |path: &str| [b"\0asm\x01", path.as_bytes(), b"\xff"].concat();
        assert!(ensure_none(&module("crates/serde-1.0/src/lib.rs")).is_ok());
        let own = format!("{}/src/lib.rs", root().display());
        for path in [
            own.as_str(),
            "/home/someone/.cargo/registry/src/a/b.rs",
            "C:/.rustup/lib.rs",
        ] {
            assert!(ensure_none(&module(path)).is_err(), "{path}");
        }
    }

    #[test]
    fn the_folders_of_workspace_and_dependencies_are_mapped() {
        let flags = flags("wasm32-unknown-unknown").unwrap();
        let root = format!("--remap-path-prefix={}=.", root().display());
        assert!(flags.contains(&root), "{flags:?}");
        assert!(
            flags.iter().any(|flag| flag.ends_with("=crates")),
            "{flags:?}"
        );
    }
}
