//! What a static host needs to serve the page well: WebAssembly named by its hash, so that it may be cached for ever, headers, and
//! compressed copies.

use crate::modules;
use crate::site::Site;
use crate::tools::{call, files_below, root};
use anyhow::Result;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What a browser may cache for ever, as a file name of [`name_by_hash`] is never given to another content.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// Puts the hash of every WebAssembly file into its name, and the new name into the modules that refer to it.
///
/// # Errors
/// Where a file cannot be read or written.
pub fn name_by_hash(dir: &Path) -> Result<()> {
    let files = files_below(dir)?;
    let mut names = Vec::new();
    for file in &files {
        let path = file.to_string_lossy().replace('\\', "/");
        if let Some(stem) = path.strip_suffix(".wasm") {
            let hash = format!("{:x}", Sha256::digest(fs::read(dir.join(file))?));
            let named = format!("{stem}.{}.wasm", &hash[..16]);
            fs::rename(dir.join(file), dir.join(&named))?;
            names.push((path, named));
        }
    }
    for file in files
        .iter()
        .filter(|file| file.extension().is_some_and(|end| end == "js"))
    {
        let path = file.to_string_lossy().replace('\\', "/");
        let before = fs::read_to_string(dir.join(file))?;
        let mut text = before.clone();
        for specifier in modules::imports(&before)
            .into_iter()
            .map(|import| import.specifier)
        {
            let target = modules::resolved(&path, &specifier);
            if let Some((from, to)) = names.iter().find(|(from, _)| Some(from) == target.as_ref()) {
                let end = from.rsplit('/').next().unwrap_or(from);
                let named = to.rsplit('/').next().unwrap_or(to);
                let renamed = specifier.replace(end, named);
                for quote in ['\'', '"'] {
                    text = text.replace(
                        &format!("{quote}{specifier}{quote}"),
                        &format!("{quote}{renamed}{quote}"),
                    );
                }
            }
        }
        // wasm-bindgen's module names the file beside it.
        for (from, to) in &names {
            let (from, to) = (Path::new(from), Path::new(to));
            if from.parent() == file.parent() {
                let quoted = |path: &Path| {
                    format!(
                        "'{}'",
                        path.file_name().unwrap_or_default().to_string_lossy()
                    )
                };
                text = text.replace(&quoted(from), &quoted(to));
            }
        }
        if text != before {
            fs::write(dir.join(file), text)?;
        }
    }
    Ok(())
}

/// Writes the page's policy and its caching as `_headers` (Netlify, Cloudflare Pages) and `.htaccess` (Apache).
///
/// # Errors
/// Where a file cannot be written.
pub fn write_headers(site: &Site, dir: &Path) -> Result<()> {
    let policy = site.stated_policy().unwrap_or_default();
    let headers = format!(
        "/*\n  Content-Security-Policy: {policy}\n  X-Content-Type-Options: nosniff\n  Referrer-Policy: no-referrer\n  Cache-Control: no-cache\n\
         /pkg/*.wasm\n  ! Cache-Control\n  Cache-Control: {FOR_EVER}\n"
    );
    fs::write(dir.join("_headers"), headers)?;
    let types = [
        ("js", "text/javascript"),
        ("css", "text/css"),
        ("html", "text/html"),
        ("json", "application/json"),
        ("svg", "image/svg+xml"),
        ("wasm", "application/wasm"),
    ];
    let coded: String = types
        .iter()
        .map(|(end, kind)| format!("  RewriteRule \\.{end}\\.br$ - [T={kind},E=no-gzip:1]\n"))
        .collect();
    let ends = types.map(|(end, _)| end).join("|");
    let apache = format!(
        "AddType text/javascript .js\nAddType application/wasm .wasm\n\
         <IfModule mod_rewrite.c>\n  RewriteEngine On\n  RewriteCond %{{HTTP:Accept-Encoding}} br\n  \
         RewriteCond %{{REQUEST_FILENAME}}.br -s\n  RewriteRule ^(.*)\\.({ends})$ $1.$2.br [QSA]\n{coded}</IfModule>\n\
         <IfModule mod_headers.c>\n  Header set Content-Security-Policy \"{policy}\"\n  \
         Header set X-Content-Type-Options nosniff\n  Header set Referrer-Policy no-referrer\n  Header set Cache-Control no-cache\n  \
         <FilesMatch \"\\.[0-9a-f]{{16}}\\.wasm(\\.br)?$\">\n    Header set Cache-Control \"{FOR_EVER}\"\n  </FilesMatch>\n  \
         <FilesMatch \"\\.br$\">\n    Header set Content-Encoding br\n    Header append Vary Accept-Encoding\n  </FilesMatch>\n</IfModule>\n"
    );
    fs::write(dir.join(".htaccess"), apache)?;
    Ok(())
}

/// Writes `FILE.br` and `FILE.gz` beside every text and WebAssembly file, for hosts that serve them.
///
/// # Errors
/// Where Node, whose zlib does it, is not there or fails.
pub fn compress(dir: &Path) -> Result<()> {
    let script = root().join("tools/compress.mjs");
    call(Command::new("node").arg(script).arg(dir))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_content_has_a_new_name_and_its_modules_refer_to_it() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for folder in ["engine", "pkg/relaxed"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        let module = "const a = new URL('../pkg/a.wasm', import.meta.url);\nconst b = new URL('../pkg/relaxed/a.wasm', import.meta.url);\n";
        fs::write(at("engine/build.js"), module).unwrap();
        let beside = "module_or_path = new URL('a.wasm', import.meta.url);";
        fs::write(at("pkg/a.js"), beside).unwrap();
        fs::write(at("pkg/a.wasm"), "1").unwrap();
        fs::write(at("pkg/relaxed/a.wasm"), "2").unwrap();
        name_by_hash(dir.path()).unwrap();
        // As `printf 1 | sha256sum` and `printf 2 | sha256sum` begin.
        assert!(at("pkg/a.6b86b273ff34fce1.wasm").is_file() && !at("pkg/a.wasm").exists());
        let beside = fs::read_to_string(at("pkg/a.js")).unwrap();
        assert!(beside.contains("'a.6b86b273ff34fce1.wasm'"), "{beside}");
        let text = fs::read_to_string(at("engine/build.js")).unwrap();
        assert!(text.contains("'../pkg/a.6b86b273ff34fce1.wasm'"), "{text}");
        assert!(
            text.contains("'../pkg/relaxed/a.d4735e3a265e16ee.wasm'"),
            "{text}"
        );
    }

    #[test]
    fn what_is_named_by_its_hash_may_be_kept_and_all_else_is_asked_for_again() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("index.html"), "<p>").unwrap();
        write_headers(&Site::of_folder("/", dir.path().to_path_buf()), dir.path()).unwrap();
        let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
        let netlify = read("_headers");
        let (all, wasm) = netlify.split_once("/pkg/*.wasm\n").unwrap();
        assert!(all.contains("Cache-Control: no-cache") && !all.contains(FOR_EVER));
        assert!(wasm.starts_with("  ! Cache-Control\n") && wasm.contains(FOR_EVER));
        let apache = read(".htaccess");
        let (all, wasm) = apache.split_once("<FilesMatch").unwrap();
        assert!(all.contains("Cache-Control no-cache") && !all.contains(FOR_EVER));
        // Sixteen digits of a hash, as `name_by_hash` writes them, also of the compressed copy.
        assert!(
            wasm.starts_with(" \"\\.[0-9a-f]{16}\\.wasm(\\.br)?$\">"),
            "{wasm}"
        );
    }
}
