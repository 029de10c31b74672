//! What the page's modules import: so that a missing file is noticed before a visitor does, and the first screen's modules
//! are fetched all at once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

/// A way in which one file of the site names another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// As written.
    pub specifier: String,
    /// Whether the module cannot run before that file is there.
    pub is_static: bool,
}

/// The imports of a module, and the files that it names by `new URL(…, import.meta.url)`. Comments are left out, as types
/// refer to files that no browser loads.
pub fn imports(script: &str) -> Vec<Import> {
    let mut found = Vec::new();
    for line in script.lines() {
        let line = without_comments(line);
        let line = line.trim_start();
        if ["//", "*", "/*"].iter().any(|mark| line.starts_with(mark)) {
            continue;
        }
        let declares = ["import ", "export ", "} from "]
            .iter()
            .any(|word| line.starts_with(word));
        for (before, is_static) in [
            (" from ", true),
            ("import ", true),
            ("import(", false),
            ("new URL(", false),
        ] {
            if is_static && !declares {
                continue;
            }
            for (at, _) in line.match_indices(before) {
                let specifier = quoted(&line[at + before.len()..])
                    .filter(|name| name.starts_with('.') || name.starts_with('/'));
                // A folder is completed at run time.
                let Some(specifier) =
                    specifier.filter(|name| !name.ends_with('/') && !name.contains("${"))
                else {
                    continue;
                };
                if before != "new URL(" || line.contains("import.meta.url") {
                    found.push(Import {
                        specifier: specifier.to_owned(),
                        is_static,
                    });
                }
            }
        }
    }
    found
}

/// A line without the comments that begin and end in it.
fn without_comments(line: &str) -> String {
    let mut code = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("/*") {
        code += before;
        let Some((_, after)) = after.split_once("*/") else {
            // It continues in the next line; those begin with a star.
            return code;
        };
        rest = after;
    }
    code + rest
}

/// The string literal with which a text begins.
fn quoted(text: &str) -> Option<&str> {
    let quote = text
        .chars()
        .next()
        .filter(|quote| ['\'', '"', '`'].contains(quote))?;
    text[1..].split(quote).next()
}

/// What the tags of a page load: `src` of scripts, `href` of links.
pub fn tags(html: &str) -> Vec<(&str, &str)> {
    html.split('<')
        .filter_map(|rest| rest.split('>').next())
        .filter_map(|tag| {
            let name = tag
                .split(' ')
                .next()
                .filter(|name| ["script", "link", "img"].contains(name))?;
            let attribute = if name == "link" {
                " href=\""
            } else {
                " src=\""
            };
            let (_, value) = tag.split_once(attribute)?;
            let value = value
                .split('"')
                .next()
                .filter(|value| !value.starts_with("data:"))?;
            Some((tag, value))
        })
        .collect()
}

/// The path of a site's file that `specifier` names in the file `from`; none where it leaves the site or starts at the host's root, which
/// breaks below a sub-path.
pub fn resolved(from: &str, specifier: &str) -> Option<String> {
    let mut path: Vec<String> = Vec::new();
    let folder = Path::new(from).parent()?;
    for part in folder
        .join(specifier.split(['?', '#']).next()?)
        .components()
    {
        match part {
            Component::Normal(name) => path.push(name.to_str()?.to_owned()),
            Component::ParentDir => drop(path.pop()?),
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(path.join("/"))
}

/// The modules of a page that have to be there before it runs: its module scripts and all that they import statically, in
/// the order in which they are met.
pub fn first_modules(html: &str, read: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let scripts = tags(html)
        .into_iter()
        .filter(|(tag, _)| tag.contains("type=\"module\""));
    let mut open: Vec<String> = scripts
        .filter_map(|(_, src)| resolved("index.html", src))
        .rev()
        .collect();
    let (mut met, mut seen) = (Vec::new(), BTreeSet::new());
    while let Some(path) = open.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let text = read(&path).unwrap_or_default();
        let statics = imports(&text).into_iter().filter(|import| import.is_static);
        open.extend(
            statics
                .filter_map(|import| resolved(&path, &import.specifier))
                .rev(),
        );
        met.push(path);
    }
    met
}

/// References that would not work on a plain host, as sentences. `texts` has the site's pages and modules by path.
pub fn broken(texts: &BTreeMap<String, String>, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in texts {
        let names: Vec<String> = if path.ends_with(".html") {
            tags(text)
                .into_iter()
                .map(|(_, value)| value.to_owned())
                .collect()
        } else {
            imports(text)
                .into_iter()
                .map(|import| import.specifier)
                .collect()
        };
        for name in names {
            match resolved(path, &name) {
                Some(target) if exists(&target) => {}
                Some(target) => {
                    faults.push(format!("{path} refers to {target}, which is not there"))
                }
                None => faults.push(format!(
                    "{path} refers to {name}, which is outside of the site"
                )),
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: &str = "/** @import { T } from './types.js' */\nimport {\n  a,\n} from './a.js';\nimport './b.js';\n// import './gone.js'\n\
        const view = () => import('./view.js');\nconst style = new URL('./view.css', import.meta.url);\nfetch(new URL('models/', import.meta.url));\n\
        export { c } from \"./sub/c.js\";\nconst typed = /** @type {import('./types').T} */ (text);\nconst text = 'copied from \\'./x.js\\'';\nawait import(`./${name}/x.js`);\n";

    #[test]
    fn imports_are_told_from_comments_and_texts() {
        let of = |wanted: bool| -> Vec<String> {
            let all = imports(MAIN).into_iter();
            all.filter(|import| import.is_static == wanted)
                .map(|import| import.specifier)
                .collect()
        };
        assert_eq!(of(true), ["./a.js", "./b.js", "./sub/c.js"]);
        assert_eq!(of(false), ["./view.js", "./view.css"]);
    }

    #[test]
    fn the_first_modules_are_the_static_closure_each_once() {
        let html = "<link rel=\"stylesheet\" href=\"./s.css\"><script src=\"./plain.js\"></script><script type=\"module\" src=\"./main.js\"></script>";
        let read = |path: &str| match path {
            "main.js" => Some(MAIN.to_owned()),
            "sub/c.js" => Some("import '../a.js';\nimport '../main.js';".to_owned()),
            _ => None,
        };
        assert_eq!(
            first_modules(html, read),
            ["main.js", "a.js", "b.js", "sub/c.js"]
        );
    }

    #[test]
    fn missing_rooted_and_escaping_references_are_broken() {
        let page = "<!-- <a href=\"https://example.org\"> --><a href=\"https://example.org\">x</a><link href=\"data:,\"><script src=\"/rooted.js\"></script><script src=\"m.js?v=1\"></script>";
        let texts = [
            ("index.html", page),
            (
                "m.js",
                "import './there.js';\nimport './gone.js';\nimport '../out.js';",
            ),
        ];
        let texts = texts
            .map(|(path, text)| (path.to_owned(), text.to_owned()))
            .into();
        let faults = broken(&texts, |path| ["m.js", "there.js"].contains(&path));
        assert_eq!(
            faults,
            [
                "index.html refers to /rooted.js, which is outside of the site",
                "m.js refers to gone.js, which is not there",
                "m.js refers to ../out.js, which is outside of the site"
            ]
        );
    }
}
