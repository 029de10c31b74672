//! Micro-benchmarks of the matrix products (feature `bench`): the kernels that the engine calls, timed by
//! `benches/browser/kernels.js`.

use crate::kernels::{self, Epilogue, PackedInt8, PackedMatrix, QuantizedRows};
use wasm_bindgen::prelude::*;

/// Weights of one precision, packed as the engine packs them.
enum Weights {
    F32(Vec<PackedMatrix>),
    Int8(Vec<PackedInt8>),
}

/// x·Wᵀ + b with one x and several W, so that together they are as large as a model's.
#[wasm_bindgen]
pub struct Products {
    weights: Weights,
    /// (rows, inputs)
    x: Vec<f32>,
    quantized: QuantizedRows,
    /// (outputs)
    bias: Vec<f32>,
    /// (rows, outputs)
    out: Vec<f32>,
}

#[wasm_bindgen]
impl Products {
    /// `copies` weights (outputs, inputs) as int8 or f32, and an x (rows, inputs).
    #[wasm_bindgen(constructor)]
    pub fn new(int8: bool, copies: usize, rows: usize, outputs: usize, inputs: usize) -> Products {
        // Any values will do; no two weights are the same.
        let value = |copy: usize, i: usize| ((i * 7919 + copy * 104_729) % 255) as i32 - 127;
        let indices = 0..outputs * inputs;
        let weights = if int8 {
            let weight =
                |copy| -> Vec<i8> { indices.clone().map(|i| value(copy, i) as i8).collect() };
            let scales = vec![1.0 / 127.0; outputs];
            Weights::Int8(
                (0..copies)
                    .map(|copy| PackedInt8::pack(&weight(copy), scales.clone(), inputs))
                    .collect(),
            )
        } else {
            let weight = |copy| indices.clone().map(|i| value(copy, i) as f32).collect();
            Weights::F32(
                (0..copies)
                    .map(|copy| PackedMatrix::pack(weight(copy), outputs, inputs))
                    .collect(),
            )
        };
        let x: Vec<f32> = (0..rows * inputs).map(|i| value(1, i) as f32).collect();
        let mut quantized = QuantizedRows::default();
        kernels::quantize(&x, inputs, &mut quantized);
        Products {
            weights,
            x,
            quantized,
            bias: vec![0.5; outputs],
            out: vec![0.0; rows * outputs],
        }
    }

    /// The product with every weight, so many times; the rows of x were quantised before.
    pub fn run(&mut self, times: usize) {
        let epilogue = Epilogue {
            bias: &self.bias,
            relu: false,
        };
        for _ in 0..times {
            match &self.weights {
                Weights::F32(weights) => {
                    for weight in weights {
                        kernels::matmul(&self.x, weight, epilogue, &mut self.out);
                    }
                }
                Weights::Int8(weights) => {
                    for weight in weights {
                        kernels::matmul_int8(&self.quantized, weight, epilogue, &mut self.out);
                    }
                }
            }
        }
    }
}
