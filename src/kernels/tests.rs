//! The kernels of this build against the scalar reference: natively and in WebAssembly.

use super::int8::CodeRange;
use super::layout::{GROUP, PANEL};
#[cfg(not(target_arch = "wasm32"))]
use super::scalar::pack as packing;
#[cfg(target_arch = "wasm32")]
use super::wasm::pack as packing;
use super::{Epilogue, Gather, PackedInt8, PackedMatrix, QuantizedRows, Rows, scalar};
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

/// Integers −127..=127 that follow no simple pattern.
fn integers(len: usize) -> Vec<i8> {
    let values = noise(len, 127.0).into_iter();
    values.map(|value| value.round() as i8).collect()
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
            for inputs in [1, 3, 4, 6, 8, 61, 256, 1027] {
                if inputs > 256 && rows * outputs > 100 {
                    continue;
                }
                let x = noise(rows * inputs, 1.0);
                let weight = noise(outputs * inputs, 0.5);
                let bias = noise(outputs, 3.0);
                let packed = PackedMatrix::pack(weight.clone(), outputs, inputs);
                for relu in [false, true] {
                    let epilogue = Epilogue { bias: &bias, relu };
                    // What stood there before must not matter.
                    let mut found = vec![f32::NAN; rows * outputs];
                    let mut expected = found.clone();
                    super::matmul(&x, &packed, epilogue, &mut found);
                    scalar::matmul(&x, &weight, inputs, epilogue, &mut expected);
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
fn a_matrix_filled_by_rows_is_the_packed_one() {
    for (outputs, inputs) in [(11, 5), (50, 16), (16, 8)] {
        let weight = noise(outputs * inputs, 1.0);
        let mut rows = PackedMatrix::zeros(outputs, inputs);
        for (block, weight) in weight.chunks(3 * inputs).enumerate().rev() {
            rows.set_rows(3 * block, weight);
        }
        let packed = PackedMatrix::pack(weight, outputs, inputs);
        let integers = integers(outputs * inputs);
        let scales = noise(outputs, 1.0);
        let mut int8_rows = PackedInt8::zeros(scales.clone(), inputs);
        for (block, weight) in integers.chunks(PackedInt8::BLOCK * inputs).enumerate() {
            int8_rows.set_rows(PackedInt8::BLOCK * block, weight);
        }
        let int8 = PackedInt8::pack(&integers, scales, inputs);
        let (mut found, mut expected) = (vec![0.0; inputs], vec![0.0; inputs]);
        let x = noise(2 * inputs, 1.0);
        let mut quantized = QuantizedRows::default();
        super::quantize(&x, inputs, &mut quantized);
        let bias = vec![0.0; outputs];
        let epilogue = Epilogue {
            bias: &bias,
            relu: false,
        };
        let product = |weight: &PackedInt8| {
            let mut out = vec![0.0; 2 * outputs];
            super::matmul_int8(&quantized, weight, epilogue, &mut out);
            out
        };
        assert_eq!(bits(&product(&int8_rows)), bits(&product(&int8)));
        for row in 0..outputs {
            rows.copy_row(row, &mut found);
            packed.copy_row(row, &mut expected);
            assert_eq!(bits(&found), bits(&expected));
        }
    }
}

#[test]
fn gathers_equal_the_reference() {
    // 32 and 64: the usual widths of heads.
    for width in LENGTHS.into_iter().chain([32, 48, 64]) {
        for n in [1, 2, 5, 9] {
            let table = noise((n + 3) * width + 2, 1.0);
            // Rows out of order, one of them twice, not at multiples of the width.
            let rows: Vec<u32> = (0..n).map(|j| ((j * 7 + 2) % (n + 3)) as u32).collect();
            let gather = Gather {
                rows: Rows::These(&rows),
                width,
                column: 2,
            };
            let query = noise(width, 2.0);
            let (mut found, mut expected) = (vec![f32::NAN; n], vec![f32::NAN; n]);
            super::gather_dot(&query, &table, gather, 0.3, &mut found);
            scalar::gather_dot(&query, &table, gather, 0.3, &mut expected);
            let largest = 0.3 * 2.0 * width as f32;
            let close = |(a, b): (&f32, &f32)| (a - b).abs() <= TOLERANCE * largest;
            assert!(found.iter().zip(&expected).all(close));

            let weights = noise(n, 1.0);
            let (mut found, mut expected) = (vec![f32::NAN; width], vec![f32::NAN; width]);
            super::gather_sum(&weights, &table, gather, &mut found);
            scalar::gather_sum(&weights, &table, gather, &mut expected);
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
        assert_eq!(super::max(&row), scalar::max(&row));
        let (a, b) = (super::log_sum_exp(&row), scalar::log_sum_exp(&row));
        assert!((a - b).abs() <= TOLERANCE * b.abs().max(1.0));
        if len > 1 {
            let (mut a, mut b) = (row.clone(), row);
            super::layer_norm(&mut a, &gain, &bias, 1e-5);
            scalar::layer_norm(&mut b, &gain, &bias, 1e-5);
            assert_close(&a, &b);
            // Row and bias have the length in common.
            super::add_layer_norm(&mut a, &bias, &gain, &bias, 1e-5);
            scalar::add_layer_norm(&mut b, &bias, &gain, &bias, 1e-5);
            assert_close(&a, &b);
        }
    }
}

#[test]
fn log_sum_exp_is_exact_of_one_value_and_small_ones_add_nothing() {
    for max in [-30.0, 0.0, 17.25] {
        // A whole block of vectors, and the values after it.
        let mut row = vec![max - 1000.0; 19];
        row[5] = max;
        assert_eq!(super::log_sum_exp(&row), max);
        row[6] = max - 12.0;
        let exact = f64::from(max) + (-12f64).exp().ln_1p();
        assert!((f64::from(super::log_sum_exp(&row)) - exact).abs() < 4e-6);
    }
    for len in [16, 8000] {
        let row = noise(len, 30.0);
        let exact = row.iter().map(|x| f64::from(*x).exp()).sum::<f64>().ln();
        let found = f64::from(super::log_sum_exp(&row));
        assert!((found - exact).abs() < 4e-6, "{found}, not {exact}");
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

/// Codes and ranges by the reference.
fn quantized(x: &[f32], inputs: usize) -> (Vec<u8>, Vec<CodeRange>) {
    let mut codes = vec![0; x.len()];
    let places = codes.chunks_exact_mut(inputs);
    let ranges = x.chunks_exact(inputs).zip(places);
    let ranges = ranges.map(|(row, codes)| scalar::int8::quantize_row(row, codes));
    let ranges = ranges.collect();
    (codes, ranges)
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

type Int8Product = Box<dyn Fn(&QuantizedRows, &PackedInt8, Epilogue<'_>, &mut [f32])>;

/// The 8-bit product that is chosen here, and those that another processor would get.
fn int8_products() -> Vec<Int8Product> {
    let chosen: Int8Product = Box::new(super::matmul_int8);
    #[cfg(not(target_arch = "wasm32"))]
    let others: [Int8Product; 0] = [];
    #[cfg(target_arch = "wasm32")]
    let others = super::wasm::KERNELS.map(|kernel| -> Int8Product {
        Box::new(move |rows, weight, epilogue, out| {
            super::wasm::matmul_int8_by(kernel, rows, weight, epilogue, out)
        })
    });
    std::iter::once(chosen).chain(others).collect()
}

#[test]
fn int8_products_equal_the_reference_bit_for_bit() {
    let mut rows = QuantizedRows::default();
    for count in [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13] {
        for outputs in [1, 3, 4, 15, 16, 17, 40, 64] {
            for inputs in [1, 3, 4, 5, 8, 12, 15, 16, 61, 256] {
                // Rows of one sign too, as an activation leaves them, and one of zeros.
                let mut x = noise(count * inputs, 3.0);
                for (number, row) in x.chunks_exact_mut(inputs).enumerate() {
                    match number % 4 {
                        1 => row.iter_mut().for_each(|x| *x = x.max(0.0)),
                        2 => row.iter_mut().for_each(|x| *x = -x.abs() * 1e-3),
                        3 => row.fill(0.0),
                        _ => {}
                    }
                }
                let weight = integers(outputs * inputs);
                let scales = noise(outputs, 0.01);
                let scales: Vec<f32> = scales.into_iter().map(f32::abs).collect();
                let bias = noise(outputs, 0.5);
                let packed = PackedInt8::pack(&weight, scales.clone(), inputs);
                let (codes, ranges) = quantized(&x, inputs);
                super::quantize(&x, inputs, &mut rows);
                assert_eq!(rows.ranges(), ranges);
                for (found, expected) in rows
                    .codes()
                    .chunks_exact(rows.stride())
                    .zip(codes.chunks_exact(inputs))
                {
                    let found = found[..inputs].iter();
                    assert!(
                        found
                            .zip(expected)
                            .all(|(a, b)| i32::from(*a) == i32::from(*b))
                    );
                }
                for relu in [false, true] {
                    let epilogue = Epilogue { bias: &bias, relu };
                    let mut found = vec![f32::NAN; count * outputs];
                    let mut expected = found.clone();
                    let (x, w) = ((&codes[..], &ranges[..]), (&weight[..], &scales[..]));
                    scalar::int8::matmul_int8(x, w, inputs, epilogue, &mut expected);
                    for matmul_int8 in int8_products() {
                        found.fill(f32::NAN);
                        matmul_int8(&rows, &packed, epilogue, &mut found);
                        assert_eq!(
                            bits(&found),
                            bits(&expected),
                            "{count}, {outputs}, {inputs}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn extreme_codes_and_weights_neither_saturate_nor_overflow() {
    // The longest inner layer of the paper's models, every product ±127 · 127.
    let inputs = 4096;
    let x = vec![1.0; inputs];
    let mut weight = vec![127i8; 2 * inputs];
    weight[inputs..].fill(-127);
    let packed = PackedInt8::pack(&weight, vec![1.0; 2], inputs);
    let mut rows = QuantizedRows::default();
    super::quantize(&x, inputs, &mut rows);
    let mut out = [0.0; 2];
    let bias = [0.0; 2];
    let epilogue = Epilogue {
        bias: &bias,
        relu: false,
    };
    let expected = 127.0 * inputs as f32;
    for matmul_int8 in int8_products() {
        matmul_int8(&rows, &packed, epilogue, &mut out);
        assert!((out[0] - expected).abs() <= 1e-6 * expected && out[1] == -out[0]);
    }
}

#[test]
fn codes_are_off_by_at_most_a_step() {
    let x = noise(300, 5.0);
    let (codes, ranges) = quantized(&x, 100);
    for ((row, codes), range) in x.chunks_exact(100).zip(codes.chunks_exact(100)).zip(ranges) {
        for (x, code) in row.iter().zip(codes) {
            let found = range.scale * (i32::from(*code) - range.zero) as f32;
            assert!((found - x).abs() <= range.scale * 1.001);
        }
    }
}

#[test]
fn values_that_are_not_finite_are_not_hidden() {
    let packed = PackedInt8::pack(&[1; 20 * 8], vec![0.5; 20], 8);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for place in 0..8 {
            for relu in [false, true] {
                let mut x = noise(8, 1.0);
                x[place] = bad;
                let mut rows = QuantizedRows::default();
                super::quantize(&x, 8, &mut rows);
                let mut out = [0.0; 20];
                let bias = [0.0; 20];
                super::matmul_int8(&rows, &packed, Epilogue { bias: &bias, relu }, &mut out);
                assert!(out.iter().all(|y| y.is_nan()));
            }
        }
    }
}

#[test]
fn packing_equals_the_reference() {
    for inputs in [1, 5, 15, 16, 17, 32, 48, 300] {
        for rows in 1..=4 {
            let weight = integers(rows * inputs);
            let size = inputs.div_ceil(GROUP) * GROUP * PANEL;
            let (mut found, mut expected) = (vec![0; size], vec![0; size]);
            scalar::pack::interleave(&weight, inputs, &mut expected);
            packing::interleave(&weight, inputs, &mut found);
            assert_eq!(found, expected, "{rows} rows of {inputs}");
            assert_eq!(packing::sum(&weight), scalar::pack::sum(&weight));
            let sum: i32 = weight.iter().map(|value| i32::from(*value)).sum();
            assert_eq!(scalar::pack::sum(&weight), sum);
            assert_eq!(
                super::lowest(&weight),
                *weight.iter().min().unwrap().min(&0)
            );
        }
    }
    // The least wherever it stands, and sums that leave 16 bits.
    for place in 0..40 {
        let mut values = [3; 40];
        values[place] = i8::MIN;
        assert_eq!(super::lowest(&values), i8::MIN);
    }
    assert_eq!(super::lowest(&[5; 20]), 0);
    assert_eq!(packing::sum(&[127; 4096]), 127 * 4096);
    assert_eq!(packing::sum(&[-127; 4099]), -127 * 4099);
}

#[test]
fn packed_integers_come_out_times_their_scales() {
    for (outputs, inputs) in [(18, 5), (16, 8), (3, 16)] {
        let weight: Vec<i8> = (0..outputs * inputs).map(|i| (i * 7 % 255) as i8).collect();
        let scales: Vec<f32> = (0..outputs).map(|o| 0.25 + o as f32).collect();
        let packed = PackedInt8::pack(&weight, scales.clone(), inputs);
        assert_eq!((packed.outputs(), packed.inputs()), (outputs, inputs));
        let mut row = vec![0.0; inputs];
        for (o, weight) in weight.chunks_exact(inputs).enumerate() {
            packed.copy_row(o, &mut row);
            let expected = weight.iter().map(|w| f32::from(*w) * scales[o]);
            assert!(row.iter().copied().eq(expected));
        }
    }
}
