//! Files of the tree as pages, so that the site links to the code that it speaks of without a host.

use crate::tools::{files_below, root};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Words before the name that a line defines.
const DEFINING: [&str; 13] = [
    "fn ",
    "struct ",
    "enum ",
    "trait ",
    "type ",
    "const ",
    "mod ",
    "function ",
    "class ",
    "interface ",
    "static ",
    "async ",
    "get ",
];

/// The address of the page of a file or folder, from the site's root.
pub fn page(path: &str) -> String {
    let index = if root().join(path).is_dir() {
        "/index"
    } else {
        ""
    };
    // mdBook takes `.md` for a chapter, wherever it stands in an address.
    format!("code/{}{index}.html", path.replace(".md", "-md"))
}

/// The first line, counted from 0, that defines `name`.
pub fn line_of(text: &str, name: &str) -> Option<usize> {
    text.lines().position(|line| defines(line, name))
}

fn defines(line: &str, name: &str) -> bool {
    DEFINING.iter().any(|word| {
        line.match_indices(word).any(|(at, _)| {
            let follows_word = line[..at]
                .chars()
                .next_back()
                .is_none_or(|c| !c.is_alphanumeric());
            let rest = line[at + word.len()..].strip_prefix(name);
            let is_whole =
                |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            follows_word && rest.is_some_and(is_whole)
        })
    })
}

/// Writes the page of a file, or of a folder with those of its files, below `dir`.
pub fn write(path: &str, dir: &Path) -> Result<()> {
    let full = root().join(path);
    if full.is_dir() {
        let mut list = String::new();
        for file in files_below(&full)? {
            let file = file.to_string_lossy().replace('\\', "/");
            if let Ok(text) = fs::read_to_string(full.join(&file)) {
                let path = format!("{path}/{file}");
                save(&dir.join(page(&path)), &html(&path, &numbered(&text)))?;
                let up = "../".repeat(page(&path).matches('/').count() - file.matches('/').count());
                list += &format!("<li><a href=\"{up}{}\">{file}</a></li>\n", page(&path));
            }
        }
        return save(
            &dir.join(page(path)),
            &html(path, &format!("<ul>\n{list}</ul>")),
        );
    }
    let text = fs::read_to_string(&full).with_context(|| path.to_owned())?;
    save(&dir.join(page(path)), &html(path, &numbered(&text)))
}

fn save(file: &Path, html: &str) -> Result<()> {
    fs::create_dir_all(file.parent().unwrap_or(file))?;
    Ok(fs::write(file, html)?)
}

/// The lines of a text, each with its number; a line that defines something first has that name as its id.
fn numbered(text: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut lines = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        let name = defined(line).filter(|name| !names.contains(name));
        names.extend(name);
        let id = name.map_or(String::new(), |name| format!(" id=\"{name}\""));
        lines += &format!(
            "<span class=\"line\"{id}><span class=\"number\">{number}</span>{}</span>\n",
            escaped(line)
        );
    }
    format!("<pre tabindex=\"0\">{lines}</pre>")
}

/// The name that a line defines.
fn defined(line: &str) -> Option<&str> {
    let (_, after) = DEFINING.iter().find_map(|word| line.split_once(word))?;
    let end = after
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(after.len());
    let name = &after[..end];
    (!name.is_empty() && defines(line, name)).then_some(name)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A page, light or dark as the system is.
fn html(path: &str, body: &str) -> String {
    let up = "../".repeat(page(path).matches('/').count());
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{path}</title>\n<style>\n\
         :root {{ color-scheme: light dark; }}\n\
         body {{ margin: 1rem; font: 16px/1.5 system-ui, sans-serif; }}\n\
         h1 {{ font-size: 1.2rem; overflow-wrap: anywhere; }}\n\
         pre {{ overflow-x: auto; font: 13px/1.5 ui-monospace, monospace; }}\n\
         .number {{ display: inline-block; width: 4ch; margin-right: 2ch; text-align: right; opacity: 0.6; user-select: none; }}\n\
         .line {{ display: inline-block; min-width: 100%; scroll-margin-top: 3rem; }}\n\
         .line:target {{ background: light-dark(#fff3c4, #4a4113); }}\n\
         </style>\n<p><a href=\"{up}index.html\">Documentation</a></p>\n<h1>{path}</h1>\n{body}\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_found_by_its_whole_name() {
        let text = "use a;\n    pub fn attend_all() {}\n    pub fn attend<R>(x: R) {}\n";
        assert_eq!(line_of(text, "attend"), Some(2));
        assert_eq!(line_of(text, "all"), None);
        let page = numbered(text);
        assert!(page.contains("<span class=\"line\" id=\"attend\"><span class=\"number\">3</span>    pub fn attend&lt;R&gt;"));
    }
}
