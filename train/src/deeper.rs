//! A deeper encoder from a trained shallower one: layers that change next to nothing come in between, and learn from there.

use crate::error::Result;
use std::collections::BTreeMap;
use tch::{Kind, Tensor};

/// Renames the encoder's `layers` layers so that `factor` − 1 new ones follow each, and adds those.
///
/// A new layer is a copy of the one before it whose sub-layers give nothing (the last matrix of each is zero), so that
/// only its layer norms act. Behind a residual sum a norm cannot be the identity (§3.1); with one gain and one bias for
/// all dimensions, the usual deviation and mean of what comes in, it nearly is.
///
/// # Errors
/// If a tensor operation fails.
pub fn deepen_encoder(
    tensors: &mut BTreeMap<String, Tensor>,
    layers: usize,
    factor: usize,
) -> Result<()> {
    let prefix = |layer: usize| format!("model.encoder.layers.{layer}.");
    let mut deeper = BTreeMap::new();
    for layer in 0..layers {
        let of_layer = |name: &str| tensors.get(&(prefix(layer) + "final_layer_norm." + name));
        let (gain, bias) = match (of_layer("weight"), of_layer("bias")) {
            (Some(gain), Some(bias)) => (gain, bias),
            // `Weights::from_map` names what is missing.
            _ => continue,
        };
        // Of x = gain · n + bias, where n has mean 0 and variance 1.
        let mean = bias.f_mean(Kind::Float)?;
        let variance = gain
            .f_square()?
            .f_mean(Kind::Float)?
            .f_add(&bias.f_var(false)?)?;
        let deviation = variance.f_sqrt()?;
        for (name, tensor) in tensors.iter() {
            let Some(rest) = name.strip_prefix(&prefix(layer)) else {
                continue;
            };
            deeper.insert(prefix(layer * factor) + rest, tensor.shallow_clone());
            let mut new = tensor.copy();
            if rest.starts_with("self_attn.out_proj.") || rest.starts_with("fc2.") {
                let _ = new.f_zero_()?;
            } else if rest.ends_with("layer_norm.weight") {
                let _ = new.f_fill_tensor_(&deviation)?;
            } else if rest.ends_with("layer_norm.bias") {
                let _ = new.f_fill_tensor_(&mean)?;
            }
            for copy in 1..factor {
                deeper.insert(prefix(layer * factor + copy) + rest, new.copy());
            }
        }
    }
    tensors.retain(|name, _| !name.starts_with("model.encoder.layers."));
    tensors.extend(deeper);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::batch::{Batch, SpecialIds};
    use crate::model::{Precision, Transformer, Weights};
    use tch::Device;
    use translucent::Config;

    #[test]
    fn a_deeper_encoder_begins_as_the_shallower_one() {
        tch::set_num_threads(1);
        let shallow = Config::tiny(40);
        let deep = Config {
            encoder_layers: 3 * shallow.encoder_layers,
            ..shallow.clone()
        };
        let special = SpecialIds {
            pad: shallow.pad_id,
            eos: shallow.eos_id,
            start: shallow.decoder_start_id,
        };
        let batch = Batch::new(&[(&[5, 17, 3, 9], &[4, 12, 2])], special, Device::Cpu);
        let hidden = |config: &Config, weights: &Weights| {
            let model = Transformer::new(config, weights, Precision::F32).unwrap();
            tch::no_grad(|| model.hidden(&batch, None, None))
        };
        let weights = Weights::random(&shallow, 7, Device::Cpu);
        let mut tensors: BTreeMap<String, Tensor> = weights
            .iter()
            .map(|(name, tensor)| (name.to_owned(), tensor.detach()))
            .collect();
        deepen_encoder(&mut tensors, shallow.encoder_layers, 3).unwrap();
        let deeper = Weights::from_map(&deep, &tensors, "test".as_ref(), Device::Cpu).unwrap();
        let difference = hidden(&shallow, &weights) - hidden(&deep, &deeper);
        let largest = difference.abs().max().double_value(&[]);
        assert!(largest < 1e-4, "{largest}");
        // And it is no fixed point: the new layers get gradients through their last matrices.
        assert_eq!(tensors.len(), deeper.iter().count());
    }
}
