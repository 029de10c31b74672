//! Layer normalisation and feed-forward network of one position, step by step.

use crate::kernels;
use crate::layers::feed_forward::Activation;
use crate::layers::{FeedForward, LayerNorm, Linear};
use ndarray::{Array1, Axis};

/// Layer normalisation of one position (§3.1), each (d_model).
#[derive(Clone, Debug, PartialEq)]
pub struct NormSteps {
    /// What is normalised.
    pub input: Array1<f32>,
    /// Its mean.
    pub mean: f32,
    /// Its variance.
    pub variance: f32,
    /// (input − mean) / √(variance + ε)
    pub normalised: Array1<f32>,
    /// Learned factors.
    pub gain: Array1<f32>,
    /// Learned summands.
    pub bias: Array1<f32>,
    /// gain · normalised + bias
    pub output: Array1<f32>,
}

impl NormSteps {
    /// Normalises one row (d_model).
    pub(super) fn new(norm: &LayerNorm, input: Array1<f32>) -> Self {
        let (gain, bias) = norm.parameters();
        let (gain, bias) = (Array1::from(gain.to_vec()), Array1::from(bias.to_vec()));
        let width = input.len() as f32;
        let mean = input.sum() / width;
        let centred = &input - mean;
        let variance = centred.iter().map(|x| x * x).sum::<f32>() / width;
        let normalised = centred / (variance + LayerNorm::EPSILON).sqrt();
        Self {
            output: &normalised * &gain + &bias,
            input,
            mean,
            variance,
            normalised,
            gain,
            bias,
        }
    }
}

/// The feed-forward network of one position (§3.3).
#[derive(Clone, Debug, PartialEq)]
pub struct FeedForwardSteps {
    /// (d_model)
    pub input: Array1<f32>,
    /// x·W₁ + b₁ (d_ff)
    pub inner: Array1<f32>,
    /// After the activation (d_ff).
    pub hidden: Array1<f32>,
    /// The activation.
    pub activation: Activation,
    /// (d_model)
    pub output: Array1<f32>,
}

impl FeedForwardSteps {
    /// Applies the network to one row (d_model).
    pub(super) fn new(network: &FeedForward, input: Array1<f32>) -> Self {
        let (inner_map, outer_map, activation) = network.parts();
        let inner = map_row(inner_map, &input);
        let mut hidden = inner.to_vec();
        match activation {
            Activation::Relu => hidden.iter_mut().for_each(|x| *x = x.max(0.0)),
            Activation::Swish => kernels::swish(&mut hidden),
        }
        let hidden = Array1::from(hidden);
        Self {
            output: map_row(outer_map, &hidden),
            input,
            inner,
            hidden,
            activation,
        }
    }

    /// Number of entries of `hidden` that are not 0.
    pub fn active(&self) -> usize {
        self.hidden.iter().filter(|x| **x != 0.0).count()
    }
}

/// The linear map of one row.
pub(super) fn map_row(map: &Linear, x: &Array1<f32>) -> Array1<f32> {
    let out = map.map(x.view().insert_axis(Axis(0)));
    out.index_axis_move(Axis(0), 0)
}
