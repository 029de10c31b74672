//! The two files of the site that are made from the others: `site.json`, the list of all of them, and `index.html` with
//! the addresses of the modules that the first screen needs.

use crate::join::join;
use crate::modules;
use crate::opensearch;
use crate::site::Site;
use anyhow::{Context, Result, bail};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;

/// Where the list of the site's files is.
pub const MANIFEST: &str = "site.json";
/// The page, into which the preloads are written.
pub const PAGE: &str = "index.html";

/// Modules into which the engine's version is written: the page's side of the engine and its worker. A page whose worker
/// is of another version gets an error that says so. Each has all that it imports in it: a worker can be given no preloads,
/// nor can the page of an embedder be, and finding one import after another took a fifth of the time until it can translate.
pub const STAMPED: [&str; 2] = ["engine/translator.js", "engine/worker.js"];
/// Where it is written.
const UNSTAMPED: &str = "const VERSION = '';";

/// One of the [`STAMPED`] modules with the engine's version: a hash of all files of the engine and of `pkg/`.
///
/// # Errors
/// Where a file cannot be read, or the module has no place for the version.
pub fn stamped(site: &Site, path: &str) -> Result<String> {
    let mut whole = Sha256::new();
    for (path, file) in site.files()? {
        let counts = path.starts_with("engine/") || path.starts_with("pkg/");
        if counts && !path.ends_with(".d.ts") {
            let content =
                fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
            whole.update(format!("{path} {:x}\n", Sha256::digest(content)));
        }
    }
    let version = format!("{:x}", whole.finalize());
    let text = join(path, |path| read(site, path))?;
    if !text.contains(UNSTAMPED) {
        bail!("{path} has no line {UNSTAMPED}");
    }
    let version = &version[..16];
    let line = format!("const VERSION = '{version}';");
    Ok(text.replacen(UNSTAMPED, &line, 1))
}

/// The text of one of the site's files.
fn read(site: &Site, path: &str) -> Option<String> {
    fs::read_to_string(site.resolve(&format!("{}{path}", site.entry()))?).ok()
}

/// `index.html` with a `modulepreload` for every module of the first screen: the browser asks for all of them at once
/// instead of finding them one import after another. Where the page's address is known, it names its OpenSearch description.
///
/// # Errors
/// Where the site has no such page.
pub fn page(site: &Site) -> Result<String> {
    let html = read(site, PAGE).context("the site has no index.html")?;
    let as_served = |path: &str| match STAMPED.contains(&path) {
        true => join(path, |path| read(site, path)).ok(),
        false => read(site, path),
    };
    let links: String = modules::first_modules(&html, as_served)
        .iter()
        .map(|path| format!("    <link rel=\"modulepreload\" href=\"./{path}\" />\n"))
        .collect();
    let search = site.address().map_or("", |_| opensearch::LINK);
    Ok(match html.find("    <script") {
        Some(at) => format!("{}{search}{links}{}", &html[..at], &html[at..]),
        None => html,
    })
}

/// `site.json`: every file but the models (which `models/index.json` lists) with its size and SHA-256, and the version of
/// all of it.
///
/// # Errors
/// Where a file cannot be read.
pub fn manifest(site: &Site) -> Result<String> {
    let mut listed = Vec::new();
    let mut whole = Sha256::new();
    for (path, file) in site.files()? {
        let content = match path.as_str() {
            MANIFEST => continue,
            PAGE if site.is_assembled() => page(site)?.into_bytes(),
            path if site.is_assembled() && STAMPED.contains(&path) => {
                stamped(site, path)?.into_bytes()
            }
            _ => fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?,
        };
        let sha256 = format!("{:x}", Sha256::digest(&content));
        whole.update(format!("{path} {sha256}\n"));
        listed.push(json!({ "path": path, "bytes": content.len(), "sha256": sha256 }));
    }
    let version = format!("{:x}", whole.finalize());
    Ok(format!(
        "{:#}\n",
        json!({ "format_version": 1, "version": version, "files": listed })
    ))
}

/// Checks that all that the site's pages and modules refer to is there.
///
/// # Errors
/// Names every reference that would not work.
pub fn check(site: &Site) -> Result<()> {
    let mut texts = BTreeMap::new();
    for (path, file) in site.files()? {
        if path.ends_with(".js") || path.ends_with(".html") {
            texts.insert(path, fs::read_to_string(file)?);
        }
    }
    let faults = modules::broken(&texts, |path| {
        site.resolve(&format!("{}{path}", site.entry())).is_some()
    });
    if !faults.is_empty() {
        bail!("the page would not work:\n{}", faults.join("\n"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::root;
    use serde_json::Value;

    #[test]
    fn the_page_asks_for_the_first_modules_before_any_script() {
        let site = Site::of_tree(&root().join("models"));
        let page = page(&site).unwrap();
        let (before, after) = page.split_once("    <script").unwrap();
        for path in ["boot.js", "main.js", "engine/translator.js"] {
            assert_eq!(
                before
                    .matches(&format!("<link rel=\"modulepreload\" href=\"./{path}\" />"))
                    .count(),
                1,
                "{path}"
            );
        }
        assert!(
            !before.contains("tabs/positions/positions.js"),
            "a tab is loaded when it is opened"
        );
        assert!(
            !before.contains("engine/connection.js"),
            "it is in engine/translator.js"
        );
        assert!(!after.contains("modulepreload"));
    }

    #[test]
    fn page_and_worker_are_stamped_with_one_version_of_the_engine() {
        let site = Site::of_tree(&root().join("models"));
        let versions = STAMPED.map(|path| {
            let text = stamped(&site, path).unwrap();
            let (_, rest) = text.split_once("const VERSION = '").unwrap();
            rest.split('\'').next().unwrap().to_owned()
        });
        assert_eq!(versions[0], versions[1]);
        assert_eq!(versions[0].len(), 16);
        for path in STAMPED {
            let asked = modules::imports(&stamped(&site, path).unwrap());
            assert!(
                asked.iter().all(|import| !import.is_static),
                "{path} starts with one request"
            );
        }
    }

    #[test]
    fn the_list_has_every_file_but_models_and_changes_with_any_of_them() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir_all(at("models")).unwrap();
        for (name, text) in [
            ("index.html", "<p>"),
            ("a.js", "1"),
            ("models/index.json", "{}"),
            ("site.json", "old"),
        ] {
            fs::write(at(name), text).unwrap();
        }
        let site = Site::of_folder("/x", dir.path().to_path_buf());
        let read = || -> Value { serde_json::from_str(&manifest(&site).unwrap()).unwrap() };
        let first = read();
        let paths: Vec<&str> = first["files"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|file| file["path"].as_str())
            .collect();
        assert_eq!(paths, ["a.js", "index.html"]);
        // As `printf 1 | sha256sum` prints it.
        let digest = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b";
        assert_eq!(
            first["files"][0],
            json!({ "path": "a.js", "bytes": 1, "sha256": digest })
        );
        assert_eq!(read(), first);
        fs::write(at("a.js"), "2").unwrap();
        assert_ne!(read()["version"], first["version"]);
    }

    #[test]
    fn the_pages_own_references_all_work() {
        // What a build writes may not be there yet.
        let site = Site::of_tree(&root().join("models"));
        let faults = check(&site)
            .err()
            .map(|error| format!("{error:#}"))
            .unwrap_or_default();
        let own: Vec<&str> = faults
            .lines()
            .skip(1)
            .filter(|line| !line.contains("refers to pkg/"))
            .collect();
        assert_eq!(own, Vec::<&str>::new());
    }
}
