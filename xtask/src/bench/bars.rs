//! The bars that the engine is held to: what was measured for each, beside what it ought to be at least and what is
//! aimed for.

use super::bound::{self, Arithmetic, F32_RELAXED, INT8_FIXED, INT8_RELAXED};
use super::results::{Results, median, number};
use serde_json::Value;

/// Which side of a limit is good.
#[derive(Clone, Copy, PartialEq)]
enum Sense {
    AtLeast,
    AtMost,
}

/// One row of the table.
pub struct Bar {
    /// What is measured.
    pub what: String,
    sense: Sense,
    least: f64,
    /// None where the bound itself is aimed for.
    aim: Option<f64>,
    unit: &'static str,
    /// None where it was not measured yet.
    measured: Option<f64>,
    /// The figures that the measured one is made of.
    pub detail: String,
    /// Share of what the machine could do.
    pub of_bound: Option<f64>,
}

/// How a measurement stands to its bar.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nothing was measured.
    Open,
    /// Worse than at least demanded.
    Missed,
    /// At least what is demanded.
    Met,
    /// What is aimed for.
    Reached,
}

impl Bar {
    /// How it stands.
    pub fn standing(&self) -> Standing {
        let Some(measured) = self.measured else {
            return Standing::Open;
        };
        let holds = |limit: f64| match self.sense {
            Sense::AtLeast => measured >= limit,
            Sense::AtMost => measured <= limit,
        };
        if !holds(self.least) {
            Standing::Missed
        } else if self.aim.is_some_and(holds) || self.of_bound.is_some_and(|share| share >= 0.95) {
            Standing::Reached
        } else {
            Standing::Met
        }
    }

    /// The demand, e.g. "3 ×".
    pub fn least(&self) -> String {
        self.shown(self.least)
    }

    /// The aim.
    pub fn aim(&self) -> String {
        self.aim
            .map_or_else(|| "the bound".into(), |aim| self.shown(aim))
    }

    /// The figure.
    pub fn measured(&self) -> String {
        self.measured
            .map_or_else(|| "–".into(), |measured| self.shown(measured))
    }

    /// By how much the demand is missed, in words.
    pub fn missing(&self) -> Option<String> {
        let measured = self.measured?;
        let factor = match self.sense {
            Sense::AtLeast => self.least / measured,
            Sense::AtMost => measured / self.least,
        };
        (self.standing() == Standing::Missed).then(|| {
            format!(
                "{}: {} where {} is demanded, a factor of {factor:.2}",
                self.what,
                self.measured(),
                self.least()
            )
        })
    }

    fn shown(&self, value: f64) -> String {
        let digits = match value.abs() {
            value if value >= 100.0 || value.fract() == 0.0 => 0,
            value if value >= 10.0 => 1,
            _ => 2,
        };
        format!("{value:.digits$} {}", self.unit)
            .trim_end()
            .to_owned()
    }
}

/// A comparison of sides in `groups.mjs`: one model, length and beam.
struct Task<'a> {
    value: &'a Value,
    limits: Option<&'a Value>,
}

impl Task<'_> {
    fn side(&self, name: &str) -> Option<&Value> {
        self.value["sides"].get(name)
    }

    fn ms(&self, side: &str) -> Option<f64> {
        number(self.side(side)?, "ms")
    }

    /// How many times as fast `ours` is as `theirs`: the median over the rounds, in each of which both had a turn.
    fn ratio(&self, ours: &str, theirs: &str) -> Option<f64> {
        let rounds = |side: &str| -> Option<Vec<f64>> {
            self.side(side)?["rounds"]
                .as_array()?
                .iter()
                .map(Value::as_f64)
                .collect()
        };
        let pairs = rounds(ours)?.into_iter().zip(rounds(theirs)?);
        median(pairs.map(|(ours, theirs)| theirs / ours).collect())
    }

    /// The fastest of these.
    fn fastest<'n>(&self, names: &[&'n str]) -> Option<&'n str> {
        let measured = names.iter().filter(|name| self.ms(name).is_some());
        measured.copied().min_by(|a, b| {
            let ms = |name: &str| self.ms(name).unwrap_or(f64::MAX);
            ms(a).total_cmp(&ms(b))
        })
    }

    fn tokens_per_s(&self, side: &str) -> f64 {
        self.side(side)
            .and_then(|side| number(side, "tokensPerS"))
            .unwrap_or_default()
    }

    fn share(&self, side: &str, arithmetic: &Arithmetic) -> Option<f64> {
        let length = |key| number(self.value, key);
        let task = (length("source")?, length("target")?, length("beam")?);
        let bound = bound::milliseconds(
            self.limits?,
            self.value["model"].as_str()?,
            arithmetic,
            task,
        )?;
        Some(bound / self.ms(side)?)
    }
}

const OURS: &str = "engine int8";
const OURS_FIXED: &str = "engine int8 simd128";
const OURS_F32: &str = "engine f32";
const MINIMAL: &str = "onnxruntime minimal int8";
const MINIMAL_F32: &str = "onnxruntime minimal f32";
const STANDARD: &str = "onnxruntime standard int8";
const BERGAMOT: &str = "bergamot";
const RECURRENT: &str = "bergamot recurrent";

/// A bar on a ratio of speeds.
struct Race {
    what: &'static str,
    models: &'static [&'static str],
    beam: f64,
    ours: &'static str,
    /// The fastest of these is who counts.
    theirs: &'static [&'static str],
    least: f64,
    aim: Option<f64>,
    arithmetic: Arithmetic,
}

const RACES: [Race; 7] = [
    Race {
        what: "int8 greedy, against onnxruntime-web int8 with minimal graphs",
        models: &["S"],
        beam: 1.0,
        ours: OURS,
        theirs: &[MINIMAL],
        least: 3.0,
        aim: Some(5.0),
        arithmetic: INT8_RELAXED,
    },
    Race {
        what: "int8 greedy, against Bergamot with its recurrent decoder",
        models: &["S"],
        beam: 1.0,
        ours: OURS,
        theirs: &[RECURRENT],
        least: 2.5,
        aim: Some(4.0),
        arithmetic: INT8_RELAXED,
    },
    Race {
        what: "int8 greedy, against the faster of both",
        models: &["M"],
        beam: 1.0,
        ours: OURS,
        theirs: &[MINIMAL, STANDARD, BERGAMOT],
        least: 3.5,
        aim: Some(5.0),
        arithmetic: INT8_RELAXED,
    },
    Race {
        what: "int8 beam 4, against the faster of both",
        models: &["S"],
        beam: 4.0,
        ours: OURS,
        theirs: &[MINIMAL, STANDARD, BERGAMOT, RECURRENT],
        least: 3.0,
        aim: Some(5.0),
        arithmetic: INT8_RELAXED,
    },
    Race {
        what: "int8 beam 4, against the faster of both",
        models: &["M"],
        beam: 4.0,
        ours: OURS,
        theirs: &[MINIMAL, STANDARD, BERGAMOT],
        least: 3.0,
        aim: Some(5.0),
        arithmetic: INT8_RELAXED,
    },
    Race {
        what: "f32 greedy, against onnxruntime-web f32 with minimal graphs",
        models: &["S"],
        beam: 1.0,
        ours: OURS_F32,
        theirs: &[MINIMAL_F32],
        least: 1.3,
        aim: None,
        arithmetic: F32_RELAXED,
    },
    Race {
        what: "int8 greedy without relaxed SIMD, against onnxruntime-web int8 with minimal graphs",
        models: &["S"],
        beam: 1.0,
        ours: OURS_FIXED,
        theirs: &[MINIMAL],
        least: 2.0,
        aim: Some(3.0),
        arithmetic: INT8_FIXED,
    },
];

/// Every bar, in the order of the table.
pub fn all(results: &Results) -> Vec<Bar> {
    let mut bars = Vec::new();
    for race in &RACES {
        for model in race.models {
            for (length, lengths) in [("short", "20 → 22"), ("long", "60 → 66")] {
                let group = format!("{}-{length}", model.to_lowercase());
                bars.push(run(
                    race,
                    model,
                    lengths,
                    results.get(&group),
                    results.get("limits"),
                ));
            }
        }
    }
    bars.extend(kernels(results));
    bars.extend(start(results));
    bars.extend(sizes(results));
    bars.push(observing(results));
    bars.extend(bleu(results));
    bars.extend(growth(results));
    bars
}

fn run(
    race: &Race,
    model: &str,
    lengths: &str,
    group: Option<&Value>,
    limits: Option<&Value>,
) -> Bar {
    let task = group
        .and_then(Value::as_array)
        .and_then(|tasks| {
            tasks
                .iter()
                .find(|task| number(task, "beam") == Some(race.beam))
        })
        .map(|value| Task { value, limits });
    let opponent = task.as_ref().and_then(|task| task.fastest(race.theirs));
    let detail = match (&task, opponent) {
        (Some(task), Some(opponent)) => format!(
            "{:.0} against {:.0} tokens/s ({opponent})",
            task.tokens_per_s(race.ours),
            task.tokens_per_s(opponent)
        ),
        _ => String::new(),
    };
    Bar {
        what: format!("{model} {}, {lengths}", race.what),
        sense: Sense::AtLeast,
        least: race.least,
        aim: race.aim,
        unit: "×",
        measured: task
            .as_ref()
            .and_then(|task| task.ratio(race.ours, opponent?)),
        of_bound: task
            .as_ref()
            .and_then(|task| task.share(race.ours, &race.arithmetic)),
        detail,
    }
}

/// Shares of the limits that the kernels alone reach.
fn kernels(results: &Results) -> Vec<Bar> {
    let measured = results.get("kernels");
    let share = |what: &str, key: &str, least: f64, aim: f64| {
        let worst = measured.and_then(|value| {
            let entries = value[key].as_array()?.iter();
            entries.min_by(|a, b| {
                let share = |entry| number(entry, "share").unwrap_or(f64::MAX);
                share(a).total_cmp(&share(b))
            })
        });
        let share = worst.and_then(|entry| number(entry, "share"));
        Bar {
            what: what.to_owned(),
            sense: Sense::AtLeast,
            least,
            aim: Some(aim),
            unit: "%",
            measured: share.map(|share| 100.0 * share),
            detail: worst.map_or_else(String::new, |entry| {
                format!(
                    "worst of all shapes: {}, {:.1} of {:.1} {}",
                    entry["shape"].as_str().unwrap_or_default(),
                    number(entry, "rate").unwrap_or_default(),
                    number(entry, "limit").unwrap_or_default(),
                    entry["unit"].as_str().unwrap_or_default(),
                )
            }),
            of_bound: share,
        }
    };
    vec![
        share(
            "int8 GEMM at the encoder's shapes (≥ 64 rows), share of the relaxed-dot peak",
            "gemmInt8",
            60.0,
            80.0,
        ),
        share("f32 GEMM, share of the madd peak", "gemmF32", 80.0, 90.0),
        share(
            "int8 matrix-vector, share of the streaming bandwidth",
            "gemvInt8",
            70.0,
            90.0,
        ),
    ]
}

fn start(results: &Results) -> Vec<Bar> {
    let measured = results.get("start");
    let of = |side: &str, key: &str| number(measured?.get(side)?, key);
    let best = |key: &str, sides: &[&'static str]| {
        let sides = sides
            .iter()
            .filter_map(|side| Some((of(side, key)?, *side)));
        sides.min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let peers = [MINIMAL, BERGAMOT, RECURRENT];
    let mut bars = Vec::new();
    for (what, key, aim_ms) in [
        (
            "cold first sentence right after load (S int8), against the best peer's",
            "coldMs",
            50.0,
        ),
        (
            "from cached bytes to ready (wasm and S int8), against the best peer's",
            "readyMs",
            60.0,
        ),
    ] {
        let (ours, best) = (of(OURS, key), best(key, &peers));
        let later = of(OURS, "coldAfterASecondMs").filter(|_| key == "coldMs");
        bars.push(Bar {
            what: what.to_owned(),
            sense: Sense::AtLeast,
            least: 3.0,
            // The aim is a time: as a ratio it depends on the peer of the day.
            aim: best.map(|(best, _)| best / aim_ms),
            unit: "×",
            measured: ours.zip(best).map(|(ours, (best, _))| best / ours),
            detail: ours
                .zip(best)
                .map_or_else(String::new, |(ours, (best, side))| {
                    let later = later.map_or_else(String::new, |ms| {
                        format!("; {ms:.0} ms a second after load")
                    });
                    format!("{ours:.0} against {best:.0} ms ({side}); aim {aim_ms} ms{later}")
                }),
            of_bound: None,
        });
    }
    let ours = of(OURS, "renderersMiB");
    let bergamots = best("renderersMiB", &[BERGAMOT, RECURRENT]);
    bars.push(Bar {
        what: "renderer's peak memory, S int8".to_owned(),
        sense: Sense::AtMost,
        least: bergamots.map_or(f64::NAN, |(mib, _)| mib),
        aim: Some(120.0),
        unit: "MiB",
        measured: ours,
        detail: "at least: below Bergamot's".to_owned(),
        of_bound: None,
    });
    bars
}

fn sizes(results: &Results) -> Vec<Bar> {
    let of = |flavour: &str| number(results.get("size")?, flavour).map(|bytes| bytes / 1000.0);
    let row = |flavour: &str| Bar {
        what: format!("wasm, gzip, {flavour}"),
        sense: Sense::AtMost,
        least: 400.0,
        aim: Some(250.0),
        unit: "KB",
        measured: of(flavour),
        detail: match (of("onnxruntime-web"), of("bergamot")) {
            (Some(ort), Some(bergamot)) => {
                format!("onnxruntime-web {ort:.0}, bergamot {bergamot:.0} KB")
            }
            _ => String::new(),
        },
        of_bound: None,
    };
    vec![row("simd128"), row("relaxed-simd")]
}

/// The dearer of greedy and beam 4.
fn observing(results: &Results) -> Bar {
    let cost = |value: &Value| {
        let ratio = Task {
            value,
            limits: None,
        }
        .ratio("plain", "observed")?;
        Some((100.0 * (ratio - 1.0), number(value, "beam")?))
    };
    let tasks = results.get("observe").and_then(Value::as_array);
    let costs: Vec<(f64, f64)> = tasks.into_iter().flatten().filter_map(cost).collect();
    let shown: Vec<String> = costs
        .iter()
        .map(|(cost, beam)| format!("{cost:.1} % at beam {beam}"))
        .collect();
    Bar {
        what: "cost of capturing every attention map (S int8, 20 → 22)".to_owned(),
        sense: Sense::AtMost,
        least: 5.0,
        aim: Some(2.0),
        unit: "%",
        measured: costs.iter().map(|(cost, _)| *cost).max_by(f64::total_cmp),
        detail: shown.join(", "),
        of_bound: None,
    }
}

fn bleu(results: &Results) -> Vec<Bar> {
    let measured = results.get("bleu");
    let row = |set: &str| {
        let of = |precision: &str| number(&measured?["sets"], &format!("{set}/{precision}"));
        let (float, int8) = (of("f32"), of("int8"));
        Bar {
            what: format!("BLEU lost by int8 on {set}"),
            sense: Sense::AtMost,
            least: 0.2,
            aim: Some(0.1),
            unit: "",
            measured: float.zip(int8).map(|(float, int8)| float - int8),
            detail: float.zip(int8).map_or_else(String::new, |(float, int8)| {
                let from = measured
                    .and_then(|value| value["float"].as_str())
                    .unwrap_or_default();
                format!("{float:.2} → {int8:.2}; {from}")
            }),
            of_bound: None,
        }
    };
    vec![row("newstest2013"), row("multi30k_test_2016_flickr")]
}

/// How far the measured times are above what linear growth, or growth with an n² term, says.
fn growth(results: &Results) -> Vec<Bar> {
    let measured = results.get("growth");
    let points = |key: &str, x: &str| -> Option<Vec<(f64, f64)>> {
        let entries = measured?[key].as_array()?.iter();
        entries
            .map(|entry| Some((number(entry, x)?, number(entry, "ms")?)))
            .collect()
    };
    let row = |what: &str, points: Option<Vec<(f64, f64)>>, quadratic: bool| {
        let excess = points.as_ref().map(|points| {
            let fit = super::plot::fit(points, quadratic);
            let (n, ms) = *points.last().unwrap_or(&(1.0, 1.0));
            ms / fit.at(n)
        });
        Bar {
            what: what.to_owned(),
            sense: Sense::AtMost,
            least: 1.15,
            aim: Some(1.05),
            unit: "×",
            measured: excess,
            detail: "measured over fitted time at the largest".to_owned(),
            of_bound: None,
        }
    };
    vec![
        row(
            "growth with the number of sentences: linear",
            points("sentences", "sentences"),
            false,
        ),
        row(
            "growth with length up to 512: no worse than an n² term explains",
            points("length", "target"),
            true,
        ),
    ]
}
