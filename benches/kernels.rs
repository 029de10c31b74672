//! Micro-benchmarks of the native kernels: `cargo bench --bench kernels`. Rates count a multiply-add as two.

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    divan::main();
}

/// The feed-forward maps of the shapes S and M: (outputs, inputs), over so many rows.
#[cfg(not(target_arch = "wasm32"))]
const SHAPES: [(usize, usize, usize); 6] = [
    (1, 1024, 256),
    (4, 1024, 256),
    (64, 1024, 256),
    (1, 2048, 512),
    (4, 2048, 512),
    (64, 2048, 512),
];

#[cfg(not(target_arch = "wasm32"))]
mod products {
    use super::SHAPES;
    use divan::{Bencher, counter::ItemsCount};
    use translucent::kernels::{self, Epilogue, PackedInt8, PackedMatrix, QuantizedRows};

    fn values(count: usize) -> impl Iterator<Item = f32> {
        (0..count).map(|i| (i * 7919 % 255) as f32 - 127.0)
    }

    /// What divan prints the rate of.
    fn operations((rows, outputs, inputs): (usize, usize, usize)) -> ItemsCount {
        ItemsCount::new(2 * rows * outputs * inputs)
    }

    #[divan::bench(args = SHAPES)]
    fn f32(bencher: Bencher<'_, '_>, shape: (usize, usize, usize)) {
        let (rows, outputs, inputs) = shape;
        let weight = PackedMatrix::pack(values(outputs * inputs).collect(), outputs, inputs);
        let x: Vec<f32> = values(rows * inputs).collect();
        let (bias, mut out) = (vec![0.5; outputs], vec![0.0; rows * outputs]);
        let epilogue = Epilogue {
            bias: &bias,
            relu: true,
        };
        bencher
            .counter(operations(shape))
            .bench_local(|| kernels::matmul(&x, &weight, epilogue, &mut out));
    }

    /// With the rows' quantisation.
    #[divan::bench(args = SHAPES)]
    fn int8(bencher: Bencher<'_, '_>, shape: (usize, usize, usize)) {
        let (rows, outputs, inputs) = shape;
        let integers: Vec<i8> = values(outputs * inputs).map(|value| value as i8).collect();
        let weight = PackedInt8::pack(&integers, vec![1.0 / 127.0; outputs], inputs);
        let x: Vec<f32> = values(rows * inputs).collect();
        let (bias, mut out) = (vec![0.5; outputs], vec![0.0; rows * outputs]);
        let epilogue = Epilogue {
            bias: &bias,
            relu: true,
        };
        let mut quantized = QuantizedRows::default();
        bencher.counter(operations(shape)).bench_local(|| {
            kernels::quantize(&x, inputs, &mut quantized);
            kernels::matmul_int8(&quantized, &weight, epilogue, &mut out);
        });
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod rows {
    use divan::Bencher;
    use translucent::kernels;

    const WIDTHS: [usize; 3] = [22, 256, 8000];

    fn values(count: usize) -> Vec<f32> {
        (0..count).map(|i| (i * 7919 % 255) as f32 / 32.0).collect()
    }

    #[divan::bench(args = WIDTHS)]
    fn softmax(bencher: Bencher<'_, '_>, width: usize) {
        let mut row = values(width);
        bencher.bench_local(|| kernels::softmax(&mut row));
    }

    #[divan::bench(args = [256, 512])]
    fn add_layer_norm(bencher: Bencher<'_, '_>, width: usize) {
        let (mut x, y) = (values(width), values(width));
        let (gain, bias) = (vec![1.0; width], vec![0.0; width]);
        bencher.bench_local(|| kernels::add_layer_norm(&mut x, &y, &gain, &bias, 1e-5));
    }
}
