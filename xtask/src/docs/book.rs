//! The chapters of the documentation: what they include is put in its place, and what they link to in the tree gets a page.

use super::{code, headings};
use crate::modules::resolved;
use crate::tools::{files_below, root};
use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Where the chapters lie, in the tree.
const CHAPTERS: &str = "docs/book";
/// The list of the chapters.
const SUMMARY: &str = "SUMMARY.md";

/// A chapter with everything that it includes.
pub struct Chapter {
    /// File name of its page's source, such as `start.md`.
    pub name: String,
    /// Markdown.
    pub text: String,
}

/// The chapters, and what of the tree they show.
pub struct Book {
    /// In the order of their names.
    pub chapters: Vec<Chapter>,
    /// Files and folders of the tree with a page each, by path.
    code: BTreeSet<String>,
    /// Pictures of the tree.
    pictures: BTreeSet<String>,
}

impl Book {
    /// Reads every chapter.
    ///
    /// # Errors
    /// Where a chapter includes or links to something that is not there, or the list of chapters lacks one.
    pub fn read() -> Result<Book> {
        let folder = root().join(CHAPTERS);
        let mut sources = BTreeMap::new();
        for file in files_below(&folder)? {
            let name = file.to_string_lossy().into_owned();
            if name.ends_with(".md") && name != SUMMARY {
                sources.insert(name, fs::read_to_string(folder.join(file))?);
            }
        }
        let summary = fs::read_to_string(folder.join(SUMMARY))?;
        for name in sources.keys() {
            ensure!(
                summary.contains(&format!("({name})")),
                "{SUMMARY} lacks {name}"
            );
        }
        let mut reader = Reader {
            shown_by: shown_by(&sources),
            code: BTreeSet::new(),
            pictures: BTreeSet::new(),
        };
        let mut chapters = Vec::new();
        for (name, source) in &sources {
            let path = format!("{CHAPTERS}/{name}");
            let text = reader.expand(&path, source).with_context(|| path.clone())?;
            chapters.push(Chapter {
                name: name.clone(),
                text,
            });
        }
        headings::check(&chapters)?;
        Ok(Book {
            chapters,
            code: reader.code,
            pictures: reader.pictures,
        })
    }

    /// Writes the book as mdBook takes it, with the pages of code beside the chapters.
    pub fn write(&self, dir: &Path) -> Result<()> {
        if dir.is_dir() {
            fs::remove_dir_all(dir)?;
        }
        let pages = dir.join("src");
        fs::create_dir_all(&pages)?;
        let docs = root().join("docs");
        for file in ["book.toml", "site.css", "site.js"] {
            fs::copy(docs.join(file), dir.join(file)).with_context(|| format!("docs/{file}"))?;
        }
        fs::create_dir_all(dir.join("theme"))?;
        fs::copy(docs.join("head.hbs"), dir.join("theme/head.hbs")).context("docs/head.hbs")?;
        fs::copy(docs.join("book").join(SUMMARY), pages.join(SUMMARY))?;
        for Chapter { name, text } in &self.chapters {
            fs::write(pages.join(name), text)?;
        }
        for picture in &self.pictures {
            crate::pack::copy(&root().join(picture), &pages.join(picture_page(picture)))?;
        }
        for path in &self.code {
            code::write(path, &pages)?;
        }
        Ok(())
    }
}

/// Files that a chapter includes whole, and that chapter: links to the one lead to the other.
fn shown_by(sources: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut shown = BTreeMap::new();
    for (name, source) in sources {
        for file in source.lines().filter_map(include) {
            if let Some(path) = resolved(&format!("{CHAPTERS}/{name}"), file)
                && path.ends_with(".md")
            {
                shown.insert(path, name.clone());
            }
        }
    }
    shown
}

struct Reader {
    shown_by: BTreeMap<String, String>,
    code: BTreeSet<String>,
    pictures: BTreeSet<String>,
}

impl Reader {
    /// The text of the file at `path` of the tree, with what it includes, and links as they are on the site.
    fn expand(&mut self, path: &str, source: &str) -> Result<String> {
        let mut text = String::new();
        let mut in_code = false;
        for line in source.lines() {
            if is_anchor(line) {
                continue;
            }
            if let Some(what) = include(line) {
                let (file, anchor) = what.split_once(':').unwrap_or((what, ""));
                let file =
                    resolved(path, file).with_context(|| format!("{what} leaves the tree"))?;
                let content =
                    fs::read_to_string(root().join(&file)).with_context(|| file.clone())?;
                let content = anchored(&content, anchor)
                    .with_context(|| format!("{file} has no anchor {anchor}"))?;
                text += &if in_code {
                    content
                } else {
                    self.expand(&file, &content)?
                };
                continue;
            }
            if line.trim_start().starts_with("```") {
                in_code = !in_code;
            }
            text += &if in_code {
                line.to_owned()
            } else {
                self.relinked(path, line)?
            };
            text.push('\n');
        }
        Ok(text)
    }

    /// A line with its links as they are on the site.
    fn relinked(&mut self, path: &str, line: &str) -> Result<String> {
        let mut text = String::new();
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("](") {
            text += before;
            text += "](";
            let (target, end) = after.split_once(')').context("a link without its end")?;
            let in_code = text.matches('`').count() % 2 == 1;
            text += &if in_code {
                target.to_owned()
            } else {
                self.target(path, target)?
            };
            text.push(')');
            rest = end;
        }
        Ok(text + rest)
    }

    /// Where a link in the file at `path` leads on the site.
    fn target(&mut self, path: &str, target: &str) -> Result<String> {
        if target.starts_with('#') || target.contains("://") || target.starts_with("mailto:") {
            return Ok(target.to_owned());
        }
        let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
        let file = resolved(path, file).with_context(|| format!("{target} leaves the tree"))?;
        ensure!(
            root().join(&file).exists(),
            "{path} links to {file}, which is not there"
        );
        let page = if let Some(chapter) = file.strip_prefix(&format!("{CHAPTERS}/")) {
            chapter.to_owned()
        } else if let Some(chapter) = self.shown_by.get(&file) {
            chapter.clone()
        } else if [".png", ".svg", ".jpg"]
            .iter()
            .any(|end| file.ends_with(end))
        {
            self.pictures.insert(file.clone());
            picture_page(&file)
        } else {
            if !fragment.is_empty() {
                let text = fs::read_to_string(root().join(&file))?;
                ensure!(
                    code::line_of(&text, fragment).is_some(),
                    "{file} defines no {fragment}"
                );
            }
            self.code.insert(file.clone());
            code::page(&file)
        };
        Ok(match fragment {
            "" => page,
            fragment => format!("{page}#{fragment}"),
        })
    }
}

/// Where a picture of the tree lies on the site.
fn picture_page(path: &str) -> String {
    format!("media/{}", path.rsplit('/').next().unwrap_or(path))
}

/// What a line of mdBook's `{{#include FILE:ANCHOR}}` names.
fn include(line: &str) -> Option<&str> {
    line.trim().strip_prefix("{{#include ")?.strip_suffix("}}")
}

/// Whether a line is a mark of [`anchored`].
fn is_anchor(line: &str) -> bool {
    line.starts_with("<!-- ANCHOR")
}

/// The lines between `<!-- ANCHOR: name -->` and `<!-- ANCHOR_END: name -->`; the whole text for no name.
fn anchored(text: &str, name: &str) -> Option<String> {
    if name.is_empty() {
        return Some(text.to_owned());
    }
    let (_, after) = text.split_once(&format!("<!-- ANCHOR: {name} -->\n"))?;
    let (inside, _) = after.split_once(&format!("<!-- ANCHOR_END: {name} -->"))?;
    Some(inside.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chapter_is_read_and_its_links_lead_somewhere() {
        let book = Book::read().unwrap();
        assert!(
            book.chapters.len() >= 18,
            "{} chapters",
            book.chapters.len()
        );
        // Prose beside code: the sections of the paper name what does it.
        assert!(book.code.len() > 20, "{:?}", book.code);
    }

    #[test]
    fn a_link_that_leads_nowhere_is_an_error() {
        let mut reader = Reader {
            shown_by: BTreeMap::new(),
            code: BTreeSet::new(),
            pictures: BTreeSet::new(),
        };
        let from = "docs/book/start.md";
        assert!(reader.target(from, "../../src/nowhere.rs").is_err());
        assert!(
            reader
                .target(from, "../../src/lib.rs#nothing_of_that_name")
                .is_err()
        );
        assert!(reader.target(from, "../../../elsewhere").is_err());
        let target = reader.target(from, "../../src/layers/attention.rs#attend");
        assert_eq!(target.unwrap(), "code/src/layers/attention.rs.html#attend");
    }

    #[test]
    fn what_a_chapter_includes_is_between_its_anchors() {
        let text = "a\n<!-- ANCHOR: x -->\nb\n<!-- ANCHOR_END: x -->\nc\n";
        assert_eq!(anchored(text, "x").unwrap(), "b\n");
        assert_eq!(anchored(text, "y"), None);
        assert_eq!(
            resolved("docs/book/a.md", "../../README.md").unwrap(),
            "README.md"
        );
    }
}
