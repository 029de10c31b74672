//! Maps addresses to files: the page's folders laid over each other.

use crate::manifest::{self, MANIFEST, PAGE, STAMPED};
use crate::opensearch::{self, DESCRIPTION};
use crate::tools::{files_below, root};
use anyhow::Result;
use std::path::{Component, Path, PathBuf};

/// A web site made of folders, each at an address prefix.
#[derive(Clone)]
pub struct Site {
    /// (prefix with leading and trailing slash, folder); the longest matching prefix answers.
    mounts: Vec<(String, PathBuf)>,
    /// `Cache-Control` of its files.
    cache: &'static str,
    /// Whether it lies in several folders of the source tree, so that `site.json` and the page's preloads are made when they are asked for.
    assembled: bool,
    /// Whether its answers carry the page's policy.
    bound: bool,
    /// The absolute address of its folder, where that is known.
    address: Option<String>,
}

/// What a request is answered with.
pub enum Content {
    /// The bytes of this file.
    File(PathBuf),
    /// Bytes made for this request, of the type of a file with this name.
    Made(&'static str, Vec<u8>),
}

/// The browser sees a rebuilt file at the next reload.
const REVALIDATE: &str = "no-cache";

impl Site {
    /// The page as it lies in the source tree, with models from `models`.
    pub fn of_tree(models: &Path) -> Site {
        Site {
            mounts: vec![
                ("/".into(), root().join("www")),
                ("/pkg/".into(), root().join("pkg")),
                ("/models/".into(), models.to_path_buf()),
            ],
            cache: REVALIDATE,
            assembled: true,
            bound: true,
            address: None,
        }
    }

    /// The same with the caching of most hosts: a browser revalidates a file after an hour.
    pub fn kept_for_an_hour(mut self) -> Site {
        self.cache = "max-age=3600";
        self
    }

    /// The same at this absolute address.
    pub fn at(mut self, address: Option<String>) -> Site {
        self.address = address;
        self
    }

    /// The absolute address of its folder, where that is known.
    pub fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    /// `Cache-Control` of the site's files.
    pub fn cache(&self) -> &'static str {
        self.cache
    }

    /// The same with a folder more, at `prefix` (with leading and trailing slash). What lies in it need not keep to the page's policy.
    pub fn with(mut self, prefix: &str, folder: PathBuf) -> Site {
        self.bound = false;
        self.mounts.push((prefix.to_owned(), folder));
        self
    }

    /// One folder below an address such as `/some/where/`.
    pub fn of_folder(prefix: &str, folder: PathBuf) -> Site {
        let inner = prefix.trim_matches('/');
        let prefix = if inner.is_empty() {
            "/".into()
        } else {
            format!("/{inner}/")
        };
        Site {
            mounts: vec![(prefix, folder)],
            cache: REVALIDATE,
            assembled: false,
            bound: true,
            address: None,
        }
    }

    /// Whether `site.json` and the page's preloads are made when they are asked for.
    pub fn is_assembled(&self) -> bool {
        self.assembled
    }

    /// Every file of the page and the engine, by its path below the site's address, in that order: all but the models.
    ///
    /// # Errors
    /// Where a folder cannot be read.
    pub fn files(&self) -> Result<Vec<(String, PathBuf)>> {
        let mut files = Vec::new();
        for (prefix, folder) in &self.mounts {
            let below = prefix.strip_prefix(self.entry()).unwrap_or(prefix);
            for file in files_below(folder)? {
                let path = format!("{below}{}", file.to_string_lossy().replace('\\', "/"));
                if !path.starts_with("models/") {
                    files.push((path, folder.join(&file)));
                }
            }
        }
        files.sort();
        Ok(files)
    }

    /// The Content-Security-Policy that the page itself states, which as a header binds its workers too. A model may come
    /// from another server on this machine as well.
    pub fn policy(&self) -> Option<String> {
        if !self.bound {
            return None;
        }
        let policy = self.stated_policy()?;
        let local = "connect-src http://localhost:* http://127.0.0.1:*";
        Some(policy.replacen("connect-src", local, 1))
    }

    /// The policy as it stands in the page.
    pub fn stated_policy(&self) -> Option<String> {
        let html = std::fs::read_to_string(self.resolve(self.entry())?).ok()?;
        let (_, rest) = html.split_once("http-equiv=\"Content-Security-Policy\"")?;
        let policy = rest.split_once("content=\"")?.1.split('"').next()?;
        Some(policy.to_owned())
    }

    /// Content for a request's target; none where it is missing, hidden or outside the site.
    pub fn content(&self, target: &str) -> Option<Content> {
        if self.assembled {
            let path = target.split(['?', '#']).next()?;
            let made = match path.strip_prefix(self.entry())? {
                "" | PAGE => manifest::page(self).map(|page| (PAGE, page)),
                MANIFEST => manifest::manifest(self).map(|list| (MANIFEST, list)),
                DESCRIPTION => Ok((DESCRIPTION, opensearch::description(self.address()?))),
                path if STAMPED.contains(&path) => {
                    manifest::stamped(self, path).map(|module| ("module.js", module))
                }
                _ => return self.resolve(target).map(Content::File),
            };
            return made
                .ok()
                .map(|(name, text)| Content::Made(name, text.into_bytes()));
        }
        self.resolve(target).map(Content::File)
    }

    /// The folders of the site with their prefixes.
    pub fn mounts(&self) -> &[(String, PathBuf)] {
        &self.mounts
    }

    /// The address of the site's first page, as a path.
    pub fn entry(&self) -> &str {
        self.mounts.first().map_or("/", |(prefix, _)| prefix)
    }

    /// File for a request's target; none where it is missing, hidden or outside the site.
    pub fn resolve(&self, target: &str) -> Option<PathBuf> {
        let path = percent_decoded(target.split(['?', '#']).next()?)?;
        let mounts = self.mounts.iter().filter_map(|(prefix, dir)| {
            Some((prefix.len(), dir, path.strip_prefix(prefix.as_str())?))
        });
        let (_, dir, rest) = mounts.max_by_key(|(len, ..)| *len)?;
        let rest = if rest.is_empty() || rest.ends_with('/') {
            format!("{rest}index.html")
        } else {
            rest.to_owned()
        };
        let inside = Path::new(&rest).components().all(|part| match part {
            Component::Normal(name) => !name.to_string_lossy().starts_with('.'),
            _ => false,
        });
        let file = dir.join(rest);
        (inside && file.is_file()).then_some(file)
    }
}

/// `%41` → `A`; none for invalid escapes or UTF-8.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let (high, low) = (
                char::from(rest.next()?).to_digit(16)?,
                char::from(rest.next()?).to_digit(16)?,
            );
            bytes.push((high * 16 + low) as u8);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// The media type of a file by its extension; browsers refuse modules and wasm of another one.
pub fn media_type(path: &Path) -> &'static str {
    match path
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or("")
    {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "xml" => "application/opensearchdescription+xml",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ts" | "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_prefix_answers_from_its_folder() {
        let site = Site::of_tree(&root().join("models"));
        assert_eq!(
            site.resolve("/engine/protocol.d.ts?x=1"),
            Some(root().join("www/engine/protocol.d.ts"))
        );
        let own = Site::of_folder("a/b", root().join("xtask"));
        assert_eq!(own.entry(), "/a/b/");
        assert_eq!(
            own.resolve("/a/b/src/main%2ers"),
            Some(root().join("xtask/src/main.rs"))
        );
        assert_eq!(own.resolve("/src/main.rs"), None);
    }

    #[test]
    fn nothing_outside_or_hidden_is_served() {
        let site = Site::of_folder("/", root().join("xtask"));
        for bad in [
            "/../Cargo.toml",
            "/%2e%2e/Cargo.toml",
            "/src/../../Cargo.toml",
            "//etc/passwd",
            "/nope",
            "/%zz",
            "src/main.rs",
        ] {
            assert_eq!(site.resolve(bad), None, "{bad}");
        }
        let pkg = Site::of_folder("/", root().join("pkg"));
        assert!(root().join("pkg/.gitignore").is_file());
        assert_eq!(pkg.resolve("/.gitignore"), None);
    }

    #[test]
    fn modules_and_wasm_have_the_types_that_browsers_demand() {
        assert_eq!(media_type(Path::new("a/b.wasm")), "application/wasm");
        assert_eq!(
            media_type(Path::new("b.js")),
            "text/javascript; charset=utf-8"
        );
        assert_eq!(
            media_type(Path::new("model.safetensors")),
            "application/octet-stream"
        );
    }
}
