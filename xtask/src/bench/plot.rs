//! Growth curves as SVG: measured points over the fitted curve, both axes logarithmic.

use std::fmt::Write;

/// ms = constant + linear · n + quadratic · n².
pub struct Fit {
    constant: f64,
    linear: f64,
    quadratic: f64,
}

impl Fit {
    /// The time at n.
    pub fn at(&self, n: f64) -> f64 {
        self.constant + self.linear * n + self.quadratic * n * n
    }
}

/// Least squares of relative errors, over all points but the last: that one is to be foretold. Terms that would be
/// negative are left out.
pub fn fit(points: &[(f64, f64)], quadratic: bool) -> Fit {
    let known = &points[..points.len().saturating_sub(1)];
    let mut terms: Vec<usize> = if quadratic { vec![0, 1, 2] } else { vec![0, 1] };
    loop {
        let solution = solve(known, &terms);
        match solution.iter().position(|value| *value < 0.0) {
            Some(negative) if terms.len() > 1 => {
                terms.remove(negative);
            }
            _ => {
                let of = |power: usize| {
                    terms
                        .iter()
                        .position(|term| *term == power)
                        .map_or(0.0, |at| solution[at])
                };
                return Fit {
                    constant: of(0),
                    linear: of(1),
                    quadratic: of(2),
                };
            }
        }
    }
}

/// The normal equations of Σ ((Σ_k c_k n^k − ms) / ms)², by Gauss' elimination.
fn solve(points: &[(f64, f64)], powers: &[usize]) -> Vec<f64> {
    let size = powers.len();
    let mut rows = vec![vec![0.0; size + 1]; size];
    for (n, ms) in points {
        let term = |power: usize| n.powi(power as i32) / ms;
        for i in 0..size {
            for j in 0..size {
                rows[i][j] += term(powers[i]) * term(powers[j]);
            }
            rows[i][size] += term(powers[i]);
        }
    }
    for pivot in 0..size {
        let best = (pivot..size)
            .max_by(|a, b| rows[*a][pivot].abs().total_cmp(&rows[*b][pivot].abs()))
            .unwrap_or(pivot);
        rows.swap(pivot, best);
        let pivot_row = rows[pivot].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i != pivot && pivot_row[pivot] != 0.0 {
                let factor = row[pivot] / pivot_row[pivot];
                for (value, of_pivot) in row.iter_mut().zip(&pivot_row) {
                    *value -= factor * of_pivot;
                }
            }
        }
    }
    (0..size)
        .map(|i| {
            if rows[i][i] == 0.0 {
                0.0
            } else {
                rows[i][size] / rows[i][i]
            }
        })
        .collect()
}

const WIDTH: f64 = 640.0;
/// Room of a number below the axis.
const ROOM: f64 = 34.0;
const HEIGHT: f64 = 400.0;
/// Left, right, top, bottom.
const MARGINS: (f64, f64, f64, f64) = (64.0, 24.0, 48.0, 56.0);

/// A picture of measured points and their fit.
pub fn svg(title: &str, x_label: &str, points: &[(f64, f64)], fit: &Fit) -> String {
    let (left, right, top, bottom) = MARGINS;
    let range = |values: Vec<f64>| {
        let low = values.iter().copied().fold(f64::MAX, f64::min);
        let high = values.iter().copied().fold(f64::MIN, f64::max);
        (low / 1.25, high * 1.25)
    };
    let (x_low, x_high) = range(points.iter().map(|point| point.0).collect());
    let (y_low, y_high) = range(points.iter().map(|point| point.1).collect());
    let x = |n: f64| left + (n / x_low).ln() / (x_high / x_low).ln() * (WIDTH - left - right);
    let y = |ms: f64| {
        HEIGHT - bottom - (ms / y_low).ln() / (y_high / y_low).ln() * (HEIGHT - top - bottom)
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n\
         <title>{title}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{left}\" y=\"26\" font-size=\"15\" fill=\"#1b1b1f\">{title}</text>\n"
    );
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    // The last one is always named, of the others as many as have room.
    let last = points.last().map_or(0.0, |(n, _)| x(*n));
    let mut named = f64::NEG_INFINITY;
    for (n, _) in points {
        let at = x(*n);
        line(format!(
            "<path d=\"M{at:.1} {top}V{:.1}\" stroke=\"#e6e6ea\"/>",
            HEIGHT - bottom
        ));
        if at < last && (at - named < ROOM || last - at < ROOM) {
            continue;
        }
        named = at;
        line(format!(
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#5a5a66\">{n}</text>",
            HEIGHT - bottom + 18.0
        ));
    }
    for ms in [
        1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10000.0,
    ] {
        if (y_low..y_high).contains(&ms) {
            let at = y(ms);
            line(format!(
                "<path d=\"M{left} {at:.1}H{:.1}\" stroke=\"#e6e6ea\"/>",
                WIDTH - right
            ));
            line(format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#5a5a66\">{ms} ms</text>",
                left - 6.0,
                at + 4.0
            ));
        }
    }
    let mut path = String::new();
    for i in 0..=60 {
        let n = points[0].0 * (points[points.len() - 1].0 / points[0].0).powf(f64::from(i) / 60.0);
        let command = if i == 0 { 'M' } else { 'L' };
        // Writing to a string cannot fail.
        let _ = write!(path, "{command}{:.1} {:.1}", x(n), y(fit.at(n)));
    }
    line(format!(
        "<path d=\"{path}\" fill=\"none\" stroke=\"#8b95a8\" stroke-width=\"2\" stroke-dasharray=\"5 4\"/>"
    ));
    for (n, ms) in points {
        line(format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4.5\" fill=\"#2f5fd0\"><title>{n}: {ms:.1} ms</title></circle>",
            x(*n),
            y(*ms)
        ));
    }
    line(format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#1b1b1f\">{x_label}</text>",
        (left + WIDTH - right) / 2.0,
        HEIGHT - 14.0
    ));
    let terms = [
        (fit.constant, ""),
        (fit.linear, " n"),
        (fit.quadratic, " n²"),
    ];
    let formula: Vec<String> = terms
        .iter()
        .filter(|(value, _)| *value > 0.0)
        .map(|(value, of)| format!("{}{of}", three_digits(*value)))
        .collect();
    line(format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#5a5a66\">dashed: {} ms</text>",
        WIDTH - right - 8.0,
        HEIGHT - bottom - 12.0,
        formula.join(" + ")
    ));
    out + "</svg>\n"
}

fn three_digits(value: f64) -> String {
    let digits = (2 - value.abs().max(1e-9).log10().floor() as i32).max(0) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_found_again() {
        let points = [1.0, 2.0, 4.0, 8.0, 16.0].map(|n: f64| (n, 3.0 + 2.0 * n + 0.5 * n * n));
        assert!((fit(&points, true).at(32.0) - (3.0 + 64.0 + 512.0)).abs() < 1e-6);
    }

    #[test]
    fn no_term_is_negative() {
        let points = [1.0, 2.0, 4.0, 8.0].map(|n: f64| (n, 2.0 * n - 0.01 * n * n));
        let fit = fit(&points, true);
        assert!(fit.constant >= 0.0 && fit.linear >= 0.0 && fit.quadratic >= 0.0);
    }
}
