//! Whole runs on a small invented corpus: learning, stopping and going on, exporting, and what ends in an error.

mod common;

use common::{PIECES, World, assert_message, tensors, timeless};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use translucent::checkpoint;
use translucent_train::average::average;
use translucent_train::curve::Curve;
use translucent_train::export::{Choice, export};
use translucent_train::folder::{Folder, PROBES, TRAINING};
use translucent_train::metrics::{self, Measured};
use translucent_train::model::{Precision, Weights};
use translucent_train::probes::Probes;
use translucent_train::recipe::Recipe;
use translucent_train::run::run;
use translucent_train::state;
use translucent_train::sweep::Sweep;

#[test]
fn a_run_that_is_stopped_goes_on_bit_for_bit() {
    let world = World::new();
    let whole = world.run("whole", 12).unwrap();
    // Step 5 lies within a metrics window, step 7 just after a snapshot.
    let mut parts = None;
    for steps in [5, 7, 12] {
        parts = Some(world.run("parts", steps).unwrap());
    }
    let parts = parts.unwrap();
    // Stopping validates once more, at steps where the whole run did not.
    let common = |folder: &Folder| -> Vec<String> {
        let extra = |l: &&String| {
            l.contains("validation") && (l.contains("\"step\":5,") || l.contains("\"step\":7,"))
        };
        timeless(folder)
            .iter()
            .filter(|l| !extra(l))
            .cloned()
            .collect()
    };
    assert_eq!(common(&whole), common(&parts));
    assert_eq!(tensors(&whole.state()), tensors(&parts.state()));
    assert_eq!(
        std::fs::read(whole.probes()).unwrap(),
        std::fs::read(parts.probes()).unwrap()
    );
}

#[test]
fn a_kill_between_saves_repeats_the_lost_steps_exactly() {
    let world = World::new();
    let folder = world.run("runs", 4).unwrap();
    let old = std::fs::read(folder.state()).unwrap();
    world.run("runs", 12).unwrap();
    let (lines, end) = (timeless(&folder), tensors(&folder.state()));
    // As if the process had died after step 12 without having saved since step 4, in the middle of a line.
    std::fs::write(folder.state(), old).unwrap();
    let mut text = std::fs::read_to_string(folder.metrics()).unwrap();
    text += "{\"step\":12,\"targ";
    std::fs::write(folder.metrics(), text).unwrap();
    world.run("runs", 12).unwrap();
    assert_eq!(timeless(&folder), lines);
    assert_eq!(tensors(&folder.state()), end);
}

#[test]
fn a_gpu_that_is_not_there_is_an_error_that_says_so() {
    let world = World::new();
    let recipe = world.folder.path().join("test.toml");
    std::fs::write(&recipe, toml::to_string(&world.recipe).unwrap()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_translucent-train"))
        .args(["run", "--device", "cuda"])
        .arg(&recipe)
        .arg("--data")
        .arg(world.folder.path())
        .arg("--runs")
        .arg(world.folder.path().join("runs"))
        // CUDA shows the program no GPU, whatever the machine has.
        .env("CUDA_VISIBLE_DEVICES", "")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("--device cuda: libtorch finds 0 of NVIDIA's GPUs"),
        "{said}"
    );
}

#[test]
fn an_interruption_ends_a_run_with_everything_saved() {
    let mut world = World::new();
    world.recipe.training.max_steps = 1_000_000;
    let recipe = world.folder.path().join("test.toml");
    std::fs::write(&recipe, toml::to_string(&world.recipe).unwrap()).unwrap();
    let runs = world.folder.path().join("runs");
    let mut trainer = Command::new(env!("CARGO_BIN_EXE_translucent-train"))
        .args(["run", "--threads", "1"])
        .arg(&recipe)
        .arg("--data")
        .arg(world.folder.path())
        .arg("--runs")
        .arg(&runs)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let folder = Folder::open(&runs, "test").unwrap();
    let stepped = || metrics::read(&folder.metrics()).is_ok_and(|lines| lines.len() > 4);
    while !stepped() {
        assert_eq!(
            trainer.try_wait().unwrap(),
            None,
            "it runs until it is stopped"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    // The first save by the clock would come after minutes.
    assert!(!folder.state().exists());
    let id = trainer.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    assert!(trainer.wait().unwrap().success());
    let (header, _) = state::read(&folder.state()).unwrap();
    let lines = metrics::read(&folder.metrics()).unwrap();
    let logged = lines.last().unwrap().step;
    assert!((logged..logged + 2).contains(&header.counters.step));
}

#[test]
fn the_loss_falls_and_an_export_opens_in_the_core() {
    let mut world = World::new();
    world.recipe.training.log_every = 50;
    world.recipe.training.validate_every = 50;
    world.recipe.training.bleu_every = 150;
    world.recipe.training.snapshot_every = 50;
    let folder = world.run("runs", 150).unwrap();
    let lines = metrics::read(&folder.metrics()).unwrap();
    let dev: Vec<f64> = lines
        .iter()
        .filter_map(|line| match &line.measured {
            Measured::Validation { validation } => Some(validation["dev"].loss),
            Measured::Training { .. } => None,
        })
        .collect();
    assert_eq!(dev.len(), 4);
    assert!(dev[3] < 0.5 * dev[0], "{dev:?}");
    let bleu: Vec<bool> = lines
        .iter()
        .filter_map(|line| match &line.measured {
            Measured::Validation { validation } => Some(validation["dev"].bleu.is_some()),
            Measured::Training { .. } => None,
        })
        .collect();
    assert_eq!(bleu, [false, false, false, true]);

    for choice in [Choice::Latest, Choice::Best, Choice::Average(2)] {
        let output = world.folder.path().join("model");
        assert_eq!(export(&folder, &choice, &output).unwrap(), 150);
        let model = checkpoint::open(&output).unwrap();
        assert_eq!(model.tokenizer.vocab_size(), PIECES);
        let curve: Curve =
            serde_json::from_slice(&std::fs::read(output.join("training.json")).unwrap()).unwrap();
        assert_eq!(
            (
                curve.steps,
                curve.training.len(),
                curve.validation["dev"].len()
            ),
            (150, 3, 4)
        );
        assert_eq!(
            curve.averaged,
            if choice == Choice::Average(2) {
                vec![100, 150]
            } else {
                vec![]
            }
        );
        let probes = Probes::parse(&std::fs::read(output.join("probes.bin")).unwrap()).unwrap();
        let steps: Vec<u64> = probes.header.checkpoints.iter().map(|c| c.step).collect();
        assert_eq!(steps, [0, 2, 8]);
        // Every row of every map is a distribution, but for rounding to 1/255.
        let sentence = &probes.header.sentences[0];
        let (s, t) = (sentence.source_pieces.len(), sentence.target_pieces.len());
        for block in &probes.blocks {
            let (encoder_self, rest) = block.split_at(4 * s * s);
            let (decoder_self, cross) = rest.split_at(4 * t * t);
            for (map, columns) in [(encoder_self, s), (decoder_self, t), (cross, s)] {
                for row in map.chunks_exact(columns) {
                    let sum: i32 = row.iter().map(|&b| i32::from(b)).sum();
                    assert!((sum - 255).unsigned_abs() as usize <= columns, "{row:?}");
                }
            }
        }
        assert_eq!(
            probes.header.sentences[0].target_pieces.last().unwrap(),
            "</s>"
        );
    }
}

#[test]
fn an_average_is_the_mean_of_the_last_snapshots() {
    let world = World::new();
    let folder = world.run("runs", 12).unwrap();
    let snapshots = folder.snapshots().unwrap();
    let names: Vec<_> = snapshots
        .iter()
        .map(|p| p.file_name().unwrap().to_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "00000006.safetensors",
            "00000009.safetensors",
            "00000012.safetensors"
        ]
    );
    let (header, mean) = average(&folder, 2).unwrap();
    assert_eq!(header.counters.step, 12);
    let (a, b) = (tensors(&snapshots[1]), tensors(&snapshots[2]));
    for ((name, a), (_, b)) in a.iter().zip(&b) {
        let mean = translucent_train::export::values(&mean.get(name).unwrap()).unwrap();
        for ((m, a), b) in mean.iter().zip(a).zip(b) {
            assert!((m - (a + b) / 2.0).abs() < 1e-6, "{name}");
        }
    }
    assert_message(
        average(&folder, 9).err().unwrap(),
        &["cannot average 9", "has 3"],
    );
}

#[test]
fn a_run_can_start_from_an_exported_model() {
    let mut world = World::new();
    let folder = world.run("runs", 6).unwrap();
    let output = world.folder.path().join("model");
    export(&folder, &Choice::Latest, &output).unwrap();
    world.recipe.init = Some(output);
    world.recipe.training.schedule.lr_scale = 0.0;
    let started = world.run("started", 1).unwrap();
    // A learning rate of zero leaves the weights as they came.
    let weights = |folder: &Folder| -> Vec<_> {
        tensors(&folder.state())
            .into_iter()
            .filter(|(n, _)| !n.starts_with("adam."))
            .collect()
    };
    assert_eq!(weights(&folder), weights(&started));
    // The curve goes on where the first one ended, and heads are seen to form from random weights.
    let both = world.folder.path().join("both");
    export(&started, &Choice::Latest, &both).unwrap();
    let curve = |folder: &Path| Curve::read(&folder.join(TRAINING)).unwrap();
    let (first, whole) = (curve(&world.folder.path().join("model")), curve(&both));
    assert_eq!((first.steps, whole.steps), (6, 7));
    assert!(whole.target_tokens > first.target_tokens);
    assert_eq!(whole.training[..first.training.len()], first.training[..]);
    assert!(
        whole.training[first.training.len()..]
            .iter()
            .all(|point| point.step == 7)
    );
    assert_eq!(
        std::fs::read(both.join(PROBES)).unwrap(),
        std::fs::read(folder.probes()).unwrap()
    );
    world
        .recipe
        .model
        .insert("n_heads".into(), toml::Value::Integer(4));
    assert_message(world.run("other", 1).err().unwrap(), &["model", "n_heads"]);
}

#[test]
fn workers_and_bf16_change_nothing_but_rounding() {
    let mut world = World::new();
    let loss = |folder: &Folder| match metrics::read(&folder.metrics()).unwrap()[1].measured {
        Measured::Training { loss, .. } => loss,
        _ => panic!("the first line after the start is one of training"),
    };
    let one = loss(&world.run("one", 2).unwrap());
    world.recipe.precision = Precision::Bf16;
    let rounded = loss(&world.run("bf16", 2).unwrap());
    assert!((one - rounded).abs() < 0.02, "{one} {rounded}");
    let mut options = world.options("two");
    options.threads = 2;
    world.recipe.training.max_steps = 2;
    run(&world.recipe, &options).unwrap();
    let two = loss(&Folder::existing(&world.folder.path().join("two"), "test").unwrap());
    assert!((rounded - two).abs() < 1e-6, "{rounded} {two}");
}

#[test]
fn a_vocabulary_larger_than_the_data_gives_is_refused() {
    let mut world = World::new();
    world.recipe.vocabulary.size = 9000;
    let error = world.run("runs", 1).err().unwrap();
    assert_message(error, &["vocabulary.size", "9000", "at most"]);
}

#[test]
fn a_state_of_another_shape_is_refused() {
    let mut world = World::new();
    world.run("runs", 1).unwrap();
    world
        .recipe
        .model
        .insert("d_ff".into(), toml::Value::Integer(48));
    let error = world.run("runs", 2).err().unwrap();
    assert_message(
        error,
        &["state.safetensors", "d_ff is 32, the recipe says 48"],
    );
    world.recipe.model.remove("d_ff");
    world.recipe.vocabulary.size = PIECES - 1;
    let error = world.run("runs", 2).err().unwrap();
    assert_message(error, &["vocab.json", "330", "329"]);
}

#[test]
fn a_damaged_state_is_refused() {
    let world = World::new();
    let folder = world.run("runs", 1).unwrap();
    std::fs::write(folder.state(), b"not a state").unwrap();
    assert_message(
        world.run("runs", 2).err().unwrap(),
        &["state.safetensors", "no checkpoint"],
    );
}

#[test]
fn a_damaged_state_costs_only_the_steps_since_the_one_before_it() {
    let world = World::new();
    let whole = world.run("whole", 12).unwrap();
    let folder = world.run("parts", 4).unwrap();
    world.run("parts", 8).unwrap();
    let mut bytes = std::fs::read(folder.state()).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(folder.state(), bytes).unwrap();
    assert_message(
        state::read(&folder.state()).err().unwrap(),
        &["state.safetensors", "checksum"],
    );
    let (path, header, _) = state::latest(&folder).unwrap().unwrap();
    assert_eq!((path, header.counters.step), (folder.previous_state(), 4));
    // Set aside: the next save must not put it in the place of the good one.
    assert!(folder.damaged_state().exists() && !folder.state().exists());
    world.run("parts", 12).unwrap();
    assert_eq!(tensors(&whole.state()), tensors(&folder.state()));
}

#[test]
fn two_trainers_cannot_share_a_folder() {
    let world = World::new();
    let folder = world.run("runs", 1).unwrap();
    let before = std::fs::read(folder.state()).unwrap();
    let lock = folder.lock().unwrap();
    let id = std::process::id().to_string();
    assert_message(
        world.run("runs", 2).err().unwrap(),
        &["process", &id, "another name"],
    );
    assert_eq!(std::fs::read(folder.state()).unwrap(), before);
    drop(lock);
    world.run("runs", 2).unwrap();
}

#[test]
fn a_moving_average_is_saved_resumed_and_exported() {
    let mut world = World::new();
    let folder = world.run("plain", 2).unwrap();
    let output = world.folder.path().join("model");
    let none = export(&folder, &Choice::MovingAverage, &output);
    assert_message(none.err().unwrap(), &["no moving average", "training.ema"]);
    world.recipe.training.ema = Some(0.01);
    let whole = world.run("whole", 6).unwrap();
    world.run("parts", 3).unwrap();
    let parts = world.run("parts", 6).unwrap();
    assert_eq!(tensors(&whole.state()), tensors(&parts.state()));
    export(&whole, &Choice::MovingAverage, &output).unwrap();
    let exported = checkpoint::ModelFiles::from_dir(&output).unwrap();
    let (described, _) = exported.describe().unwrap();
    let name = "model.encoder.layers.0.fc1.weight";
    let values = exported
        .tensors(&described)
        .unwrap()
        .remove(name)
        .unwrap()
        .into_f32();
    let saved = tensors(&whole.state());
    let of = |name: &str| &saved.iter().find(|(n, _)| n == name).unwrap().1;
    assert_eq!(&values, of(&format!("ema.{name}")));
    assert_ne!(&values, of(name));
    // The last step is the best; its averages were measured, so they are what is kept.
    for (name, best) in tensors(&whole.best()) {
        assert_eq!(&best, of(&format!("ema.{name}")), "{name}");
    }
}

#[test]
fn a_loss_that_is_no_number_stops_the_run_and_leaves_the_last_state() {
    let mut world = World::new();
    let folder = world.run("runs", 2).unwrap();
    let (mut header, mut found) = state::read(&folder.state()).unwrap();
    let name = "model.encoder.layers.0.fc1.weight";
    let broken = found[name].full_like(f64::NAN);
    found.insert(name.to_owned(), broken);
    header.counters.window = state::Window::default();
    let path = folder.state();
    let weights = Weights::from_map(&header.config, &found, &path, tch::Device::Cpu).unwrap();
    let adam = state::moments(&header.config, &found, &path, tch::Device::Cpu).unwrap();
    state::write_state(&path, &header, &weights, &adam, None).unwrap();
    std::fs::remove_file(folder.previous_state()).ok();
    let before = std::fs::read(&path).unwrap();
    world.recipe.training.checkpoint_minutes = 0.0;
    let error = world.run("runs", 4).err().unwrap();
    assert_message(error, &["NaN at step 3", "lr_scale", "state.safetensors"]);
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn recipes_name_their_faulty_field() {
    let base = World::new().recipe;
    let fault = |change: fn(&mut Recipe)| {
        let mut recipe = base.clone();
        change(&mut recipe);
        recipe.check().err().unwrap().to_string()
    };
    for (change, field) in [
        ((|r| r.name = "a/b".into()) as fn(&mut Recipe), "name"),
        (|r| r.vocabulary.size = 70_000, "vocabulary.size"),
        (|r| r.data.train.clear(), "data.train"),
        (|r| r.data.train[0].target = None, "source and target"),
        (|r| r.data.train[0].weight = -1.0, "weight"),
        (|r| r.data.train[0].swap = Some(true), "swap"),
        (|r| r.training.accumulation = 0, "training.accumulation"),
        (|r| r.data.max_length = 1000, "data.max_length"),
        (|r| r.training.bleu_every = 3, "training.bleu_every"),
        (
            |r| _ = r.model.insert("preset".into(), "huge".into()),
            "model.preset",
        ),
        (|r| _ = r.model.insert("heads".into(), 3.into()), "heads"),
        (
            |r| _ = r.model.insert("dropout".into(), 1.5.into()),
            "dropout",
        ),
    ] {
        let message = fault(change);
        assert!(message.contains(field), "{message:?} lacks {field:?}");
    }
}

#[test]
fn the_recipes_of_the_repository_are_sound() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("recipes");
    let mut found = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if std::fs::read_to_string(&path).unwrap().contains("\nrow = ") {
            let sweep = Sweep::read(&path).unwrap();
            for (row, seed) in sweep.runs() {
                sweep.recipe(row, seed).unwrap();
            }
        } else {
            Recipe::read(&path).unwrap();
        }
        found += 1;
    }
    assert!(found > 0);
}

#[cfg(not(feature = "mpi"))]
#[test]
fn a_trainer_without_mpi_does_not_train_as_one_of_several() {
    let world = World::new();
    let output = Command::new(env!("CARGO_BIN_EXE_translucent-train"))
        .args(["run", "--source", "a.en", "--target", "a.de"])
        .current_dir(world.folder.path())
        .env("OMPI_COMM_WORLD_SIZE", "4")
        .output()
        .unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("--features mpi"), "{said}");
}
