//! The command as other programs call it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_translucent"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn ok(arguments: &[&str], input: &[u8]) -> String {
    let output = run(arguments, input);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn refused(arguments: &[&str], input: &[u8]) -> String {
    let output = run(arguments, input);
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr).unwrap()
}

fn random_model(folder: &Path) -> String {
    let tokenizer = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/tokenizer");
    let folder = folder.to_str().unwrap().to_owned();
    ok(
        &[
            "random",
            "--output",
            &folder,
            "--seed",
            "5",
            "--tokenizer",
            tokenizer,
        ],
        b"",
    );
    folder
}

#[test]
fn every_line_gives_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(dir.path());
    let input = "A girl reads.\n\nTwo dogs run through the water.\r\n\u{1F600} 42\nlast";
    for threads in ["1", "2"] {
        let out = ok(
            &[
                "translate",
                "--model",
                &model,
                "--threads",
                threads,
                "--max-extra",
                "3",
            ],
            input.as_bytes(),
        );
        assert_eq!(out.lines().count(), 5, "{out:?}");
        assert_eq!(out.lines().nth(1), Some(""));
    }
    assert_eq!(ok(&["translate", "--model", &model], b""), "");
}

#[test]
fn a_bad_line_is_reported_and_left_empty_and_the_others_are_translated() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(dir.path());
    let translate = ["translate", "--model", &model, "--max-extra", "3"];
    let output = run(&translate, b"A girl reads.\nbad \xff\nTwo dogs run.\n");
    assert!(output.status.success());
    let good = ok(&translate, b"A girl reads.\n\nTwo dogs run.\n");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), good);
    let errors = String::from_utf8(output.stderr).unwrap();
    for part in [
        "standard input, line 2",
        "3 lines, 1 of them left empty",
        "lines/s",
    ] {
        assert!(errors.contains(part), "{part}: {errors}");
    }
}

#[test]
fn an_interrupted_file_goes_on_after_its_last_whole_line() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(&dir.path().join("model"));
    let path = dir.path().join("out.txt");
    let file = path.to_str().unwrap();
    let translate = [
        "translate",
        "--model",
        &model,
        "--max-extra",
        "3",
        "--output",
        file,
    ];
    let resume = [&translate[..], &["--resume"]].concat();
    let input: String = (0..40).map(|i| format!("Dog {i} runs.\n")).collect();
    ok(&resume, input.as_bytes());
    let whole = std::fs::read(&path).unwrap();
    assert_eq!(whole.iter().filter(|byte| **byte == b'\n').count(), 40);
    let error = refused(&translate, input.as_bytes());
    assert!(error.contains("out.txt"), "a file is not replaced: {error}");
    for cut in [0, 1, whole.len() / 2, whole.len() - 1, whole.len()] {
        std::fs::write(&path, &whole[..cut]).unwrap();
        ok(&resume, input.as_bytes());
        assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {cut}");
    }
    // What was refused has changed nothing, not even a line that was cut off.
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let error = refused(&resume, b"one line\n");
    assert!(error.contains("has 1 lines, fewer than the 39"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), whole[..whole.len() - 1]);
    let same = [&resume[..], &[file]].concat();
    assert!(refused(&same, b"").contains("is the input and the output"));
    assert_eq!(std::fs::read(&path).unwrap(), whole[..whole.len() - 1]);
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_term_and_empty_sides_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(&dir.path().join("model"));
    let path = dir.path().join("terms.tsv");
    let file = path.to_str().unwrap();
    let translate = ["translate", "--model", &model, "--max-extra", "2"];
    let with_terms = [&translate[..], &["--terms", file]].concat();
    let translation = |terms: &str| {
        std::fs::write(&path, terms).unwrap();
        ok(&with_terms, b"A dog runs.\n")
    };
    let plain = translation("dog\tKatze\n");
    assert_ne!(plain, ok(&translate, b"A dog runs.\n"));
    assert_eq!(plain, translation("\u{feff}dog\tKatze\n"));
    std::fs::write(&path, "dog\tKatze\ncat\t\n").unwrap();
    let error = refused(&with_terms, b"A dog runs.\n");
    assert!(error.contains("line 2: has nothing on one side"), "{error}");
}

#[test]
fn threads_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(dir.path());
    let input = "One man.\nA much longer sentence with very many words in it.\nTwo.\n".repeat(60);
    let with = |threads| {
        ok(
            &[
                "translate",
                "--model",
                &model,
                "--max-extra",
                "2",
                "--threads",
                threads,
            ],
            input.as_bytes(),
        )
    };
    assert_eq!(with("1"), with("3"));
}

#[test]
fn n_best_prints_line_score_and_text() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(dir.path());
    let out = ok(
        &[
            "translate",
            "--model",
            &model,
            "--n-best",
            "2",
            "--max-extra",
            "3",
        ],
        b"A girl.\n",
    );
    let fields: Vec<Vec<&str>> = out.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(fields.len(), 2);
    let score = |at: usize| fields[at][1].parse::<f32>().unwrap();
    assert!(fields[0][0] == "1" && score(0) >= score(1));
}

#[test]
fn bad_input_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(dir.path());
    let tsv = dir.path().join("test.tsv");
    std::fs::write(&tsv, "good\nbad\n").unwrap();
    let bleu = ["bleu", "--reference", tsv.to_str().unwrap()];
    let error = refused(&bleu, b"good\nbad \xff\n");
    assert!(error.contains("standard input, line 2"), "{error}");
    let error = refused(&["translate", "--model", &model, "--beam", "0"], b"");
    assert!(error.contains("beam"), "{error}");
    let error = refused(&["translate", "--model", "/nowhere"], b"");
    assert!(error.contains("/nowhere"), "{error}");
}

#[test]
fn interventions_change_the_translation_and_unknown_heads_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(dir.path());
    let with = |changes: &[&str]| {
        let mut arguments = vec!["translate", "--model", &model, "--max-extra", "3"];
        arguments.extend_from_slice(changes);
        ok(
            &[&arguments[..], &["--n-best", "1"]].concat(),
            b"A girl reads.\n",
        )
    };
    let trained = with(&[]);
    for changes in [
        &["--off", "encoder"][..],
        &["--off", "cross:1:2", "--uniform", "decoder:1"],
        &["--only", "encoder:1:1"],
        &["--unscaled", "all"],
        &["--neighbourhood", "1"],
        &["--positions", "zeroed"],
    ] {
        assert_ne!(with(changes), trained, "{changes:?}");
    }
    let error = refused(
        &["translate", "--model", &model, "--off", "encoder:9:1"],
        b"A girl.\n",
    );
    assert!(
        error.contains("no layer 9") && error.contains("1 to 2"),
        "{error}"
    );
}

#[test]
fn scores_are_log_probabilities() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(&dir.path().join("model"));
    let source = dir.path().join("source");
    std::fs::write(&source, "A girl.\nTwo dogs.\n").unwrap();
    let source = source.to_str().unwrap();
    let out = ok(&["score", "--model", &model, source, source], b"");
    let scores: Vec<f32> = out.lines().map(|line| line.parse().unwrap()).collect();
    assert!(
        scores.len() == 2 && scores.iter().all(|score| score.is_finite() && *score < 0.0),
        "{out}"
    );
}

#[test]
fn an_int8_folder_is_smaller_and_translates() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(&dir.path().join("f32"));
    std::fs::write(dir.path().join("f32/README.md"), "card").unwrap();
    let output = dir.path().join("int8");
    let small = output.to_str().unwrap();
    ok(&["quantize", "--model", &model, "--output", small], b"");
    assert_eq!(std::fs::read(output.join("README.md")).unwrap(), b"card");
    let length = |folder: &str| {
        std::fs::metadata(Path::new(folder).join("model.safetensors"))
            .unwrap()
            .len()
    };
    assert!(2 * length(small) < length(&model));
    assert!(ok(&["inspect", "--model", small], b"").contains("complete"));
    assert_eq!(
        ok(
            &["translate", "--model", small, "--max-extra", "2"],
            b"A girl.\n"
        )
        .lines()
        .count(),
        1
    );
    assert!(
        refused(&["quantize", "--model", small, "--output", &model], b"")
            .contains("quantised already")
    );
    let before = length(&model);
    for command in ["quantize", "convert"] {
        let error = refused(&[command, "--model", &model, "--output", &model], b"");
        assert!(error.contains("is the input and the output"), "{error}");
    }
    assert_eq!(length(&model), before);
    // What was said of one model does not stay beside another.
    let other = random_model(&dir.path().join("other"));
    for (file, command) in [("metrics.json", "quantize"), ("heads.json", "convert")] {
        std::fs::write(Path::new(&other).join(file), "{}").unwrap();
        let error = refused(&[command, "--model", &model, "--output", &other], b"");
        assert!(
            error.contains(&format!("other has {file}, of the model")),
            "{error}"
        );
        std::fs::remove_file(Path::new(&other).join(file)).unwrap();
    }
}

#[test]
fn marian_folders_are_inspected_and_converted_and_say_what_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
    // config.json and weights of one model, the tokenizer of another: what is there is shown, what disagrees is said.
    for name in ["config.json", "model.safetensors", "generation_config.json"] {
        std::fs::copy(golden.join("hf").join(name), dir.path().join(name)).unwrap();
    }
    for name in ["source.spm", "vocab.json"] {
        std::fs::copy(golden.join("tokenizer").join(name), dir.path().join(name)).unwrap();
    }
    let folder = dir.path().to_str().unwrap();
    let message = refused(&["inspect", "--model", folder], b"");
    assert!(
        message.contains("vocab.json") && message.contains("60"),
        "{message}"
    );

    let model = random_model(&dir.path().join("f32"));
    let half = dir.path().join("f16");
    let half = half.to_str().unwrap();
    ok(
        &[
            "convert", "--model", &model, "--output", half, "--dtype", "f16",
        ],
        b"",
    );
    let shown = ok(&["inspect", "--model", half], b"");
    assert!(
        shown.contains("F16   [32, 16]") && !shown.contains("F32   ["),
        "{shown}"
    );
    assert!(shown.contains("complete"), "{shown}");
    // From 16 bits to 32 nothing is lost, so both translate alike.
    let whole = dir.path().join("again");
    let whole = whole.to_str().unwrap();
    ok(&["convert", "--model", half, "--output", whole], b"");
    let translated = |model: &str| {
        ok(
            &[
                "translate",
                "--model",
                model,
                "--max-extra",
                "2",
                "--length-penalty",
                "1",
            ],
            b"A girl.\n",
        )
    };
    assert_eq!(translated(half), translated(whole));
    std::fs::copy(
        golden.join("torch/evil.bin"),
        dir.path().join("f16/pytorch_model.bin"),
    )
    .unwrap();
    std::fs::remove_file(dir.path().join("f16/model.safetensors")).unwrap();
    assert!(refused(&["translate", "--model", half], b"a\n").contains("posix.system"));
}

#[test]
fn heads_are_measured_and_written() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(&dir.path().join("model"));
    let tsv = dir.path().join("dev.tsv");
    let pairs: String = (0..210)
        .map(|n| format!("Tom reads book {n} now.\tTom liest jetzt Buch {n}.\n"))
        .collect();
    std::fs::write(&tsv, pairs).unwrap();
    ok(
        &["heads", "--model", &model, "--tsv", tsv.to_str().unwrap()],
        b"",
    );
    let json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(dir.path().join("model/heads.json")).unwrap())
            .unwrap();
    assert_eq!(json["sentences"], 210);
    // Two layers of two heads, three attentions.
    assert_eq!(json["roles"].as_array().unwrap().len(), 12);
    assert!(
        json["anchors"].as_u64().unwrap() >= 420,
        "a name and a number in each sentence"
    );
    std::fs::write(&tsv, "Tom reads.\tTom liest.\n").unwrap();
    assert!(
        refused(
            &["heads", "--model", &model, "--tsv", tsv.to_str().unwrap()],
            b""
        )
        .contains("200")
    );
}

#[test]
fn the_index_lists_lengths_and_digests() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(&dir.path().join("en-de"));
    ok(&["index", "--model", &model], b"");
    let json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(dir.path().join("index.json")).unwrap()).unwrap();
    let model = &json["models"][0];
    assert_eq!(
        (&model["source"], &model["target"]),
        (&"en".into(), &"de".into())
    );
    let files = model["files"].as_array().unwrap();
    let mut sum = 0;
    for file in files {
        let path = dir
            .path()
            .join("en-de")
            .join(file["name"].as_str().unwrap());
        assert_eq!(file["bytes"], std::fs::metadata(path).unwrap().len());
        sum += file["bytes"].as_u64().unwrap();
    }
    assert_eq!(model["bytes"], sum);
    let named = |name: &str| files.iter().find(|file| file["name"] == name);
    // As `sha256sum tests/golden/tokenizer/vocab.json` prints it.
    let digest = "8562f5dbf54bd5f39099dd21cf30f866a21ef7b831e780f2b634d465c572c0d9";
    assert_eq!(named("vocab.json").unwrap()["sha256"], digest);
    assert!(named("model.safetensors").is_some());
    assert!(
        named("target.spm").is_none(),
        "the joint tokenizer is listed once"
    );
}

#[test]
fn bleu_reads_a_column_and_refuses_other_lengths() {
    let dir = tempfile::tempdir().unwrap();
    let tsv = dir.path().join("test.tsv");
    std::fs::write(&tsv, "a\tEin Mann liest ein Buch.\nb\tZwei Hunde laufen.\n").unwrap();
    let tsv = tsv.to_str().unwrap();
    let same = b"Ein Mann liest ein Buch.\nZwei Hunde laufen.\n";
    assert_eq!(
        ok(
            &["bleu", "--reference", tsv, "--column", "2", "--score-only"],
            same
        ),
        "100.00\n"
    );
    assert_eq!(
        ok(&["chrf", "--reference", tsv, "--column", "2"], same),
        "chrF2 = 100.00\n"
    );
    let error = refused(&["bleu", "--reference", tsv, "--column", "2"], b"one\n");
    assert!(
        error.contains("input has 1 lines") && error.contains("test.tsv has 2"),
        "{error}"
    );
}

#[test]
fn cost_is_tabled_from_training_json() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(dir.path());
    let message = refused(&["cost", "--model", &model], b"");
    assert!(message.contains("training.json"), "{message}");
    let training = r#"{"parameters": 1500000, "steps": 10, "target_tokens": 2000, "seconds": 7200,
        "validation": {"dev": [{"target_tokens": 500, "bleu": 1.0}, {"target_tokens": 1000, "bleu": 3.5},
                               {"target_tokens": 2000, "bleu": 6.0}], "few": [{"target_tokens": 2000}]}}"#;
    std::fs::write(dir.path().join("training.json"), training).unwrap();
    let table = ok(&["cost", "--model", &model, "--sustained", "1e11"], b"");
    for row in [
        "| parameters | 1.50 M |",
        "| hours | 2.0 |",
        "| training FLOPs, the paper's way | 7.2·10¹⁴ |",
        "| dev | 6.0 | +2.5 |",
    ] {
        assert!(table.contains(row), "{table} lacks {row}");
    }
    assert!(!table.contains("few"));
    let table = ok(&["cost", "--model", &model, "--since", "1000"], b"");
    assert!(!table.contains("doubling"), "{table}");
    let message = refused(&["cost", "--model", &model, "--sustained", "0"], b"");
    assert!(message.contains("--sustained is 0"), "{message}");
}

#[test]
fn test_sets_are_measured_and_written_as_data() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(&dir.path().join("en-de"));
    let tsv = dir.path().join("dev.tsv");
    std::fs::write(&tsv, "A girl.\tEin Mädchen.\nTwo dogs.\tZwei Hunde.\n").unwrap();
    let set = format!("dev={}", tsv.display());
    let evaluate = |more: &[&str]| {
        let arguments = ["evaluate", "--model", &model, "--set", &set, "--beam", "1"];
        run(&[&arguments[..], more].concat(), b"")
    };
    assert!(evaluate(&[]).status.success());
    let path = dir.path().join("en-de/metrics.json");
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(json["format_version"], 1);
    assert_eq!(json["search"]["beam"], 1);
    assert_eq!(json["test_sets"][0]["name"], "dev");
    assert_eq!(json["test_sets"][0]["sentences"], 2);
    assert!(json["test_sets"][0]["chrf2"].is_number() && json["training_flops"].is_null());
    let refused = evaluate(&["--sustained", "1e11"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("training.json"));
    let other = evaluate(&["--set", &format!("other={}", tsv.display())]);
    assert!(!String::from_utf8_lossy(&other.stderr).contains("no longer"));
    let alone = evaluate(&[]);
    assert!(String::from_utf8_lossy(&alone.stderr).contains("has other no longer"));
    let empty = dir.path().join("empty.tsv");
    std::fs::write(&empty, "").unwrap();
    let refused = evaluate(&["--set", &format!("empty={}", empty.display())]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("nothing to measure"));
    let after: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(after, json, "what was measured before stays");
    ok(&["index", "--model", &model], b"");
    let index = std::fs::read_to_string(dir.path().join("index.json")).unwrap();
    assert!(index.contains("metrics.json"), "{index}");
}

#[test]
fn output_comes_before_the_input_has_ended() {
    use std::io::{BufRead, BufReader};
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(dir.path());
    let mut child = Command::new(env!("CARGO_BIN_EXE_translucent"))
        .args(["translate", "--model", &model, "--max-extra", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all("A girl.\n".repeat(64).as_bytes()).unwrap();
    let mut first = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut first).unwrap();
    assert!(first.ends_with('\n'));
    // A reader that goes away is no success.
    drop(output);
    let _ = input.write_all("Two dogs.\n".repeat(5000).as_bytes());
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(141));
}

#[cfg(unix)]
#[test]
fn a_closed_standard_output_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(dir.path());
    for (redirection, code) in [(">&-", 1), (">/dev/null", 0)] {
        let output = Command::new("sh")
            .args(["-c", &format!("echo A girl. | \"$0\" \"$@\" {redirection}")])
            .arg(env!("CARGO_BIN_EXE_translucent"))
            .args(["translate", "--model", &model, "--max-extra", "1"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(code), "{redirection}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(error.contains("standard output"), code == 1, "{error}");
    }
}

/// Interrupts a command that rewrites a folder as soon as it writes; whether it was still writing then.
#[cfg(unix)]
fn interrupts(command: &str, folder: &Path, model: &str, signal: &str) -> bool {
    let output = folder.join("out");
    let staging = folder.join(".out.new");
    let mut child = Command::new(env!("CARGO_BIN_EXE_translucent"))
        .args([command, "--model", model, "--output"])
        .arg(&output)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !staging.exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let kill = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .stderr(Stdio::null())
        .status();
    assert!(kill.is_ok());
    let status = child.wait().unwrap();
    assert!(!staging.exists(), "nothing half written stays");
    assert!(!folder.join(".out.old").exists());
    assert!(status.success() || status.code() == Some(130), "{status}");
    !status.success()
}

#[cfg(unix)]
#[test]
fn an_interruption_leaves_the_old_folder_and_nothing_half_written() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(&dir.path().join("model"));
    let old = random_model(&dir.path().join("out"));
    std::fs::write(dir.path().join("out/notes.txt"), "mine").unwrap();
    let before = std::fs::read(dir.path().join("out/config.json")).unwrap();
    for (command, signal) in [
        ("convert", "-INT"),
        ("convert", "-TERM"),
        ("quantize", "-INT"),
        ("quantize", "-TERM"),
    ] {
        // A file that takes longer to write than a signal to arrive; twice as long where that was too short.
        let struck = (26..30).any(|bits| {
            let large = std::fs::File::create(dir.path().join("model/large.txt")).unwrap();
            large.set_len(1 << bits).unwrap();
            interrupts(command, dir.path(), &model, signal)
        });
        assert!(struck, "{command} {signal}: it was always done before");
        assert_eq!(
            std::fs::read(dir.path().join("out/config.json")).unwrap(),
            before
        );
        assert_eq!(
            std::fs::read(dir.path().join("out/notes.txt")).unwrap(),
            b"mine"
        );
        ok(&["inspect", "--model", &old], b"");
    }
    // Trying again works.
    std::fs::remove_file(dir.path().join("model/large.txt")).unwrap();
    for command in ["convert", "quantize"] {
        ok(&[command, "--model", &model, "--output", &old], b"");
        ok(&["inspect", "--model", &old], b"");
    }
}

#[test]
fn sizes_of_no_model_are_named_and_not_tried() {
    let dir = tempfile::tempdir().unwrap();
    let tokenizer = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/tokenizer");
    let output = dir.path().join("deep");
    let random = ["random", "--tokenizer", tokenizer, "--output"];
    let deep = [
        &random[..],
        &[output.to_str().unwrap(), "--layers", "100000"],
    ]
    .concat();
    assert!(refused(&deep, b"").contains("encoder_layers is 100000"));
    assert!(!output.exists());
    for (option, value, said) in [
        ("--layers", "100000", "encoder_layers is 100000"),
        ("--batch-size", "100000000", "batch size is 100000000"),
        ("--d-model", "65536", "GiB of memory"),
    ] {
        let error = refused(&["learn", "copy", option, value], b"");
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn threads_and_lines_have_limits() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(dir.path());
    let translate = ["translate", "--model", &model];
    let error = refused(&[&translate[..], &["--threads", "100000"]].concat(), b"a\n");
    assert!(error.contains("--threads is 100000"), "{error}");
    let error = refused(&[&translate[..], &["/dev/zero"]].concat(), b"");
    assert!(
        error.contains("line 1") && error.contains("longer"),
        "{error}"
    );
}

#[test]
fn a_folder_is_replaced_as_a_whole_and_nothing_else_stays_or_goes() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(&dir.path().join("f32"));
    let output = dir.path().join("int8");
    std::fs::create_dir_all(&output).unwrap();
    std::fs::write(output.join("notes.txt"), "mine").unwrap();
    std::fs::write(output.join("config.json"), "old").unwrap();
    // What a writer left that was killed.
    let stale = dir.path().join(".int8.new");
    std::fs::create_dir_all(&stale).unwrap();
    std::fs::write(stale.join("target.spm"), "half").unwrap();
    let small = output.to_str().unwrap();
    ok(&["quantize", "--model", &model, "--output", small], b"");
    ok(&["inspect", "--model", small], b"");
    assert_eq!(std::fs::read(output.join("notes.txt")).unwrap(), b"mine");
    let mut left: Vec<_> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["f32", "int8"]);
}

#[test]
fn lines_are_drawn_alike_with_the_same_seed_in_any_company() {
    let dir = tempfile::tempdir().unwrap();
    let model = random_model(dir.path());
    let sample = |seed: &str, input: &[u8], more: &[&str]| {
        let arguments = [
            "translate",
            "--model",
            &model,
            "--sample",
            "--max-extra",
            "3",
        ];
        ok(&[&arguments, &["--seed", seed][..], more].concat(), input)
    };
    let both = sample("7", b"A girl reads.\nTwo dogs run.\n", &[]);
    assert_eq!(
        both.lines().next(),
        sample("7", b"A girl reads.\n", &[]).lines().next()
    );
    assert_ne!(both, sample("8", b"A girl reads.\nTwo dogs run.\n", &[]));
    let likeliest = sample("7", b"A girl reads.\n", &["--top-k", "1"]);
    let greedy = [
        "translate",
        "--model",
        &model,
        "--beam",
        "1",
        "--max-extra",
        "3",
    ];
    assert_eq!(likeliest, ok(&greedy, b"A girl reads.\n"));
    for (more, name) in [
        (["--temperature", "0"], "temperature"),
        (["--top-p", "1.5"], "topP"),
    ] {
        let arguments = ["translate", "--model", &model, "--sample", more[0], more[1]];
        assert!(refused(&arguments, b"A girl reads.\n").contains(name));
    }
}
