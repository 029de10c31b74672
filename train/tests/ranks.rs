//! Several processes that train one model, started by `mpirun`.
#![cfg(feature = "mpi")]

mod common;

use common::{World, tensors};
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use translucent_train::folder::Folder;

/// `translucent-train run` on the world's recipe, as so many ranks.
fn command(world: &World, ranks: usize, runs: &str) -> Command {
    let recipe = world.folder.path().join(format!("{runs}.toml"));
    std::fs::write(&recipe, toml::to_string(&world.recipe).unwrap()).unwrap();
    let mut command = Command::new("mpirun");
    command
        .args(["-n", &ranks.to_string()])
        .arg(env!("CARGO_BIN_EXE_translucent-train"))
        .args(["run", "--threads", "1"])
        .arg(recipe)
        .arg("--data")
        .arg(world.folder.path())
        .arg("--runs")
        .arg(world.folder.path().join(runs));
    for (name, value) in [
        // More ranks than cores, which then do not wait by spinning; in a container the user is often root.
        ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
        ("OMPI_MCA_mpi_yield_when_idle", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ] {
        command.env(name, value);
    }
    command
}

fn folder(world: &World, runs: &str) -> Folder {
    Folder::existing(&world.folder.path().join(runs), "test").unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn run(world: &World, ranks: usize, runs: &str) -> Folder {
    let output = command(world, ranks, runs).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    folder(world, runs)
}

/// The largest difference between two states' tensors, relative to the largest number of each. Left out: what is added
/// to keys. The softmax does not change with it, so its gradient is rounding alone, which Adam scales to whole steps.
fn difference(a: &Path, b: &Path) -> f64 {
    let (a, b) = (tensors(a), tensors(b));
    assert_eq!(a.len(), b.len());
    let mut most = 0.0;
    for ((name, a), (_, b)) in a.iter().zip(&b) {
        if name.ends_with("k_proj.bias") {
            continue;
        }
        let largest = a.iter().fold(1e-6f32, |most, x| most.max(x.abs()));
        let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs());
        most = f64::max(most, (apart.fold(0.0, f32::max) / largest).into());
    }
    most
}

fn world(steps: u64) -> World {
    let mut world = World::new();
    world.recipe.training.accumulation = 4;
    world.recipe.training.max_steps = steps;
    world
}

#[test]
fn one_two_and_four_ranks_give_the_same_weights() {
    let world = world(6);
    let states = [1, 2, 4].map(|ranks| run(&world, ranks, &format!("of-{ranks}")).state());
    for other in &states[1..] {
        let difference = difference(&states[0], other);
        assert!(difference < 1e-5, "{difference}");
    }
    // Weights that do not move would be the same, too.
    let mut shorter = world;
    shorter.recipe.training.max_steps = 1;
    let one_step = run(&shorter, 1, "one-step").state();
    assert!(difference(&states[0], &one_step) > 1e-2);
}

#[test]
fn a_run_of_two_ranks_goes_on_with_one() {
    let mut world = world(8);
    let whole = run(&world, 1, "whole").state();
    world.recipe.training.max_steps = 3;
    run(&world, 2, "parts");
    world.recipe.training.max_steps = 8;
    let parts = run(&world, 1, "parts").state();
    let difference = difference(&whole, &parts);
    assert!(difference < 1e-5, "{difference}");
}

#[test]
fn gradients_of_sixteen_bits_change_the_weights_little() {
    let mut world = world(6);
    let whole = run(&world, 2, "f32").state();
    world.recipe.training.gradients = translucent_train::ranks::GradientFormat::Bf16;
    let rounded = run(&world, 2, "bf16").state();
    let difference = difference(&whole, &rounded);
    assert!(difference > 1e-6 && difference < 0.1, "{difference}");
}

#[test]
fn more_ranks_than_batches_are_refused_by_all() {
    let mut world = world(2);
    world.recipe.training.accumulation = 2;
    let output = command(&world, 3, "runs").output().unwrap();
    assert!(!output.status.success());
    let said = text(&output);
    assert!(said.contains("training.accumulation to 3"), "{said}");
}

#[test]
fn where_one_rank_fails_all_end_with_its_reason() {
    let mut world = world(2);
    // Every rank reads the data; the last line is the fault.
    world.recipe.training.schedule.lr_scale = f64::INFINITY;
    let output = command(&world, 2, "runs").output().unwrap();
    assert!(!output.status.success());
    let said = text(&output);
    assert!(
        said.contains("error: rank ") && said.contains(" of 2: "),
        "{said}"
    );
}

#[test]
fn a_killed_rank_ends_the_others_and_leaves_a_checkpoint() {
    let mut world = world(100_000);
    world.recipe.training.checkpoint_minutes = 0.0;
    let mut mpirun = command(&world, 2, "runs").spawn().unwrap();
    let state = world.folder.path().join("runs/test/state.safetensors");
    let begun = Instant::now();
    while !state.exists() {
        assert!(begun.elapsed() < Duration::from_secs(120), "no checkpoint");
        std::thread::sleep(Duration::from_millis(50));
    }
    let ranks = Command::new("pgrep")
        .args(["-P", &mpirun.id().to_string()])
        .output()
        .unwrap();
    let ranks = String::from_utf8(ranks.stdout).unwrap();
    let victim = ranks.lines().next_back().unwrap();
    let killed = Command::new("kill").args(["-9", victim]).status().unwrap();
    assert!(killed.success());
    assert!(!mpirun.wait().unwrap().success());
    // Rank 0 may have been killed while it wrote: then the state before is taken.
    let (_, header, _) = translucent_train::state::latest(&folder(&world, "runs"))
        .unwrap()
        .unwrap();
    world.recipe.training.max_steps = header.counters.step + 1;
    run(&world, 1, "runs");
}
