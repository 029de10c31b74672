//! Writes `RESULTS.md` from the results.

use super::results::{Results, number};
use super::{bound, ratios};
use crate::tools::root;
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Writes `RESULTS.md`.
///
/// # Errors
/// If a file cannot be written.
pub fn write(folder: &Path, results: &Results) -> Result<()> {
    let mut text = String::from(HEAD);
    machine(&mut text, results)?;
    table(&mut text, results)?;
    // Notes written by hand.
    text += &fs::read_to_string(root().join("benches/NOTES.md")).unwrap_or_default();
    limits(&mut text, results)?;
    for (group, title) in [
        ("s-short", "S, 20 → 22 pieces"),
        ("s-long", "S, 60 → 66 pieces"),
        ("m-short", "M, 20 → 22 pieces"),
        ("m-long", "M, 60 → 66 pieces"),
    ] {
        sides(&mut text, title, results.get(group))?;
    }
    shipped(&mut text, results.get("shipped"))?;
    start(&mut text, results.get("start"))?;
    growth(&mut text, results.get("growth"))?;
    if let Some(table) = results
        .get("native")
        .and_then(|native| native["table"].as_str())
    {
        write!(
            text,
            "\n## Native micro-benchmarks\n\n```text\n{table}\n```\n"
        )?;
    }
    let file = folder.join("RESULTS.md");
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    println!("{}", file.display());
    Ok(())
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

fn machine(text: &mut String, results: &Results) -> Result<()> {
    writeln!(text, "\n## Where and when\n\n| | groups |\n|---|---|")?;
    for field in ["processor", "browser", "commit", "date"] {
        let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (group, value) in results.stamps(field).filter(|(_, value)| !value.is_empty()) {
            // The day, without the time.
            let value = if field == "date" {
                value.get(..10).unwrap_or(value)
            } else {
                value
            };
            groups.entry(value).or_default().push(group);
        }
        for (value, names) in &groups {
            let names = if groups.len() == 1 {
                "all".to_owned()
            } else {
                names.join(", ")
            };
            writeln!(text, "| {field}: {value} | {names} |")?;
        }
    }
    let lock = fs::read(root().join("benches/peers/package-lock.json"))?;
    let lock: Value = serde_json::from_slice(&lock)?;
    for package in ["onnxruntime-web", "@browsermt/bergamot-translator"] {
        let version = &lock["packages"][format!("node_modules/{package}")]["version"];
        writeln!(
            text,
            "| {package} {} | |",
            version.as_str().unwrap_or_default()
        )?;
    }
    Ok(())
}

fn table(text: &mut String, results: &Results) -> Result<()> {
    writeln!(
        text,
        "\n## Ratios\n\n| | measured | of the bound | |\n|---|--:|--:|---|"
    )?;
    for row in ratios::all(results) {
        let share = row
            .of_bound
            .map_or_else(String::new, |share| format!("{:.0} %", 100.0 * share));
        writeln!(
            text,
            "| {} | {} | {share} | {} |",
            row.what, row.figure, row.detail
        )?;
    }
    Ok(())
}

fn limits(text: &mut String, results: &Results) -> Result<()> {
    let Some(limits) = results.get("limits") else {
        return Ok(());
    };
    writeln!(
        text,
        "\n## What the machine can do in this browser, one thread\n\n| registers alone, Gop/s (a multiply-add is 2) | as it is | VNNI switched off in V8 |\n|---|--:|--:|"
    )?;
    for (name, what) in [
        ("f32_mul_add", "`f32x4.mul` + `add`"),
        ("f32_relaxed_madd", "`f32x4.relaxed_madd`"),
        ("i16_dot", "`i32x4.dot_i16x8_s` + `add`"),
        ("i8_relaxed_dot", "`i32x4.relaxed_dot_i8x16_i7x16_add_s`"),
    ] {
        let of = |mode: &str| number(&limits[mode], &format!("peak/{name}")).unwrap_or_default();
        writeln!(
            text,
            "| {what} | {:.0} | {:.0} |",
            of("asItIs"),
            of("withoutVnni")
        )?;
    }
    writeln!(
        text,
        "\n| streaming from memory, GB/s | 1 MiB | 5 MiB (S int8) | 30 MiB (M int8) | 120 MiB (M f32) |\n|---|--:|--:|--:|--:|"
    )?;
    for (name, what) in [
        ("f32_relaxed_madd", "into `relaxed_madd`"),
        ("i8_relaxed_dot", "into the 8-bit dot product"),
        ("i8_extend_dot", "8-bit, widened for `dot_i16x8_s`"),
    ] {
        write!(text, "| {what} |")?;
        for mib in [1.0, 5.0, 30.0, 120.0] {
            let rate = bound::gb_per_s(&limits["asItIs"], name, mib * f64::from(1 << 20));
            write!(text, " {:.1} |", rate.unwrap_or_default())?;
        }
        writeln!(text)?;
    }
    Ok(())
}

/// Tokens per second of every side, greedy and beam 4.
fn sides(text: &mut String, title: &str, group: Option<&Value>) -> Result<()> {
    let Some([greedy, beam]) = group.and_then(Value::as_array).map(Vec::as_slice) else {
        return Ok(());
    };
    let Some(names) = greedy["sides"].as_object() else {
        return Ok(());
    };
    writeln!(
        text,
        "\n## {title}\n\n| tokens/s (ms) | greedy | beam 4 |\n|---|--:|--:|"
    )?;
    for name in names.keys() {
        write!(text, "| {name} |")?;
        for task in [greedy, beam] {
            let of = |key: &str| number(&task["sides"][name], key).unwrap_or_default();
            write!(text, " {:.0} ({:.1}) |", of("tokensPerS"), of("ms"))?;
        }
        writeln!(text)?;
    }
    Ok(())
}

fn shipped(text: &mut String, group: Option<&Value>) -> Result<()> {
    let Some(tasks) = group.and_then(Value::as_array) else {
        return Ok(());
    };
    writeln!(
        text,
        "\n## The model that ships\n\nMedian time of a sentence of `browser/sentences.mjs`, from request to answer.\n\n| ms | relaxed SIMD | simd128 |\n|---|--:|--:|"
    )?;
    for task in tasks {
        let of = |side: &str| number(&task["sides"][side], "ms").unwrap_or_default();
        let beam = number(task, "beam").unwrap_or_default();
        let search = if beam == 1.0 {
            "greedy".to_owned()
        } else {
            format!("beam {beam}")
        };
        writeln!(
            text,
            "| {search} | {:.1} | {:.1} |",
            of("engine relaxed"),
            of("engine simd128")
        )?;
    }
    Ok(())
}

fn start(text: &mut String, group: Option<&Value>) -> Result<()> {
    let Some(sides) = group.and_then(Value::as_object) else {
        return Ok(());
    };
    writeln!(
        text,
        "\n## Loading S\n\nA second visit in a fresh browser, where all sides find their files in its caches: from the first request of their\n\
         modules until they can translate (of ours with the worker). *Cold*: the first sentence, asked for at once.\n\n\
         | | ready, ms | cold sentence, ms | a second later, ms | renderer's peak, MiB |\n|---|--:|--:|--:|--:|"
    )?;
    for (name, side) in sides {
        let of = |key: &str| {
            number(side, key).map_or_else(|| "–".to_owned(), |value| format!("{value:.0}"))
        };
        writeln!(
            text,
            "| {name} | {} | {} | {} | {} |",
            of("readyMs"),
            of("coldMs"),
            of("coldAfterASecondMs"),
            of("renderersMiB")
        )?;
    }
    Ok(())
}

/// Time against the number of sentences and against length, and beside it the time of a sentence or piece.
fn growth(text: &mut String, group: Option<&Value>) -> Result<()> {
    let Some(group) = group else {
        return Ok(());
    };
    writeln!(text, "\n## Growth (S int8, greedy)")?;
    for (key, n, title, each) in [
        (
            "sentences",
            "sentences",
            "sentences of 20 → 22 pieces",
            "sentence",
        ),
        (
            "length",
            "target",
            "pieces of the translation, to a source of 20",
            "piece",
        ),
    ] {
        writeln!(text, "\n| {title} | ms | ms a {each} |\n|--:|--:|--:|")?;
        for entry in group[key].as_array().into_iter().flatten() {
            if let (Some(n), Some(ms)) = (number(entry, n), number(entry, "ms")) {
                writeln!(text, "| {n} | {ms:.0} | {:.2} |", ms / n)?;
            }
        }
    }
    Ok(())
}
