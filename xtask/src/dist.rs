//! `cargo xtask dist`: the page as a folder of plain files that any host can serve from any sub-path.

use crate::manifest::{MANIFEST, PAGE, STAMPED};
use crate::site::Site;
use crate::tools::{files_below, root};
use crate::{hosting, manifest, opensearch, wasm};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// Arguments of the command.
#[derive(clap::Args)]
pub struct Args {
    /// The folder to write; an earlier result in it is replaced.
    #[arg(default_value = "dist/site")]
    dir: PathBuf,
    /// Folder of the models.
    #[arg(long, value_name = "DIR", default_value_os_t = root().join("models"), hide_default_value = true)]
    models: PathBuf,
    /// Use the last build.
    #[arg(long)]
    no_build: bool,
    /// Address that the page will have; with it browsers can translate from the address bar (OpenSearch).
    #[arg(long, value_name = "URL", value_parser = opensearch::folder)]
    address: Option<String>,
    /// Write compressed copies (.br, .gz) beside the files; needs Node.
    #[arg(long)]
    compress: bool,
}

/// Builds, copies and checks.
pub fn run(
    Args {
        dir,
        models,
        no_build,
        address,
        compress,
    }: &Args,
) -> Result<()> {
    if !no_build {
        wasm::build()?;
    }
    let files = write(&Site::of_tree(models).at(address.clone()), dir)?;
    let bytes: u64 = files
        .iter()
        .filter_map(|file| fs::metadata(dir.join(file)).ok())
        .map(|meta| meta.len())
        .sum();
    if *compress {
        hosting::compress(dir)?;
    }
    println!("{}: {} files, {bytes} bytes", dir.display(), files.len());
    Ok(())
}

/// Copies every file of the site into `dir` (emptied first), adds the preloads, `site.json` and, at a known address, the
/// OpenSearch description, and checks that all that they refer
/// to is there.
pub fn write(site: &Site, dir: &Path) -> Result<Vec<PathBuf>> {
    empty(dir)?;
    for (prefix, folder) in site.mounts() {
        let out = dir.join(prefix.trim_matches('/'));
        for file in files_below(folder)? {
            let to = out.join(&file);
            fs::create_dir_all(to.parent().unwrap_or(&out))?;
            fs::copy(folder.join(&file), &to)
                .with_context(|| format!("cannot write {}", to.display()))?;
        }
    }
    if site.is_assembled() {
        fs::write(dir.join(PAGE), manifest::page(site)?)?;
        for path in STAMPED {
            fs::write(dir.join(path), manifest::stamped(site, path)?)?;
        }
        hosting::name_by_hash(dir)?;
        if let Some(address) = site.address() {
            let description = opensearch::description(address);
            fs::write(dir.join(opensearch::DESCRIPTION), description)?;
        }
    }
    let written = Site::of_folder("/", dir.to_path_buf());
    manifest::check(&written)?;
    fs::write(dir.join(MANIFEST), manifest::manifest(&written)?)?;
    if site.is_assembled() {
        // Not in the list: what configures a host is no file of the site.
        hosting::write_headers(site, dir)?;
    }
    let files = files_below(dir)?;
    Ok(files)
}

/// Makes `dir` an empty folder; refuses where it holds anything but an earlier result.
fn empty(dir: &Path) -> Result<()> {
    if dir.is_dir() && fs::read_dir(dir)?.next().is_some() {
        if !(dir.join("index.html").is_file() && dir.join("pkg").is_dir()) {
            bail!(
                "{} is not empty and holds no earlier page: name another folder",
                dir.display()
            );
        }
        fs::remove_dir_all(dir).with_context(|| format!("cannot empty {}", dir.display()))?;
    }
    fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_other_things_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("letter.txt"), "mine").unwrap();
        assert!(write(&Site::of_folder("/", root().join("xtask")), dir.path()).is_err());
        assert!(dir.path().join("letter.txt").is_file());
    }

    #[test]
    fn an_earlier_result_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("source");
        fs::create_dir_all(source.join("pkg")).unwrap();
        fs::write(source.join("index.html"), "<p>").unwrap();
        fs::write(source.join("pkg/old.js"), "").unwrap();
        let (site, out) = (Site::of_folder("/", source.clone()), dir.path().join("out"));
        write(&site, &out).unwrap();
        fs::rename(source.join("pkg/old.js"), source.join("pkg/new.js")).unwrap();
        assert_eq!(
            write(&site, &out).unwrap(),
            ["index.html", "pkg/new.js", "site.json"].map(PathBuf::from)
        );
    }
}
