//! A module and those that it imports, joined into one: it then starts with one request in place of one for each of them.
//!
//! Each imported module becomes a function that is called once and gives what the module exports, so that names inside
//! need not differ from those of other modules. What has no such form (default exports, circles, exported variables that
//! change) is refused.

use crate::modules;
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The module at `entry` with all that it imports, and with its own exports. `read` gives a module's text.
///
/// # Errors
/// Names the module that cannot be read or joined.
pub fn join(entry: &str, read: impl Fn(&str) -> Option<String>) -> Result<String> {
    let mut joining = Joining {
        entry,
        read: &read,
        names: BTreeMap::new(),
        open: Vec::new(),
        text: String::new(),
    };
    let body = joining.module(entry)?;
    Ok(joining.text + &body)
}

struct Joining<'a> {
    entry: &'a str,
    read: &'a dyn Fn(&str) -> Option<String>,
    /// Names of the values that stand for the modules joined so far.
    names: BTreeMap<String, String>,
    /// Modules whose imports are being joined.
    open: Vec<String>,
    text: String,
}

impl Joining<'_> {
    /// Joins what a module imports; gives its own text, whose imports are taken out, and, but for the entry's, its exports.
    fn module(&mut self, path: &str) -> Result<String> {
        ensure!(
            !self.open.iter().any(|open| open == path),
            "{path} imports itself by way of {}",
            self.open.join(", ")
        );
        self.open.push(path.to_owned());
        let text = (self.read)(path).with_context(|| format!("cannot read {path}"))?;
        let mut body = String::new();
        let mut exports = Vec::new();
        let is_entry = path == self.entry;
        for line in text.lines() {
            if line.starts_with("import ") {
                if let Some(import) = self.import(path, line)? {
                    writeln!(body, "{import}")?;
                }
            } else if is_entry {
                writeln!(body, "{line}")?;
            } else if let Some(list) = line.strip_prefix("export {") {
                let list = list.trim_end().strip_suffix("};");
                let list = list.with_context(|| format!("{path}: {line} must be whole"))?;
                exports.extend(list.split(',').map(|name| renamed(name.trim())));
            } else if let Some(declaration) = line.strip_prefix("export ") {
                let name = declared(declaration).with_context(|| {
                    format!("{path}: only functions, classes and constants are joined, not {line}")
                })?;
                exports.push(name.to_owned());
                writeln!(body, "{declaration}")?;
            } else {
                writeln!(body, "{line}")?;
            }
        }
        self.open.pop();
        if let Some(address) = self.address(path) {
            body = body.replace("import.meta.url", &address);
        }
        if !is_entry {
            let name = format!("$module{}", self.names.len());
            write!(
                self.text,
                "// {path}\nconst {name} = (() => {{\n{body}return {{ {} }};\n}})();\n",
                exports.join(", ")
            )?;
            self.names.insert(path.to_owned(), name);
        }
        Ok(body)
    }

    /// What stands for an import of a joined module; nothing where it stays at the top, or gives no names.
    fn import(&mut self, path: &str, line: &str) -> Result<Option<String>> {
        let found = modules::imports(line);
        let [import] = &found[..] else {
            bail!("{path}: an import must stand in one line: {line}");
        };
        let target = modules::resolved(path, &import.specifier)
            .with_context(|| format!("{path}: {line} leads out of the site"))?;
        if !self.names.contains_key(&target) {
            self.module(&target)?;
        }
        let name = &self.names[&target];
        let what = line["import ".len()..]
            .split(" from ")
            .next()
            .unwrap_or_default()
            .trim();
        if let Some(all) = what.strip_prefix("* as ") {
            return Ok(Some(format!("const {all} = {name};")));
        }
        if what.starts_with('{') {
            return Ok(Some(format!(
                "const {} = {name};",
                what.replace(" as ", ": ")
            )));
        }
        ensure!(
            what.starts_with(['\'', '"']),
            "{path}: there are no default exports: {line}"
        );
        Ok(None)
    }

    /// `import.meta.url` of a module in another folder than the joined one, as an expression.
    fn address(&self, path: &str) -> Option<String> {
        let folder = Path::new(self.entry).parent()?;
        if Path::new(path).parent() == Some(folder) {
            return None;
        }
        let place = match Path::new(path).strip_prefix(folder) {
            Ok(below) => format!("./{}", below.to_str()?),
            Err(_) => format!("{}{path}", "../".repeat(folder.components().count())),
        };
        Some(format!("new URL('{place}', import.meta.url).href"))
    }
}

/// `a as b` in a list of exports, as a property.
fn renamed(name: &str) -> String {
    match name.split_once(" as ") {
        Some((own, given)) => format!("{given}: {own}"),
        None => name.to_owned(),
    }
}

/// The name that a declaration gives.
fn declared(declaration: &str) -> Option<&str> {
    let rest = declaration.strip_prefix("async ").unwrap_or(declaration);
    let kinds = ["function* ", "function ", "class ", "const "];
    let rest = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))?;
    Some(&rest[..end]).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(files: &[(&str, &str)]) -> Result<String> {
        join("engine/worker.js", |path| {
            let file = files.iter().find(|(name, _)| *name == path);
            file.map(|(_, text)| (*text).to_owned())
        })
    }

    #[test]
    fn modules_become_functions_in_the_order_in_which_they_are_needed() {
        let text = joined(&[
            ("engine/worker.js", "import * as core from '../pkg/core.js';\nimport { a as b } from './a.js';\nconst own = 1;\nb(core, own);"),
            ("pkg/core.js", "export class C {}\nasync function init() {\n  return new URL('x.wasm', import.meta.url);\n}\nexport { init as default };"),
            ("engine/a.js", "import { HERE } from './deep/c.js';\nconst own = 2;\nexport async function a() {\n  return [own, HERE];\n}"),
            ("engine/deep/c.js", "import { a } from '../d.js';\nexport const HERE = new URL('../../x', import.meta.url);"),
            ("engine/d.js", "export const a = new URL('../y', import.meta.url);"),
        ])
        .unwrap();
        assert_eq!(
            text,
            "// pkg/core.js\nconst $module0 = (() => {\nclass C {}\nasync function init() {\n  \
             return new URL('x.wasm', new URL('../pkg/core.js', import.meta.url).href);\n}\nreturn { C, default: init };\n})();\n\
             // engine/d.js\nconst $module1 = (() => {\nconst a = new URL('../y', import.meta.url);\nreturn { a };\n})();\n\
             // engine/deep/c.js\nconst $module2 = (() => {\nconst { a } = $module1;\n\
             const HERE = new URL('../../x', new URL('./deep/c.js', import.meta.url).href);\nreturn { HERE };\n})();\n\
             // engine/a.js\nconst $module3 = (() => {\nconst { HERE } = $module2;\nconst own = 2;\nasync function a() {\n  return [own, HERE];\n}\nreturn { a };\n})();\n\
             const core = $module0;\nconst { a: b } = $module3;\nconst own = 1;\nb(core, own);\n"
        );
    }

    #[test]
    fn the_entry_keeps_its_exports() {
        let text = joined(&[
            (
                "engine/worker.js",
                "import { A } from './a.js';\nexport class B extends A {}\nexport { A };",
            ),
            ("engine/a.js", "export class A {}"),
        ])
        .unwrap();
        assert!(
            text.ends_with("const { A } = $module0;\nexport class B extends A {}\nexport { A };\n"),
            "{text}"
        );
    }

    #[test]
    fn what_cannot_be_joined_is_refused() {
        for (module, reason) in [
            ("export default 1;", "default 1"),
            ("export let a = 1;", "export let a"),
            ("export {\n  a };", "must be whole"),
            ("import { x } from './worker.js';", "imports itself"),
            ("import { x } from './gone.js';", "gone.js"),
            ("import x from './b.js';", "default exports"),
            ("import { x } from '../../core.js';", "out of the site"),
            ("import {\n  x,\n} from './b.js';", "in one line"),
        ] {
            let files = [
                ("engine/worker.js", "import './a.js';"),
                ("engine/a.js", module),
                ("engine/b.js", ""),
            ];
            let error = joined(&files).unwrap_err();
            assert!(format!("{error:#}").contains(reason), "{error:#}");
        }
    }
}
