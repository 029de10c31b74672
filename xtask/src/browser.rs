//! Finds or installs what the browser tests need: Chromium, its driver, Firefox, Node and npm's packages.

use crate::tools::{call, install_debian_packages, on_path, root};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Names under which systems install Chromium or a browser like it.
const BROWSERS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
/// Builds of the same browser that draw pages without a window.
const HEADLESS_SHELLS: [&str; 2] = ["chromium-headless-shell", "chrome-headless-shell"];
const FIREFOXES: [&str; 2] = ["firefox-esr", "firefox"];
const FIREFOX_ON_MACOS: &str = "/Applications/Firefox.app/Contents/MacOS/firefox";
const ON_MACOS: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/// The browser and the program that drives it for the wasm tests.
pub struct Browser {
    /// The browser's program (`CHROMIUM` overrides the search).
    pub program: PathBuf,
    /// Its WebDriver server (`CHROMEDRIVER` overrides the search).
    pub driver: PathBuf,
}

/// Chromium and its driver, installed first where they are missing and this is root on a Debian-like system.
///
/// # Errors
/// Says what to install, or how to run without a browser.
pub fn ensure() -> Result<Browser> {
    if let Some(browser) = find() {
        return Ok(browser);
    }
    let advice = "Install both with your system's package manager (Debian: apt-get install chromium chromium-driver; \
        Fedora: dnf install chromium chromedriver; macOS: brew install --cask google-chrome chromedriver), \
        or name them in CHROMIUM and CHROMEDRIVER, or leave the browser out: cargo xtask test --no-browser";
    install_debian_packages(
        &["chromium", "chromium-driver"],
        "Chromium and chromedriver are not there",
        advice,
    )?;
    find().with_context(|| {
        format!("Chromium and chromedriver were installed but not found.\n{advice}")
    })
}

fn find() -> Option<Browser> {
    let named = |variable| {
        env::var_os(variable)
            .map(PathBuf::from)
            .filter(|file| file.is_file())
    };
    let on_macos = || Some(PathBuf::from(ON_MACOS)).filter(|file| file.is_file());
    Some(Browser {
        program: named("CHROMIUM")
            .or_else(|| on_path(&BROWSERS))
            .or_else(on_macos)?,
        driver: named("CHROMEDRIVER").or_else(|| on_path(&["chromedriver"]))?,
    })
}

/// The browser for the page's tests: Chromium's build without windows, which takes two thirds of the processor time that
/// `browser` takes for the same pages (its start, tabs and requests cost less); `browser` where that build cannot be had
/// or where `CHROMIUM` names one.
pub fn for_pages(browser: &Browser) -> PathBuf {
    let find = || on_path(&HEADLESS_SHELLS);
    if env::var_os("CHROMIUM").is_some() {
        return browser.program.clone();
    }
    if let Some(program) = find() {
        return program;
    }
    let advice = "The page's tests run in the whole browser instead, and take longer";
    if let Err(error) = install_debian_packages(
        &["chromium-headless-shell"],
        "Chromium without windows is not there",
        advice,
    ) {
        eprintln!("{error:#}");
    }
    find().unwrap_or_else(|| browser.program.clone())
}

/// Firefox, installed first where it is missing; none, with a message, where it cannot be installed.
pub fn firefox() -> Option<PathBuf> {
    let find = || {
        env::var_os("FIREFOX")
            .map(PathBuf::from)
            .filter(|file| file.is_file())
            .or_else(|| on_path(&FIREFOXES))
            .or_else(|| Some(PathBuf::from(FIREFOX_ON_MACOS)).filter(|file| file.is_file()))
    };
    if let Some(program) = find() {
        return Some(program);
    }
    let advice = "Install it with your system's package manager (Debian: apt-get install firefox-esr), or name it in FIREFOX";
    if let Err(error) = install_debian_packages(&["firefox-esr"], "Firefox is not there", advice) {
        eprintln!("{error:#}");
    }
    find()
}

/// Node, installed first where it is missing.
pub fn ensure_node() -> Result<()> {
    if on_path(&["node"]).is_some() {
        return Ok(());
    }
    let advice = "Install Node 18 or newer with your system's package manager (Debian: apt-get install nodejs npm)";
    install_debian_packages(&["nodejs", "npm"], "Node is not there", advice)
}

/// The packages of `tests/e2e/`, installed where the lock file is newer.
pub fn ensure_packages() -> Result<()> {
    ensure_packages_of(&folder())
}

/// The packages of a folder with a lock file.
pub fn ensure_packages_of(folder: &Path) -> Result<()> {
    ensure_node()?;
    let age = |file: &Path| fs::metadata(file).and_then(|meta| meta.modified()).ok();
    let installed = age(&folder.join("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= age(&folder.join("package-lock.json")) {
        return Ok(());
    }
    if on_path(&["npm"]).is_none() {
        install_debian_packages(
            &["npm"],
            "npm is not there",
            "Install npm with your system's package manager",
        )?;
    }
    call(
        Command::new("npm")
            .args([
                "ci",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--loglevel=error",
            ])
            .current_dir(folder),
    )
}

/// Where the browser tests and their packages lie.
pub fn folder() -> PathBuf {
    root().join("tests/e2e")
}
