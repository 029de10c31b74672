//! The trainer's forward pass against the core's, for every position scheme and attention that can be trained.

use tch::{Device, Tensor};
use translucent::Config;
use translucent::model::config::{Activation, Compatibility, Positions};
use translucent::trace::TraceRequest;
use translucent_train::data::batch::{Batch, SpecialIds};
use translucent_train::export::{core_tensors, values};
use translucent_train::model::{Observed, Precision, Transformer, Weights};

const TOLERANCE: f32 = 1e-4;
/// Without special. Lengths differ, so that batching pads both sides.
const PAIRS: [(&[u16], &[u16]); 3] = [
    (&[5, 17, 3, 9, 9, 30, 31, 2, 2, 6], &[4, 12, 2]),
    (&[8, 2], &[20, 21, 22, 23, 7, 6, 5, 4, 3]),
    (&[11], &[3]),
];

/// Start values leave biases at zero and gains at one, where mistakes would not show.
fn shake(weights: &Weights) {
    tch::no_grad(|| {
        for (_, tensor) in weights.iter() {
            let _ = tensor.shallow_clone().g_add_(&(tensor.randn_like() * 0.1));
        }
    });
}

fn assert_parity(config: &Config) {
    config.validate().unwrap();
    tch::set_num_threads(1);
    let weights = Weights::random(config, 7, Device::Cpu);
    shake(&weights);
    let trainer = Transformer::new(config, &weights, Precision::F32).unwrap();
    let core = translucent::model::Transformer::from_tensors(
        config.clone(),
        &mut core_tensors(config, &weights).unwrap(),
    )
    .unwrap();
    let special = SpecialIds {
        pad: config.pad_id,
        eos: config.eos_id,
        start: config.decoder_start_id,
    };
    let batch = Batch::new(&PAIRS, special, Device::Cpu);
    let mut observed = Observed::default();
    let hidden = tch::no_grad(|| trainer.hidden(&batch, None, Some(&mut observed)));
    let logits = tch::no_grad(|| trainer.logits(&hidden));
    for (i, (source, target)) in PAIRS.iter().enumerate() {
        let with_end = |ids: &[u16]| -> Vec<u32> {
            ids.iter()
                .map(|&id| u32::from(id))
                .chain([config.eos_id])
                .collect()
        };
        let (source, target) = (with_end(source), with_end(target));
        let (s, t) = (source.len() as i64, target.len() as i64);
        let forced = core
            .teacher_force(&source, &target, &TraceRequest::attention())
            .unwrap();
        let part = |x: &Tensor| x.get(i as i64);
        assert_close(
            "logits",
            &part(&logits).narrow(0, 0, t),
            forced.logits.iter(),
        );
        let trace = forced.trace;
        for (name, ours, core, rows, columns) in [
            (
                "encoder self",
                &observed.encoder_self,
                trace.encoder_self,
                s,
                s,
            ),
            (
                "decoder self",
                &observed.decoder_self,
                trace.decoder_self,
                t,
                t,
            ),
            ("cross", &observed.cross, trace.cross, t, s),
        ] {
            let ours: Vec<Tensor> = ours
                .iter()
                .map(|layer| part(layer).narrow(1, 0, rows).narrow(2, 0, columns))
                .collect();
            assert_close(name, &Tensor::stack(&ours, 0), core.unwrap().iter());
        }
    }
}

fn assert_close<'a>(name: &str, ours: &Tensor, core: impl ExactSizeIterator<Item = &'a f32>) {
    let ours = values(ours).unwrap();
    assert_eq!(ours.len(), core.len(), "{name}");
    let error = ours
        .iter()
        .zip(core)
        .fold(0f32, |m, (a, b)| m.max((a - b).abs()));
    assert!(error <= TOLERANCE, "{name}: off by {error}");
}

#[test]
fn every_position_scheme_agrees_with_the_core() {
    for positions in [
        Positions::SinusoidalInterleaved,
        Positions::SinusoidalHalves,
        Positions::Learned,
    ] {
        assert_parity(&Config {
            positions,
            ..Config::tiny(37)
        });
    }
}

#[test]
fn every_compatibility_function_agrees_with_the_core() {
    for compatibility in [
        Compatibility::ScaledDotProduct,
        Compatibility::DotProduct,
        Compatibility::Additive,
    ] {
        assert_parity(&Config {
            compatibility,
            d_k: 5,
            d_v: 3,
            n_heads: 4,
            encoder_layers: 3,
            decoder_layers: 1,
            ..Config::tiny(37)
        });
    }
}

#[test]
fn restricted_attention_agrees_with_the_core_for_padded_sentences_too() {
    for r in [1, 2, 5] {
        assert_parity(&Config {
            neighbourhood: Some(r),
            ..Config::tiny(37)
        });
    }
}

#[test]
fn separate_embeddings_swish_and_unscaled_embeddings_agree_with_the_core() {
    assert_parity(&Config {
        share_embeddings: false,
        target_vocab_size: Some(41),
        scale_embedding: false,
        activation: Activation::Swish,
        ..Config::tiny(37)
    });
}
