//! `cargo xtask serve`: build the page and serve it from this machine.

use crate::site::Site;
use crate::tools::root;
use crate::{http, wasm};
use anyhow::{Context, Result, ensure};
use std::io::IsTerminal;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

/// Arguments of the command.
#[derive(clap::Args)]
pub struct Args {
    /// Address and port; where the port is taken the next free one is used, 0 takes any.
    #[arg(default_value = "127.0.0.1:8080", value_name = "ADDR:PORT")]
    address: String,
    /// Folder of the models.
    #[arg(long, value_name = "DIR", default_value_os_t = root().join("models"), hide_default_value = true)]
    models: PathBuf,
    /// Use the last build.
    #[arg(long)]
    no_build: bool,
    /// Serve this folder (as `cargo xtask dist` wrote it) instead of the source tree.
    #[arg(long, value_name = "DIR", conflicts_with = "models")]
    dist: Option<PathBuf>,
    /// Put that folder below this address.
    #[arg(long, value_name = "PATH", requires = "dist", default_value = "/")]
    below: String,
}

/// Builds, then serves until the process is ended.
pub fn run(args: &Args) -> Result<()> {
    let address: SocketAddr = args
        .address
        .to_socket_addrs()
        .ok()
        .and_then(|mut found| found.next())
        .with_context(|| {
            format!(
                "`{}` is no address and port such as 127.0.0.1:8080",
                args.address
            )
        })?;
    let folder = args.dist.as_ref().unwrap_or(&args.models);
    ensure!(folder.is_dir(), "{} is no folder", folder.display());
    let site = match &args.dist {
        Some(folder) => Site::of_folder(&args.below, folder.clone()),
        None => {
            if !args.no_build {
                wasm::build()?;
            }
            Site::of_tree(&args.models)
        }
    };
    let listener = http::listen(address).with_context(|| format!("cannot listen at {address}"))?;
    let local = listener.local_addr()?;
    let url = format!("http://{local}{}", site.entry());
    println!("{url}");
    // At all addresses of this machine: a visitor's is not known.
    let site = site.at((!local.ip().is_unspecified()).then_some(url));
    if std::io::stderr().is_terminal() {
        eprintln!("Open this address in a browser; Ctrl-C ends.");
    }
    http::serve(&listener, &site)
}
