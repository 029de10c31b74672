//! From trained weights to the core's tensors.

use crate::error::Result;
use crate::model::Weights;
use tch::{Device, Tensor};
use translucent::Config;
use translucent::checkpoint;

/// The weights as the core holds them, with the zero `final_logits_bias` that every folder carries.
///
/// # Errors
/// If libtorch cannot copy a tensor.
pub fn core_tensors(config: &Config, weights: &Weights) -> Result<checkpoint::Tensors> {
    let mut tensors = checkpoint::Tensors::new();
    for (name, tensor) in weights.iter() {
        let shape: Vec<usize> = tensor.size().iter().map(|&n| n as usize).collect();
        tensors.insert(name, checkpoint::Tensor::f32(shape, values(tensor)?));
    }
    let vocab = config.target_vocab();
    tensors.insert(
        "final_logits_bias",
        checkpoint::Tensor::f32([1, vocab], vec![0.0; vocab]),
    );
    Ok(tensors)
}

/// The numbers of an f32 tensor, row-major.
///
/// # Errors
/// If libtorch cannot copy it.
pub fn values(tensor: &Tensor) -> Result<Vec<f32>> {
    let tensor = tensor
        .detach()
        .to_kind(tch::Kind::Float)
        .to(Device::Cpu)
        .contiguous();
    let mut values = vec![0.0; tensor.numel()];
    tensor.f_copy_data(&mut values, tensor.numel())?;
    Ok(values)
}
