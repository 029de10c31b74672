//! Strided matrix products of native builds.

use crate::product::{Destination, Operand};

/// See [`crate::product::product`], which checks the shapes.
pub fn product(a: Operand<'_>, b: Operand<'_>, destination: Destination, out: &mut [f32]) {
    let stride = |stride: usize| stride as isize;
    // SAFETY: each operand's strides address (rows, columns) elements inside its slice (`Operand::new` checks the
    // length, transposing swaps both), `out` is (rows, columns) row-major as the caller checked and borrowed mutably, so
    // it overlaps neither operand.
    unsafe {
        gemm::gemm(
            a.rows,
            b.columns,
            a.columns,
            out.as_mut_ptr(),
            1,
            stride(b.columns),
            destination == Destination::Add,
            a.data.as_ptr(),
            stride(a.column_stride),
            stride(a.row_stride),
            b.data.as_ptr(),
            stride(b.column_stride),
            stride(b.row_stride),
            1.0,
            1.0,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}
