//! The 8-bit kernels of native builds: the widest dot-product instructions that the processor has, or plain loops.

use crate::int8::{Code, CodeRange, Epilogue, LARGEST_CODE, PackedInt8, QuantizedRows};
use crate::layout::{GROUP, PANEL};

/// See `scalar::int8::quantize_row`.
pub fn quantize(x: &[f32], inputs: usize, rows: &mut QuantizedRows) {
    rows.refill(x, inputs, |row, codes| {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { quantize_row_avx2(row, codes) };
        }
        quantize_row(row, codes)
    });
}

/// The portable loops, compiled for wider vectors.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn quantize_row_avx2(row: &[f32], codes: &mut [Code]) -> CodeRange {
    quantize_row(row, codes)
}

/// In independent lanes, so that the compiler may vectorise it.
#[inline(always)]
fn quantize_row(row: &[f32], codes: &mut [Code]) -> CodeRange {
    const LANES: usize = 16;
    /// 1.5 · 2²³: adding it leaves the nearest integer in the low bits of the mantissa.
    const SHIFT: f32 = 12_582_912.0;
    let (mut low, mut high, mut taint) = ([0.0f32; LANES], [0.0f32; LANES], [0.0f32; LANES]);
    let (chunks, rest) = row.as_chunks::<LANES>();
    let mut take = |lane: usize, x: f32| {
        low[lane] = if x < low[lane] { x } else { low[lane] };
        high[lane] = if x > high[lane] { x } else { high[lane] };
        taint[lane] += 0.0 * x;
    };
    for chunk in chunks {
        for (lane, x) in chunk.iter().enumerate() {
            take(lane, *x);
        }
    }
    for (lane, x) in rest.iter().enumerate() {
        take(lane, *x);
    }
    let range = CodeRange::new(
        low.into_iter().fold(0.0, f32::min),
        high.into_iter().fold(0.0, f32::max),
        taint.into_iter().sum(),
    );
    let inverse = range.inverse();
    for (code, x) in codes.iter_mut().zip(row) {
        let nearest = (x * inverse + SHIFT).to_bits() as i32 - SHIFT.to_bits() as i32;
        *code = nearest.wrapping_add(range.zero).clamp(0, LARGEST_CODE) as Code;
    }
    range
}

/// See `scalar::int8::matmul_int8`.
///
/// # Panics
/// If `rows`, the bias or `out` has another length than the weight needs.
pub fn matmul_int8(
    rows: &QuantizedRows,
    weight: &PackedInt8,
    epilogue: Epilogue<'_>,
    out: &mut [f32],
) {
    assert_eq!(rows.stride(), weight.stride(), "x is (rows, inputs)");
    let outputs = weight.outputs();
    assert_eq!(
        out.len(),
        rows.ranges().len() * outputs,
        "out is (rows, outputs)"
    );
    assert_eq!(epilogue.bias.len(), outputs, "bias is (outputs)");
    let product = Product {
        rows,
        weight,
        epilogue,
    };
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("avx512f") && has!("avx512vnni") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { x86::avx512_vnni(&product, out) };
        }
        if has!("avx2") && has!("avxvnni") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { x86::avx_vnni(&product, out) };
        }
        if has!("avx2") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { x86::avx2(&product, out) };
        }
    }
    for panel in 0..weight.panels() {
        for row in 0..rows.ranges().len() {
            product.epilogue(
                panel,
                row,
                sums(weight.panel(panel), product.codes(row)),
                out,
            );
        }
    }
}

/// The operands of a [`matmul_int8`].
struct Product<'a> {
    rows: &'a QuantizedRows,
    weight: &'a PackedInt8,
    epilogue: Epilogue<'a>,
}

impl Product<'_> {
    fn codes(&self, row: usize) -> &[Code] {
        let stride = self.rows.stride();
        &self.rows.codes()[row * stride..][..stride]
    }

    /// Writes the outputs of a panel for one row from their sums.
    #[inline(always)]
    fn epilogue(&self, panel: usize, row: usize, sums: [i32; PANEL], out: &mut [f32]) {
        let outputs = self.weight.outputs();
        let first = panel * PANEL;
        let ([scales], [weights]) = self.weight.scales::<PANEL, 1>(first);
        let range = self.rows.ranges()[row];
        let out = &mut out[row * outputs..][first..outputs.min(first + PANEL)];
        if let (Some(out), Some(bias)) = (
            out.first_chunk_mut::<PANEL>(),
            self.epilogue.bias[first..].first_chunk::<PANEL>(),
        ) {
            // Arrays of a known length become vectors.
            let epilogue = Epilogue {
                bias,
                ..self.epilogue
            };
            for i in 0..PANEL {
                out[i] = epilogue.output(i, sums[i], range, scales[i], weights[i]);
            }
            return;
        }
        for (i, out) in out.iter_mut().enumerate() {
            *out = self
                .epilogue
                .output(first + i, sums[i], range, scales[i], weights[i]);
        }
    }
}

/// Products of a panel's sixteen rows and one row of codes.
fn sums(panel: &[i8], codes: &[Code]) -> [i32; PANEL] {
    let mut sums = [0; PANEL];
    let groups = panel.as_chunks::<{ PANEL * GROUP }>().0;
    for (weights, codes) in groups.iter().zip(codes.as_chunks::<GROUP>().0) {
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<GROUP>().0) {
            for (weight, code) in weights.iter().zip(codes) {
                *sum += i32::from(*weight) * i32::from(*code);
            }
        }
    }
    sums
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Code, GROUP, PANEL, Product};
    use std::arch::x86_64::*;

    /// A vector of sums and the instruction that adds four products to each.
    trait Dot: Copy {
        /// Sums in a vector.
        const LANES: usize;

        /// # Safety
        /// The processor has the implementor's instructions, as for all functions here.
        unsafe fn zero() -> Self;

        /// Adds the products of `codes`, four in each lane, with the weights at `weights`.
        ///
        /// # Safety
        /// 4 · LANES weights are readable.
        unsafe fn add(self, weights: *const i8, codes: Self) -> Self;

        /// Four codes in each lane.
        ///
        /// # Safety
        /// Four codes are readable.
        unsafe fn splat(codes: *const Code) -> Self;

        /// Both sums.
        ///
        /// # Safety
        /// As [`Dot::zero`].
        unsafe fn plus(self, other: Self) -> Self;

        /// # Safety
        /// LANES places are writable.
        unsafe fn store(self, to: *mut i32);
    }

    #[derive(Clone, Copy)]
    struct Avx512Vnni(__m512i);

    impl Dot for Avx512Vnni {
        const LANES: usize = 16;

        #[inline(always)]
        unsafe fn zero() -> Self {
            // SAFETY: as this function's.
            Self(unsafe { _mm512_setzero_si512() })
        }

        #[inline(always)]
        unsafe fn add(self, weights: *const i8, codes: Self) -> Self {
            // SAFETY: as this function's.
            Self(unsafe {
                _mm512_dpbusd_epi32(self.0, codes.0, _mm512_loadu_si512(weights.cast()))
            })
        }

        #[inline(always)]
        unsafe fn splat(codes: *const Code) -> Self {
            // SAFETY: as this function's.
            Self(unsafe { _mm512_set1_epi32(codes.cast::<i32>().read_unaligned()) })
        }

        #[inline(always)]
        unsafe fn plus(self, other: Self) -> Self {
            // SAFETY: as this function's.
            Self(unsafe { _mm512_add_epi32(self.0, other.0) })
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut i32) {
            // SAFETY: as this function's.
            unsafe { _mm512_storeu_si512(to.cast(), self.0) }
        }
    }

    /// 256 bits, with the dot-product instruction or without.
    #[derive(Clone, Copy)]
    struct Avx<const VNNI: bool>(__m256i);

    impl<const VNNI: bool> Dot for Avx<VNNI> {
        const LANES: usize = 8;

        #[inline(always)]
        unsafe fn zero() -> Self {
            // SAFETY: as this function's.
            Self(unsafe { _mm256_setzero_si256() })
        }

        #[inline(always)]
        unsafe fn add(self, weights: *const i8, codes: Self) -> Self {
            // SAFETY: as this function's. Pairs stay within 2 · 127 · 127 < 2¹⁵: nothing saturates.
            Self(unsafe {
                let weights = _mm256_loadu_si256(weights.cast());
                if VNNI {
                    _mm256_dpbusd_avx_epi32(self.0, codes.0, weights)
                } else {
                    let pairs = _mm256_maddubs_epi16(codes.0, weights);
                    _mm256_add_epi32(self.0, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
                }
            })
        }

        #[inline(always)]
        unsafe fn splat(codes: *const Code) -> Self {
            // SAFETY: as this function's.
            Self(unsafe { _mm256_set1_epi32(codes.cast::<i32>().read_unaligned()) })
        }

        #[inline(always)]
        unsafe fn plus(self, other: Self) -> Self {
            // SAFETY: as this function's.
            Self(unsafe { _mm256_add_epi32(self.0, other.0) })
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut i32) {
            // SAFETY: as this function's.
            unsafe { _mm256_storeu_si256(to.cast(), self.0) }
        }
    }

    #[target_feature(enable = "avx512f,avx512vnni")]
    pub fn avx512_vnni(product: &Product<'_>, out: &mut [f32]) {
        // SAFETY: the caller has checked that the CPU has these instructions.
        unsafe { all::<Avx512Vnni, 1>(product, out) }
    }

    #[target_feature(enable = "avx2,avxvnni")]
    pub fn avx_vnni(product: &Product<'_>, out: &mut [f32]) {
        // SAFETY: the caller has checked that the CPU has these instructions.
        unsafe { all::<Avx<true>, 2>(product, out) }
    }

    #[target_feature(enable = "avx2")]
    pub fn avx2(product: &Product<'_>, out: &mut [f32]) {
        // SAFETY: the caller has checked that the CPU has these instructions.
        unsafe { all::<Avx<false>, 2>(product, out) }
    }

    /// All panels times all rows. A panel stays in the nearest cache while the rows pass by it.
    ///
    /// # Safety
    /// The processor has the instructions of `D`, V of whose vectors make a panel.
    #[inline(always)]
    unsafe fn all<D: Dot, const V: usize>(product: &Product<'_>, out: &mut [f32]) {
        const { assert!(V * D::LANES == PANEL) };
        let rows = product.rows.ranges().len();
        for panel in 0..product.weight.panels() {
            let mut row = 0;
            while row < rows {
                // SAFETY: as this function's.
                row += unsafe {
                    match rows - row {
                        6.. => tile::<D, V, 6>(product, panel, row, out),
                        3.. => tile::<D, V, 3>(product, panel, row, out),
                        2 => tile::<D, V, 2>(product, panel, row, out),
                        _ => tile::<D, V, 1>(product, panel, row, out),
                    }
                };
            }
        }
    }

    /// One panel times R rows; returns R. Even and odd groups have sums of their own: with few rows the sums of one
    /// chain would wait for each other.
    ///
    /// # Safety
    /// As [`all`]; the rows are there.
    #[inline(always)]
    unsafe fn tile<D: Dot, const V: usize, const R: usize>(
        product: &Product<'_>,
        panel: usize,
        row: usize,
        out: &mut [f32],
    ) -> usize {
        let stride = product.rows.stride();
        let codes = &product.rows.codes()[row * stride..][..R * stride];
        let weights = product.weight.panel(panel);
        // SAFETY: group < stride / 4, a multiple of two groups; a panel holds 64 · stride / 4 weights and `codes`
        // R · stride codes, so everything read lies in them. `store` writes a whole vector of `sums`.
        unsafe {
            let mut even = [[D::zero(); V]; R];
            let mut odd = [[D::zero(); V]; R];
            // One pointer a row: places in them have the same distance from all.
            let mut rows = [codes.as_ptr(); R];
            for (r, row) in rows.iter_mut().enumerate() {
                *row = row.add(r * stride);
            }
            for group in (0..stride / GROUP).step_by(2) {
                let weights = weights.as_ptr().add(group * PANEL * GROUP);
                for r in 0..R {
                    let codes = rows[r].add(group * GROUP);
                    let (first, second) = (D::splat(codes), D::splat(codes.add(GROUP)));
                    for v in 0..V {
                        let at = weights.add(v * D::LANES * GROUP);
                        even[r][v] = even[r][v].add(at, first);
                        odd[r][v] = odd[r][v].add(at.add(PANEL * GROUP), second);
                    }
                }
            }
            for r in 0..R {
                let mut sums = [0; PANEL];
                for v in 0..V {
                    let both = even[r][v].plus(odd[r][v]);
                    both.store(sums.as_mut_ptr().add(v * D::LANES));
                }
                product.epilogue(panel, row + r, sums, out);
            }
        }
        R
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_loops_give_the_sums_of_every_instruction_set() {
        let (outputs, inputs) = (19, 44);
        let weight = (0..outputs * inputs).map(|i| (i * 37 % 255) as i32 - 127);
        let weight: Vec<i8> = weight.map(|w| w as i8).collect();
        let packed = PackedInt8::pack(&weight, vec![0.5; outputs], inputs);
        let x: Vec<f32> = (0..inputs).map(|i| (i as f32 * 1.3).sin()).collect();
        let mut rows = QuantizedRows::default();
        quantize(&x, inputs, &mut rows);
        let bias = vec![0.0; outputs];
        let epilogue = Epilogue {
            bias: &bias,
            relu: false,
        };
        let product = Product {
            rows: &rows,
            weight: &packed,
            epilogue,
        };
        let mut expected = vec![f32::NAN; outputs];
        for panel in 0..2 {
            product.epilogue(
                panel,
                0,
                sums(packed.panel(panel), rows.codes()),
                &mut expected,
            );
        }
        let mut found = vec![f32::NAN; outputs];
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let mut check = |run: unsafe fn(&Product<'_>, &mut [f32])| {
                found.fill(f32::NAN);
                // SAFETY: only called for what the processor has.
                unsafe { run(&product, &mut found) };
                assert_eq!(found, expected);
            };
            if has!("avx512f") && has!("avx512vnni") {
                check(x86::avx512_vnni);
            }
            if has!("avx2") && has!("avxvnni") {
                check(x86::avx_vnni);
            }
            if has!("avx2") {
                check(x86::avx2);
            }
        }
        matmul_int8(&rows, &packed, epilogue, &mut found);
        assert_eq!(found, expected);
    }
}
