//! Weights of the golden MarianMT models, by their names: as `fill` of `tests/golden/marian.py` makes them.

use half::{bf16, f16};
use safetensors::tensor::{Dtype, TensorView, serialize};
use std::collections::HashMap;
use translucent::model::Transformer;
use translucent::random::SplitMix64;
use translucent::search::{Batch, Event, Hypothesis, SearchOptions};

/// SplitMix64, uniform in [−1, 1), from the FNV-1a of a tensor's name.
fn stream(name: &str, count: usize) -> Vec<f32> {
    let seed = name.bytes().fold(0xCBF2_9CE4_8422_2325u64, |value, byte| {
        (value ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    let mut random = SplitMix64::new(seed);
    (0..count).map(|_| random.next_symmetric()).collect()
}

/// The values of a tensor of a model whose end mark has this id and, before it is scaled, this bias.
fn fill(name: &str, shape: &[usize], (eos, end): (usize, f32)) -> Vec<f32> {
    let mut values = stream(name, shape.iter().product());
    let embedding = ["embed", "shared", "lm_head"]
        .iter()
        .any(|part| name.contains(part));
    if name == "final_logits_bias" {
        values[eos] = end;
    }
    let (centre, bound) = if name.ends_with("layer_norm.weight") {
        (1.0, 0.1)
    } else if name.contains("bias") {
        (0.0, 0.1)
    } else if embedding {
        (0.0, 0.3)
    } else {
        let sum: usize = shape.iter().sum();
        (0.0, (6.0 / sum as f64).sqrt() as f32)
    };
    values.iter().map(|value| centre + bound * value).collect()
}

/// `model.safetensors` with these names, shapes and types.
pub fn weights(
    tensors: impl Iterator<Item = (String, Vec<usize>, Dtype)>,
    end_mark: (usize, f32),
) -> Vec<u8> {
    let tensors: Vec<_> = tensors
        .map(|(name, shape, dtype)| {
            let values = fill(&name, &shape, end_mark).into_iter();
            let bytes: Vec<u8> = match dtype {
                Dtype::F16 => values
                    .map(f16::from_f32)
                    .flat_map(f16::to_le_bytes)
                    .collect(),
                Dtype::BF16 => values
                    .map(bf16::from_f32)
                    .flat_map(bf16::to_le_bytes)
                    .collect(),
                _ => values.flat_map(f32::to_le_bytes).collect(),
            };
            (name, dtype, shape, bytes)
        })
        .collect();
    let views: HashMap<&str, TensorView<'_>> = tensors
        .iter()
        .map(|(name, dtype, shape, bytes)| {
            let view = TensorView::new(*dtype, shape.clone(), bytes).unwrap();
            (name.as_str(), view)
        })
        .collect();
    serialize(views, None).unwrap()
}

/// The hypotheses found for a source.
pub fn translate(model: &Transformer, source: &[u32], options: &SearchOptions) -> Vec<Hypothesis> {
    let mut batch = Batch::new(model, &[source], options, &[]).unwrap();
    let mut found = Vec::new();
    while !batch.is_done() {
        for event in batch.step(model).unwrap() {
            if let Event::Done { hypotheses, .. } = event {
                found = hypotheses;
            }
        }
    }
    found
}
