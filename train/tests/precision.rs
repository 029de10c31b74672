//! bf16 products against f32 ones: the same gradient but for rounding.

use tch::{Device, Kind, Tensor};
use translucent::Config;
use translucent::model::config::Activation;
use translucent_train::data::batch::{Batch, SpecialIds};
use translucent_train::model::dropout::DropoutMasks;
use translucent_train::model::{Precision, Transformer, Weights};

fn gradient(config: &Config, precision: Precision) -> (f64, Tensor) {
    let weights = Weights::random(config, 7, Device::Cpu).trainable();
    let model = Transformer::new(config, &weights, precision).unwrap();
    let sentence =
        |from: u16, len: u16| -> Vec<u16> { (0..len).map(|i| 1 + (from + 7 * i) % 35).collect() };
    let pairs: Vec<(Vec<u16>, Vec<u16>)> = (0..24u16)
        .map(|i| (sentence(i, 4 + i % 9), sentence(i + 3, 3 + i % 7)))
        .collect();
    let pairs: Vec<(&[u16], &[u16])> = pairs.iter().map(|(s, t)| (&s[..], &t[..])).collect();
    let special = SpecialIds {
        pad: config.pad_id,
        eos: config.eos_id,
        start: config.decoder_start_id,
    };
    let batch = Batch::new(&pairs, special, Device::Cpu);
    let loss = model.loss(
        &batch,
        batch.target_tokens as f64,
        Some(&DropoutMasks::new(5, Device::Cpu)),
    );
    loss.surrogate.unwrap().backward();
    let gradients: Vec<Tensor> = weights
        .iter()
        .map(|(_, w)| w.grad().reshape([-1]))
        .collect();
    (
        loss.smoothed.double_value(&[]) / batch.target_tokens as f64,
        Tensor::cat(&gradients, 0).to_kind(Kind::Double),
    )
}

#[test]
fn auto_is_bf16_just_where_the_processor_has_it() {
    let cpu = Device::Cpu;
    if let Ok(info) = std::fs::read_to_string("/proc/cpuinfo") {
        let listed = info.contains("avx512_bf16") || info.contains("amx_bf16");
        let bf16 = Precision::Auto.compute_dtype(cpu) == Kind::BFloat16;
        assert_eq!(bf16, listed);
        let said = Precision::Auto.describe(cpu);
        assert_eq!(said.starts_with("bf16"), listed, "{said}");
    }
    assert_eq!(Precision::F32.compute_dtype(cpu), Kind::Float);
    assert_eq!(Precision::Bf16.compute_dtype(cpu), Kind::BFloat16);
    let recipe: toml::Table = "precision = \"auto\"".parse().unwrap();
    let read: Precision = recipe["precision"].clone().try_into().unwrap();
    assert_eq!(
        (read, Precision::default()),
        (Precision::Auto, Precision::Auto)
    );
}

/// A smooth activation: where a value is near zero, rounding would switch a ReLU and with it a whole gradient.
#[test]
fn bf16_gradients_point_where_f32_gradients_point() {
    let config = Config {
        activation: Activation::Swish,
        dropout: 0.0,
        ..Config::tiny(37)
    };
    let (exact_loss, exact) = gradient(&config, Precision::F32);
    let (loss, rounded) = gradient(&config, Precision::Bf16);
    assert!((loss - exact_loss).abs() < 0.01, "{loss} {exact_loss}");
    let norm = |t: &Tensor| t.norm().double_value(&[]);
    let cosine = exact.dot(&rounded).double_value(&[]) / norm(&exact) / norm(&rounded);
    assert!(cosine > 0.999, "cosine {cosine}");
    assert!((norm(&rounded) / norm(&exact) - 1.0).abs() < 0.02);
}

#[test]
fn dropout_drops_its_share_and_keeps_the_mean() {
    let masks = DropoutMasks::new(11, Device::Cpu);
    for kind in [Kind::Float, Kind::BFloat16] {
        let dropped = masks.apply(Tensor::ones([400, 1001], (kind, Device::Cpu)), 0.25);
        let zeros = dropped
            .eq(0.0)
            .to_kind(Kind::Double)
            .mean(Kind::Double)
            .double_value(&[]);
        assert!((zeros - 0.25).abs() < 0.005, "{zeros}");
        let mean = dropped.mean(Kind::Double).double_value(&[]);
        assert!((mean - 1.0).abs() < 0.01, "{mean}");
    }
}

#[test]
fn masks_follow_from_their_seed_and_differ_from_each_other() {
    let draw = |seed| {
        let masks = DropoutMasks::new(seed, Device::Cpu);
        let ones = || Tensor::ones([64, 16], (Kind::Float, Device::Cpu));
        (masks.apply(ones(), 0.5), masks.apply(ones(), 0.5))
    };
    let (first, second) = draw(1);
    let (again, _) = draw(1);
    let (other, _) = draw(2);
    assert_eq!(first, again);
    assert_ne!(first, second);
    assert_ne!(first, other);
}
