//! Writes `RESULTS.md` from the results.

use super::results::{Machine, Results, number};
use super::{bound, ratios};
use crate::tools::root;
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Writes `RESULTS.md`.
///
/// # Errors
/// If a file cannot be written.
pub fn write(folder: &Path, results: &Results) -> Result<()> {
    let machines = results.machines();
    let mut text = String::from(HEAD);
    text += &whereabouts(&machines)?;
    text += &all_ratios(&machines);
    // Notes written by hand.
    text += &fs::read_to_string(root().join("benches/NOTES.md")).unwrap_or_default();
    for machine in &machines {
        text += &format!("\n## On {}\n", machine.processor);
        text += &figures(machine);
    }
    let file = folder.join("RESULTS.md");
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    println!("{}", file.display());
    Ok(())
}

/// Everything measured on one machine.
fn figures(machine: &Machine<'_>) -> String {
    let part = |group: &str, print: fn(&Value) -> String| {
        machine.get(group).map_or_else(String::new, print)
    };
    let mut text = part("limits", limits);
    for (group, title) in [
        ("s-short", "S, 20 → 22 pieces"),
        ("s-long", "S, 60 → 66 pieces"),
        ("m-short", "M, 20 → 22 pieces"),
        ("m-long", "M, 60 → 66 pieces"),
    ] {
        let tasks = machine.get(group).and_then(Value::as_array);
        text += &tasks.map_or_else(String::new, |tasks| sides(title, tasks));
    }
    text += &part("shipped", shipped);
    text += &part("start", start);
    text += &part("growth", growth);
    if let Some(native) = machine.get("native") {
        if native["translate"].is_object() {
            text += &super::native::section(&native["translate"]);
        }
        if let Some(table) = native["table"].as_str() {
            text += &format!("\n### Native micro-benchmarks\n\n```text\n{table}\n```\n");
        }
    }
    text
}

/// The table of ratios: a row for each figure, a column for each machine.
fn all_ratios(machines: &[Machine<'_>]) -> String {
    let columns: Vec<Vec<ratios::Row>> = machines.iter().map(ratios::all).collect();
    let mut rows: Vec<&str> = Vec::new();
    for row in columns.iter().flatten() {
        if !rows.contains(&row.what.as_str()) {
            rows.push(&row.what);
        }
    }
    let mut text =
        "\n## Ratios\n\nA column for each processor. A share is that of the bound.\n\n| |"
            .to_owned();
    for machine in machines {
        text += &format!(" {} |", machine.processor);
    }
    text += &format!("\n|---|{}\n", "---|".repeat(machines.len()));
    for what in rows {
        text += &format!("| {what} |");
        for column in &columns {
            let cell = column.iter().find(|row| row.what == what);
            text += &cell.map_or_else(
                || " – |".to_owned(),
                |row| {
                    let share = row
                        .of_bound
                        .map(|share| format!(" ({:.0} %)", 100.0 * share));
                    format!(
                        " **{}**{}; {} |",
                        row.figure,
                        share.unwrap_or_default(),
                        row.detail
                    )
                },
            );
        }
        text += "\n";
    }
    text
}

const HEAD: &str = "# How fast it is

Written by `cargo xtask bench`, which measures all of it again; the figures are in `results.json`. Speeds drift by 10 to
30 % on most machines: only ratios of sides that took turns in one run mean something.

- **S**: d_model 256, 8 heads, d_ff 1024, 3 + 3 layers, one vocabulary of 8 000 pieces for both sides and the output, the
  shape of the model that ships. **M**: the paper's base model (512, 8, 2048, 6 + 6) with 16 000 pieces. Random weights.
- Lengths are forced, 20 → 22 and 60 → 66 pieces: a bias of −10⁴ on the end mark, in our models and in Bergamot's, leaves a
  search no way to end but its longest length, which our request sets (`maxExtra`).
- Our side is the page's: `engine/translator.js`, its worker, model folders listed in an index, timed from the request to the
  answer in the page; ever new sentences, since the worker remembers translations. The peers run in pages of their own in
  the same headless Chromium: onnxruntime-web with graphs exported by optimum (*standard*) and hand-made ones that
  hold nothing but the arithmetic (*minimal*), and bergamot-translator; `peers/` makes their models. *Recurrent* is
  Bergamot's cheaper decoder (SSRU) on the same encoder.
- One thread each, everything pinned to one core. After a warm-up of 2.5 s, seven rounds A B C … A B C …; ratios are medians over
  the rounds, times medians of all translations.
- *Of the bound*: the time in which every weight passes once through memory at the streaming bandwidth and every multiply-add
  runs at the peak rate, both measured in the same browser, divided by the measured time. Attention, softmax, norms, search
  and messages count as nothing in the bound.
";

/// A Markdown table: its heading as it is written, and its rows.
fn table<const N: usize>(head: &str, rows: impl IntoIterator<Item = [String; N]>) -> String {
    let rows = rows
        .into_iter()
        .map(|cells| format!("| {} |\n", cells.join(" | ")));
    format!("{head}\n{}", rows.collect::<String>())
}

/// A number of a group with some digits, 0 where it was not measured.
fn figure(group: &Value, path: &str, digits: usize) -> String {
    format!("{:.digits$}", number(group, path).unwrap_or_default())
}

fn whereabouts(machines: &[Machine<'_>]) -> Result<String> {
    let mut rows = Vec::new();
    let fields = ["browser", "commit", "date"];
    for (machine, field) in machines
        .iter()
        .flat_map(|machine| fields.map(|field| (machine, field)))
    {
        if field == fields[0] {
            rows.push([format!("**{}**", machine.processor), String::new()]);
        }
        let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (group, value) in machine.stamps(field).filter(|(_, value)| !value.is_empty()) {
            // The day, without the time.
            let day = value.get(..10).filter(|_| field == "date");
            groups.entry(day.unwrap_or(value)).or_default().push(group);
        }
        for (value, names) in &groups {
            let all = groups.len() == 1;
            let names = if all {
                "all".to_owned()
            } else {
                names.join(", ")
            };
            rows.push([format!("{field}: {value}"), names]);
        }
    }
    let lock = fs::read(root().join("benches/peers/package-lock.json"))?;
    let lock: Value = serde_json::from_slice(&lock)?;
    let peers = ["onnxruntime-web", "@browsermt/bergamot-translator"].map(|package| {
        let version = &lock["packages"][format!("node_modules/{package}")]["version"];
        format!("| {package} {} | |\n", version.as_str().unwrap_or_default())
    });
    Ok(table("\n## Where and when\n\n| | groups |\n|---|---|", rows) + &peers.concat())
}

fn limits(limits: &Value) -> String {
    let peaks = [
        ("f32_mul_add", "`f32x4.mul` + `add`"),
        ("f32_relaxed_madd", "`f32x4.relaxed_madd`"),
        ("i16_dot", "`i32x4.dot_i16x8_s` + `add`"),
        ("i8_relaxed_dot", "`i32x4.relaxed_dot_i8x16_i7x16_add_s`"),
    ]
    .map(|(name, what)| {
        let of = |mode: &str| figure(limits, &format!("{mode}/peak/{name}"), 0);
        [what.to_owned(), of("asItIs"), of("withoutVnni")]
    });
    let streams = [
        ("f32_relaxed_madd", "into `relaxed_madd`"),
        ("i8_relaxed_dot", "into the 8-bit dot product"),
        ("i8_extend_dot", "8-bit, widened for `dot_i16x8_s`"),
    ]
    .map(|(name, what)| {
        let rate = |mib: f64| bound::gb_per_s(&limits["asItIs"], name, mib * f64::from(1 << 20));
        let [a, b, c, d] =
            [1.0, 5.0, 30.0, 120.0].map(|mib| format!("{:.1}", rate(mib).unwrap_or_default()));
        [what.to_owned(), a, b, c, d]
    });
    table(
        "\n### What the machine can do in this browser, one thread\n\n| registers alone, Gop/s (a multiply-add is 2) | as it is | VNNI switched off in V8 |\n|---|--:|--:|",
        peaks,
    ) + &table(
        "\n| streaming from memory, GB/s | 1 MiB | 5 MiB (S int8) | 30 MiB (M int8) | 120 MiB (M f32) |\n|---|--:|--:|--:|--:|",
        streams,
    )
}

/// Tokens per second of every side, greedy and beam 4.
fn sides(title: &str, tasks: &[Value]) -> String {
    let [greedy, beam] = tasks else {
        return String::new();
    };
    let names = greedy["sides"]
        .as_object()
        .into_iter()
        .flat_map(|sides| sides.keys());
    let rows = names.map(|name| {
        let [greedy, beam] = [greedy, beam].map(|task| {
            let side = &task["sides"][name];
            format!(
                "{} ({})",
                figure(side, "tokensPerS", 0),
                figure(side, "ms", 1)
            )
        });
        [name.clone(), greedy, beam]
    });
    table(
        &format!("\n### {title}\n\n| tokens/s (ms) | greedy | beam 4 |\n|---|--:|--:|"),
        rows,
    )
}

fn shipped(tasks: &Value) -> String {
    let rows = tasks.as_array().into_iter().flatten().map(|task| {
        let of = |side: &str| figure(&task["sides"][side], "ms", 1);
        let search = match number(task, "beam").unwrap_or_default() {
            1.0 => "greedy".to_owned(),
            beam => format!("beam {beam}"),
        };
        [search, of("engine relaxed"), of("engine simd128")]
    });
    table(
        "\n### The model that ships\n\nMedian time of a sentence of `browser/sentences.mjs`, from request to answer.\n\n| ms | relaxed SIMD | simd128 |\n|---|--:|--:|",
        rows,
    )
}

fn start(sides: &Value) -> String {
    let rows = sides.as_object().into_iter().flatten().map(|(name, side)| {
        let of = |key: &str| {
            number(side, key).map_or_else(|| "–".to_owned(), |value| format!("{value:.0}"))
        };
        [
            name.clone(),
            of("readyMs"),
            of("coldMs"),
            of("coldAfterASecondMs"),
            of("renderersMiB"),
        ]
    });
    table(
        "\n### Loading S\n\nA second visit in a fresh browser, where all sides find their files in its caches: from the first request of their\n\
         modules until they can translate (of ours with the worker). *Cold*: the first sentence, asked for at once.\n\n\
         | | ready, ms | cold sentence, ms | a second later, ms | renderer's peak, MiB |\n|---|--:|--:|--:|--:|",
        rows,
    )
}

/// Time against the number of sentences and against length, and beside it the time of a sentence or piece.
fn growth(group: &Value) -> String {
    let part = |key: &str, n: &str, title: &str, each: &str| {
        let entries = group[key].as_array().into_iter().flatten();
        let measured = entries.filter_map(|entry| Some((number(entry, n)?, number(entry, "ms")?)));
        let rows =
            measured.map(|(n, ms)| [n.to_string(), format!("{ms:.0}"), format!("{:.2}", ms / n)]);
        table(
            &format!("\n| {title} | ms | ms a {each} |\n|--:|--:|--:|"),
            rows,
        )
    };
    "\n### Growth (S int8, greedy)\n".to_owned()
        + &part(
            "sentences",
            "sentences",
            "sentences of 20 → 22 pieces",
            "sentence",
        )
        + &part(
            "length",
            "target",
            "pieces of the translation, to a source of 20",
            "piece",
        )
}
