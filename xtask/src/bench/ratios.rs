//! The first table of the results: how the engine stands to its peers and to what the machine could do, a row for each
//! figure.

use super::bound::{self, Arithmetic, F32_RELAXED, INT8_FIXED, INT8_RELAXED};
use super::results::{Machine, median, number};
use serde_json::Value;

/// One row: the figure, the share of the machine's bound where there is one, and what the figure is made of.
pub struct Row {
    pub what: String,
    pub figure: String,
    pub of_bound: Option<f64>,
    pub detail: String,
}

const OURS: &str = "engine int8";
const MINIMAL: &str = "onnxruntime minimal int8";
const STANDARD: &str = "onnxruntime standard int8";
const BERGAMOT: &str = "bergamot";
const RECURRENT: &str = "bergamot recurrent";
const FASTEST: &[&str] = &[MINIMAL, STANDARD, BERGAMOT, RECURRENT];

/// Our side against the fastest of theirs.
struct Race {
    /// What is measured, and against whom.
    what: &'static str,
    model: &'static str,
    beam: f64,
    ours: &'static str,
    theirs: &'static [&'static str],
    arithmetic: Arithmetic,
}

/// Our int8 side against others, on one model.
const fn int8(
    what: &'static str,
    model: &'static str,
    beam: f64,
    theirs: &'static [&'static str],
) -> Race {
    Race {
        what,
        model,
        beam,
        ours: OURS,
        theirs,
        arithmetic: INT8_RELAXED,
    }
}

const RACES: [Race; 7] = [
    int8(
        "int8 greedy, against onnxruntime-web int8 with minimal graphs",
        "S",
        1.0,
        &[MINIMAL],
    ),
    int8(
        "int8 greedy, against Bergamot with its recurrent decoder",
        "S",
        1.0,
        &[RECURRENT],
    ),
    int8("int8 greedy, against the fastest peer", "M", 1.0, FASTEST),
    int8("int8 beam 4, against the fastest peer", "S", 4.0, FASTEST),
    int8("int8 beam 4, against the fastest peer", "M", 4.0, FASTEST),
    Race {
        ours: "engine f32",
        arithmetic: F32_RELAXED,
        ..int8(
            "f32 greedy, against onnxruntime-web f32 with minimal graphs",
            "S",
            1.0,
            &["onnxruntime minimal f32"],
        )
    },
    Race {
        ours: "engine int8 simd128",
        arithmetic: INT8_FIXED,
        ..int8(
            "int8 greedy without relaxed SIMD, against onnxruntime-web int8 with minimal graphs",
            "S",
            1.0,
            &[MINIMAL],
        )
    },
];

/// Every row for which something was measured, in the order of the table.
pub fn all(machine: &Machine<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for race in &RACES {
        for (length, lengths) in [("short", "20 → 22"), ("long", "60 → 66")] {
            rows.extend(run(race, length, lengths, machine));
        }
    }
    for (what, key) in [
        (
            "int8 GEMM at the encoder's shapes (≥ 64 rows), share of the relaxed-dot peak",
            "gemmInt8",
        ),
        ("f32 GEMM, share of the madd peak", "gemmF32"),
        (
            "int8 matrix-vector, share of the streaming bandwidth",
            "gemvInt8",
        ),
    ] {
        rows.extend(kernel(what, key, machine));
    }
    rows.extend(start(machine).into_iter().flatten());
    rows.extend(
        ["simd128", "relaxed-simd"]
            .iter()
            .filter_map(|flavour| size(flavour, machine)),
    );
    rows.extend(observing(machine));
    for set in ["newstest2013", "multi30k_test_2016_flickr"] {
        rows.extend(bleu(set, machine));
    }
    rows
}

fn run(race: &Race, length: &str, lengths: &str, machine: &Machine<'_>) -> Option<Row> {
    let Race {
        what,
        model,
        beam,
        ours,
        theirs,
        arithmetic,
    } = race;
    let tasks = machine
        .get(&format!("{}-{length}", model.to_lowercase()))?
        .as_array()?;
    let task = tasks
        .iter()
        .find(|task| number(task, "beam") == Some(*beam))?;
    let of = |side: &str, key: &str| number(task["sides"].get(side)?, key);
    let measured = theirs.iter().filter(|name| of(name, "ms").is_some());
    let peer = measured.min_by(|a, b| {
        of(a, "ms")
            .unwrap_or(f64::MAX)
            .total_cmp(&of(b, "ms").unwrap_or(f64::MAX))
    })?;
    let lengths_of = (number(task, "source")?, number(task, "target")?, *beam);
    let least = machine
        .get("limits")
        .and_then(|limits| bound::milliseconds(limits, model, arithmetic, lengths_of));
    Some(Row {
        what: format!("{model} {what}, {lengths}"),
        figure: format!("{:.2} ×", ratio(task, ours, peer)?),
        of_bound: least.zip(of(ours, "ms")).map(|(least, ms)| least / ms),
        detail: format!(
            "{:.0} against {:.0} tokens/s ({peer})",
            of(ours, "tokensPerS")?,
            of(peer, "tokensPerS")?
        ),
    })
}

/// How many times as fast `ours` is as `theirs`: the median over the rounds, in each of which both had a turn.
fn ratio(task: &Value, ours: &str, theirs: &str) -> Option<f64> {
    let rounds = |side: &str| -> Option<Vec<f64>> {
        task["sides"][side]["rounds"]
            .as_array()?
            .iter()
            .map(Value::as_f64)
            .collect()
    };
    median(
        rounds(ours)?
            .into_iter()
            .zip(rounds(theirs)?)
            .map(|(ours, theirs)| theirs / ours)
            .collect(),
    )
}

/// The worst share of its limit that a kernel reaches at any shape.
fn kernel(what: &str, key: &str, machine: &Machine<'_>) -> Option<Row> {
    let share = |entry: &Value| number(entry, "share").unwrap_or(f64::MAX);
    let shapes = machine.get("kernels")?[key].as_array()?;
    let worst = shapes.iter().min_by(|a, b| share(a).total_cmp(&share(b)))?;
    Some(Row {
        what: what.to_owned(),
        figure: format!("{:.0} %", 100.0 * share(worst)),
        of_bound: None,
        detail: format!(
            "worst of all shapes: {}, {:.1} of {:.1} {}",
            worst["shape"].as_str()?,
            number(worst, "rate")?,
            number(worst, "limit")?,
            worst["unit"].as_str()?,
        ),
    })
}

fn start(machine: &Machine<'_>) -> [Option<Row>; 3] {
    let of = |side: &str, key: &str| number(machine.get("start")?.get(side)?, key);
    let row = |what: &str, key: &str, unit: &str, note: String| {
        let peers = [MINIMAL, BERGAMOT, RECURRENT].into_iter();
        let best = peers
            .filter_map(|peer| Some((of(peer, key)?, peer)))
            .min_by(|a, b| a.0.total_cmp(&b.0))?;
        let ours = of(OURS, key)?;
        Some(Row {
            what: what.to_owned(),
            figure: format!("{:.2} ×", best.0 / ours),
            of_bound: None,
            detail: format!("{ours:.0} against {:.0} {unit} ({}){note}", best.0, best.1),
        })
    };
    let later = of(OURS, "coldAfterASecondMs").map_or_else(String::new, |ms| {
        format!("; {ms:.0} ms a second after load")
    });
    [
        row(
            "cold first sentence right after load (S int8), against the best peer's",
            "coldMs",
            "ms",
            later,
        ),
        row(
            "from cached bytes to ready (wasm and S int8), against the best peer's",
            "readyMs",
            "ms",
            String::new(),
        ),
        row(
            "renderer's peak memory (S int8), against the best peer's",
            "renderersMiB",
            "MiB",
            String::new(),
        ),
    ]
}

fn size(flavour: &str, machine: &Machine<'_>) -> Option<Row> {
    let of = |side: &str| number(machine.get("size")?, side).map(|bytes| bytes / 1000.0);
    Some(Row {
        what: format!("wasm, gzip, {flavour}"),
        figure: format!("{:.0} KB", of(flavour)?),
        of_bound: None,
        detail: format!(
            "onnxruntime-web {:.0}, bergamot {:.0} KB",
            of("onnxruntime-web")?,
            of("bergamot")?
        ),
    })
}

/// The dearer of greedy and beam 4.
fn observing(machine: &Machine<'_>) -> Option<Row> {
    let cost = |task: &Value| {
        Some((
            100.0 * (ratio(task, "plain", "observed")? - 1.0),
            number(task, "beam")?,
        ))
    };
    let costs: Vec<(f64, f64)> = machine
        .get("observe")?
        .as_array()?
        .iter()
        .filter_map(cost)
        .collect();
    let all: Vec<String> = costs
        .iter()
        .map(|(cost, beam)| format!("{cost:.1} % at beam {beam}"))
        .collect();
    Some(Row {
        what: "cost of capturing every attention map (S int8, 20 → 22)".to_owned(),
        figure: format!(
            "{:.2} %",
            costs.iter().map(|(cost, _)| *cost).max_by(f64::total_cmp)?
        ),
        of_bound: None,
        detail: all.join(", "),
    })
}

fn bleu(set: &str, machine: &Machine<'_>) -> Option<Row> {
    let measured = machine.get("bleu")?;
    let of = |precision: &str| number(&measured["sets"], &format!("{set}/{precision}"));
    let (float, int8) = (of("f32")?, of("int8")?);
    Some(Row {
        what: format!("BLEU lost by int8 on {set}"),
        figure: format!("{:.2}", float - int8),
        of_bound: None,
        detail: format!(
            "{float:.2} → {int8:.2}; {}",
            measured["float"].as_str().unwrap_or_default()
        ),
    })
}
