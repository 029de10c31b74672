//! Whole lines outside the browser, against the peers that people run there.

use super::peers::Peers;
use crate::tools::root;
use anyhow::{Context, Result};
use serde_json::Value;
use std::fmt::Write;

/// How often all take their turn.
const ROUNDS: &str = "3";

/// Lines a second of all sides (`benches/peers/native.py`) on the sentences of the browser's benchmark, ten times each.
///
/// # Errors
/// If the peers cannot be installed or a measurement fails.
pub fn measure(quick: bool) -> Result<Value> {
    let translucent = super::build_command()?;
    let peers = Peers {
        cache: Peers::folder()?,
    };
    let shipped = root().join("models/en-de");
    let float = peers.models().join("en-de-f32");
    Peers::dequantize(&shipped, &float)?;
    let script = "import(process.argv[1]).then(({ SENTENCES }) => process.stdout.write(SENTENCES.join('\\n')))";
    let sentences = root().join("benches/browser/sentences.mjs");
    let mut node = std::process::Command::new("node");
    node.args(["-e", script]).arg(sentences);
    let text = crate::tools::output(&mut node).context("cannot read the sentences")?;
    let (rounds, times) = if quick { ("1", 2) } else { (ROUNDS, 10) };
    let lines = format!("{text}\n").repeat(times);
    let arguments = [
        translucent.as_path(),
        &shipped,
        &float,
        &peers.cache,
        rounds.as_ref(),
    ];
    let line = peers.python_output("native.py", &arguments, &lines)?;
    serde_json::from_str(line.trim()).with_context(|| format!("not JSON: {line}"))
}

/// The section of the report.
pub fn section(measured: &Value) -> String {
    let speeds = &measured["speeds"];
    let number = |side: &str, how: &str| speeds[side][how].as_f64().unwrap_or(f64::NAN);
    let version = |side: &str| measured["versions"][side].as_str().unwrap_or_default();
    let mut text = format!(
        "\n### Outside the browser\n\n`translucent translate` with the model that ships, int8, one thread pinned to one core, {} lines: lines a second, \
         the sides in turns, medians of {ROUNDS} rounds. The same weights in CTranslate2 {} and, as optimum exports and runs them, \
         onnxruntime {}. The last column is the share of lines that CTranslate2 translates as we do, letter by letter: it rounds otherwise.\n\n\
         | | ours | CTranslate2 | onnxruntime | ours / CTranslate2 | alike |\n|---|--:|--:|--:|--:|--:|\n",
        measured["lines"],
        version("ctranslate2"),
        version("onnxruntime"),
    );
    for how in speeds["translucent"]
        .as_object()
        .into_iter()
        .flat_map(|o| o.keys())
    {
        let ours = number("translucent", how);
        let _ = writeln!(
            text,
            "| {how} | {ours:.0} | {:.0} | {:.0} | **{:.2}** | {:.0} % |",
            number("ctranslate2", how),
            number("onnxruntime", how),
            ours / number("ctranslate2", how),
            100.0
                * measured["same"]["ctranslate2"][how]
                    .as_f64()
                    .unwrap_or(f64::NAN),
        );
    }
    text
}
