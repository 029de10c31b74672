//! The system's MPI library, by which several trainers train one model.

use crate::tools::{install_debian_packages, on_path, output};
use anyhow::Result;
use std::process::Command;

/// What cargo needs to build the trainer for it.
pub const FEATURE: [&str; 2] = ["--features", "mpi"];

/// Finds `mpirun` and the compiler of an MPI library, and installs them where they are missing and this is root on a
/// Debian-like system.
///
/// # Errors
/// Says what to install.
pub fn ensure() -> Result<()> {
    if is_there() {
        return Ok(());
    }
    install_debian_packages(
        &["openmpi-bin", "libopenmpi-dev", "libclang-dev"],
        "There is no MPI library",
        "Install one and libclang, which reads its headers (Debian: apt-get install openmpi-bin libopenmpi-dev libclang-dev; \
         macOS: brew install open-mpi llvm)",
    )
}

fn is_there() -> bool {
    ["mpirun", "mpicc"]
        .iter()
        .all(|program| on_path(&[program]).is_some())
}

/// `mpirun` for this many processes on this machine.
pub fn run(ranks: usize) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["-n", &ranks.to_string()]);
    // Open MPI's; others ignore them. More ranks than cores are allowed, and then do not wait by spinning; a rank's threads may
    // use every core; a container's user is often root.
    for (name, value) in [
        ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
        ("OMPI_MCA_mpi_yield_when_idle", "1"),
        ("OMPI_MCA_hwloc_base_binding_policy", "none"),
    ] {
        command.env(name, value);
    }
    if output(Command::new("id").arg("-u")).is_some_and(|uid| uid == "0") {
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1");
        command.env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    }
    command
}
