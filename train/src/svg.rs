//! The training curve as a picture for the model card: loss of the development files and BLEU against target tokens.

use crate::curve::{Curve, ValidationPoint};
use std::fmt::Write;

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 44.0;
const BOTTOM: f64 = 34.0;
const TOP: f64 = 26.0;
/// Dash patterns tell the lines apart in print and for everybody.
const DASHES: [&str; 4] = ["none", "7 3", "2 3", "10 3 2 3"];

/// A value of a point of the curve, where it was measured.
type Value = fn(&ValidationPoint) -> Option<f64>;

/// Two panels side by side; the second only if BLEU was measured at least twice.
pub fn curve(curve: &Curve) -> String {
    let panels: [(&str, Value); 2] = [
        ("dev loss, nats per piece", |p| Some(p.loss)),
        ("BLEU", |p| p.bleu),
    ];
    let panels: Vec<_> = panels
        .into_iter()
        .filter(|(_, value)| {
            let measured = |points: &Vec<ValidationPoint>| points.iter().filter_map(value).count();
            curve.validation.values().map(measured).max().unwrap_or(0) > 1
        })
        .collect();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        WIDTH * panels.len() as f64
    );
    for (i, (title, value)) in panels.into_iter().enumerate() {
        panel(&mut svg, curve, WIDTH * i as f64, title, value);
    }
    svg += "</svg>\n";
    svg
}

fn panel(svg: &mut String, curve: &Curve, offset: f64, title: &str, value: Value) {
    let values = || curve.validation.values().flatten().filter_map(value);
    let most_tokens = curve.target_tokens.max(1) as f64;
    let (low, high) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
        (l.min(v), h.max(v))
    });
    let step = nice_step(high - low.min(high - 1e-9));
    let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
    let x = |tokens: f64| offset + LEFT + tokens / most_tokens * (WIDTH - LEFT - 90.0);
    let y = |v: f64| HEIGHT - BOTTOM - (v - low) / (high - low) * (HEIGHT - BOTTOM - TOP);
    // Writing to a string does not fail.
    let mut line = |text: String| {
        let _ = writeln!(svg, "{text}");
    };
    line(format!(
        "<text x=\"{:.1}\" y=\"15\" font-size=\"13\">{title}</text>",
        offset + LEFT
    ));
    let mut tick = low;
    while tick <= high + step / 2.0 {
        line(format!(
            "<path d=\"M{:.1} {:.1}H{:.1}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            x(0.0),
            y(tick),
            x(most_tokens),
            x(0.0) - 5.0,
            y(tick) + 4.0,
            (tick * 100.0).round() / 100.0
        ));
        tick += step;
    }
    let step = nice_step(most_tokens / 1e6);
    let mut tick = 0.0;
    while tick <= most_tokens / 1e6 {
        line(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text>",
            x(tick * 1e6),
            HEIGHT - BOTTOM + 15.0
        ));
        tick += step;
    }
    line(format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">target tokens, millions</text>",
        x(most_tokens / 2.0),
        HEIGHT - 5.0
    ));
    for (i, (name, points)) in curve.validation.iter().enumerate() {
        let mut path = String::new();
        let mut last = None;
        for point in points {
            if let Some(v) = value(point) {
                let (px, py) = (x(point.target_tokens as f64), y(v));
                let _ = write!(
                    path,
                    "{}{px:.1} {py:.1}",
                    if path.is_empty() { "M" } else { "L" }
                );
                last = Some((px, py, v));
            }
        }
        if let Some((px, py, v)) = last {
            let digits = if v < 10.0 { 2 } else { 1 };
            line(format!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"#222\" stroke-width=\"1.5\" stroke-dasharray=\"{}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{name}</text><text x=\"{:.1}\" y=\"{:.1}\">{v:.digits$}</text>",
                DASHES[i % DASHES.len()],
                px + 4.0,
                py,
                px + 4.0,
                py + 12.0
            ));
        }
    }
}

/// 1, 2 or 5 times a power of ten, so that about five steps make `range`.
fn nice_step(range: f64) -> f64 {
    let rough = (range / 5.0).max(1e-6);
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|f| f * power >= rough);
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_development_file_has_its_line_in_every_panel() {
        let point = |step: u64, bleu| ValidationPoint {
            step,
            target_tokens: step * 1000,
            loss: 5.0 / step as f64,
            perplexity: 1.0,
            bleu,
        };
        let validation = BTreeMap::from([
            (
                "one".to_owned(),
                vec![point(1, Some(1.0)), point(2, Some(3.5))],
            ),
            ("two".to_owned(), vec![point(1, None), point(2, Some(30.0))]),
        ]);
        let mut some = Curve {
            recipe: "r".into(),
            parameters: 1,
            steps: 2,
            target_tokens: 2000,
            seconds: 1.0,
            layers: vec![],
            averaged: vec![],
            data: vec![],
            training: vec![],
            validation,
        };
        let drawn = curve(&some);
        assert_eq!(drawn.matches("stroke-dasharray").count(), 4);
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"));
        for points in some.validation.values_mut() {
            points.iter_mut().for_each(|p| p.bleu = None);
        }
        assert_eq!(curve(&some).matches("stroke-dasharray").count(), 2);
    }
}
