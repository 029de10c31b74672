//! Matrix products in the three forms that a linear map needs: forward, and two for its backward pass. All matrices
//! are row-major.

/// A row-major matrix read as it stands or transposed.
#[derive(Clone, Copy)]
pub struct Operand<'a> {
    pub(crate) data: &'a [f32],
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) row_stride: usize,
    pub(crate) column_stride: usize,
}

impl<'a> Operand<'a> {
    /// A matrix (rows, columns).
    ///
    /// # Panics
    /// If `data` has another length.
    pub fn new(data: &'a [f32], rows: usize, columns: usize) -> Self {
        assert_eq!(data.len(), rows * columns, "data is (rows, columns)");
        Self {
            data,
            rows,
            columns,
            row_stride: columns,
            column_stride: 1,
        }
    }

    /// The transposed matrix.
    pub fn transposed(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
            ..self
        }
    }
}

/// Whether a product replaces the values of its destination.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Destination {
    /// out = a · b
    Replace,
    /// out += a · b
    Add,
}

/// a · b to `out` (rows of a, columns of b).
///
/// # Panics
/// If the shapes do not fit.
pub fn product(a: Operand<'_>, b: Operand<'_>, destination: Destination, out: &mut [f32]) {
    assert_eq!(a.columns, b.rows, "the inner sizes agree");
    assert_eq!(out.len(), a.rows * b.columns, "out is (rows, columns)");
    if out.is_empty() {
        return;
    }
    #[cfg(not(target_arch = "wasm32"))]
    crate::native::product(a, b, destination, out);
    #[cfg(target_arch = "wasm32")]
    crate::wasm::product(a, b, destination, out);
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// (i, k) · (k, j), one multiplication at a time.
    fn plain(a: &[f32], b: &[f32], (rows, inner, columns): (usize, usize, usize)) -> Vec<f32> {
        let entry = |i: usize, j: usize| {
            (0..inner)
                .map(|k| a[i * inner + k] * b[k * columns + j])
                .sum()
        };
        (0..rows * columns)
            .map(|at| entry(at / columns, at % columns))
            .collect()
    }

    fn transpose(x: &[f32], rows: usize, columns: usize) -> Vec<f32> {
        (0..x.len())
            .map(|at| x[at % rows * columns + at / rows])
            .collect()
    }

    #[test]
    fn every_form_agrees_with_the_plain_product() {
        for (m, k, n) in [
            (5, 7, 3),
            (1, 1, 1),
            (3, 1, 9),
            (4, 9, 8),
            (7, 33, 17),
            (9, 16, 24),
        ] {
            let a: Vec<f32> = (0..m * k).map(|i| (i as f32 * 0.37).sin()).collect();
            let b: Vec<f32> = (0..k * n).map(|i| (i as f32 * 0.21).cos()).collect();
            let expected = plain(&a, &b, (m, k, n));
            let (a_t, b_t) = (transpose(&a, m, k), transpose(&b, k, n));
            let forms = [
                (Operand::new(&a, m, k), Operand::new(&b, k, n)),
                (
                    Operand::new(&a_t, k, m).transposed(),
                    Operand::new(&b, k, n),
                ),
                (
                    Operand::new(&a, m, k),
                    Operand::new(&b_t, n, k).transposed(),
                ),
            ];
            for (x, y) in forms {
                let mut out = vec![1.0; m * n];
                product(x, y, Destination::Add, &mut out);
                assert!(
                    out.iter()
                        .zip(&expected)
                        .all(|(o, e)| (o - 1.0 - e).abs() < 1e-5)
                );
                product(x, y, Destination::Replace, &mut out);
                assert!(out.iter().zip(&expected).all(|(o, e)| (o - e).abs() < 1e-5));
            }
        }
    }
}
