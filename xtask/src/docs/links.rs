//! Whether every link of the site leads to a file of it, and every fragment to an element.

use crate::tools::files_below;
use anyhow::{Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Checks every page of a site; gives the number of its links.
///
/// # Errors
/// Names every link that leads nowhere.
pub fn check(dir: &Path) -> Result<usize> {
    let files: BTreeSet<String> = files_below(dir)?
        .into_iter()
        .map(|file| file.to_string_lossy().replace('\\', "/"))
        .collect();
    let mut pages = BTreeMap::new();
    for file in files.iter().filter(|file| file.ends_with(".html")) {
        pages.insert(file.as_str(), fs::read_to_string(dir.join(file))?);
    }
    let mut count = 0;
    let mut broken = Vec::new();
    for (page, html) in &pages {
        for link in values(html, "href").chain(values(html, "src")) {
            if link.contains(':') || link.starts_with("//") {
                continue;
            }
            count += 1;
            let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
            let path = path.split('?').next().unwrap_or(path);
            let target = if path.is_empty() {
                Some((*page).to_owned())
            } else {
                crate::modules::resolved(page, path)
            };
            let there = target.is_some_and(|target| match pages.get(target.as_str()) {
                Some(html) => fragment.is_empty() || values(html, "id").any(|id| id == fragment),
                None => files.contains(&target),
            });
            if !there {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    ensure!(
        broken.is_empty(),
        "links that lead nowhere:\n{}",
        broken.join("\n")
    );
    Ok(count)
}

/// The values of an attribute in a page.
fn values<'h>(html: &'h str, attribute: &str) -> impl Iterator<Item = &'h str> {
    let start = format!(" {attribute}=\"");
    html.match_indices(&start)
        .map(|(at, found)| &html[at + found.len()..])
        .filter_map(|rest| rest.split('"').next())
        .collect::<Vec<_>>()
        .into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_page_and_a_missing_heading_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, html: &str| fs::write(dir.path().join(name), html).unwrap();
        write("b.html", "<h1 id=\"here\">");
        write(
            "a.html",
            "<a href=\"b.html#here\"> <a href=\"https://example.org/x\">",
        );
        assert_eq!(check(dir.path()).unwrap(), 1);
        write("a.html", "<a href=\"b.html#there\"> <a href=\"c.html\">");
        let error = check(dir.path()).unwrap_err().to_string();
        assert!(
            error.contains("a.html: b.html#there") && error.contains("a.html: c.html"),
            "{error}"
        );
    }
}
