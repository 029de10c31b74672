//! Golden values of looking into the model (`tests/golden/look.py`), read from bytes: wasm has no files.

use super::golden::{CONFIGURATIONS, Golden, tensors};
use ndarray::{Array1, Array2, ArrayViewD};
use serde::Deserialize;
use std::collections::BTreeMap;
use translucent::lab::{Arithmetic, arithmetic};
use translucent::model::{Row, Seq2Seq, Slot, Transformer};
use translucent::trace::{AttentionKind, Cell, Intervention, TraceRequest};

/// Largest absolute error of any value.
const TOLERANCE: f32 = 1e-4;

#[derive(Deserialize)]
struct Facts {
    interventions: BTreeMap<String, Intervention>,
    cells: BTreeMap<String, Cell>,
}

struct Look {
    facts: Facts,
    values: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
}

impl Look {
    fn read() -> Self {
        Self {
            facts: serde_json::from_slice(include_bytes!("../golden/look.json")).unwrap(),
            values: tensors(include_bytes!("../golden/look.safetensors")).collect(),
        }
    }

    #[track_caller]
    fn compare(&self, name: &str, found: ArrayViewD<'_, f32>) {
        let (shape, values) = &self.values[name];
        assert_eq!(found.shape(), &shape[..], "{name}");
        let error = found.iter().zip(values).map(|(a, b)| (a - b).abs());
        let worst = error.fold(0.0, f32::max);
        assert!(worst <= TOLERANCE, "{name}: error {worst}");
    }
}

/// Logits (len_tgt, vocab) of a target under an intervention.
fn logits(
    model: &Transformer,
    source: &[u32],
    target: &[u32],
    change: &Intervention,
) -> Array2<f32> {
    let mut state = model.encode_with(&[source], &[], change).unwrap();
    let rows: Vec<Row> = (0..target.len())
        .map(|position| Row {
            sentence: 0,
            parent: position.checked_sub(1).map(|slot| Slot(slot as u32)),
            token: match position {
                0 => model.config().decoder_start_id,
                _ => target[position - 1],
            },
        })
        .collect();
    model.step(&mut state, &rows).unwrap().to_owned()
}

/// Asserts that every intervention changes what PyTorch says it changes.
pub fn interventions_equal_pytorch() {
    let look = Look::read();
    for files in CONFIGURATIONS {
        let Golden { facts, model, .. } = Golden::read(files);
        let (source, target) = (&facts.sources[0], &facts.targets[0]);
        for (which, change) in &look.facts.interventions {
            let found = logits(&model, source, target, change);
            look.compare(
                &format!("{}.{which}.logits", files.0),
                found.into_dyn().view(),
            );
        }
        let untouched = logits(&model, source, target, &Intervention::default());
        let forced = model
            .teacher_force(source, target, &TraceRequest::default())
            .unwrap();
        let apart = (&untouched - &forced.logits).mapv(f32::abs);
        assert!(apart.iter().all(|apart| *apart < TOLERANCE));
    }
}

/// Asserts that ‖α·v·W^O‖ of every weight is what PyTorch computed.
pub fn value_weighted_norms_equal_pytorch() {
    let look = Look::read();
    for files in CONFIGURATIONS {
        let Golden { facts, model, .. } = Golden::read(files);
        let request = TraceRequest::attention().with_norms();
        let forced = model
            .teacher_force(&facts.sources[0], &facts.targets[0], &request)
            .unwrap();
        for (kind, block) in [
            ("encoderSelf", forced.trace.encoder_self_norms),
            ("decoderSelf", forced.trace.decoder_self_norms),
            ("cross", forced.trace.cross_norms),
        ] {
            let name = format!("{}.norms.{kind}", files.0);
            look.compare(&name, block.unwrap().into_dyn().view());
        }
    }
}

/// Asserts that every step behind one weight is what PyTorch computed.
pub fn arithmetic_equals_pytorch() {
    let look = Look::read();
    for files in CONFIGURATIONS {
        let Golden { facts, model, .. } = Golden::read(files);
        let (source, target) = (&facts.sources[0], &facts.targets[0]);
        for (kind, &cell) in &look.facts.cells {
            let found = arithmetic(&model, source, target, cell, &Intervention::default()).unwrap();
            let Arithmetic {
                x_query,
                x_key,
                query,
                key,
                value,
                products,
                scores,
                mask,
                weights,
                norms,
                head,
                concatenation,
                head_output,
                output,
                residual,
                residual_sum,
                feed_forward_sum,
                layer_output,
                ..
            } = found.clone();
            for (what, vector) in [
                ("x_query", x_query),
                ("x_key", x_key),
                ("query", query),
                ("key", key),
                ("value", value),
                ("products", products),
                ("scores", scores),
                ("mask", mask),
                ("weights", weights),
                ("norms", norms),
                ("head", head),
                ("concatenation", concatenation),
                ("head_output", head_output),
                ("output", output),
                ("residual", residual),
                ("residual_sum", residual_sum),
                ("feed_forward_input", found.feed_forward.input.clone()),
                ("feed_forward_inner", found.feed_forward.inner.clone()),
                ("feed_forward_output", found.feed_forward.output.clone()),
                ("feed_forward_sum", feed_forward_sum),
                ("layer_output", layer_output),
            ] {
                let name = format!("{}.cell.{kind}.{what}", files.0);
                look.compare(&name, vector.into_dyn().view());
            }
            for (what, matrix) in [
                ("values", &found.values),
                ("contributions", &found.contributions),
            ] {
                let name = format!("{}.cell.{kind}.{what}", files.0);
                look.compare(&name, matrix.view().into_dyn());
            }
            adds_up(&found);
        }
    }
}

/// What must hold between the steps themselves.
fn adds_up(steps: &Arithmetic) {
    let close = |a: &Array1<f32>, b: &Array1<f32>| {
        let apart = (a - b).mapv(f32::abs);
        assert!(apart.iter().all(|apart| *apart < TOLERANCE), "{a} {b}");
    };
    let near = |a: f32, b: f32| assert!((a - b).abs() < TOLERANCE, "{a} {b}");
    let Cell {
        key, kind, query, ..
    } = steps.cell;
    near(steps.sum / steps.divisor, steps.scores[key]);
    near(
        steps.exponentials[key] / steps.exponential_sum,
        steps.weights[key],
    );
    near(steps.weights.sum(), 1.0);
    if kind == AttentionKind::DecoderSelf && key > query {
        assert_eq!((steps.mask[key], steps.weights[key]), (0.0, 0.0));
    }
    // Whichever place the norm has, it leads on to what the layer gives.
    let (norm, last) = (&steps.norm, &steps.feed_forward_norm);
    match steps.norm_before {
        false => {
            if kind != AttentionKind::DecoderSelf {
                close(&norm.output, &steps.feed_forward_residual);
            }
            close(&last.output, &steps.layer_output);
        }
        true => {
            close(&norm.output, &steps.x_query);
            close(&last.output, &steps.feed_forward.input);
            close(&steps.feed_forward_sum, &steps.layer_output);
        }
    }
    near(norm.input.mean().unwrap(), norm.mean);
    near(norm.normalised.mean().unwrap(), 0.0);
}
