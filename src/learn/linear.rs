//! A linear map y = x·Wᵀ + b and its backward pass.

use crate::parameters::Parameters;
use crate::sublayer::Backward;
use std::ops::Range;
use translucent::kernels::product::{Destination, Operand, product};

/// Where a linear map's weight (outputs, inputs) and bias (outputs) lie.
#[derive(Clone, Debug)]
pub struct Linear {
    weight: Range<usize>,
    bias: Range<usize>,
    inputs: usize,
    outputs: usize,
}

impl Linear {
    /// The map of that name.
    pub fn new(parameters: &Parameters, name: &str) -> Self {
        let weight = parameters.range(&format!("{name}.weight"));
        let bias = parameters.range(&format!("{name}.bias"));
        let outputs = bias.len();
        Self {
            inputs: weight.len() / outputs,
            outputs,
            weight,
            bias,
        }
    }

    /// Width of y.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    fn weight<'w>(&self, values: &'w [f32]) -> Operand<'w> {
        Operand::new(&values[self.weight.clone()], self.outputs, self.inputs)
    }

    /// y (rows, outputs) of `x` (rows, inputs).
    ///
    /// # Shapes
    /// `values`: all weights; `x`: (rows, inputs); `y`: (rows, outputs).
    pub fn forward(&self, values: &[f32], x: &[f32], y: &mut Vec<f32>) {
        let rows = x.len() / self.inputs;
        y.resize(rows * self.outputs, 0.0);
        for row in y.chunks_exact_mut(self.outputs) {
            row.copy_from_slice(&values[self.bias.clone()]);
        }
        let x = Operand::new(x, rows, self.inputs);
        product(x, self.weight(values).transposed(), Destination::Add, y);
    }

    /// Adds the weight's and the bias's gradients, from `dy` (rows, outputs).
    ///
    /// # Shapes
    /// `x`: (rows, inputs); `dy`: (rows, outputs); `gradient`: all weights.
    pub fn backward_weight(&self, x: &[f32], dy: &[f32], gradient: &mut [f32]) {
        let rows = x.len() / self.inputs;
        let dy_matrix = Operand::new(dy, rows, self.outputs);
        let weight = &mut gradient[self.weight.clone()];
        product(
            dy_matrix.transposed(),
            Operand::new(x, rows, self.inputs),
            Destination::Add,
            weight,
        );
        let bias = &mut gradient[self.bias.clone()];
        for row in dy.chunks_exact(self.outputs) {
            bias.iter_mut().zip(row).for_each(|(bias, d)| *bias += d);
        }
    }

    /// dx (rows, inputs) of `dy` (rows, outputs).
    ///
    /// # Shapes
    /// `values`: all weights; `dy`: (rows, outputs); `dx`: (rows, inputs).
    pub fn backward_input(
        &self,
        values: &[f32],
        dy: &[f32],
        destination: Destination,
        dx: &mut Vec<f32>,
    ) {
        let rows = dy.len() / self.outputs;
        dx.resize(rows * self.inputs, 0.0);
        product(
            Operand::new(dy, rows, self.outputs),
            self.weight(values),
            destination,
            dx,
        );
    }

    /// Both: adds the weight's, the bias's and the input's gradients.
    ///
    /// # Shapes
    /// `x`, `dx`: (rows, inputs); `dy`: (rows, outputs).
    pub fn backward(&self, pass: &mut Backward<'_>, x: &[f32], dy: &[f32], dx: &mut Vec<f32>) {
        if let Some(gradient) = pass.gradient.as_deref_mut() {
            self.backward_weight(x, dy, gradient);
        }
        self.backward_input(pass.values, dy, Destination::Add, dx);
    }
}
