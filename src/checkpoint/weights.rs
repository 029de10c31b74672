//! Tensors as bytes: reading and writing `model.safetensors`.

use super::tensors::{Tensor, Tensors, Values};
use crate::{Error, Result};
use half::{bf16, f16};
use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView};
use std::collections::HashMap;

/// Name of the weights' file in a model folder.
pub const WEIGHTS: &str = "model.safetensors";
/// What the name of an int8 matrix' scales has after the matrix' own.
const SCALE: &str = "_scale";

/// Reads tensors of type F32, F16, BF16 (widened to f32), and I8 matrices with their `…_scale` (rows) in F32.
///
/// # Errors
/// [`Error::ModelFormat`] naming the file if its header is damaged or it is cut short, or the tensor
/// whose type, scales or values cannot be used.
pub fn read(bytes: &[u8]) -> Result<Tensors> {
    let file = SafeTensors::deserialize(bytes).map_err(|error| bad_file(&error, bytes.len()))?;
    let mut tensors = Tensors::new();
    for (name, view) in file.tensors() {
        let owner = name
            .strip_suffix(SCALE)
            .and_then(|owner| file.tensor(owner).ok());
        if owner.is_some_and(|owner| owner.dtype() == Dtype::I8) {
            continue;
        }
        let tensor = match view.dtype() {
            Dtype::I8 => int8(&name, &view, &file)?,
            _ => Tensor::f32(view.shape(), floats(&name, &view)?),
        };
        tensors.insert(name, tensor);
    }
    Ok(tensors)
}

/// Writes tensors as they are: F32, or I8 with `…_scale`.
///
/// # Errors
/// [`Error::ModelFormat`] if the format cannot hold them.
pub fn write(tensors: &Tensors) -> Result<Vec<u8>> {
    let mut parts: Vec<(String, Dtype, Vec<usize>, Vec<u8>)> = Vec::new();
    let f32_bytes = |data: &[f32]| {
        data.iter()
            .flat_map(|value| value.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    for (name, tensor) in tensors.iter() {
        let shape = tensor.shape().to_vec();
        match tensor.values() {
            Values::F32(data) => parts.push((name.to_owned(), Dtype::F32, shape, f32_bytes(data))),
            Values::Int8 { data, scale } => {
                let bytes = data.iter().map(|value| value.to_le_bytes()[0]).collect();
                parts.push((name.to_owned(), Dtype::I8, shape, bytes));
                parts.push((
                    format!("{name}{SCALE}"),
                    Dtype::F32,
                    vec![scale.len()],
                    f32_bytes(scale),
                ));
            }
        }
    }
    let views = parts.iter().map(|(name, dtype, shape, bytes)| {
        let view = TensorView::new(*dtype, shape.clone(), bytes);
        view.map(|view| (name, view))
    });
    // `transformers` refuses files that do not say that they were written for PyTorch.
    let metadata = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    views
        .collect::<std::result::Result<Vec<_>, _>>()
        .and_then(|views| safetensors::serialize(views, Some(metadata)))
        .map_err(|error| Error::ModelFormat {
            name: WEIGHTS.into(),
            reason: format!("cannot be written: {error}"),
        })
}

fn bad_file(error: &SafeTensorError, found: usize) -> Error {
    let what = match error {
        SafeTensorError::HeaderTooSmall => "is too short for a header".to_owned(),
        SafeTensorError::HeaderTooLarge | SafeTensorError::InvalidHeaderLength => {
            "begins with a header length that the file does not have".to_owned()
        }
        SafeTensorError::InvalidHeader(_) | SafeTensorError::InvalidHeaderStart => {
            "has a header that is no UTF-8 JSON object".to_owned()
        }
        SafeTensorError::InvalidHeaderDeserialization(error) => {
            format!("has a header that cannot be read: {error}")
        }
        SafeTensorError::MetadataIncompleteBuffer => {
            "is cut short or too long: its tensors end elsewhere".to_owned()
        }
        other => format!("has a damaged header: {other}"),
    };
    Error::ModelFormat {
        name: WEIGHTS.into(),
        reason: format!(
            "{what} ({found} bytes); it must be a whole safetensors file, so fetch or export it again"
        ),
    }
}

fn bad_tensor(name: &str, reason: String) -> Error {
    Error::ModelFormat {
        name: name.to_owned(),
        reason,
    }
}

fn floats(name: &str, view: &TensorView<'_>) -> Result<Vec<f32>> {
    let bytes = view.data();
    let pair = |bytes: &[u8]| [bytes[0], bytes[1]];
    let values: Vec<f32> = match view.dtype() {
        Dtype::F32 => bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect(),
        Dtype::F16 => bytes
            .chunks_exact(2)
            .map(|b| f16::from_le_bytes(pair(b)).to_f32())
            .collect(),
        Dtype::BF16 => bytes
            .chunks_exact(2)
            .map(|b| bf16::from_le_bytes(pair(b)).to_f32())
            .collect(),
        other => {
            let reason =
                format!("has type {other:?}, it must be F32, F16, BF16, or I8 with scales");
            return Err(bad_tensor(name, reason));
        }
    };
    if let Some(at) = values.iter().position(|value| !value.is_finite()) {
        let reason = format!("value {at} is {}, all must be finite numbers", values[at]);
        return Err(bad_tensor(name, reason));
    }
    Ok(values)
}

fn int8(name: &str, view: &TensorView<'_>, file: &SafeTensors<'_>) -> Result<Tensor> {
    let &[rows, columns] = view.shape() else {
        let reason = format!(
            "has type I8 and shape {:?}, only matrices may be I8",
            view.shape()
        );
        return Err(bad_tensor(name, reason));
    };
    let scale_name = format!("{name}{SCALE}");
    let scale = file.tensor(&scale_name).map_err(|_| {
        bad_tensor(
            &scale_name,
            format!("missing; {name} is I8 and needs it, F32 with shape [{rows}]"),
        )
    })?;
    if scale.dtype() != Dtype::F32 || scale.shape() != [rows] {
        let reason = format!(
            "has type {:?} and shape {:?}, it must be F32 with shape [{rows}]",
            scale.dtype(),
            scale.shape()
        );
        return Err(bad_tensor(&scale_name, reason));
    }
    let scale = floats(&scale_name, &scale)?;
    if let Some(at) = scale.iter().position(|value| *value < 0.0) {
        let reason = format!("value {at} is {}, a scale is never negative", scale[at]);
        return Err(bad_tensor(&scale_name, reason));
    }
    let data: Vec<i8> = view
        .data()
        .iter()
        .map(|&byte| i8::from_le_bytes([byte]))
        .collect();
    if let Some(at) = data.iter().position(|&value| value == i8::MIN) {
        let reason = format!("value {at} is -128, all must be in -127..=127");
        return Err(bad_tensor(name, reason));
    }
    Ok(Tensor::int8([rows, columns], data, scale))
}
