//! Every step at which a run or an export writes fails in turn, as on a full disk, or is the last of a killed process: the run
//! resumes from a whole state to the end that it would have had, and an exported folder is the old or the new one.

mod common;

use common::{World, tensors, timeless};
use std::path::Path;
use translucent::checkpoint::disk::{self, Fault};
use translucent_train::Error;
use translucent_train::export::{Choice, export};
use translucent_train::folder::{Folder, PROBES, TRAINING};
use translucent_train::metrics;
use translucent_train::run::{Options, run};
use translucent_train::state;

/// Steps that a writer does at most.
const MOST: usize = 400;

/// A run of few steps that writes all that runs write.
fn world(steps: u64) -> World {
    let mut world = World::new();
    let training = &mut world.recipe.training;
    training.max_steps = steps;
    training.log_every = 1;
    training.validate_every = 2;
    training.bleu_every = 0;
    training.snapshot_every = 1;
    training.snapshots_kept = 1;
    training.checkpoint_minutes = 0.0;
    training.ema = Some(0.1);
    training.probe_steps = vec![0, 2];
    world
}

/// Injects a fault into an action; returns whether the action reached it.
fn with<R>(fault: Fault, act: impl FnOnce() -> R) -> (R, bool) {
    disk::set(fault);
    let done = act();
    (done, disk::set(Fault::None))
}

/// What a run's folder holds, without what depends on the clock.
#[derive(PartialEq)]
struct Contents {
    lines: Vec<String>,
    state: Vec<(String, Vec<f32>)>,
    best: Vec<(String, Vec<f32>)>,
    snapshots: Vec<String>,
    probes: Vec<u8>,
}

fn contents(folder: &Folder) -> Contents {
    let snapshots = folder.snapshots().unwrap();
    let names = snapshots.iter().map(|path| path.file_name().unwrap());
    Contents {
        lines: timeless(folder),
        state: tensors(&folder.state()),
        best: tensors(&folder.best()),
        snapshots: names.map(|name| name.to_string_lossy().into()).collect(),
        probes: std::fs::read(folder.probes()).unwrap(),
    }
}

fn folder(options: &Options) -> Folder {
    Folder::existing(&options.runs, "test").unwrap()
}

/// Runs with a fault at every step in turn; returns the number of faults.
fn every_fault(world: &World, options: impl Fn(&str) -> Options) -> usize {
    tch::set_num_threads(1);
    let whole = options("whole");
    run(&world.recipe, &whole).unwrap();
    let expected = contents(&folder(&whole));
    let mut faults = 0;
    for (name, fault) in [
        ("full", Fault::FailsAt as fn(usize) -> Fault),
        ("killed", Fault::KilledAt),
    ] {
        for step in 1.. {
            assert!(step < MOST, "a run writes more than {MOST} times");
            let options = options(&format!("{name}-{step}"));
            let (first, struck): (Result<u64, Error>, bool) =
                with(fault(step), || run(&world.recipe, &options));
            let what = format!("{name} at {step}: {:?}", first.as_ref().err());
            // The metrics can be read, whatever became of their last line.
            if let Ok(begun) = Folder::existing(&options.runs, "test") {
                if begun.metrics().exists() {
                    metrics::read(&begun.metrics()).expect(&what);
                }
                state::latest(&begun).expect(&what);
            }
            run(&world.recipe, &options).expect(&what);
            let found = contents(&folder(&options));
            assert_eq!(found.lines, expected.lines, "{what}");
            assert!(found == expected, "{what}: another model or other probes");
            std::fs::remove_dir_all(&options.runs).unwrap();
            if !struck {
                first.expect(&what);
                break;
            }
            faults += 1;
        }
    }
    faults
}

#[test]
fn a_run_resumes_to_the_same_end_after_a_fault_at_any_write() {
    let world = world(3);
    let data = world.folder.path().join("shared");
    let faults = every_fault(&world, |runs| Options {
        shared: Some(data.clone()),
        ..world.options(runs)
    });
    println!("{faults} faults");
    assert!(faults > 100, "{faults}");
}

#[test]
fn a_run_begins_again_after_a_fault_at_any_write_of_its_vocabulary_and_data() {
    let world = world(1);
    let faults = every_fault(&world, |runs| world.options(runs));
    println!("{faults} faults");
    assert!(faults > 60, "{faults}");
}

/// What a model folder says of itself: its files, and the step that its curve ends at.
fn exported(folder: &Path) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    translucent::checkpoint::open(folder).unwrap();
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    (read("model.safetensors"), read(TRAINING), read(PROBES))
}

#[test]
fn an_export_leaves_the_old_folder_or_the_new_one_after_a_fault_at_any_write() {
    let mut world = world(1);
    let runs = world.run("runs", 1).unwrap();
    let output = world.folder.path().join("model");
    export(&runs, &Choice::Latest, &output).unwrap();
    let old = exported(&output);
    world.recipe.training.max_steps = 3;
    let runs = world.run("runs", 3).unwrap();
    let other = world.folder.path().join("other");
    export(&runs, &Choice::Latest, &other).unwrap();
    let new = exported(&other);
    assert!(old.0 != new.0 && old.1 != new.1 && old.2 != new.2);
    let mut faults = 0;
    for fault in [Fault::FailsAt as fn(usize) -> Fault, Fault::KilledAt] {
        for step in 1..MOST {
            let place = world.folder.path().join("place").join("model");
            std::fs::create_dir_all(&place).unwrap();
            for entry in std::fs::read_dir(&output).unwrap() {
                let path = entry.unwrap().path();
                std::fs::copy(&path, place.join(path.file_name().unwrap())).unwrap();
            }
            let (written, struck) = with(fault(step), || export(&runs, &Choice::Latest, &place));
            // Between two renames a killed writer leaves the old folder under its set-aside name.
            let there = match place.is_dir() {
                true => place.clone(),
                false => place.with_file_name(".model.old"),
            };
            let found = exported(&there);
            assert!(
                found == new || found == old && written.is_err(),
                "step {step}: a mixture, {:?}",
                written.err()
            );
            export(&runs, &Choice::Latest, &place).unwrap();
            assert!(exported(&place) == new, "step {step}");
            std::fs::remove_dir_all(place.parent().unwrap()).unwrap();
            if !struck {
                break;
            }
            faults += 1;
        }
    }
    println!("{faults} faults");
    assert!(faults > 20, "{faults}");
}
