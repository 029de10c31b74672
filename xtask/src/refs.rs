//! Finds the files that a page's HTML, CSS and JavaScript refer to, so that a missing one is noticed before a visitor does.

use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A reference and the file that makes it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Broken {
    /// The file that refers, relative to the site.
    pub from: PathBuf,
    /// The reference as written.
    pub reference: String,
    /// What is wrong with it.
    pub why: &'static str,
}

/// All references of `files` (relative to `site`) that would not work on a plain host under any sub-path.
pub fn broken(site: &Path, files: &[PathBuf]) -> Result<BTreeSet<Broken>> {
    let mut found = BTreeSet::new();
    for file in files {
        let extension = file
            .extension()
            .and_then(|extension| extension.to_str())
            .unwrap_or("");
        if !["html", "css", "js"].contains(&extension) {
            continue;
        }
        let text = fs::read_to_string(site.join(file))
            .with_context(|| format!("cannot read {}", file.display()))?;
        for reference in references(&text, extension) {
            if let Some(why) = fault(site, file, &reference) {
                found.insert(Broken {
                    from: file.clone(),
                    reference,
                    why,
                });
            }
        }
    }
    Ok(found)
}

/// What keeps `reference` from working, if anything does.
fn fault(site: &Path, from: &Path, reference: &str) -> Option<&'static str> {
    if reference.starts_with("http:")
        || reference.starts_with("https:")
        || reference.starts_with("//")
    {
        return Some("loads from another host");
    }
    if reference.starts_with('/') {
        return Some("starts at the host's root, so it breaks under a sub-path");
    }
    let mut path = PathBuf::new();
    for part in from
        .parent()
        .unwrap_or(Path::new(""))
        .join(reference)
        .components()
    {
        match part {
            Component::Normal(name) => path.push(name),
            Component::ParentDir if path.pop() => {}
            Component::CurDir => {}
            _ => return Some("leaves the site"),
        }
    }
    let target = site.join(path);
    let there = target.is_file() || target.join("index.html").is_file();
    (!there).then_some("no such file")
}

/// What a text refers to: `src` and `href` of tags that load, `url(…)` of styles, relative paths in quotes of scripts.
fn references(text: &str, extension: &str) -> Vec<String> {
    let raw: Vec<&str> = match extension {
        "html" => tags(text)
            .flat_map(|tag| attributes(tag, &["src", "href"]))
            .collect(),
        "css" => between(text, "url(", ")"),
        _ => quoted(text)
            .filter(|literal| literal.starts_with("./") || literal.starts_with("../"))
            .collect(),
    };
    raw.into_iter()
        .map(|reference| reference.trim_matches(['"', '\'']))
        .map(|reference| reference.split(['?', '#']).next().unwrap_or(""))
        // Addresses that are put together at run time name a folder or hold a placeholder.
        .filter(|reference| {
            !reference.is_empty() && !reference.contains("${") && !reference.starts_with("data:")
        })
        .filter(|reference| extension != "js" || Path::new(reference).extension().is_some())
        .map(str::to_owned)
        .collect()
}

/// The tags of an HTML text that load something (a link to another page is free to lead anywhere).
fn tags(html: &str) -> impl Iterator<Item = &str> {
    html.split('<')
        .skip(1)
        .filter_map(|rest| rest.split('>').next())
        .filter(|tag| !tag.starts_with("a ") && !tag.starts_with("!--"))
}

/// The values of these attributes in a tag.
fn attributes<'a>(tag: &'a str, names: &[&str]) -> Vec<&'a str> {
    names
        .iter()
        .flat_map(|name| {
            ['"', '\''].into_iter().filter_map(move |quote| {
                let (_, rest) = tag.split_once(&format!(" {name}={quote}"))?;
                rest.split(quote).next()
            })
        })
        .collect()
}

/// The texts between `open` and the next `close`.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    text.split(open)
        .skip(1)
        .filter_map(|rest| rest.split(close).next())
        .map(str::trim)
        .collect()
}

/// The one-line string literals of a script, comments' lines and keys of objects left out (the glue of
/// wasm-bindgen names an import object after a file that there is none of).
fn quoted(script: &str) -> impl Iterator<Item = &str> {
    let code = script.lines().filter(|line| {
        !line.trim_start().starts_with("//")
            && !line.trim_start().starts_with('*')
            && !line.trim_start().starts_with("/*")
    });
    code.flat_map(|line| {
        ['"', '\'', '`']
            .into_iter()
            .flat_map(move |quote| literals(line, quote))
    })
}

/// What stands between pairs of `quote` in a line, unless a colon follows at once.
fn literals(line: &str, quote: char) -> impl Iterator<Item = &str> {
    let mut parts = line.split(quote).skip(1).peekable();
    std::iter::from_fn(move || {
        let literal = parts.next()?;
        let is_key = parts.peek().is_some_and(|after| after.starts_with(':'));
        parts.next();
        Some((literal, is_key))
    })
    .filter_map(|(literal, is_key)| (!is_key).then_some(literal))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken_in(files: &[(&str, &str)]) -> Vec<(String, &'static str)> {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let names: Vec<PathBuf> = files.iter().map(|(name, _)| name.into()).collect();
        broken(dir.path(), &names)
            .unwrap()
            .into_iter()
            .map(|broken| (broken.reference, broken.why))
            .collect()
    }

    #[test]
    fn references_that_exist_pass() {
        let page = "<link rel=stylesheet href=\"css/a.css?v=1\"><script type=\"module\" src='./m.js'></script><a href=\"https://example.org\">x</a>";
        let files = [
            ("index.html", page),
            ("css/a.css", "body { background: url(\"../p.png\") }"),
            (
                "m.js",
                "import { x } from './views/v.js';\nawait import(`./${name}/x.js`);\nfetch('./models/' + name);",
            ),
            (
                "views/v.js",
                "// see './gone.js'\nconst o = { './key.js': 1 };\nnew URL('../p.png', import.meta.url)",
            ),
            ("p.png", ""),
        ];
        assert_eq!(broken_in(&files), []);
    }

    #[test]
    fn missing_foreign_and_rooted_references_are_found() {
        let files = [
            (
                "index.html",
                "<script src=\"/m.js\"></script><img src=\"https://example.org/p.png\">",
            ),
            ("a.css", "x { background: url(gone.png) }"),
            ("m.js", "import './gone.js'; import '../out.js';"),
        ];
        let whys: Vec<_> = broken_in(&files).into_iter().map(|(_, why)| why).collect();
        assert_eq!(
            whys,
            [
                "no such file",
                "starts at the host's root, so it breaks under a sub-path",
                "loads from another host",
                "leaves the site",
                "no such file"
            ]
        );
    }
}
