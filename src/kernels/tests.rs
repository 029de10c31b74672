//! The kernels of this build against the scalar reference: natively and in WebAssembly.

use super::{PackedMatrix, scalar};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Largest difference, relative to the largest magnitude.
const TOLERANCE: f32 = 1e-5;

/// Lengths below, at and beyond the widths that kernels work in.
const LENGTHS: [usize; 12] = [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 33, 100];

/// Values in ±`reach` that follow no simple pattern.
fn noise(len: usize, reach: f32) -> Vec<f32> {
    let mut state = 12345u32;
    std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 8) as f32 / (1 << 23) as f32 - 1.0) * reach
    })
    .take(len)
    .collect()
}

#[track_caller]
fn assert_close(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    let largest = expected
        .iter()
        .fold(0.0f32, |largest, x| largest.max(x.abs()));
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() <= TOLERANCE * largest,
            "{found} instead of {expected}, largest {largest}"
        );
    }
}

#[test]
fn matmul_equals_the_reference_for_all_shapes() {
    for rows in 0..=13 {
        for outputs in [1, 7, 8, 9, 16, 24, 31, 40] {
            for inputs in [1, 3, 4, 6, 8, 61, 256] {
                let x = noise(rows * inputs, 1.0);
                let weight = noise(outputs * inputs, 0.5);
                let bias = noise(outputs, 3.0);
                let packed = PackedMatrix::pack(weight.clone(), outputs, inputs);
                for bias in [None, Some(bias.as_slice())] {
                    // What stood there before must not matter.
                    let mut found = vec![f32::NAN; rows * outputs];
                    let mut expected = found.clone();
                    super::matmul(&x, &packed, bias, &mut found);
                    scalar::matmul(&x, &weight, inputs, bias, &mut expected);
                    assert_close(&found, &expected);
                }
            }
        }
    }
}

#[test]
fn packed_rows_come_out_as_they_went_in() {
    let weight = noise(11 * 5, 1.0);
    let packed = PackedMatrix::pack(weight.clone(), 11, 5);
    assert_eq!((packed.outputs(), packed.inputs()), (11, 5));
    let mut row = [0.0; 5];
    for (index, expected) in weight.chunks_exact(5).enumerate() {
        packed.copy_row(index, &mut row);
        assert_eq!(row, expected);
    }
}

#[test]
fn gathers_equal_the_reference() {
    for width in LENGTHS {
        for n in [1, 2, 5, 9] {
            let table = noise((n + 3) * width + 2, 1.0);
            // Rows out of order, one of them twice, not at multiples of the width.
            let offset = |j: usize| (j * 7 + 2) % (n + 3) * width + 2;
            let query = noise(width, 2.0);
            let (mut found, mut expected) = (vec![f32::NAN; n], vec![f32::NAN; n]);
            super::gather_dot(&query, &table, offset, 0.3, &mut found);
            scalar::gather_dot(&query, &table, offset, 0.3, &mut expected);
            let largest = 0.3 * 2.0 * width as f32;
            let close = |(a, b): (&f32, &f32)| (a - b).abs() <= TOLERANCE * largest;
            assert!(found.iter().zip(&expected).all(close));

            let weights = noise(n, 1.0);
            let (mut found, mut expected) = (vec![f32::NAN; width], vec![f32::NAN; width]);
            super::gather_sum(&weights, &table, offset, &mut found);
            scalar::gather_sum(&weights, &table, offset, &mut expected);
            assert_close(&found, &expected);
        }
    }
}

#[test]
fn exp_is_accurate_to_2_units_in_the_last_place() {
    for i in -87_000..88_000 {
        let x = i as f32 * 1e-3;
        let exact = f64::from(x).exp();
        let error = (f64::from(scalar::exp(x)) - exact).abs() / exact;
        assert!(error <= 2.0 * f64::from(f32::EPSILON), "e^{x}: {error:e}");
    }
    assert_eq!(scalar::exp(0.0), 1.0);
    assert_eq!(scalar::exp(f32::NEG_INFINITY), 0.0);
    assert_eq!(scalar::exp(-90.0), 0.0);
}

#[test]
fn rows_equal_the_reference() {
    for len in LENGTHS {
        let row = noise(len, 8.0);
        let (gain, bias) = (noise(len, 1.5), noise(len, 0.5));
        let both = |found: fn(&mut [f32]), expected: fn(&mut [f32])| {
            let (mut a, mut b) = (row.clone(), row.clone());
            found(&mut a);
            expected(&mut b);
            assert_close(&a, &b);
        };
        both(super::softmax, scalar::softmax);
        both(super::swish, scalar::swish);
        both(super::relu, scalar::relu);
        let (a, b) = (super::log_sum_exp(&row), scalar::log_sum_exp(&row));
        assert!((a - b).abs() <= TOLERANCE * b.abs().max(1.0));
        if len > 1 {
            let (mut a, mut b) = (row.clone(), row);
            super::layer_norm(&mut a, &gain, &bias, 1e-5);
            scalar::layer_norm(&mut b, &gain, &bias, 1e-5);
            assert_close(&a, &b);
        }
    }
}

#[test]
fn masked_cells_get_exactly_zero_weight() {
    for softmax in [super::softmax, scalar::softmax] {
        for len in LENGTHS {
            let mut row = noise(len, 3.0);
            row.iter_mut()
                .step_by(2)
                .for_each(|x| *x = f32::NEG_INFINITY);
            softmax(&mut row);
            assert!(row.iter().step_by(2).all(|weight| *weight == 0.0));
            let open = row.iter().skip(1).step_by(2);
            assert!(len == 1 || (open.sum::<f32>() - 1.0).abs() < TOLERANCE);
        }
    }
}
