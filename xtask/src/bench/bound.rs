//! The least time in which this machine could translate: every weight once through its memory, every multiply-add at
//! the rate that registers allow, both as measured in the same browser. Attention, softmax, norms and search are free.

use super::results::number;
use serde_json::Value;

/// Sizes of a model, as in `benches/peers/shapes.py`.
pub struct Shape {
    d_model: f64,
    d_ff: f64,
    encoder_layers: f64,
    decoder_layers: f64,
    vocab_size: f64,
}

const MODELS: [(&str, Shape); 2] = [
    (
        "S",
        Shape {
            d_model: 256.0,
            d_ff: 1024.0,
            encoder_layers: 3.0,
            decoder_layers: 3.0,
            vocab_size: 8000.0,
        },
    ),
    (
        "M",
        Shape {
            d_model: 512.0,
            d_ff: 2048.0,
            encoder_layers: 6.0,
            decoder_layers: 6.0,
            vocab_size: 16000.0,
        },
    ),
];

/// One kind of arithmetic: its loops in `benches/browser/loops.js` and the bytes of a weight.
pub struct Arithmetic {
    peak: &'static str,
    stream: &'static str,
    bytes: f64,
}

/// 8-bit dot products of relaxed SIMD.
pub const INT8_RELAXED: Arithmetic = Arithmetic {
    peak: "i8_relaxed_dot",
    stream: "i8_relaxed_dot",
    bytes: 1.0,
};
/// 8-bit weights widened for the 16-bit dot products of fixed SIMD.
pub const INT8_FIXED: Arithmetic = Arithmetic {
    peak: "i16_dot",
    stream: "i8_extend_dot",
    bytes: 1.0,
};
/// Floats with relaxed SIMD's fused multiply-add.
pub const F32_RELAXED: Arithmetic = Arithmetic {
    peak: "f32_relaxed_madd",
    stream: "f32_relaxed_madd",
    bytes: 4.0,
};

/// Milliseconds of the bound, from the result of the group `limits`.
pub fn milliseconds(
    limits: &Value,
    model: &str,
    arithmetic: &Arithmetic,
    (source, target, beam): (f64, f64, f64),
) -> Option<f64> {
    let (_, shape) = MODELS.iter().find(|(name, _)| *name == model)?;
    let limits = &limits["asItIs"];
    let per_ms = number(limits, &format!("peak/{}", arithmetic.peak))? * 1e6 / 2.0;
    let d2 = shape.d_model * shape.d_model;
    let feed_forward = 2.0 * shape.d_model * shape.d_ff;
    let encoder =
        shape.encoder_layers * (4.0 * d2 + feed_forward) + shape.decoder_layers * 2.0 * d2;
    let decoder =
        shape.decoder_layers * (6.0 * d2 + feed_forward) + shape.vocab_size * shape.d_model;
    let pass = |weights: f64, rows: f64| {
        let bytes = weights * arithmetic.bytes;
        let streaming = bytes / (gb_per_s(limits, arithmetic.stream, bytes)? * 1e6);
        Some(f64::max(streaming, weights * rows / per_ms))
    };
    Some(pass(encoder, source)? + target * pass(decoder, beam)?)
}

/// The streaming rate at the measured size nearest to `bytes`.
pub fn gb_per_s(limits: &Value, stream: &str, bytes: f64) -> Option<f64> {
    let mib = bytes / f64::from(1 << 20);
    let distance =
        |entry: &&Value| number(entry, "mib").map_or(f64::MAX, |size| (size / mib).ln().abs());
    let sizes = limits["stream"][stream].as_array()?;
    let nearest = sizes
        .iter()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    number(nearest, "gbPerS")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_bound_of_the_small_model_is_its_bytes_and_multiply_adds() {
        let limits = json!({ "asItIs": {
            "peak": { "i8_relaxed_dot": 200.0 },
            "stream": { "i8_relaxed_dot": [{ "mib": 5, "gbPerS": 25.0 }, { "mib": 20, "gbPerS": 1.0 }] },
        } });
        let ms = milliseconds(&limits, "S", &INT8_RELAXED, (20.0, 22.0, 1.0)).unwrap();
        // 4.8 MB at 25 GB/s for each of 22 steps; 55 M multiply-adds of the encoder at 100 G/s.
        let (step, encoder) = (4_800_512.0 / 25e6, 20.0 * 2_752_512.0 / 1e8);
        assert!((ms - 22.0 * step - encoder).abs() < 0.01, "{ms}");
    }
}
